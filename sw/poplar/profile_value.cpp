#include <poplar/ProfileValue.hpp>

#include <cmath>
#include <cstdio>
#include <utility>
#include <variant>

#include <poplar/exceptions.hpp>

namespace poplar {
namespace detail {

struct ProfileValueImpl {
  std::variant<bool, double, std::string, ProfileValue::Vector, ProfileValue::Map> value;
};

}  // namespace detail

namespace {

template <class T>
std::unique_ptr<detail::ProfileValueImpl> make(T value) {
  auto impl = std::make_unique<detail::ProfileValueImpl>();
  impl->value = std::move(value);
  return impl;
}

template <class T, class Impl>
auto& get(Impl& impl, const char* what) {
  auto* value = std::get_if<T>(&impl.value);
  if (value == nullptr) throw type_error(std::string("Profile value is not a ") + what);
  return *value;
}

void write_string(std::ostream& os, const std::string& s) {
  os << '"';
  for (const char c : s) {
    if (c == '"' || c == '\\') {
      os << '\\' << c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      os << escape;
    } else {
      os << c;
    }
  }
  os << '"';
}

void write_number(std::ostream& os, double v) {
  char text[32];
  if (v == std::floor(v) && std::fabs(v) < 1e15) {
    std::snprintf(text, sizeof text, "%.0f", v);
  } else if (std::isfinite(v)) {
    std::snprintf(text, sizeof text, "%.17g", v);
  } else {
    std::snprintf(text, sizeof text, "null");  // JSON has no infinities
  }
  os << text;
}

class JsonWriter {
 public:
  JsonWriter(std::ostream& os, bool pretty) : os_(os), pretty_(pretty) {}

  void write(const ProfileValue& v, unsigned depth) {
    switch (v.type()) {
      case ProfileValue::Type::BOOL_:
        os_ << (v.asBool() ? "true" : "false");
        return;
      case ProfileValue::Type::NUMBER:
        write_number(os_, v.asDouble());
        return;
      case ProfileValue::Type::STRING:
        write_string(os_, v.asString());
        return;
      case ProfileValue::Type::VECTOR:
        os_ << '[';
        for (std::size_t i = 0; i < v.asVector().size(); ++i) {
          separate(i, depth + 1);
          write(v.asVector()[i], depth + 1);
        }
        close(v.size(), depth, ']');
        return;
      case ProfileValue::Type::MAP: {
        os_ << '{';
        std::size_t i = 0;
        for (const auto& [key, value] : v.asMap()) {
          separate(i++, depth + 1);
          write_string(os_, key);
          os_ << (pretty_ ? ": " : ":");
          write(value, depth + 1);
        }
        close(v.size(), depth, '}');
        return;
      }
    }
  }

 private:
  void line(unsigned depth) {
    if (pretty_) os_ << '\n' << std::string(std::size_t{2} * depth, ' ');
  }
  void separate(std::size_t i, unsigned depth) {
    if (i != 0) os_ << ',';
    line(depth);
  }
  void close(std::size_t n, unsigned depth, char bracket) {
    if (n != 0) line(depth);
    os_ << bracket;
  }

  std::ostream& os_;
  bool pretty_;
};

}  // namespace

ProfileValue::ProfileValue() : impl_(make(Map())) {}
ProfileValue::ProfileValue(Boolean v) : impl_(make(v)) {}
ProfileValue::ProfileValue(String v) : impl_(make(std::move(v))) {}
ProfileValue::ProfileValue(const char* v) : impl_(make(std::string(v))) {}
ProfileValue::ProfileValue(Vector v) : impl_(make(std::move(v))) {}
ProfileValue::ProfileValue(Map v) : impl_(make(std::move(v))) {}
ProfileValue::ProfileValue(Number v, int) : impl_(make(v)) {}
ProfileValue::ProfileValue(const ProfileValue& other) : impl_(make(other.impl_->value)) {}
ProfileValue::ProfileValue(ProfileValue&& other) noexcept : impl_(std::move(other.impl_)) {}
ProfileValue& ProfileValue::operator=(const ProfileValue& other) {
  impl_ = make(other.impl_->value);
  return *this;
}
ProfileValue& ProfileValue::operator=(ProfileValue&& other) noexcept = default;
ProfileValue::~ProfileValue() = default;

ProfileValue::Type ProfileValue::type() const { return static_cast<Type>(impl_->value.index()); }

ProfileValue::Boolean ProfileValue::asBool() const { return get<bool>(*impl_, "boolean"); }
ProfileValue::Number ProfileValue::asDouble() const { return get<double>(*impl_, "number"); }
std::int64_t ProfileValue::asInt() const { return static_cast<std::int64_t>(asDouble()); }
std::uint64_t ProfileValue::asUint() const { return static_cast<std::uint64_t>(asDouble()); }
const ProfileValue::String& ProfileValue::asString() const { return get<std::string>(std::as_const(*impl_), "string"); }
const ProfileValue::Vector& ProfileValue::asVector() const { return get<Vector>(std::as_const(*impl_), "vector"); }
const ProfileValue::Map& ProfileValue::asMap() const { return get<Map>(std::as_const(*impl_), "map"); }
ProfileValue::Vector& ProfileValue::asVector() { return get<Vector>(*impl_, "vector"); }
ProfileValue::Map& ProfileValue::asMap() { return get<Map>(*impl_, "map"); }

std::size_t ProfileValue::size() const { return type() == Type::MAP ? asMap().size() : asVector().size(); }

const ProfileValue& ProfileValue::entry(std::size_t i) const {
  if (i >= asVector().size()) throw index_error("Profile vector has no entry " + std::to_string(i));
  return asVector()[i];
}
const ProfileValue& ProfileValue::operator[](const std::string& key) const {
  const ProfileValue* value = getOrNull(key);
  if (value == nullptr) throw index_error("Profile map has no entry '" + key + "'");
  return *value;
}
ProfileValue& ProfileValue::operator[](const std::string& key) { return asMap()[key]; }
const ProfileValue* ProfileValue::getOrNull(const std::string& key) const {
  const auto at = asMap().find(key);
  return at == asMap().end() ? nullptr : &at->second;
}
void ProfileValue::push_back(ProfileValue v) { asVector().push_back(std::move(v)); }

namespace {

template <class T>
T total(const ProfileValue& vector, T (ProfileValue::*of)() const) {
  T sum = 0;
  for (const ProfileValue& v : vector.asVector()) sum += (v.*of)();
  return sum;
}

}  // namespace

ProfileValue::Number ProfileValue::sumDouble() const { return total(*this, &ProfileValue::asDouble); }
std::int64_t ProfileValue::sumInt() const { return total(*this, &ProfileValue::asInt); }
std::uint64_t ProfileValue::sumUint() const { return total(*this, &ProfileValue::asUint); }
std::int64_t ProfileValue::sum2DInt() const { return total(*this, &ProfileValue::sumInt); }
std::uint64_t ProfileValue::sum2DUint() const { return total(*this, &ProfileValue::sumUint); }

std::vector<std::uint64_t> ProfileValue::toUintVector() const {
  std::vector<std::uint64_t> out;
  for (const ProfileValue& v : asVector()) out.push_back(v.asUint());
  return out;
}

bool ProfileValue::operator==(const ProfileValue& other) const { return impl_->value == other.impl_->value; }

void serializeToJSON(std::ostream& os, const ProfileValue& value, bool prettyPrint) {
  JsonWriter(os, prettyPrint).write(value, 0);
}

std::ostream& operator<<(std::ostream& os, const ProfileValue& value) {
  serializeToJSON(os, value);
  return os;
}

}  // namespace poplar
