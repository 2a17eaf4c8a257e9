// The byte form of ProgramInfo. Tables go column by column, each number as the difference to the one before it in 7-bit
// groups: neighbours are alike, so most numbers take one byte, and a program of a million vertices stays some
// megabytes.
#include <cstring>
#include <type_traits>

#include "formats/archive.h"
#include "formats/fnv.h"
#include "program/program_info.h"

namespace tessera::names {
namespace {

constexpr char kMagic[8] = {'t', 'e', 's', 's', 'p', 'r', 'o', 'g'};
constexpr uint32_t kVersion = 5;
constexpr size_t kHeadBytes = sizeof kMagic + 4 + 8 + 8;  // magic, version, bytes of the body, digest

using formats::ByteReader;
using formats::ByteWriter;

[[noreturn]] void damaged() { throw BadProgramInfo("the program information is damaged; load the program again"); }

// One member of every row, as the difference to the row before.
template <class A, class Row, class T>
void column(A& a, std::vector<Row>& rows, T Row::* member) {
  using Number = std::conditional_t<std::is_enum_v<T>, uint8_t, T>;
  using Signed = std::make_signed_t<Number>;
  Number before = 0;
  for (Row& row : rows) {
    if constexpr (A::kReading) {
      before = static_cast<Number>(before + static_cast<Number>(a.signed_varint()));
      row.*member = static_cast<T>(before);
    } else {
      const Number value = static_cast<Number>(row.*member);
      a.signed_varint(static_cast<Signed>(static_cast<Number>(value - before)));
      before = value;
    }
  }
}

template <class A, class Row, class... T>
void table(A& a, std::vector<Row>& rows, T Row::*... members) {
  rows.resize(formats::io_count(a, rows.size()));
  (column(a, rows, members), ...);
}

template <class A>
void io(A& a, ProgramInfo& p) {
  io(a, p.title);
  io(a, p.elf);
  io(a, p.names);
  table(a, p.symbols, &Symbol::address, &Symbol::bytes, &Symbol::name);
  table(a, p.vertices, &Vertex::tile, &Vertex::address, &Vertex::bytes, &Vertex::id, &Vertex::worker, &Vertex::codelet,
        &Vertex::compute_set, &Vertex::first_field, &Vertex::fields);
  table(a, p.fields, &Field::name, &Field::kind, &Field::address, &Field::bytes, &Field::tensor, &Field::first_element,
        &Field::element_bytes, &Field::pointer, &Field::life);
  table(a, p.variables, &Variable::tile, &Variable::address, &Variable::bytes, &Variable::name,
        &Variable::element_bytes, &Variable::first_element, &Variable::id, &Variable::type, &Variable::first_run,
        &Variable::runs, &Variable::life, &Variable::before);
  table(a, p.initial, &Initial::tile, &Initial::address, &Initial::bytes);
  table(a, p.runs, &ElementRun::first_element, &ElementRun::elements);
  table(a, p.lives, &Life::first, &Life::intervals);
  table(a, p.intervals, &Interval::first, &Interval::last);
  table(a, p.steps, &Step::tile, &Step::pc, &Step::what, &Step::id, &Step::point, &Step::points, &Step::first_call,
        &Step::calls);
  table(a, p.calls, &StepCall::table, &StepCall::what, &StepCall::id, &StepCall::point, &StepCall::points);
  table(a, p.stacks, &Stack::tile, &Stack::address, &Stack::bytes, &Stack::context);
  table(a, p.no_text, &NoText::tile, &NoText::address, &NoText::bytes);
}

// Whoever looks names up need not check them again.
void check_references(const ProgramInfo& p) {
  const auto named = [&](Name n) {
    if (n >= p.names.size()) damaged();
  };
  for (const Symbol& s : p.symbols) named(s.name);
  for (const Vertex& v : p.vertices) {
    named(v.codelet);
    named(v.compute_set);
    if (v.first_field > p.fields.size() || v.fields > p.fields.size() - v.first_field) damaged();
  }
  for (const Field& f : p.fields) {
    named(f.name);
    named(f.tensor);
    if (f.kind > FieldKind::kState || f.life >= p.lives.size()) damaged();
  }
  for (const Variable& v : p.variables) {
    named(v.name);
    named(v.type);
    if (v.first_run > p.runs.size() || v.runs > p.runs.size() - v.first_run) damaged();
    if (v.life >= p.lives.size() || v.before > static_cast<size_t>(&v - p.variables.data())) damaged();
  }
  for (const Life& l : p.lives)
    if (l.first > p.intervals.size() || l.intervals > p.intervals.size() - l.first) damaged();
  for (const Step& s : p.steps) {
    named(s.what);
    if (s.first_call > p.calls.size() || s.calls > p.calls.size() - s.first_call) damaged();
  }
  for (const StepCall& c : p.calls) named(c.what);
}

}  // namespace

std::vector<uint8_t> serialize(const ProgramInfo& program) {
  ByteWriter body;
  io(body, const_cast<ProgramInfo&>(program));  // a writer only reads
  ByteWriter file;
  file.raw(kMagic, sizeof kMagic).number(kVersion);
  file.number(uint64_t{body.bytes().size()}).number(formats::digest(body.bytes()));
  file.raw(body.bytes().data(), body.bytes().size());
  return file.take();
}

ProgramInfo deserialize(const std::vector<uint8_t>& bytes) {
  if (bytes.size() < kHeadBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw BadProgramInfo("this is no program information");
  ByteReader reader(bytes);
  reader.take(sizeof kMagic);
  if (const auto version = reader.number<uint32_t>(); version != kVersion)
    throw BadProgramInfo("program information of format version " + std::to_string(version) + " instead of " +
                         std::to_string(kVersion));
  const auto size = reader.number<uint64_t>(), digest = reader.number<uint64_t>();
  if (size != reader.left() || digest != formats::digest(std::span(bytes).subspan(kHeadBytes))) damaged();
  ProgramInfo program;
  try {
    io(reader, program);
    reader.end();
  } catch (const formats::DamagedBytes&) {
    damaged();
  }
  if (program.names.empty()) damaged();
  check_references(program);
  return program;
}

}  // namespace tessera::names
