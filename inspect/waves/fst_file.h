// An FST file, written once from begin to end, or read. Time is in cycles. The same calls give the same bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/whole_file.h"

namespace tessera::inspect::waves {

class FstWriter {
 public:
  using Handle = uint32_t;

  // Throws std::runtime_error, one line, when it cannot be written; so do time() and close(), and nothing stays then.
  explicit FstWriter(const std::string& path);
  ~FstWriter();
  FstWriter(const FstWriter&) = delete;
  FstWriter& operator=(const FstWriter&) = delete;

  // Scopes and signals, before the first time.
  void open_scope(const std::string& name);
  void close_scope();
  Handle bits(const std::string& name, unsigned width);  // at most 64
  Handle text(const std::string& name);

  void time(uint64_t cycle);  // one before the last is ignored
  void set(Handle, uint64_t value);
  void set(Handle, std::string_view value);

  const std::string& path() const { return file_.path(); }
  void close();    // the file gets its name
  void discard();  // nothing stays

 private:
  void end_library();
  [[noreturn]] void fail(int error);

  formats::WholeFile file_;
  void* writer_ = nullptr;
  std::vector<uint8_t> width_;  // by handle; 0: text
  uint64_t time_ = 0, written_ = 0;
  bool begun_ = false;
};

struct FstSignal {
  std::string scope, name;  // "tile0.sync", "zone"
  unsigned bits = 0;        // 0: text
  uint32_t handle = 0;
};

class FstReader {
 public:
  explicit FstReader(const std::string& path);  // throws std::runtime_error when it is no whole FST of FstWriter
  ~FstReader();
  FstReader(const FstReader&) = delete;
  FstReader& operator=(const FstReader&) = delete;

  const std::vector<FstSignal>& signals() const { return signals_; }
  uint64_t first_time() const;
  uint64_t last_time() const;
  // Every change of the signals with these handles, in time order; bits as '0', '1', 'x', 'z'.
  using Change = std::function<void(uint64_t cycle, uint32_t handle, std::string_view value)>;
  void read(const std::vector<uint32_t>& handles, const Change&);

 private:
  void* reader_ = nullptr;
  std::vector<FstSignal> signals_;
};

}  // namespace tessera::inspect::waves
