#include "compiler/codelet/ar_archive.h"

#include <fmt/format.h>

#include <charconv>

namespace tessera::compiler {
namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::size_t kHeaderBytes = 60;

}  // namespace

std::string ar_member(const std::string& name, std::string_view data) {
  // Time, owner and mode are constant: the same content always gives the same bytes.
  std::string bytes = fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name + "/", 0, 0, 0, 644, data.size());
  bytes += data;
  if (data.size() % 2 != 0) bytes += '\n';
  return bytes;
}

std::optional<std::vector<ArMember>> read_ar(std::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) return std::nullopt;
  std::vector<ArMember> members;
  std::size_t at = kMagic.size();
  while (at < bytes.size()) {
    const std::string_view header = bytes.substr(at, kHeaderBytes);
    if (header.size() < kHeaderBytes || header.substr(58) != "`\n") return std::nullopt;
    const std::string_view digits = header.substr(48, 10);
    std::size_t size = 0;
    if (std::from_chars(digits.begin(), digits.end(), size).ec != std::errc{}) return std::nullopt;
    const std::size_t start = at + kHeaderBytes;
    if (size > bytes.size() - start) return std::nullopt;
    members.push_back({std::string(header.substr(0, header.find('/'))), bytes.substr(start, size), at});
    at = start + size + size % 2;
  }
  return members;
}

}  // namespace tessera::compiler
