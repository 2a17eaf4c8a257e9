#include <algorithm>
#include <filesystem>

#include "inspect/trace/block.h"
#include "inspect/trace/compression.h"
#include "inspect/trace/trace_file.h"
#include "inspect/trace/trace_file_format.h"

namespace tessera::inspect::trace {
namespace {

constexpr uint64_t kFirstRecord = kMagic.size() + 4;

}  // namespace

TraceFileReader::TraceFileReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  std::error_code error;
  bytes_ = std::filesystem::file_size(path, error);
  if (!file_ || error) throw TraceError("trace " + path + " cannot be read");
  std::array<char, kFirstRecord> start{};
  if (!read_at(0, start.data(), start.size()) || !std::equal(kMagic.begin(), kMagic.end(), start.begin()))
    throw TraceError(path + " is no trace of this tool");
  uint32_t version = 0;
  for (unsigned i = 0; i < 4; ++i)
    version |= static_cast<uint32_t>(static_cast<uint8_t>(start[kMagic.size() + i])) << 8 * i;
  if (version != kVersion)
    throw TraceError("trace " + path + " has format " + std::to_string(version) + ", this tool reads format " +
                     std::to_string(kVersion));
  if (!read_index()) scan();
  if (index_.empty() || index_.front().kind != RecordKind::kHeader)
    throw TraceError("trace " + path + " is cut off in its header");
  const Bytes head = body(index_.front());
  try {
    header_ = decode_header(head);
  } catch (const DamagedBytes& e) {
    damaged(index_.front(), e.what());
  }
  index_.erase(index_.begin());
  if (end_) return;
  uint64_t blocks = 0;
  const IndexEntry* last = nullptr;
  for (const IndexEntry& e : index_)
    if (e.kind == RecordKind::kBlock) ++blocks, last = &e;
  cut_off_ = "trace " + path_ + " is cut off, its run did not end: " +
             (last == nullptr ? std::string("it holds nothing")
                              : "it holds " + std::to_string(blocks) + " blocks, up to cycle " +
                                    std::to_string(last->info.end_cycle) + " in superstep " +
                                    std::to_string(last->info.last_superstep));
}

bool TraceFileReader::read_at(uint64_t offset, void* data, size_t bytes) {
  if (offset > bytes_ || bytes > bytes_ - offset) return false;
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes)));
}

// By the index at the end. False: there is none.
bool TraceFileReader::read_index() {
  std::array<uint8_t, kTrailerBytes> trailer{};
  if (bytes_ < kFirstRecord + kTrailerBytes || !read_at(bytes_ - kTrailerBytes, trailer.data(), trailer.size()))
    return false;
  if (!std::equal(kEndMagic.begin(), kEndMagic.end(), trailer.begin() + 8)) return false;
  const uint64_t offset = ByteReader(trailer).low(8);
  std::array<uint8_t, kRecordHead> head{};
  if (!read_at(offset, head.data(), head.size())) return false;
  ByteReader in(head);
  const auto kind = static_cast<RecordKind>(in.low(4));
  in.low(4);
  const IndexEntry at{RecordKind::kIndex, offset + kRecordHead, in.low(8), {}};
  if (kind != RecordKind::kIndex || at.offset + at.bytes + kTrailerBytes != bytes_)
    throw TraceError("trace " + path_ + " is damaged: its index");
  const Bytes bytes = body(at);
  IndexEntry header{RecordKind::kHeader, kFirstRecord + kRecordHead, 0, {}};
  if (!read_at(kFirstRecord, head.data(), head.size())) return false;
  header.bytes = ByteReader(std::span(head).subspan(8)).low(8);
  index_.push_back(header);
  try {
    end_ = decode_index(bytes, index_);
  } catch (const DamagedBytes& e) {
    damaged(at, e.what());
  }
  return true;
}

// Record by record, up to the last whole one.
void TraceFileReader::scan() {
  std::array<uint8_t, kRecordHead> head{};
  for (uint64_t offset = kFirstRecord; read_at(offset, head.data(), head.size());) {
    ByteReader in(head);
    IndexEntry entry;
    entry.kind = static_cast<RecordKind>(in.low(4));
    in.low(4);
    entry.bytes = in.low(8);
    entry.offset = offset + kRecordHead;
    if (entry.bytes > bytes_ - entry.offset) return;
    if (entry.kind < RecordKind::kHeader || entry.kind > RecordKind::kIndex)
      throw TraceError("trace " + path_ + " is damaged at byte " + std::to_string(offset));
    if (entry.kind == RecordKind::kIndex) return;
    if (entry.kind != RecordKind::kHeader) {
      Bytes start(std::min<uint64_t>(entry.bytes, 80));
      read_at(entry.offset, start.data(), start.size());
      try {
        if (entry.kind == RecordKind::kBlock) entry.info = block_info(start);
        if (entry.kind == RecordKind::kProgram) entry.info.chip = static_cast<uint32_t>(ByteReader(start).varint());
      } catch (const DamagedBytes& e) {
        damaged(entry, e.what());
      }
    }
    index_.push_back(entry);
    offset = entry.offset + entry.bytes;
  }
}

Bytes TraceFileReader::body(const IndexEntry& entry) {
  std::array<uint8_t, kRecordHead> head{};
  // An index that points outside the file, or a length that does not fit, is damage too.
  if (entry.offset < kRecordHead || entry.bytes > bytes_ || entry.offset > bytes_ - entry.bytes ||
      !read_at(entry.offset - kRecordHead, head.data(), head.size()))
    damaged(entry, "it lies outside the file");
  Bytes bytes(entry.bytes);
  if (!read_at(entry.offset, bytes.data(), bytes.size())) damaged(entry, "it cannot be read");
  ByteReader in(head);
  const auto kind = static_cast<RecordKind>(in.low(4));
  const auto digest = static_cast<uint32_t>(in.low(4));
  if (kind != entry.kind || in.low(8) != entry.bytes || digest != record_digest(kind, bytes))
    damaged(entry, "its digest does not fit");
  return bytes;
}

names::ProgramInfo TraceFileReader::program(const IndexEntry& entry) {
  const Bytes bytes = body(entry);
  try {
    ByteReader in(bytes);
    in.varint();  // the chip
    return names::deserialize(take_compressed(in));
  } catch (const std::exception& e) {
    damaged(entry, e.what());
  }
}

void TraceFileReader::damaged(const IndexEntry& entry, const std::string& why) const {
  std::string what = "its header";
  if (entry.kind == RecordKind::kProgram) what = "a program's description";
  if (entry.kind == RecordKind::kIndex) what = "its index";
  if (entry.kind == RecordKind::kBlock) {
    const BlockInfo& i = entry.info;
    what = "the block of supersteps " + std::to_string(i.first_superstep) + " to " + std::to_string(i.last_superstep) +
           " (cycles " + std::to_string(i.first_cycle) + " to " + std::to_string(i.end_cycle) + ")";
  }
  throw TraceError("trace " + path_ + " is damaged: " + what + ": " + why);
}

}  // namespace tessera::inspect::trace
