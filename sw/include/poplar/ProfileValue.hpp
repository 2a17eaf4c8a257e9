// A value of a report: boolean, number, string, vector of values or map from names to values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

namespace poplar {

namespace detail {
struct ProfileValueImpl;
}

class ProfileValue {
 public:
  using Boolean = bool;
  using Number = double;
  using String = std::string;
  using Vector = std::vector<ProfileValue>;
  using Map = std::map<std::string, ProfileValue>;
  enum class Type { BOOL_, NUMBER, STRING, VECTOR, MAP };

  ProfileValue();  // an empty map
  ProfileValue(Boolean v);
  ProfileValue(String v);
  ProfileValue(const char* v);
  ProfileValue(Vector v);
  ProfileValue(Map v);
  template <class T,
            class = typename std::enable_if<std::is_arithmetic<T>::value && !std::is_same<T, bool>::value>::type>
  ProfileValue(T v) : ProfileValue(static_cast<Number>(v), 0) {}
  ProfileValue(const ProfileValue& other);
  ProfileValue(ProfileValue&& other) noexcept;
  ProfileValue& operator=(const ProfileValue& other);
  ProfileValue& operator=(ProfileValue&& other) noexcept;
  ~ProfileValue();

  Type type() const;

  // Each throws profiling type errors (type_error) when the value is of another type.
  Boolean asBool() const;
  Number asDouble() const;
  std::int64_t asInt() const;
  std::uint64_t asUint() const;
  const String& asString() const;
  const Vector& asVector() const;
  const Map& asMap() const;
  Vector& asVector();
  Map& asMap();

  std::size_t size() const;  // of a vector or map
  // Any integer type, so that a literal 0 is not taken for a null string.
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  const ProfileValue& operator[](T i) const {
    return entry(static_cast<std::size_t>(i));
  }
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  ProfileValue& operator[](T i) {
    return const_cast<ProfileValue&>(entry(static_cast<std::size_t>(i)));  // *this is not const
  }
  const ProfileValue& operator[](const std::string& key) const;  // throws index_error if absent
  ProfileValue& operator[](const std::string& key);              // inserts if absent
  const ProfileValue& operator[](const char* key) const { return (*this)[std::string(key)]; }
  ProfileValue& operator[](const char* key) { return (*this)[std::string(key)]; }
  const ProfileValue* getOrNull(const std::string& key) const;
  void push_back(ProfileValue v);
  // Of a vector of numbers; sum2D: of a vector of such vectors.
  Number sum() const { return sumDouble(); }
  Number sumDouble() const;
  std::int64_t sumInt() const;
  std::uint64_t sumUint() const;
  std::int64_t sum2DInt() const;
  std::uint64_t sum2DUint() const;
  std::vector<std::uint64_t> toUintVector() const;

  bool operator==(const ProfileValue& other) const;
  bool operator!=(const ProfileValue& other) const { return !(*this == other); }

 private:
  ProfileValue(Number v, int);
  const ProfileValue& entry(std::size_t i) const;  // throws index_error
  std::unique_ptr<detail::ProfileValueImpl> impl_;
};

// Writes the value as JSON on one line.
void serializeToJSON(std::ostream& os, const ProfileValue& value, bool prettyPrint = false);
std::ostream& operator<<(std::ostream& os, const ProfileValue& value);

}  // namespace poplar
