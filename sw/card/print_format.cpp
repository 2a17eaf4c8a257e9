#include "sw/card/print_format.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <vector>

namespace tessera::card {
namespace {

constexpr int kMostWidth = 1000;  // a wild width comes from a wild argument

class Formatter {
 public:
  Formatter(const std::string& format, std::span<const uint32_t> words,
            const std::function<std::string(uint32_t)>& text_at, uint32_t doubles)
      : format_(format), words_(words), text_at_(text_at), doubles_(doubles) {}

  std::string run() {
    while (at_ < format_.size()) {
      const char c = format_[at_++];
      if (c == '%')
        conversion();
      else
        out_ += c;
    }
    return out_;
  }

 private:
  void conversion() {
    const size_t begin = at_;
    std::string spec = "%";
    while (at_ < format_.size() && std::string("-+ #0").find(format_[at_]) != std::string::npos) spec += format_[at_++];
    width(spec);
    if (at_ < format_.size() && format_[at_] == '.') {
      spec += format_[at_++];
      width(spec);
    }
    int longs = 0;
    while (at_ < format_.size() && std::string("hlztj").find(format_[at_]) != std::string::npos)
      longs += format_[at_] == 'j' ? 2 : format_[at_] == 'l', ++at_;
    if (at_ >= format_.size()) {
      out_ += "<a format ends in %>";
      return;
    }
    const char kind = format_[at_++];
    switch (kind) {
      case '%':
        out_ += '%';
        return;
      case 'd':
      case 'i':
        if (longs >= 2)
          print(spec + "lld", static_cast<long long>(two_words()));
        else
          print(spec + "d", static_cast<int>(word()));
        return;
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        if (longs >= 2)
          print(spec + "ll" + kind, static_cast<unsigned long long>(two_words()));
        else
          print(spec + kind, static_cast<unsigned>(word()));
        return;
      case 'c':
        print(spec + "c", static_cast<int>(word()));
        return;
      case 'p':
        print("%#x", static_cast<unsigned>(word()));
        return;
      case 's': {
        const bool there = next_ < words_.size();
        const uint32_t address = word();
        if (there) print(spec + "s", text_at_(address).c_str());
        return;
      }
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        print(spec + kind, number());
        return;
      default:
        out_ += "<unknown conversion %" + format_.substr(begin, at_ - begin) + ">";
    }
  }

  void width(std::string& spec) {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      spec += std::to_string(std::clamp(static_cast<int>(word()), -kMostWidth, kMostWidth));
      return;
    }
    int value = 0;
    bool given = false;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_, given = true)
      value = std::min(value * 10 + (format_[at_] - '0'), kMostWidth);
    if (given) spec += std::to_string(value);
  }

  double number() {
    const bool is_double = next_ < 32 && (doubles_ >> next_ & 1) != 0;
    return is_double ? std::bit_cast<double>(two_words()) : static_cast<double>(std::bit_cast<float>(word()));
  }
  uint32_t word() {
    if (next_ < words_.size()) return words_[next_++];
    out_ += "<argument missing>";
    return 0;
  }
  uint64_t two_words() {
    const uint64_t low = word();
    return low | static_cast<uint64_t>(word()) << 32;
  }

  template <class T>
  void print(const std::string& spec, T value) {
    // The format is built above from checked parts.
    const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (size <= 0) return;
    std::vector<char> text(static_cast<size_t>(size) + 1);
    std::snprintf(text.data(), text.size(), spec.c_str(), value);
    out_.append(text.data(), static_cast<size_t>(size));
  }

  const std::string& format_;
  std::span<const uint32_t> words_;
  const std::function<std::string(uint32_t)>& text_at_;
  uint32_t doubles_;
  size_t at_ = 0, next_ = 0;
  std::string out_;
};

}  // namespace

std::string format_print(const std::string& format, std::span<const uint32_t> words,
                         const std::function<std::string(uint32_t address)>& text_at, uint32_t doubles) {
  return Formatter(format, words, text_at, doubles).run();
}

}  // namespace tessera::card
