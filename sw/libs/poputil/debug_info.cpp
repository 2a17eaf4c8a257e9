// Arguments of library functions as debug information.
#include <poputil/DebugInfo.hpp>

namespace poputil {

using poplar::ProfileValue;

namespace {

std::string list_text(const std::vector<std::size_t>& numbers) {
  std::string out;
  for (const std::size_t n : numbers) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return "[" + out + "]";
}

}  // namespace

template <>
ProfileValue toProfileValue(const bool& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const unsigned char& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const int& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const unsigned int& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const long& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const unsigned long& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const long long& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const unsigned long long& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const float& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const double& value) {
  return ProfileValue(value);
}
template <>
ProfileValue toProfileValue(const std::string& value) {
  return ProfileValue(value);
}

template <>
ProfileValue toProfileValue(const poplar::ComputeSet& value) {
  return ProfileValue(value.getId());
}

template <>
ProfileValue toProfileValue(const poplar::OptionFlags& value) {
  return getAsProfileValue(value);
}

template <>
ProfileValue toProfileValue(const poplar::program::Copy&) {
  return ProfileValue("<poplar::program::Copy>");
}

template <>
ProfileValue toProfileValue(const poplar::program::Sequence&) {
  return ProfileValue("<poplar::program::Sequence>");
}

template <>
ProfileValue toProfileValue(const poplar::Tensor& value) {
  if (!value.valid()) return ProfileValue("<poplar::Tensor> - uninitialized");
  ProfileValue::Map out;
  out.emplace("shape", list_text(value.shape()));
  out.emplace("type", value.elementType().toString().cloneAsString());
  return out;
}

template <>
ProfileValue toProfileValue(const poplar::Type& value) {
  return ProfileValue(value.toString().cloneAsString());
}

template <>
ProfileValue toProfileValue(const poplar::TensorCloneMethod& value) {
  switch (value) {
    case poplar::TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES:
      return ProfileValue("PRESERVE_ORDER_AND_ALIASES");
    case poplar::TensorCloneMethod::CREATE_NEW_ORDER:
      return ProfileValue("CREATE_NEW_ORDER");
    case poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES:
      return ProfileValue("PRESERVE_ORDER_UNLESS_ALIASES");
    case poplar::TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES:
      return ProfileValue("GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES");
  }
  return ProfileValue("<unknown>");
}

template <>
ProfileValue toProfileValue(const std::vector<bool>& values) {
  ProfileValue::Map out;
  for (std::size_t i = 0; i < values.size(); ++i) out.emplace(std::to_string(i), static_cast<bool>(values[i]));
  return out;
}

OpDebugInfo::OpDebugInfo(const poplar::DebugContext& debugContext, std::string api)
    : poplar::DebugInfo(debugContext, "poplibs") {
  setValue("api", std::move(api));
}

void OpDebugInfo::add(std::string name, const std::vector<ArgType>& args) {
  if (args.empty()) return;
  ProfileValue::Map values;
  for (const ArgType& argument : args) values.emplace(argument.n, argument.pv);
  setValue(std::move(name), std::move(values));
}

void OpDebugInfo::add(std::string name, ProfileValue value) { setValue(std::move(name), std::move(value)); }

PoplibsOpDebugInfo::PoplibsOpDebugInfo(const poplar::DebugContext& debugContext, const std::vector<ArgType>& args,
                                       const std::string& api)
    : OpDebugInfo(debugContext, api) {
  add("args", args);
}

void PoplibsOpDebugInfo::addOutputs(const std::vector<ArgType>& outputs) { add("outputs", outputs); }

void PoplibsOpDebugInfo::addOutput(const poplar::Tensor& output) { add("output", toProfileValue(output)); }

namespace detail {

std::vector<std::string> argumentNames(const char* list) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (const char* c = list; *c != '\0'; ++c) {
    depth += *c == '(' || *c == '{' || *c == '[' ? 1 : 0;
    depth -= *c == ')' || *c == '}' || *c == ']' ? 1 : 0;
    if (*c == ',' && depth == 0)
      names.emplace_back();
    else if (*c != ' ' || !names.back().empty())
      names.back() += *c;
  }
  return names;
}

}  // namespace detail
}  // namespace poputil
