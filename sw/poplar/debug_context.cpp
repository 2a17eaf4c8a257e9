#include <poplar/DebugContext.hpp>

#include <atomic>

namespace poplar {
namespace {

std::string join(const std::string& parent, const std::string& name) {
  if (parent.empty()) return name;
  return name.empty() ? parent : parent + "/" + name;
}

}  // namespace

DebugNameAndId::DebugNameAndId(std::string name, DebugId debugId, std::string parentPath)
    : name_(std::move(name)), parentPath_(std::move(parentPath)), id_(debugId) {}
DebugNameAndId::DebugNameAndId(const char* name, DebugId debugId) : name_(name), id_(debugId) {}
DebugNameAndId::DebugNameAndId(StringRef name, DebugId debugId) : name_(name.cloneAsString()), id_(debugId) {}
DebugNameAndId::DebugNameAndId(const DebugNameAndId& parent, const std::string& name)
    : name_(name), parentPath_(parent.getPathName()), id_(parent.id_) {}

std::string DebugNameAndId::getPathName() const { return join(parentPath_, name_); }

std::ostream& operator<<(std::ostream& os, const DebugNameAndId& name) { return os << name.getPathName(); }

std::string DebugContext::getPathName() const { return join(parentPath_, name_); }

DebugInfo::DebugInfo(const DebugContext& debugContext, std::string layer) : pathName_(debugContext.getPathName()) {
  // Ids only tell debug infos of one process apart; nothing computed depends on them.
  static std::atomic<DebugId> next{1};
  id_ = next++;
  values_["layer"] = std::move(layer);
  if (debugContext.getParentId() != 0) values_["parentId"] = debugContext.getParentId();
}

DebugInfo::~DebugInfo() = default;

bool DebugInfo::setValue(std::string name, ProfileValue value) {
  return values_.asMap().emplace(std::move(name), std::move(value)).second;
}

}  // namespace poplar
