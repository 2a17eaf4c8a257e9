// What a library operation was called with and what it gave, kept as debug information of everything it makes.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/Type.hpp>

namespace poputil {

// A value as debug information. Specialise it for types of your own.
template <typename T>
poplar::ProfileValue toProfileValue(const T& value);

template <>
poplar::ProfileValue toProfileValue(const bool& value);
template <>
poplar::ProfileValue toProfileValue(const unsigned char& value);
template <>
poplar::ProfileValue toProfileValue(const int& value);
template <>
poplar::ProfileValue toProfileValue(const unsigned int& value);
template <>
poplar::ProfileValue toProfileValue(const long& value);
template <>
poplar::ProfileValue toProfileValue(const unsigned long& value);
template <>
poplar::ProfileValue toProfileValue(const long long& value);
template <>
poplar::ProfileValue toProfileValue(const unsigned long long& value);
template <>
poplar::ProfileValue toProfileValue(const float& value);
template <>
poplar::ProfileValue toProfileValue(const double& value);
template <>
poplar::ProfileValue toProfileValue(const std::string& value);
template <>
poplar::ProfileValue toProfileValue(const poplar::ComputeSet& value);
template <>
poplar::ProfileValue toProfileValue(const poplar::OptionFlags& value);
template <>
poplar::ProfileValue toProfileValue(const poplar::program::Copy& value);
template <>
poplar::ProfileValue toProfileValue(const poplar::program::Sequence& value);
template <>
poplar::ProfileValue toProfileValue(const poplar::Tensor& value);  // {"shape": "[2, 3]", "type": "float"}
template <>
poplar::ProfileValue toProfileValue(const poplar::TensorCloneMethod& value);
template <>
poplar::ProfileValue toProfileValue(const poplar::Type& value);
template <>
poplar::ProfileValue toProfileValue(const std::vector<bool>& values);

template <typename T>
poplar::ProfileValue toProfileValue(const T* value) {
  return value == nullptr ? poplar::ProfileValue("<nullptr>") : toProfileValue(*value);
}
template <typename T>
poplar::ProfileValue toProfileValue(T* const& value) {
  return value == nullptr ? poplar::ProfileValue("<nullptr>") : toProfileValue(*value);
}
// Elements by their number.
template <typename T>
poplar::ProfileValue toProfileValue(const std::vector<T>& values) {
  poplar::ProfileValue::Map out;
  for (std::size_t i = 0; i < values.size(); ++i) out.emplace(std::to_string(i), toProfileValue(values[i]));
  return out;
}
template <typename T, std::size_t N>
poplar::ProfileValue toProfileValue(const std::array<T, N>& values) {
  return toProfileValue(std::vector<T>(values.begin(), values.end()));
}
template <typename T>
poplar::ProfileValue toProfileValue(const poplar::ArrayRef<T>& values) {
  poplar::ProfileValue::Vector out;
  for (const T& value : values) out.push_back(toProfileValue(value));
  return out;
}
template <typename T1, typename T2>
poplar::ProfileValue toProfileValue(const std::pair<T1, T2>& pair) {
  poplar::ProfileValue::Map out;
  out.emplace("first", toProfileValue(pair.first));
  out.emplace("second", toProfileValue(pair.second));
  return out;
}

// A name and a value.
class ArgType {
 public:
  std::string n;
  poplar::ProfileValue pv;
  ArgType(const std::string& name, const poplar::ProfileValue& value) : n(name), pv(value) {}
  ArgType(const std::pair<std::string, const poplar::ProfileValue>& named) : n(named.first), pv(named.second) {}
};

class OpDebugInfo : public poplar::DebugInfo {
 public:
  OpDebugInfo(const poplar::DebugContext& debugContext, std::string api);
  void add(std::string name, const std::vector<ArgType>& args);  // nothing if there are none
  void add(std::string name, poplar::ProfileValue value);
};

// Of a function of the libraries: arguments under "args", results under "outputs" or "output".
class PoplibsOpDebugInfo : public OpDebugInfo {
 public:
#if defined(__GNUC__)
  PoplibsOpDebugInfo(const poplar::DebugContext& debugContext, const std::vector<ArgType>& args = {},
                     const std::string& api = __builtin_FUNCTION());
#else
  PoplibsOpDebugInfo(const poplar::DebugContext& debugContext, const std::vector<ArgType>& args = {},
                     const std::string& api = "");
#endif
  void addOutputs(const std::vector<ArgType>& outputs);
  void addOutput(const poplar::Tensor& output);
};

namespace detail {

// The expressions of a macro's argument list, as written.
std::vector<std::string> argumentNames(const char* list);

template <typename... T>
std::vector<ArgType> namedArguments(const char* list, const T&... values) {
  const std::vector<poplar::ProfileValue> profileValues = {toProfileValue(values)...};
  const std::vector<std::string> names = argumentNames(list);
  std::vector<ArgType> out;
  for (std::size_t i = 0; i < profileValues.size(); ++i) out.emplace_back(names[i], profileValues[i]);
  return out;
}

}  // namespace detail
}  // namespace poputil

// DI_ARGS(a, b): the values of a and b under their names.
#define DI_ARGS(...) ::poputil::detail::namedArguments(#__VA_ARGS__, __VA_ARGS__)
