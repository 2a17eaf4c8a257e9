#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "inspect/trace/compression.h"
#include "inspect/trace/trace_file.h"
#include "inspect/trace/trace_file_format.h"

namespace tessera::inspect::trace {

TraceFileWriter::TraceFileWriter(const std::string& path, const Header& header) : path_(path) {
  file_ = std::fopen(path.c_str(), "wb");
  if (file_ == nullptr) throw TraceError("trace " + path + " cannot be written: " + std::strerror(errno));
  write(kMagic.data(), kMagic.size());
  Bytes version;
  put_low(version, kVersion, 4);
  write(version.data(), version.size());
  record(RecordKind::kHeader, encode_header(header));
}

TraceFileWriter::~TraceFileWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

void TraceFileWriter::write(const void* data, size_t bytes) {
  if (file_ == nullptr) return;
  if (std::fwrite(data, 1, bytes, file_) != bytes) fail(errno);
  offset_ += bytes;
}

// A run that is killed leaves what it has written, which can be read. What a full disk would not take is no trace.
void TraceFileWriter::fail(int error) {
  std::fclose(file_);
  file_ = nullptr;
  if (std::filesystem::is_regular_file(path_)) std::remove(path_.c_str());
  throw TraceError("trace " + path_ + " cannot be written: " + std::strerror(error));
}

void TraceFileWriter::record(RecordKind kind, const Bytes& body) {
  Bytes head;
  put_low(head, static_cast<uint32_t>(kind), 4);
  put_low(head, record_digest(kind, body), 4);
  put_low(head, body.size(), 8);
  write(head.data(), head.size());
  write(body.data(), body.size());
  if (file_ != nullptr && std::fflush(file_) != 0) fail(errno);
}

void TraceFileWriter::program(uint32_t chip, const names::ProgramInfo& program) {
  Bytes body;
  put_varint(body, chip);
  Compressor().put(body, names::serialize(program));
  IndexEntry entry{RecordKind::kProgram, offset_ + kRecordHead, body.size(), {}};
  entry.info.chip = chip;
  index_.push_back(entry);
  record(RecordKind::kProgram, body);
}

void TraceFileWriter::block(const BlockInfo& info, const Bytes& body) {
  index_.push_back({RecordKind::kBlock, offset_ + kRecordHead, body.size(), info});
  record(RecordKind::kBlock, body);
}

void TraceFileWriter::close(const EndInfo& end) {
  Bytes trailer;
  put_low(trailer, offset_, 8);
  record(RecordKind::kIndex, encode_index(index_, end));
  trailer.insert(trailer.end(), kEndMagic.begin(), kEndMagic.end());
  write(trailer.data(), trailer.size());
  if (file_ == nullptr) return;
  if (std::fflush(file_) != 0) fail(errno);
  const int copy = ::dup(::fileno(file_));  // some file systems say at close() only that they have no place
  if (copy < 0 || ::close(copy) != 0) fail(errno);
  std::fclose(file_);
  file_ = nullptr;
}

}  // namespace tessera::inspect::trace
