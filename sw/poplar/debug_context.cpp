#include <poplar/DebugContext.hpp>

#include <atomic>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

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

DebugNameAndId::DebugNameAndId(const DebugInfo& info, const std::string& name)
    : name_(name), parentPath_(info.getPathName()), id_(info.getId()) {}

std::string DebugNameAndId::getPathName() const { return join(parentPath_, name_); }

std::ostream& operator<<(std::ostream& os, const DebugNameAndId& name) { return os << name.getPathName(); }

std::string DebugContext::getPathName() const { return join(parentPath_, name_); }

DebugInfo::DebugInfo(const DebugContext& debugContext, std::string layer)
    : pathName_(debugContext.getPathName()), location_(debugContext.getLocation()) {
  // Ids only tell debug infos of one process apart; nothing computed depends on them.
  static std::atomic<DebugId> next{1};
  id_ = next++;
  values_["layer"] = std::move(layer);
  if (debugContext.getParentId() != 0) values_["parentId"] = debugContext.getParentId();
}

// The file of initializeStreamer, one for the process as Poplar has it.
namespace {

struct Streamer {
  std::mutex mutex;
  std::ofstream file;
  DebugSerializationFormat format = DebugSerializationFormat::CBOR;
  ProfileValue::Vector contexts;

  ~Streamer() { close(); }
  void close() {
    if (!file.is_open()) return;
    std::ostringstream text;
    serializeToJSON(text, ProfileValue::Map{{"contexts", std::move(contexts)}});
    if (format == DebugSerializationFormat::JSON) {
      file << text.str() << '\n';
    } else {
      nlohmann::json::to_cbor(nlohmann::json::parse(text.str()), file);
    }
    file.close();
    contexts.clear();
  }
};

Streamer& streamer() {
  static Streamer one;
  return one;
}

}  // namespace

void DebugInfo::initializeStreamer(const std::string& fileName, const DebugSerializationFormat& format) {
  Streamer& to = streamer();
  const std::lock_guard<std::mutex> lock(to.mutex);
  to.close();
  to.file.open(fileName, std::ios::binary);
  if (!to.file) throw poplar_error("DebugInfo::initializeStreamer: '" + fileName + "' cannot be written");
  to.format = format;
}

void DebugInfo::closeStreamer() {
  const std::lock_guard<std::mutex> lock(streamer().mutex);
  streamer().close();
}

DebugInfo::~DebugInfo() {
  Streamer& to = streamer();
  const std::lock_guard<std::mutex> lock(to.mutex);
  if (!to.file.is_open()) return;
  const ProfileValue::Map location = {{"file", location_.getFileName()},
                                      {"function", location_.getFunctionName()},
                                      {"line", location_.getLineNumber()}};
  to.contexts.push_back(
      ProfileValue::Map{{"id", id_}, {"path", pathName_}, {"location", location}, {"values", std::move(values_)}});
}

bool DebugInfo::setValue(std::string name, ProfileValue value) {
  return values_.asMap().emplace(std::move(name), std::move(value)).second;
}

}  // namespace poplar
