// The byte form of ProgramInfo. Tables go column by column, each number as the difference to the one before it in 7-bit
// groups: neighbours are alike, so most numbers take one byte, and a program of a million vertices stays some
// megabytes.
#include <cstring>
#include <type_traits>

#include "inspect/program_info.h"

namespace tessera::inspect {
namespace {

constexpr char kMagic[8] = {'t', 'e', 's', 's', 'p', 'r', 'o', 'g'};
constexpr uint32_t kVersion = 1;
constexpr size_t kHeadBytes = sizeof kMagic + 4 + 8 + 8;  // magic, version, bytes of the body, digest

// FNV-1a over 64-bit steps: finds damage, not malice.
uint64_t digest(const uint8_t* bytes, size_t size) {
  uint64_t h = 0xcbf29ce484222325u;
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    uint64_t word;
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
  std::vector<uint8_t> bytes;

  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 0x80));
    bytes.push_back(static_cast<uint8_t>(value));
  }
  void raw(const void* data, size_t size) {
    const auto* first = static_cast<const uint8_t*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class Reader {
 public:
  static constexpr bool kReading = true;
  Reader(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == size_) fail();
      const uint8_t byte = data_[at_++];
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }
  void raw(void* data, size_t size) {
    if (size > size_ - at_) fail();
    if (size > 0) std::memcpy(data, data_ + at_, size);
    at_ += size;
  }
  // How many things of at least one byte follow.
  size_t count() {
    const uint64_t n = number();
    if (n > size_ - at_) fail();
    return n;
  }
  bool at_end() const { return at_ == size_; }
  [[noreturn]] static void fail() {
    throw BadProgramInfo("the program information is damaged; load the program again");
  }

 private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

size_t count(Writer& a, size_t n) {
  a.number(n);
  return n;
}
size_t count(Reader& a, size_t) { return a.count(); }

template <class A, class Bytes>
void io_bytes(A& a, Bytes& bytes) {
  const size_t n = count(a, bytes.size());
  if constexpr (A::kReading) bytes.resize(n);
  a.raw(bytes.data(), n);
}

// One member of every row, as the difference to the row before.
template <class A, class Row, class T>
void column(A& a, std::vector<Row>& rows, T Row::* member) {
  using Number = std::conditional_t<std::is_enum_v<T>, uint8_t, T>;
  using Signed = std::make_signed_t<Number>;
  Number before = 0;
  for (Row& row : rows) {
    if constexpr (A::kReading) {
      const uint64_t coded = a.number();
      before = static_cast<Number>(before + static_cast<Number>((coded >> 1) ^ (0 - (coded & 1))));
      row.*member = static_cast<T>(before);
    } else {
      const Number value = static_cast<Number>(row.*member);
      const int64_t step = static_cast<Signed>(static_cast<Number>(value - before));
      a.number(static_cast<uint64_t>(step) << 1 ^ static_cast<uint64_t>(step >> 63));
      before = value;
    }
  }
}

template <class A, class Row, class... T>
void table(A& a, std::vector<Row>& rows, T Row::*... members) {
  const size_t n = count(a, rows.size());
  if constexpr (A::kReading) rows.resize(n);
  (column(a, rows, members), ...);
}

template <class A>
void io(A& a, ProgramInfo& p) {
  io_bytes(a, p.title);
  if constexpr (A::kReading)
    p.machine_hash = a.number();
  else
    a.number(p.machine_hash);
  io_bytes(a, p.elf);
  const size_t names = count(a, p.names.size());
  if constexpr (A::kReading) p.names.resize(names);
  for (std::string& name : p.names) io_bytes(a, name);
  table(a, p.symbols, &Symbol::address, &Symbol::bytes, &Symbol::name);
  table(a, p.vertices, &Vertex::tile, &Vertex::address, &Vertex::bytes, &Vertex::id, &Vertex::worker, &Vertex::codelet,
        &Vertex::compute_set, &Vertex::first_field, &Vertex::fields);
  table(a, p.fields, &Field::name, &Field::kind, &Field::address, &Field::bytes, &Field::tensor, &Field::first_element,
        &Field::element_bytes, &Field::pointer);
  table(a, p.variables, &Variable::tile, &Variable::address, &Variable::bytes, &Variable::name,
        &Variable::element_bytes, &Variable::first_element);
  table(a, p.steps, &Step::tile, &Step::pc, &Step::what);
  table(a, p.stacks, &Stack::tile, &Stack::address, &Stack::bytes, &Stack::context);
}

// Whoever looks names up need not check them again.
void check_references(const ProgramInfo& p) {
  const auto named = [&](Name n) {
    if (n >= p.names.size()) Reader::fail();
  };
  for (const Symbol& s : p.symbols) named(s.name);
  for (const Vertex& v : p.vertices) {
    named(v.codelet);
    named(v.compute_set);
    if (v.first_field > p.fields.size() || v.fields > p.fields.size() - v.first_field) Reader::fail();
  }
  for (const Field& f : p.fields) {
    named(f.name);
    named(f.tensor);
    if (f.kind > FieldKind::kState) Reader::fail();
  }
  for (const Variable& v : p.variables) named(v.name);
  for (const Step& s : p.steps) named(s.what);
}

template <class T>
void put(uint8_t* at, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) at[i] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> 8 * i);
}
template <class T>
T take(const uint8_t* at) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= uint64_t{at[i]} << 8 * i;
  return static_cast<T>(value);
}

}  // namespace

std::vector<uint8_t> serialize(const ProgramInfo& program) {
  Writer writer;
  writer.bytes.resize(kHeadBytes);
  io(writer, const_cast<ProgramInfo&>(program));  // a Writer only reads
  uint8_t* head = writer.bytes.data();
  const size_t body = writer.bytes.size() - kHeadBytes;
  std::memcpy(head, kMagic, sizeof kMagic);
  put(head + 8, kVersion);
  put<uint64_t>(head + 12, body);
  put<uint64_t>(head + 20, digest(head + kHeadBytes, body));
  return std::move(writer.bytes);
}

ProgramInfo deserialize(const std::vector<uint8_t>& bytes) {
  if (bytes.size() < kHeadBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw BadProgramInfo("this is no program information");
  if (take<uint32_t>(bytes.data() + 8) != kVersion)
    throw BadProgramInfo("program information of format version " + std::to_string(take<uint32_t>(bytes.data() + 8)) +
                         " instead of " + std::to_string(kVersion));
  const uint8_t* body = bytes.data() + kHeadBytes;
  const size_t size = bytes.size() - kHeadBytes;
  if (take<uint64_t>(bytes.data() + 12) != size || take<uint64_t>(bytes.data() + 20) != digest(body, size))
    Reader::fail();
  Reader reader(body, size);
  ProgramInfo program;
  io(reader, program);
  if (!reader.at_end() || program.names.empty()) Reader::fail();
  check_references(program);
  return program;
}

}  // namespace tessera::inspect
