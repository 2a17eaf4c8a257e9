#include "inspect/faults/fault_line.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>

namespace tessera::inspect {

uint64_t fault_number(const std::string& text, const std::string& what) {
  const bool hex = text.starts_with("0x");
  const char *first = text.data() + (hex ? 2 : 0), *last = text.data() + text.size();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc() || end != last) throw BadFault(fmt::format("{} '{}' is no number", what, text));
  return value;
}

uint32_t fault_word(const std::string& text, const std::string& what) {
  const uint64_t value = fault_number(text, what);
  if (value > 0xffffffff) throw BadFault(fmt::format("{} {} is too large", what, text));
  return static_cast<uint32_t>(value);
}

FaultKeys::FaultKeys(std::istringstream& words) {
  for (std::string part; words >> part;) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos) throw BadFault(fmt::format("'{}' is not of the form key=value", part));
    if (!values_.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
      throw BadFault(fmt::format("{} is given twice", part.substr(0, equals)));
  }
}

std::optional<std::string> FaultKeys::find(const std::string& key) {
  const auto at = values_.find(key);
  if (at == values_.end()) return std::nullopt;
  auto value = at->second;
  values_.erase(at);
  return value;
}

std::string FaultKeys::take(const std::string& key) {
  const auto value = find(key);
  if (!value) throw BadFault(fmt::format("{}= is missing", key));
  return *value;
}

void FaultKeys::end() const {
  if (!values_.empty()) throw BadFault(fmt::format("this site has no {}=", values_.begin()->first));
}

std::string read_fault_list(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw BadFault(fmt::format("{}: cannot be read", path));
  if (std::filesystem::is_directory(path)) throw BadFault(fmt::format("{} is a directory, no list of faults", path));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void each_fault_line(const std::string& text, const std::string& name,
                     const std::function<void(const std::string& site, std::istringstream& words)>& parse) {
  std::istringstream lines(text);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string site;
    if (!(words >> site)) continue;
    try {
      parse(site, words);
    } catch (const BadFault& error) {
      throw BadFault(fmt::format("{}:{}: {}", name, number, error.what()));
    }
  }
}

}  // namespace tessera::inspect
