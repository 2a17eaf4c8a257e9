// Names and places that follow an object from the program that made it into messages and reports.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

namespace poplar {

using DebugId = std::uint64_t;

// File, function and line of the caller.
class SourceLocation {
 public:
  SourceLocation() : function_(""), file_(""), line_(0) {}
  SourceLocation(const char* function, const char* file, unsigned line)
      : function_(function), file_(file), line_(line) {}
  bool isValid() const { return line_ != 0; }
  const char* getFunctionName() const { return function_; }
  const char* getFileName() const { return file_; }
  unsigned getLineNumber() const { return line_; }
#if defined(__GNUC__)
  static SourceLocation Current(const char* function = __builtin_FUNCTION(), const char* file = __builtin_FILE(),
                                unsigned line = __builtin_LINE()) {
    return SourceLocation(function, file, line);
  }
#else
  static SourceLocation Current() { return SourceLocation(); }
#endif

 private:
  const char* function_;
  const char* file_;
  unsigned line_;
};

class DebugContext;
class DebugInfo;

class DebugNameAndId {
 public:
  DebugNameAndId(std::string name = std::string(), DebugId debugId = 0, std::string parentPath = std::string());
  DebugNameAndId(const char* name, DebugId debugId = 0);
  DebugNameAndId(StringRef name, DebugId debugId = 0);
  DebugNameAndId(const DebugNameAndId& parent, const std::string& name);
  DebugNameAndId(const DebugInfo& info, const std::string& name = std::string());
  std::string getPathName() const;  // names from the outermost in, joined by '/'
  const std::string& getName() const { return name_; }
  const std::string& getParentPath() const { return parentPath_; }
  DebugId getId() const { return id_; }

 private:
  std::string name_;
  std::string parentPath_;
  DebugId id_;
};

enum class DebugSerializationFormat { CBOR, JSON };

// Facts about one operation, which objects made for it refer to.
class DebugInfo {
 public:
  DebugInfo(const DebugContext& debugContext, std::string layer);
  virtual ~DebugInfo();
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;
  DebugId getId() const { return id_; }
  std::string getPathName() const { return pathName_; }
  // Adds a fact; false if the name is taken.
  bool setValue(std::string name, ProfileValue value);
  const ProfileValue& getValues() const { return values_; }

  // From now on every debug info is written to the file when it goes: a map "contexts" of maps with id, path, location
  // and values. Closes what was open. Throws poplar_error if the file cannot be written.
  static void initializeStreamer(const std::string& fileName,
                                 const DebugSerializationFormat& format = DebugSerializationFormat::CBOR);
  static void closeStreamer();  // finishes the file, which is there from here on; does nothing if none is open

 private:
  DebugId id_;
  std::string pathName_;
  SourceLocation location_;
  ProfileValue values_;
};

class DebugContext {
 public:
  DebugContext(SourceLocation loc = SourceLocation::Current()) : location_(loc) {}
  DebugContext(const char* name, SourceLocation loc = SourceLocation::Current()) : name_(name), location_(loc) {}
  DebugContext(StringRef name, SourceLocation loc = SourceLocation::Current())
      : name_(name.cloneAsString()), location_(loc) {}
  DebugContext(std::string name, SourceLocation loc = SourceLocation::Current()) : name_(name), location_(loc) {}
  DebugContext(const DebugInfo& info, std::string name = std::string(), SourceLocation loc = SourceLocation::Current())
      : name_(name), parentPath_(info.getPathName()), parentId_(info.getId()), location_(loc) {}
  DebugContext(const DebugNameAndId& parent, std::string name = std::string(),
               SourceLocation loc = SourceLocation::Current())
      : name_(name), parentPath_(parent.getPathName()), parentId_(parent.getId()), location_(loc) {}
  DebugContext(const DebugContext& parent, std::string name)
      : name_(name), parentPath_(parent.getPathName()), parentId_(parent.parentId_), location_(parent.location_) {}

  std::string getPathName() const;  // names from the outermost in, joined by '/'
  const std::string& getName() const { return name_; }
  DebugId getParentId() const { return parentId_; }
  const SourceLocation& getLocation() const { return location_; }

 private:
  std::string name_;
  std::string parentPath_;
  DebugId parentId_ = 0;
  SourceLocation location_;
};

std::ostream& operator<<(std::ostream& os, const DebugNameAndId& name);

}  // namespace poplar
