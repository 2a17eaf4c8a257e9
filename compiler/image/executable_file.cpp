#include "compiler/image/executable_file.h"

#include <algorithm>
#include <cstring>

#include "formats/archive.h"
#include "formats/fnv.h"
#include "rtl/spec/instructions.h"

namespace tessera::graph {

template <class A>
void io(A& a, PrintFormat& f) {
  all(a, f.summarise_threshold, f.edge_items, f.max_line_width, f.digits, f.floats, f.separator, f.open, f.close);
}

}  // namespace tessera::graph

namespace tessera::ir {

using formats::all;

template <class A>
void io(A& a, HostPiece& p) {
  all(a, p.stream_offset, p.host_offset, p.bytes);
}
template <class A>
void io(A& a, RemoteBuffer& b) {
  all(a, b.handle, b.row_bytes, b.rows, b.stride, b.base);
}
template <class A>
void io(A& a, Stream& s) {
  all(a, s.handle, s.use, s.type, s.elements, s.bytes, s.shape, s.program, s.host_offset, s.host_bytes, s.pieces,
      s.print);
}

}  // namespace tessera::ir

namespace tessera::image {
namespace {

constexpr char kMagic[8] = {'t', 'e', 's', 's', 'e', 'r', 'a', 'x'};
constexpr std::uint32_t kVersion = 15;

}  // namespace

// One `io` function describes each structure for writing and for reading (formats/archive.h).
using formats::all;

template <class A>
void io(A& a, TileUsage& u) {
  all(a, u.text, u.control, u.events, u.variables, u.vertices, u.buffers, u.stacks, u.total, u.available, u.always_live,
      u.not_always_live, u.peak);
}
template <class A>
void io(A& a, ProgramEntry& p) {
  all(a, p.name, p.internal, p.streams, p.host_functions);
}
template <class A>
void io(A& a, Buffering& b) {
  all(a, b.handle, b.depth);
}
template <class A>
void io(A& a, HostFunction& f) {
  all(a, f.handle, f.input_bytes, f.output_bytes);
}
template <class A>
void io(A& a, Setting& s) {
  all(a, s.name, s.value);
}
template <class A>
void io(A& a, Phase& p) {
  all(a, p.name, p.cycles, p.words, p.tiles);
}
template <class A>
void io(A& a, LiveMemory& m) {
  all(a, m.step, m.variables, m.buffers, m.most, m.tile);
}
template <class A>
void io(A& a, Segment& s) {
  all(a, s.address, s.words);
}
template <class A>
void io(A& a, TileImage& t) {
  all(a, t.entry, t.group, t.segments);
}
template <class A>
void io(A& a, SegmentGroup& g) {
  all(a, g.segments);
}
// In its own form (program/program_info.h).
template <class A>
void io_program(A& a, names::ProgramInfo& info) {
  std::vector<std::uint8_t> bytes;
  if constexpr (!A::kReading) bytes = names::serialize(info);
  all(a, bytes);
  if constexpr (A::kReading) info = names::deserialize(bytes);
}
template <class A>
void io(A& a, ChipImage& c) {
  all(a, c.machine, c.machine_hash, c.shared, c.groups, c.tiles, c.usage);
  io_program(a, c.info);
  all(a, c.prints, c.phases, c.live);
}
template <class A>
void io(A& a, ReplicaWord& w) {
  all(a, w.chip, w.tile, w.address, w.values);
}
template <class A>
void io(A& a, Executable& e) {
  all(a, e.chips, e.replicas, e.replica_syncs, e.replica_hosts, e.replica_words, e.programs, e.host.event_offset,
      e.host.bytes, e.host.streams, e.host.phases, e.buffering, e.broadcasts, e.remote_buffers, e.host_functions,
      e.settings, e.out_of_memory);
}

struct Header {
  std::uint32_t version = kVersion;
  std::uint64_t instructions = spec::instruction_table_hash();
  std::uint64_t body_bytes = 0, body_digest = 0;
};
template <class A>
void io(A& a, Header& h) {
  all(a, h.version, h.instructions, h.body_bytes, h.body_digest);
}
constexpr std::size_t kHeaderBytes = sizeof kMagic + 4 + 3 * 8;

bool begins_executable(const char (&bytes)[8]) { return std::memcmp(bytes, kMagic, sizeof kMagic) == 0; }

std::vector<std::uint8_t> serialize(const Executable& executable) {
  formats::ByteWriter body;
  io(body, const_cast<Executable&>(executable));  // a writer only reads
  Header header;
  header.body_bytes = body.bytes().size();
  header.body_digest = formats::digest(body.bytes());
  formats::ByteWriter file;
  file.raw(kMagic, sizeof kMagic);
  io(file, header);
  file.raw(body.bytes().data(), body.bytes().size());
  return file.take();
}

Executable deserialize(const std::vector<std::uint8_t>& bytes, const std::string& where) {
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw BadExecutable(where + ": this is no Tessera executable");
  formats::ByteReader reader(bytes);
  reader.take(sizeof kMagic);
  Header header;
  io(reader, header);
  if (header.version != kVersion)
    throw BadExecutable(where + ": format version " + std::to_string(header.version) + " instead of " +
                        std::to_string(kVersion) + "; compile it again");
  if (header.instructions != spec::instruction_table_hash())
    throw BadExecutable(where + ": made for another instruction table; compile it again");
  try {
    if (header.body_bytes != reader.left() ||
        header.body_digest != formats::digest(std::span(bytes).subspan(kHeaderBytes)))
      throw formats::DamagedBytes("its digest does not fit");
    Executable executable;
    io(reader, executable);
    reader.end();
    if (executable.chips.empty()) throw formats::DamagedBytes("it is for no chip");
    for (const ChipImage& chip : executable.chips)
      for (const TileImage& tile : chip.tiles)
        if (tile.group > chip.groups.size()) throw formats::DamagedBytes("a tile's group is not there");
    if (executable.replicas == 0) throw formats::DamagedBytes("it is for no replica");
    for (const ReplicaWord& word : executable.replica_words)
      if (word.chip >= executable.chips.size() || word.tile >= executable.chips[word.chip].tiles.size() ||
          word.values.size() != executable.replicas)
        throw formats::DamagedBytes("a word of replicas is not there");
    for (const RemoteBuffer& buffer : executable.remote_buffers)
      if (!buffer.base.empty() && buffer.base.size() != executable.replicas &&
          buffer.base.size() != executable.replicas * executable.chips.size())
        throw formats::DamagedBytes("a remote buffer has no place for each replica");
    return executable;
  } catch (const formats::DamagedBytes&) {
    throw BadExecutable(where + ": the executable is damaged; compile it again");
  } catch (const names::BadProgramInfo& error) {
    throw BadExecutable(where + ": " + error.what());
  }
}

Executable deserialize(std::istream& in, const std::string& where) {
  constexpr std::uint64_t kPiece = 1 << 20;  // a damaged header asks for no memory that the file does not fill
  std::vector<std::uint8_t> bytes;
  const auto take = [&](std::uint64_t wanted) {
    while (wanted > 0 && in) {
      const std::size_t had = bytes.size(), piece = std::min(wanted, kPiece);
      bytes.resize(had + piece);
      in.read(reinterpret_cast<char*>(bytes.data() + had), static_cast<std::streamsize>(piece));
      bytes.resize(had + static_cast<std::size_t>(in.gcount()));
      wanted -= piece;
    }
  };
  take(kHeaderBytes);
  if (bytes.size() == kHeaderBytes) {
    formats::ByteReader reader(bytes);
    reader.take(sizeof kMagic);
    Header header;
    io(reader, header);
    take(header.body_bytes);
  }
  return deserialize(bytes, where);
}

}  // namespace tessera::image
