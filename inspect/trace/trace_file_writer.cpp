#include <cerrno>
#include <cstring>

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
  if (std::fwrite(data, 1, bytes, file_) != bytes)
    throw TraceError("trace " + path_ + " cannot be written: " + std::strerror(errno));
  offset_ += bytes;
}

void TraceFileWriter::record(RecordKind kind, const Bytes& body) {
  Bytes head;
  put_low(head, static_cast<uint32_t>(kind), 4);
  put_low(head, record_digest(kind, body), 4);
  put_low(head, body.size(), 8);
  write(head.data(), head.size());
  write(body.data(), body.size());
  if (std::fflush(file_) != 0) throw TraceError("trace " + path_ + " cannot be written: " + std::strerror(errno));
}

void TraceFileWriter::program(uint32_t chip, const names::ProgramInfo& program) {
  Bytes body;
  put_varint(body, chip);
  put_compressed(body, names::serialize(program));
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
  const int status = std::fclose(file_);
  file_ = nullptr;
  if (status != 0) throw TraceError("trace " + path_ + " cannot be written: " + std::strerror(errno));
}

}  // namespace tessera::inspect::trace
