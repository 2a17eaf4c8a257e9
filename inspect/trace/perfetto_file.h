// The file of perfetto.h: named tracks, slices that nest in each of them, flows between slices, counters.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/whole_file.h"

namespace tessera::inspect::trace {

class PerfettoFile {
 public:
  struct Track {
    uint32_t process = 0, thread = 0;
  };
  using Details = std::vector<std::pair<std::string, std::string>>;

  explicit PerfettoFile(const std::string& path);  // throws formats::CannotWrite, as all of these
  ~PerfettoFile();
  PerfettoFile(const PerfettoFile&) = delete;
  PerfettoFile& operator=(const PerfettoFile&) = delete;

  void process(uint32_t process, const std::string& name);  // processes are shown in the order of their numbers
  void thread(const Track&, const std::string& name);
  // Cycles begin <= c < end. Slices of a track either nest or do not meet; nothing is written for an empty one.
  void slice(const Track&, uint64_t begin, uint64_t end, const std::string& name, const Details& = {});
  void instant(const Track&, uint64_t cycle, const std::string& name, const Details& = {});
  // An arrow from the innermost slice of a track in a cycle to that of another one; none where either has no slice.
  void flow(const Track& from, uint64_t from_cycle, const Track& to, uint64_t to_cycle, const std::string& name);
  // A counter of a process has a value from a cycle on.
  void counter(uint32_t process, uint64_t cycle, const std::string& name, const std::string& series, uint64_t value);
  void close();

 private:
  struct Slice {
    uint64_t begin, end;
    std::string rest;  // name and args
  };
  struct Flow {
    Track from, to;
    uint64_t from_cycle, to_cycle;
    std::string name;
  };
  void event(const std::string& json);
  void write_flows();
  bool has_slice(const Track&, uint64_t cycle) const;

  void put(const std::string& text);
  [[noreturn]] void fail();

  formats::WholeFile whole_;
  gzFile file_ = nullptr;
  bool first_ = true;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Slice>> slices_;  // by process and thread, written in order
  std::vector<Flow> flows_;
};

}  // namespace tessera::inspect::trace
