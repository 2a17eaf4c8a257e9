#include "inspect/gdb/variable_types.h"

#include <algorithm>
#include <map>

namespace tessera::inspect::gdb {
namespace {

// The numbers of DWARF that are used here.
enum Tag : uint8_t { kArray = 0x01, kUnit = 0x11, kSubrange = 0x21, kBase = 0x24, kVariable = 0x34 };
enum Attribute : uint8_t {
  kLocation = 0x02,
  kName = 0x03,
  kByteSize = 0x0b,
  kLanguage = 0x13,
  kLowerBound = 0x22,
  kCount = 0x37,
  kEncoding = 0x3e,
  kExternal = 0x3f,
  kType = 0x49
};
enum Form : uint8_t { kText = 0x08, kByte = 0x0b, kNumber = 0x0f, kReference = 0x13, kCode = 0x18, kPresent = 0x19 };
enum Encoding : uint8_t { kBoolean = 2, kFloating = 4, kSigned, kSignedChar, kUnsigned, kUnsignedChar };
constexpr uint8_t kCPlusPlus = 0x04, kAddressOperation = 0x03, kAddressBytes = 4;
constexpr uint16_t kVersion = 4;

struct Shape {
  Tag tag;
  bool children;
  std::vector<std::pair<Attribute, Form>> attributes;
};
// Its abbreviation's number is its place, from 1.
const std::vector<Shape> kShapes = {
    {kUnit, true, {{kName, kText}, {kLanguage, kByte}}},
    {kBase, false, {{kName, kText}, {kEncoding, kByte}, {kByteSize, kByte}}},
    {kArray, true, {{kType, kReference}}},
    {kSubrange, false, {{kLowerBound, kNumber}, {kCount, kNumber}}},
    {kVariable, false, {{kName, kText}, {kType, kReference}, {kExternal, kPresent}, {kLocation, kCode}}}};

struct Bytes {
  std::string text;
  Bytes& byte(uint8_t value) {
    text += static_cast<char>(value);
    return *this;
  }
  Bytes& word(uint32_t value, unsigned bytes = 4) {
    for (unsigned n = 0; n < bytes; ++n) byte(static_cast<uint8_t>(value >> (8 * n)));
    return *this;
  }
  Bytes& number(uint64_t value) {  // LEB128
    do {
      const auto low = static_cast<uint8_t>(value & 0x7f);
      value >>= 7;
      byte(value != 0 ? low | 0x80 : low);
    } while (value != 0);
    return *this;
  }
  Bytes& name(const std::string& value) {
    text.append(value.c_str(), value.size() + 1);
    return *this;
  }
  Bytes& begin(Tag tag) {
    const auto at = std::ranges::find(kShapes, tag, &Shape::tag);
    return number(static_cast<uint64_t>(at - kShapes.begin()) + 1);
  }
  uint32_t here() const { return static_cast<uint32_t>(text.size()); }
};

std::string abbreviations() {
  Bytes bytes;
  for (size_t n = 0; n < kShapes.size(); ++n) {
    bytes.number(n + 1).number(kShapes[n].tag).byte(kShapes[n].children);
    for (const auto& [attribute, form] : kShapes[n].attributes) bytes.number(attribute).number(form);
    bytes.byte(0).byte(0);
  }
  return bytes.byte(0).text;
}

Encoding encoding_of(const std::string& type) {
  if (type == "bool") return kBoolean;
  if (type == "float" || type == "half") return kFloating;
  if (type == "signed char") return kSignedChar;
  if (type == "char" || type == "unsigned char") return kUnsignedChar;  // plain char has no sign on RISC-V
  return type.starts_with("unsigned") ? kUnsigned : kSigned;
}

}  // namespace

VariableTypes variable_types(const names::ProgramInfo& program, unsigned tile, uint32_t abbreviations_at) {
  constexpr uint32_t kLengthBytes = 4;
  Bytes unit;  // without its length
  unit.word(kVersion, 2).word(abbreviations_at).byte(kAddressBytes);
  unit.begin(kUnit).name("variables of tile " + std::to_string(tile)).byte(kCPlusPlus);
  std::map<names::Name, uint32_t> types;
  bool any = false;
  for (const names::Variable& variable : program.variables) {
    if (variable.tile != tile || variable.type == 0 || variable.name == 0 || variable.element_bytes == 0) continue;
    any = true;
    const std::string& type = program.name(variable.type);
    const auto [base, fresh] = types.emplace(variable.type, unit.here() + kLengthBytes);
    if (fresh) unit.begin(kBase).name(type).byte(encoding_of(type)).byte(variable.element_bytes);
    const uint32_t array = unit.here() + kLengthBytes;
    const bool one_run = variable.first_element != names::Field::kGathered;
    unit.begin(kArray).word(base->second);
    unit.begin(kSubrange).number(one_run ? variable.first_element : 0).number(variable.bytes / variable.element_bytes);
    unit.byte(0);
    unit.begin(kVariable).name(program.name(variable.name)).word(array);
    unit.number(1 + kAddressBytes).byte(kAddressOperation).word(variable.address);
  }
  unit.byte(0);
  if (!any) return {};
  return {abbreviations(), Bytes().word(unit.here()).text + unit.text};
}

}  // namespace tessera::inspect::gdb
