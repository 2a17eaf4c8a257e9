#include "shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rtl/spec/instructions.h"

namespace tessera::test {
namespace {

constexpr uint32_t kNop = 0x00000013;

// One thing that a program can do without.
struct Part {
  enum Kind : uint8_t { kEntry, kInstruction, kData, kWeights } kind;
  size_t image = 0, index = 0;
};

bool worth_dropping(uint32_t word) { return word != kNop; }

std::vector<Part> parts_of(const RandomProgram& program) {
  std::vector<Part> parts;
  for (size_t n = 0; n < program.entries.size(); ++n) parts.push_back({Part::kEntry, 0, n});
  for (size_t n = 0; n < program.images.size(); ++n) {
    const auto& image = program.images[n];
    if (!image.code) {
      if (!image.words.empty()) parts.push_back({Part::kData, n, 0});
      continue;
    }
    for (size_t word = 0; word < image.words.size(); ++word)
      if (worth_dropping(image.words[word])) parts.push_back({Part::kInstruction, n, word});
  }
  if (!program.weights.empty()) parts.push_back({Part::kWeights});
  return parts;
}

// The program without parts [from, to). Entries are left out last to first, so that their numbers stay right.
RandomProgram without(const RandomProgram& program, const std::vector<Part>& parts, size_t from, size_t to) {
  RandomProgram less = program;
  for (size_t n = to; n-- > from;) {
    const auto& part = parts[n];
    switch (part.kind) {
      case Part::kEntry:
        less.entries.erase(less.entries.begin() + static_cast<std::ptrdiff_t>(part.index));
        break;
      case Part::kInstruction:
        less.images[part.image].words[part.index] = kNop;
        break;
      case Part::kData:
        less.images[part.image].words.clear();
        break;
      case Part::kWeights:
        less.weights.clear();
        break;
    }
  }
  return less;
}

class Shrinker {
 public:
  Shrinker(const RandomProgram& program, const std::function<bool(const RandomProgram&)>& fails, unsigned most_runs)
      : best_(program), fails_(fails), most_runs_(most_runs) {}

  Shrunk shrink() {
    // Large pieces first, then ever smaller ones, until a round of single parts takes nothing away.
    size_t size = std::max<size_t>(parts_of(best_).size() / 2, 1);
    for (bool shrank = true; runs_ < most_runs_ && (size > 1 || shrank);) {
      shrank = round(size);
      if (size > 1) {
        size /= 2;
        shrank = true;
      }
    }
    trim();
    return {best_, count(best_), runs_};
  }

 private:
  // Tries to do without each piece of `size` parts, the last first: what comes after the failure goes at once.
  bool round(size_t size) {
    bool shrank = false;
    auto parts = parts_of(best_);
    size_t to = parts.size();
    while (to > 0 && runs_ < most_runs_) {
      const size_t from = to > size ? to - size : 0;
      if (accept(without(best_, parts, from, to))) {
        shrank = true;
        parts = parts_of(best_);
      }
      to = std::min(from, parts.size());
    }
    return shrank;
  }

  bool accept(RandomProgram candidate) {
    if (candidate.entries.empty()) return false;
    ++runs_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  // Nops at the end of an image need not be loaded.
  void trim() {
    RandomProgram shorter = best_;
    for (auto& image : shorter.images)
      if (image.code)
        while (!image.words.empty() && image.words.back() == kNop) image.words.pop_back();
    accept(std::move(shorter));
  }

  static unsigned count(const RandomProgram& program) {
    unsigned instructions = 0;
    for (const auto& image : program.images)
      if (image.code)
        instructions += static_cast<unsigned>(std::count_if(image.words.begin(), image.words.end(), worth_dropping));
    return instructions;
  }

  RandomProgram best_;
  const std::function<bool(const RandomProgram&)>& fails_;
  const unsigned most_runs_;
  unsigned runs_ = 0;
};

}  // namespace

Shrunk shrink(const RandomProgram& program, const std::function<bool(const RandomProgram&)>& fails,
              unsigned most_runs) {
  return Shrinker(program, fails, most_runs).shrink();
}

std::string listing(const RandomProgram& program) {
  std::string text = fmt::format("seed {:#x}, entries", program.seed);
  for (const uint32_t entry : program.entries) text += fmt::format(" {:05x}", entry);
  text += program.weights.empty() ? "\n" : ", weights\n";
  for (const auto& image : program.images) {
    if (!image.code) {
      if (!image.words.empty()) text += fmt::format("  {:05x}: {} words of data\n", image.address, image.words.size());
      continue;
    }
    for (size_t n = 0; n < image.words.size(); ++n) {
      if (!worth_dropping(image.words[n])) continue;
      const uint32_t pc = image.address + 4 * static_cast<uint32_t>(n);
      text += fmt::format("  {:05x}: {:08x} {}\n", pc, image.words[n], spec::disassemble(image.words[n], pc));
    }
  }
  return text;
}

}  // namespace tessera::test
