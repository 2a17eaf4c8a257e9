// Events in words: what lines of text and columns of tables are made of.
#pragma once

#include <string>
#include <vector>

#include "inspect/trace/names.h"

namespace tessera::inspect::trace {

// "instruction", "sent", "enters vertex": one name a kind.
const char* name_of(EventKind);

struct RegisterWrite {
  std::string name, value;  // "a3", "0000002f"
};
std::vector<RegisterWrite> registers_written(const chip::Retire&);

// "[5c004 weights[103]]"
std::string bracketed(const Event&, uint32_t address, const Names&);
// "from [5c004 weights[103]]"; "" when nothing is known of it.
std::string reads_text(const Event&, const Names&);
// "[5c004 weights[103]] = 3f800000 (1)"; "" when it stores nothing.
std::string store_text(const Event&, const Names&);
// What an event that is no instruction is about.
std::string what(const Event&, Names&);

}  // namespace tessera::inspect::trace
