#include "inspect/trace/trace_file_format.h"

#include <zlib.h>

namespace tessera::inspect::trace {

uint32_t record_digest(RecordKind kind, std::span<const uint8_t> body) {
  Bytes head;
  put_low(head, static_cast<uint32_t>(kind), 4);
  put_low(head, body.size(), 8);
  uLong digest = crc32_z(0, head.data(), head.size());
  return static_cast<uint32_t>(crc32_z(digest, body.data(), body.size()));
}

Bytes encode_header(const Header& h) {
  Bytes out;
  put_low(out, h.instruction_table_hash, 8);
  out.push_back(h.registers ? 1 : 0);
  put_varint(out, h.chips_of_system);
  put_varint(out, h.chips.size());
  for (const ChipHeader& chip : h.chips) {
    put_varint(out, chip.chip);
    put_text(out, chip.machine);
    put_varint(out, chip.machine_lines.size());
    for (const auto& [name, value] : chip.machine_lines) {
      put_text(out, name);
      put_varint(out, value);
    }
    put_low(out, chip.machine_hash, 8);
    put_varint(out, chip.tiles.size());
    for (const uint32_t tile : chip.tiles) put_varint(out, tile);
  }
  return out;
}

Header decode_header(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  Header h;
  h.instruction_table_hash = in.low(8);
  h.registers = in.byte() != 0;
  h.chips_of_system = static_cast<uint32_t>(in.varint());
  for (uint64_t chips = in.varint(); chips > 0; --chips) {
    ChipHeader chip;
    chip.chip = static_cast<uint32_t>(in.varint());
    chip.machine = in.text();
    for (uint64_t left = in.varint(); left > 0; --left) {
      std::string name = in.text();
      chip.machine_lines.emplace_back(std::move(name), static_cast<uint32_t>(in.varint()));
    }
    chip.machine_hash = in.low(8);
    for (uint64_t left = in.varint(); left > 0; --left) chip.tiles.push_back(static_cast<uint32_t>(in.varint()));
    if (chip.chip >= h.chips_of_system) throw DamagedBytes("it holds a chip that its system has not");
    h.chips.push_back(std::move(chip));
  }
  if (h.chips.empty()) throw DamagedBytes("it holds no chip");
  return h;
}

Bytes encode_index(const std::vector<IndexEntry>& index, const EndInfo& end) {
  Bytes out;
  put_varint(out, end.cycle);
  put_varint(out, end.supersteps);
  put_varint(out, index.size());
  for (const IndexEntry& e : index) {
    out.push_back(static_cast<uint8_t>(e.kind));
    put_varint(out, e.offset);
    put_varint(out, e.bytes);
    put_varint(out, e.info.chip);
    put_varint(out, e.info.first_superstep);
    put_varint(out, e.info.last_superstep);
    put_varint(out, e.info.first_cycle);
    put_varint(out, e.info.end_cycle);
    put_varint(out, e.info.keep_from);
    put_varint(out, ~e.info.keep_to);
    put_varint(out, e.info.retired);
  }
  return out;
}

EndInfo decode_index(std::span<const uint8_t> bytes, std::vector<IndexEntry>& index) {
  ByteReader in(bytes);
  EndInfo end;
  end.cycle = in.varint();
  end.supersteps = in.varint();
  for (uint64_t left = in.varint(); left > 0; --left) {
    IndexEntry e;
    e.kind = static_cast<RecordKind>(in.byte());
    e.offset = in.varint();
    e.bytes = in.varint();
    e.info.chip = static_cast<uint32_t>(in.varint());
    e.info.first_superstep = in.varint();
    e.info.last_superstep = in.varint();
    e.info.first_cycle = in.varint();
    e.info.end_cycle = in.varint();
    e.info.keep_from = in.varint();
    e.info.keep_to = ~in.varint();
    e.info.retired = in.varint();
    index.push_back(e);
  }
  return end;
}

}  // namespace tessera::inspect::trace
