// A trace as text: one line an event.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "inspect/trace/names.h"
#include "inspect/trace/trace_reader.h"

namespace tessera::inspect::trace {

// The line of an event: cycle, tile, context, pc, instruction, what it wrote, where in the program. Without newline.
std::string line(const Event&, Names&);
std::string line_heading();

// Lines of events in their order. A word that a port takes in and writes is one line, and so are words that the host
// writes one after another (an image being loaded).
class TextLines {
 public:
  TextLines(Names& names, std::function<void(const std::string&)> print) : names_(names), print_(std::move(print)) {}
  void add(const Event&);
  void end();

 private:
  bool continues_load(const Event&) const;
  Names& names_;
  std::function<void(const std::string&)> print_;
  std::optional<Event> taken_;    // a word that may be written next
  std::optional<Event> loaded_;   // the first of words that the host writes one after another
  uint32_t loaded_words_ = 0;     // how many so far
  std::vector<Event> meanwhile_;  // debug time accounted while they are written
};

// Groups of events that can be asked for by name.
struct EventGroup {
  const char* name;
  const char* what;
  bool (*holds)(const Event&);
};
const std::vector<EventGroup>&
event_groups();  // instructions, stores, loads, exchange, sync, host, vertices, exceptions

}  // namespace tessera::inspect::trace
