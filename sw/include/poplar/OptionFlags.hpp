// String options by name, kept in order of name.
#pragma once

#include <initializer_list>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

namespace poplar {

class OptionFlags {
 public:
  using OptionFlag = std::pair<const std::string, std::string>;
  using initializer_list = std::initializer_list<OptionFlag>;
  using iterator = std::map<std::string, std::string>::const_iterator;

  OptionFlags() {}
  OptionFlags(initializer_list flags) : flags_(flags) {}

  // Sets one option, replacing an earlier value.
  void set(StringRef option, StringRef value) { flags_[option.cloneAsString()] = value.cloneAsString(); }
  void set(initializer_list flags) {
    for (const OptionFlag& flag : flags) flags_[flag.first] = flag.second;
  }
  // Throws std::out_of_range if the option is absent.
  StringRef at(StringRef option) const { return flags_.at(option.cloneAsString()); }
  iterator find(StringRef option) const { return flags_.find(option.cloneAsString()); }
  std::size_t size() const { return flags_.size(); }
  void clear() { flags_.clear(); }
  iterator begin() const { return flags_.begin(); }
  iterator end() const { return flags_.end(); }

  bool operator==(const OptionFlags& other) const { return flags_ == other.flags_; }
  bool operator!=(const OptionFlags& other) const { return !(*this == other); }
  bool operator<(const OptionFlags& other) const { return flags_ < other.flags_; }

 private:
  std::map<std::string, std::string> flags_;
};

std::ostream& operator<<(std::ostream& os, const OptionFlags& flags);

// Adds the members of a JSON object of strings, numbers and booleans to the flags. Throws parse_error.
void readJSON(StringRef json, OptionFlags& flags);
void readJSON(std::istream& json, OptionFlags& flags);
// The same from an environment variable; does nothing if it is not set.
void readJSONFromEnv(StringRef variable, OptionFlags& flags);

ProfileValue getAsProfileValue(const OptionFlags& flags);

}  // namespace poplar
