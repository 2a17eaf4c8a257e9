// Which events of a trace are wanted, in the words of the program: by address, vertex, tensor element and register.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "inspect/trace/names.h"
#include "inspect/trace/trace_reader.h"
#include "rtl/spec/register_names.h"

namespace tessera::inspect::trace {

// Of a list with commas.
std::vector<std::string> items(const std::string& list);

// Each a list with commas; an event must be of one of each list that is given.
struct FilterWishes {
  std::string addresses;  // "5c004", "0x5c004-0x5c0ff": what reads or writes there, on any tile
  std::string vertices;   // "308", "Update": what contexts do while they are in it
  std::string tensors;    // "weights", "weights[103]", "weights[4..9]": what reads or writes its elements, also in
                          // buffers of vertices
  std::string registers;  // "a3", "fa5": instructions that read or write it
  bool any() const { return !addresses.empty() || !vertices.empty() || !tensors.empty() || !registers.empty(); }
};

class Filter {
 public:
  // Of a run. Throws TraceError, one line: what is wrong in the wishes, or what the program lacks.
  Filter(const FilterWishes&, const names::ProgramInfo&);

  // Follows who is in which vertex without passing anything on: events before those that are wanted.
  void follow(const Event&);
  // In the order of time; passes on what is wanted, at the latest with end().
  void add(const Event&, const std::function<void(const Event&)>& to);
  void end(const std::function<void(const Event&)>& to);

 private:
  struct Range {
    uint32_t first, last;
  };
  void read_addresses(const std::string&);
  void read_vertices(const std::string&);
  void read_tensors(const std::string&);
  void read_registers(const std::string&);
  bool of_vertex(const Event&) const;
  bool holds(const Event&) const;
  bool touches_wanted(const Event&) const;
  bool uses_register(const Event&) const;

  const names::ProgramInfo& program_;
  bool by_address_ = false, by_tensor_ = false, by_vertex_ = false;
  std::vector<Range> addresses_;
  struct Elements {
    std::string tensor;
    uint64_t first, last;
  };
  std::vector<Elements> elements_;
  std::set<uint32_t> ids_;  // of vertices
  std::set<std::string> codelets_;
  std::vector<spec::RegisterNumber> registers_;
  std::set<std::pair<uint32_t, unsigned>> inside_;  // tile and context: in a wanted vertex
  Names names_;                                     // follows the vertices
  std::vector<Event> cycle_;                        // events of the cycle under way
};

}  // namespace tessera::inspect::trace
