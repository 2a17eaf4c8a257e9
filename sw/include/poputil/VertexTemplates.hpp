// Names of instantiated vertices: templateVertex("ns::Add", poplar::FLOAT, true, 3) is "ns::Add<float,true,3>", as
// codelets are found by.
#pragma once

#include <string>

#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>

namespace poputil {

// How a template argument is written. Specialise it for types of your own, such as enums: to_string gives the name
// with its scope ("ns::Enum::VALUE").
template <typename T>
struct VertexTemplateToString {
  static std::string to_string(const T& value) { return std::to_string(value); }
};
template <>
struct VertexTemplateToString<poplar::Type> {
  static std::string to_string(const poplar::Type& type) { return type.toString().cloneAsString(); }
};
template <>
struct VertexTemplateToString<poplar::StringRef> {
  static std::string to_string(const poplar::StringRef& text) { return text.cloneAsString(); }
};
template <>
struct VertexTemplateToString<std::string> {
  static std::string to_string(const std::string& text) { return text; }
};
template <>
struct VertexTemplateToString<const char*> {
  static std::string to_string(const char* text) { return text; }
};
template <>
struct VertexTemplateToString<bool> {
  static std::string to_string(bool value) { return value ? "true" : "false"; }
};

namespace detail {

template <typename T>
std::string templateArgument(const T& value) {
  return VertexTemplateToString<T>::to_string(value);
}
inline std::string templateArgument(const char* text) { return text; }

inline void appendTemplateArguments(std::string&) {}
template <typename First, typename... Rest>
void appendTemplateArguments(std::string& out, const First& first, const Rest&... rest) {
  out += out.empty() ? "<" : ",";
  out += templateArgument(first);
  appendTemplateArguments(out, rest...);
}

}  // namespace detail

template <typename... Args>
std::string templateVertex(const std::string& name, const Args&... args) {
  std::string arguments;
  detail::appendTemplateArguments(arguments, args...);
  return arguments.empty() ? name : name + arguments + ">";
}

}  // namespace poputil
