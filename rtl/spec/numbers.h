// Numbers that hardware and software share, from numbers.def: SyncZone::kInternal, DebugControl::kPc, ..., kNoTile, ...
// The enumerations are of their number's type, so that a register number or a zone from a wire compares with them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace tessera::spec {

#define CONSTANT(id, bits, value, meaning)
// In a namespace of its own, so that its values are reached by its name only.
#define ENUM(Id, prefix, bits, text) \
  namespace numbers_of_##Id {        \
    enum Id : std::conditional_t<(bits) <= 8, uint8_t, uint32_t> {
#define VALUE(id, number, name, meaning) k##id = number,
#define END_ENUM(Id) \
  }                  \
  ;                  \
  }                  \
  using numbers_of_##Id::Id;
#include "rtl/spec/numbers.def"
#undef ENUM
#undef VALUE
#undef END_ENUM

// The name of a value in messages: name_of(SyncZone::kHost) is "host".
#define ENUM(Id, prefix, bits, text)        \
  constexpr const char* name_of(Id value) { \
    switch (static_cast<uint32_t>(value)) {
#define VALUE(id, number, name, meaning) \
  case number:                           \
    return name;
#define END_ENUM(Id) \
  }                  \
  return "unknown";  \
  }
#include "rtl/spec/numbers.def"
#undef ENUM
#undef VALUE
#undef END_ENUM
#undef CONSTANT

#define ENUM(Id, prefix, bits, text)
#define VALUE(id, number, name, meaning)
#define END_ENUM(Id)
#define CONSTANT(id, bits, value, meaning) constexpr uint32_t k##id = value;  // meaning
#include "rtl/spec/numbers.def"
#undef ENUM
#undef VALUE
#undef END_ENUM
#undef CONSTANT

// That a `sync` may name.
constexpr bool is_waited_for(unsigned zone) { return zone <= SyncZone::kReceive || zone == SyncZone::kReplica; }
constexpr const char* zone_name(unsigned zone) { return name_of(static_cast<SyncZone>(zone)); }

}  // namespace tessera::spec
