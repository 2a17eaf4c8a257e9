// Options of library functions: a table from names to handlers of their values. Bad names and values throw
// poplar::invalid_option with both.
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#endif

#include <poplar/StringRef.hpp>
#include <poplar/exceptions.hpp>

namespace poplibs {
namespace parse {

namespace detail {
template <typename T>
T number(const std::string& text, bool hexadecimal, const char* complaint) {
  std::istringstream in(text);
  if (hexadecimal) in >> std::hex;
  T value;
  if (!(in >> value) || in.peek() != std::istringstream::traits_type::eof()) throw poplar::invalid_option(complaint);
  return value;
}
inline bool isHexadecimal(const std::string& text) { return text.find("0x") != std::string::npos; }
}  // namespace detail

template <typename T>
T asInteger(const poplar::StringRef& text) {
  const std::string s = text.cloneAsString();
  return detail::number<T>(s, detail::isHexadecimal(s), "Not a valid integer");
}

template <typename T>
T asFloatingPoint(const poplar::StringRef& text) {
  return detail::number<T>(text.cloneAsString(), false, "Not a floating point number");
}

// "['a', 'b']"
template <typename T>
std::string describeEnumValues(const std::map<std::string, T>& values) {
  std::string out;
  for (const auto& value : values) out += (out.empty() ? "'" : ", '") + value.first + "'";
  return "[" + out + "]";
}

template <typename T>
T asEnum(const poplar::StringRef& text, const std::map<std::string, T>& values) {
  const auto at = values.find(text.cloneAsString());
  if (at == values.end()) throw poplar::invalid_option("Not one of the values: " + describeEnumValues(values));
  return at->second;
}

inline bool asBool(const poplar::StringRef& text) {
  static const std::map<std::string, bool> values = {{"true", true}, {"false", false}};
  return asEnum<bool>(text, values);
}

}  // namespace parse

// What to do with the value of one option. The factories keep a reference to where the value goes.
class OptionHandler {
 public:
  template <typename F>
  OptionHandler(F&& handler) : handler_(std::forward<F>(handler)) {}
  void parseValue(poplar::StringRef value) const { handler_(value); }

  template <typename T, typename Values = std::map<std::string, T>>
  static OptionHandler createWithEnum(T& output, Values&& values) {
    const std::map<std::string, T> known(std::forward<Values>(values));
    return OptionHandler([&output, known](poplar::StringRef value) { output = parse::asEnum<T>(value, known); });
  }
  template <typename T>
  static OptionHandler createWithInteger(T& output) {
    return OptionHandler([&output](poplar::StringRef value) { output = parse::asInteger<T>(value); });
  }
  template <typename T>
  static OptionHandler createWithBool(T& output) {
    return OptionHandler([&output](poplar::StringRef value) { output = static_cast<T>(parse::asBool(value)); });
  }
  static OptionHandler createWithString(std::string& output) {
    return OptionHandler([&output](poplar::StringRef value) { output = value.cloneAsString(); });
  }
  // Integers separated by commas; appended.
  template <typename T>
  static OptionHandler createWithList(std::vector<T>& output) {
    return OptionHandler([&output](poplar::StringRef values) {
      std::istringstream in(values.cloneAsString());
      for (std::string element; std::getline(in, element, ',');) {
        output.push_back(parse::detail::number<T>(element, parse::detail::isHexadecimal(element),
                                                  "Not a comma-separated list of integers"));
      }
    });
  }
  template <typename T>
  static OptionHandler createWithDouble(T& output, double lowerBound = std::numeric_limits<double>::min(),
                                        bool lowerBoundIsInclusive = true,
                                        double upperBound = std::numeric_limits<double>::max(),
                                        bool upperBoundIsInclusive = true) {
    return OptionHandler([=, &output](poplar::StringRef text) {
      const double value = parse::asFloatingPoint<double>(text);
      ensureValueIsWithinBounds(value, lowerBound, lowerBoundIsInclusive, upperBound, upperBoundIsInclusive);
      output = static_cast<T>(value);
    });
  }
  template <typename T>
  static void ensureValueIsWithinBounds(T value, const T& lowerBound, bool lowerBoundIsInclusive, const T& upperBound,
                                        bool upperBoundIsInclusive) {
    if (value < lowerBound || (!lowerBoundIsInclusive && value == lowerBound))
      throw poplar::invalid_option(std::string("Value must be greater than ") +
                                   (lowerBoundIsInclusive ? "or equal to " : "") + std::to_string(lowerBound));
    if (value > upperBound || (!upperBoundIsInclusive && value == upperBound))
      throw poplar::invalid_option(std::string("Value must be less than ") +
                                   (upperBoundIsInclusive ? "or equal to " : "") + std::to_string(upperBound));
  }

 private:
  std::function<void(poplar::StringRef)> handler_;
};

// All options of a function.
class OptionSpec {
 public:
  using value_type = std::pair<const std::string, OptionHandler>;
  OptionSpec(std::initializer_list<value_type> handlers) : handlers_(handlers) {}

  void parse(poplar::StringRef option, poplar::StringRef value, bool ignoreUnknown = false) const {
    const auto at = handlers_.find(option.cloneAsString());
    if (at == handlers_.end()) {
      if (ignoreUnknown) return;
      throw poplar::invalid_option("Unrecognised option '" + option.cloneAsString() + "'");
    }
    try {
      at->second.parseValue(value);
    } catch (const poplar::invalid_option& e) {
      throw poplar::invalid_option("Invalid value '" + value.cloneAsString() + "' for option '" +
                                   option.cloneAsString() + "': " + e.what());
    }
  }

 private:
  std::map<std::string, OptionHandler> handlers_;
};

#if __cplusplus >= 201703L
template <typename T>
OptionHandler createOptionalDoubleHandler(std::optional<T>& output,
                                          double lowerBound = std::numeric_limits<double>::min(),
                                          bool lowerBoundIsInclusive = true,
                                          double upperBound = std::numeric_limits<double>::max(),
                                          bool upperBoundIsInclusive = true) {
  return OptionHandler([=, &output](poplar::StringRef text) {
    const double value = parse::asFloatingPoint<double>(text);
    OptionHandler::ensureValueIsWithinBounds(value, lowerBound, lowerBoundIsInclusive, upperBound,
                                             upperBoundIsInclusive);
    output = static_cast<T>(value);
  });
}
// "none" is no value.
template <typename T, typename Values = std::map<std::string, T>>
OptionHandler createOptionalEnumHandler(std::optional<T>& output, Values&& values) {
  const std::map<std::string, T> known(std::forward<Values>(values));
  return OptionHandler([&output, known](poplar::StringRef value) {
    if (value == "none")
      output = std::nullopt;
    else
      output = parse::asEnum<T>(value, known);
  });
}
#endif

}  // namespace poplibs
