#include "tests/inspect/waves/fst_dump.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace tessera::test {
namespace {

// A text as a VCD has it: escapes of C for blanks and signs.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      plain += text[i];
    } else if (std::isdigit(static_cast<unsigned char>(text.at(i + 1)))) {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      plain += text[++i];  // quotes; nothing else stands in our texts
    }
  }
  return plain;
}

}  // namespace

FstDump::FstDump(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("fst2vcd -f '" + path + "'").c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("fst2vcd does not start");
  std::vector<std::string> scopes;
  bool of_unit = false;  // the line is behind "$timescale"
  uint64_t now = 0;
  char* buffer = nullptr;
  size_t room = 0;
  while (getline(&buffer, &room, pipe.get()) >= 0) {
    std::string line = buffer;
    if (!line.empty() && line.back() == '\n') line.pop_back();
    if (line.empty()) continue;
    if (std::exchange(of_unit, line.starts_with("$timescale"))) unit_ = line.substr(line.find_first_not_of("\t "));
    if (line[0] == '$') {
      std::istringstream in(line);
      std::vector<std::string> words;
      for (std::string word; in >> word;) words.push_back(word);
      if (words[0] == "$scope") scopes.push_back((scopes.empty() ? "" : scopes.back() + ".") + words[2]);
      if (words[0] == "$upscope") scopes.pop_back();
      if (words[0] == "$var")
        codes_[(scopes.empty() ? "" : scopes.back() + ".") + words[4] + (words[5] == "$end" ? "" : words[5])] =
            words[3];
    } else if (line[0] == '#') {
      now = std::stoull(line.substr(1));
      first_ = std::min(first_, now);
      last_ = std::max(last_, now);
    } else if (line[0] == 'b' || line[0] == 's') {
      const size_t blank = line.find(' ');
      changes_[line.substr(blank + 1)].emplace_back(now, unescaped(line.substr(1, blank - 1)));
    } else if (line[0] == '0' || line[0] == '1' || line[0] == 'x') {
      changes_[line.substr(1)].emplace_back(now, line.substr(0, 1));
    }
  }
  std::free(buffer);
  if (codes_.empty()) throw std::runtime_error("fst2vcd does not read " + path);
}

const std::string& FstDump::at(const std::string& name, uint64_t cycle) const {
  const auto code = codes_.find(name);
  if (code == codes_.end()) throw std::runtime_error(name + " is not in the waves");
  static const std::string kNothing;
  const auto list = changes_.find(code->second);
  if (list == changes_.end()) return kNothing;
  const auto after =
      std::upper_bound(list->second.begin(), list->second.end(), cycle,
                       [](uint64_t key, const std::pair<uint64_t, std::string>& change) { return key < change.first; });
  return after == list->second.begin() ? kNothing : (after - 1)->second;
}

uint64_t FstDump::number(const std::string& name, uint64_t cycle) const {
  const std::string& bits = at(name, cycle);
  if (bits.find('x') != std::string::npos || bits.empty()) throw std::runtime_error(name + " is not known");
  return std::stoull(bits, nullptr, 2);
}

}  // namespace tessera::test
