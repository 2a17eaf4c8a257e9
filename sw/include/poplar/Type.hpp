// Element types of tensors.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>

#include <poplar/StringRef.hpp>

namespace poplar {

class Type {
 public:
  constexpr Type() : id_(0) {}
  constexpr explicit Type(unsigned char id) : id_(id) {}

  StringRef toString() const;  // the C++ spelling, such as "unsigned int"
  bool isFloatingPoint() const;
  bool requiresMetadata() const;  // QUARTER alone
  std::size_t hash() const { return id_; }
  constexpr unsigned char id() const { return id_; }

  constexpr bool operator==(Type other) const { return id_ == other.id_; }
  constexpr bool operator!=(Type other) const { return id_ != other.id_; }
  constexpr bool operator<(Type other) const { return id_ < other.id_; }

 private:
  unsigned char id_;
};

std::ostream& operator<<(std::ostream& os, const Type& type);

constexpr Type BOOL(0);
constexpr Type CHAR(1);
constexpr Type UNSIGNED_CHAR(2);
constexpr Type SIGNED_CHAR(3);
constexpr Type SHORT(4);
constexpr Type UNSIGNED_SHORT(5);
constexpr Type INT(6);
constexpr Type UNSIGNED_INT(7);
constexpr Type LONG(8);
constexpr Type UNSIGNED_LONG(9);
constexpr Type LONGLONG(10);
constexpr Type UNSIGNED_LONGLONG(11);
constexpr Type HALF(12);
constexpr Type FLOAT(13);
constexpr Type QUARTER(14);           // poplar/Quarter.hpp
constexpr Type QUARTER_METADATA(15);  // how the elements of a tensor of QUARTER are read
constexpr Type DOUBLE(16);            // a name alone: no tensor, stream or field has it (type_error)

class half;

// The element type that holds values of a host type: equivalent_device_type<float>().value is FLOAT.
template <class T>
struct equivalent_device_type;
#define TESSERA_DEVICE_TYPE(T, V)    \
  template <>                        \
  struct equivalent_device_type<T> { \
    Type value = V;                  \
  }
TESSERA_DEVICE_TYPE(bool, BOOL);
TESSERA_DEVICE_TYPE(char, CHAR);
TESSERA_DEVICE_TYPE(unsigned char, UNSIGNED_CHAR);
TESSERA_DEVICE_TYPE(signed char, SIGNED_CHAR);
TESSERA_DEVICE_TYPE(short, SHORT);
TESSERA_DEVICE_TYPE(unsigned short, UNSIGNED_SHORT);
TESSERA_DEVICE_TYPE(int, INT);
TESSERA_DEVICE_TYPE(unsigned int, UNSIGNED_INT);
TESSERA_DEVICE_TYPE(long, LONG);
TESSERA_DEVICE_TYPE(unsigned long, UNSIGNED_LONG);
TESSERA_DEVICE_TYPE(long long, LONGLONG);
TESSERA_DEVICE_TYPE(unsigned long long, UNSIGNED_LONGLONG);
TESSERA_DEVICE_TYPE(half, HALF);
TESSERA_DEVICE_TYPE(float, FLOAT);
#undef TESSERA_DEVICE_TYPE

}  // namespace poplar

namespace std {
template <>
struct hash<poplar::Type> {
  size_t operator()(poplar::Type type) const { return type.hash(); }
};
}  // namespace std
