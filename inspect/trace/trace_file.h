// A trace file as records: header, programs, blocks, and at the end an index of them (docs/reference/trace.md).
#pragma once

#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "inspect/trace/format.h"
#include "program/program_info.h"

namespace tessera::inspect::trace {

struct IndexEntry {
  RecordKind kind = RecordKind::kBlock;
  uint64_t offset = 0, bytes = 0;  // of the body
  BlockInfo info;                  // of a block; of a program its chip
};

class TraceFileWriter {
 public:
  // Throws TraceError naming the file when it cannot be written, here and later: once, and no file stays.
  TraceFileWriter(const std::string& path, const Header&);
  ~TraceFileWriter();  // without close(), the file ends as if the run had been killed
  TraceFileWriter(const TraceFileWriter&) = delete;
  TraceFileWriter& operator=(const TraceFileWriter&) = delete;

  void program(uint32_t chip, const names::ProgramInfo&);
  void block(const BlockInfo&, const Bytes& body);
  void close(const EndInfo&);
  uint64_t bytes() const { return offset_; }

 private:
  void record(RecordKind, const Bytes& body);
  void write(const void* data, size_t bytes);
  [[noreturn]] void fail(int error);

  std::string path_;
  std::FILE* file_ = nullptr;
  uint64_t offset_ = 0;
  std::vector<IndexEntry> index_;
};

class TraceFileReader {
 public:
  // Throws TraceError naming the file. A file that was cut off opens; cut_off() then says so in one line.
  explicit TraceFileReader(const std::string& path);

  const std::string& path() const { return path_; }
  const Header& header() const { return header_; }
  const std::vector<IndexEntry>& index() const { return index_; }  // in file order
  const std::optional<EndInfo>& end() const { return end_; }       // none: cut off
  const std::string& cut_off() const { return cut_off_; }          // "": the file is whole
  uint64_t bytes() const { return bytes_; }

  Bytes body(const IndexEntry&);  // checked against its digest
  names::ProgramInfo program(const IndexEntry&);
  [[noreturn]] void damaged(const IndexEntry&, const std::string& why) const;

 private:
  bool read_at(uint64_t offset, void* data, size_t bytes);
  bool read_index();
  void scan();

  std::string path_;
  std::ifstream file_;
  uint64_t bytes_ = 0;
  Header header_;
  std::vector<IndexEntry> index_;
  std::optional<EndInfo> end_;
  std::string cut_off_;
};

}  // namespace tessera::inspect::trace
