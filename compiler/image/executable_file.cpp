#include "compiler/image/executable_file.h"

#include <cstring>

#include "rtl/spec/instructions.h"

namespace tessera::image {
namespace {

constexpr char kMagic[8] = {'t', 'e', 's', 's', 'e', 'r', 'a', 'x'};
constexpr std::uint32_t kVersion = 2;

// FNV-1a over 64-bit steps: finds damage, not malice.
std::uint64_t digest(const std::uint8_t* bytes, std::size_t size) {
  std::uint64_t h = 0xcbf29ce484222325u;
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    h = (h ^ word) * 0x100000001b3u;
    h ^= h >> 29;
  }
  for (; i < size; ++i) h = (h ^ bytes[i]) * 0x100000001b3u;
  return h;
}

// One `io` function describes each structure for writing and for reading.
class Writer {
 public:
  static constexpr bool kReading = false;
  std::vector<std::uint8_t> bytes;

  template <class T>
  void number(const T& value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> 8 * i));
  }
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class Reader {
 public:
  static constexpr bool kReading = true;
  Reader(const std::uint8_t* data, std::size_t size, const std::string& where)
      : data_(data), size_(size), where_(where) {}

  template <class T>
  void number(T& value) {
    need(sizeof(T));
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) v |= std::uint64_t{data_[at_ + i]} << 8 * i;
    at_ += sizeof(T);
    value = static_cast<T>(v);
  }
  void raw(void* data, std::size_t size) {
    need(size);
    if (size > 0) std::memcpy(data, data_ + at_, size);
    at_ += size;
  }
  // `count` things of at least one byte are still to come.
  void expect(std::uint64_t count) {
    if (count > size_ - at_) fail();
  }
  bool at_end() const { return at_ == size_; }
  [[noreturn]] void fail() const { throw BadExecutable(where_ + ": the executable is damaged; compile it again"); }

 private:
  void need(std::size_t size) {
    if (size > size_ - at_) fail();
  }
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
  const std::string& where_;
};

template <class A, class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
void io(A& a, T& value) {
  a.number(value);
}

template <class A>
void io(A& a, std::string& value) {
  std::uint64_t size = value.size();
  a.number(size);
  if constexpr (A::kReading) {
    a.expect(size);
    value.resize(size);
  }
  a.raw(value.data(), size);
}

template <class A, class... T>
void all(A& a, T&... values) {
  (io(a, values), ...);
}

template <class A>
void io(A& a, HostPiece& p) {
  all(a, p.stream_offset, p.host_offset, p.bytes);
}
template <class A>
void io(A& a, SymbolRange& s) {
  all(a, s.address, s.bytes, s.name);
}
template <class A>
void io(A& a, VertexPlace& v) {
  all(a, v.tile, v.address, v.bytes, v.vertex, v.codelet, v.compute_set, v.worker, v.first_field, v.fields);
}
template <class A>
void io(A& a, FieldPlace& f) {
  all(a, f.address, f.bytes, f.pointer, f.name, f.variable, f.first_element, f.kind, f.element_bytes);
}
template <class A>
void io(A& a, StackPlace& s) {
  all(a, s.tile, s.context, s.address, s.bytes);
}
template <class A>
void io(A& a, VariablePlace& v) {
  all(a, v.tile, v.address, v.bytes, v.variable, v.first_element);
}
template <class A>
void io(A& a, StepPlace& s) {
  all(a, s.tile, s.pc, s.step);
}
template <class A>
void io(A& a, TileUsage& u) {
  all(a, u.text, u.control, u.events, u.variables, u.vertices, u.buffers, u.stacks, u.total, u.available);
}
template <class A>
void io(A& a, ProgramEntry& p) {
  all(a, p.name, p.internal);
}
template <class A>
void io(A& a, graph::PrintFormat& f) {
  all(a, f.summarise_threshold, f.edge_items, f.max_line_width, f.digits, f.floats, f.separator, f.open, f.close);
}
template <class A>
void io(A& a, Segment& s);
template <class A>
void io(A& a, TileImage& t);
template <class A>
void io(A& a, Stream& s);

template <class A, class T>
void io(A& a, std::vector<T>& values) {
  std::uint64_t size = values.size();
  a.number(size);
  if constexpr (A::kReading) {
    a.expect(size);
    values.resize(size);
  }
  for (T& value : values) io(a, value);
}

template <class A>
void io(A& a, std::vector<std::uint8_t>& bytes) {
  std::uint64_t size = bytes.size();
  a.number(size);
  if constexpr (A::kReading) {
    a.expect(size);
    bytes.resize(size);
  }
  a.raw(bytes.data(), size);
}

template <class A>
void io(A& a, Segment& s) {
  all(a, s.address, s.words);
}
template <class A>
void io(A& a, TileImage& t) {
  all(a, t.entry, t.segments);
}
template <class A>
void io(A& a, Stream& s) {
  all(a, s.handle, s.use, s.type, s.elements, s.bytes, s.shape, s.program, s.host_offset, s.host_bytes, s.pieces,
      s.print);
}
template <class A>
void io(A& a, Executable& e) {
  all(a, e.machine, e.machine_hash, e.shared, e.tiles, e.programs, e.host.event_offset, e.host.bytes, e.host.streams,
      e.debug.codelets, e.debug.compute_sets, e.debug.variables, e.debug.element_bytes, e.debug.field_names,
      e.debug.steps, e.debug.symbols, e.debug.vertex_places, e.debug.field_places, e.debug.variable_places,
      e.debug.step_places, e.debug.stack_places, e.debug.elf, e.usage);
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

}  // namespace

std::vector<std::uint8_t> serialize(const Executable& executable) {
  Writer body;
  io(body, const_cast<Executable&>(executable));  // a Writer only reads
  Header header;
  header.body_bytes = body.bytes.size();
  header.body_digest = digest(body.bytes.data(), body.bytes.size());
  Writer file;
  file.raw(kMagic, sizeof kMagic);
  io(file, header);
  file.raw(body.bytes.data(), body.bytes.size());
  return std::move(file.bytes);
}

Executable deserialize(const std::vector<std::uint8_t>& bytes, const std::string& where) {
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw BadExecutable(where + ": this is no Tessera executable");
  Reader head(bytes.data() + sizeof kMagic, kHeaderBytes - sizeof kMagic, where);
  Header header;
  io(head, header);
  if (header.version != kVersion)
    throw BadExecutable(where + ": format version " + std::to_string(header.version) + " instead of " +
                        std::to_string(kVersion) + "; compile it again");
  if (header.instructions != spec::instruction_table_hash())
    throw BadExecutable(where + ": made for another instruction table; compile it again");
  const std::uint8_t* body = bytes.data() + kHeaderBytes;
  const std::size_t size = bytes.size() - kHeaderBytes;
  Reader reader(body, size, where);
  if (header.body_bytes != size || header.body_digest != digest(body, size)) reader.fail();
  Executable executable;
  io(reader, executable);
  if (!reader.at_end()) reader.fail();
  return executable;
}

}  // namespace tessera::image
