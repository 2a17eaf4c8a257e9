// Whether an option takes a value, and the message if it does not.
#include <algorithm>
#include <limits>
#include <poplar/exceptions.hpp>
#include <utility>

#include "sw/poplar/option_table.h"

namespace tessera::runtime {
namespace {

constexpr std::string_view kSeparator = ", ";
constexpr std::string_view kNumberFrom = "<number from ";

bool fits(std::string_view alternative, const std::string& value) {
  if (alternative == "<text>") return true;
  if (alternative == "<time>") return parse_time(value).has_value();
  const auto number = parse_number(value);
  if (alternative == "<number>") return number.has_value();
  if (alternative.starts_with(kNumberFrom)) {
    const auto least =
        parse_number(std::string(alternative.substr(kNumberFrom.size(), alternative.size() - kNumberFrom.size() - 1)));
    return number && number >= least;
  }
  return alternative == value;
}

bool takes(std::string_view alternatives, const std::string& value) {
  for (size_t at = 0; !alternatives.empty() && at <= alternatives.size();) {
    const size_t end = std::min(alternatives.find(kSeparator, at), alternatives.size());
    if (fits(alternatives.substr(at, end - at), value)) return true;
    at = end + kSeparator.size();
  }
  return false;
}

// The known option that is most like a mistyped one shares the most leading characters.
std::string_view nearest(const OptionTable& table, const std::string& name) {
  std::string_view best;
  size_t most = 0;
  for (const Option& option : table.options) {
    const size_t same = static_cast<size_t>(
        std::mismatch(name.begin(), name.end(), option.name.begin(), option.name.end()).first - name.begin());
    if (same > most) {
      most = same;
      best = option.name;
    }
  }
  return best;
}

// How to get along without the value: for engine options also without changing the program.
std::string remedy(const OptionTable& table, const Option& option) {
  const std::string instead(option.takes.substr(0, option.takes.find(kSeparator)));
  if (instead.empty() || instead.front() == '<') return "; leave it out";
  std::string text = "; leave it out or give " + instead;
  if (&table == &engine_options())
    text += " (POPLAR_ENGINE_OPTIONS='{\"" + std::string(option.name) + "\":\"" + instead +
            "\"}' does, over what a program gives)";
  return text;
}

}  // namespace

std::optional<uint64_t> parse_number(const std::string& text) {
  size_t used = 0;
  try {
    if (text.empty() || text[0] < '0' || text[0] > '9') return {};
    const uint64_t value = std::stoull(text, &used, text.starts_with("0x") ? 16 : 10);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
    // Not a number, or too large.
  }
  return {};
}

std::optional<uint64_t> parse_time(const std::string& text) {
  constexpr std::pair<std::string_view, uint64_t> kUnits[] = {
      {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {"m", 60000000000}};
  std::string digits = text;
  uint64_t unit = 1000000000;
  for (const auto& [name, nanoseconds] : kUnits) {
    if (!text.ends_with(name)) continue;
    digits = text.substr(0, text.size() - name.size());
    unit = nanoseconds;
    break;
  }
  const auto number = parse_number(digits);
  if (!number || *number > std::numeric_limits<uint64_t>::max() / unit) return {};
  return *number * unit;
}

const Option* find(const OptionTable& table, const std::string& name) {
  const auto found =
      std::find_if(table.options.begin(), table.options.end(), [&](const Option& known) { return known.name == name; });
  return found == table.options.end() ? nullptr : &*found;
}

void check(const OptionTable& table, const std::string& name, const std::string& value, const std::string& of) {
  const std::string where = of.empty() ? "" : of + ": ";
  const Option* option = find(table, name);
  if (option == nullptr) {
    const std::string_view like = nearest(table, name);
    throw poplar::invalid_option(where + "there is no " + std::string(table.noun) + " '" + name + "'" +
                                 (like.empty() ? "" : "; is '" + std::string(like) + "' meant?"));
  }
  if (takes(option->takes, value)) return;
  const std::string what = where + std::string(table.noun) + " '" + name + "' is '" + value + "'";
  if (takes(option->refuses, value))
    throw poplar::invalid_option(what + ": " + std::string(option->why) + remedy(table, *option));
  const std::string both = std::string(option->takes) +
                           (option->takes.empty()     ? ""
                            : option->refuses.empty() ? ""
                                                      : kSeparator.data()) +
                           std::string(option->refuses);
  throw poplar::invalid_option(what + "; it takes " + both);
}

void check(const OptionTable& table, const poplar::OptionFlags& flags) {
  for (const auto& [name, value] : flags) check(table, name, value);
}

}  // namespace tessera::runtime
