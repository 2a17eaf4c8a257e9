#include "tests/inspect/failures/planted.h"

#include <bit>
#include <stdexcept>

#include "rtl/spec/instructions.h"
#include "rtl/spec/words.h"
#include "tests/compiler/codelet_source.h"
#include "tests/inspect/failures/codelet_file.h"

namespace tessera::test {
namespace {

using chip::DebugSpace;
using chip::kNoTile;
using spec::ExchangeEvent;

constexpr uint64_t kWhileWaiting = 400;  // a cycle in which the loaded program waits for the host
constexpr unsigned kMemoryBase = 0x4c000, kControlArea = 0x4000;  // control code is looked for in so many bytes

std::string at_line(const std::string& mark) {
  return "codelets.cpp:" + std::to_string(marked_line(PLANTED_CODELETS, mark));
}

// The common shape: one vertex on tile 1 with an input of eight elements and an output.
struct Scene {
  Planted p;
  GraphBuilder& b = p.builder;

  explicit Scene(const std::string& name) {
    p.name = name;
    add_codelet_file(b, PLANTED_CODELETS);
  }
  TensorRef ints(const std::string& name, unsigned count, unsigned tile, std::vector<uint32_t> values = {}) {
    const TensorRef t = b.variable(name, ElementType::kInt, {{count, tile}});
    if (!values.empty()) b.initial(t, values);
    return t;
  }
  TensorRef floats(const std::string& name, unsigned tile, float x, float y) {
    const TensorRef t = b.variable(name, ElementType::kFloat, {{2, tile}});
    b.initial(t, {std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y)});
    return t;
  }
  graph::VertexId vertex(graph::ComputeSetId set, const std::string& codelet, unsigned tile,
                         const std::vector<Edge>& edges) {
    const auto id = add_vertex(b, set, codelet, tile, edges);
    p.tile = "Tile " + std::to_string(tile);
    p.context = "worker 0";
    p.vertex = "vertex " + std::to_string(id) + " of codelet '" + codelet + "' in compute set '" +
               b.graph.compute_sets[set].name + "'";
    return id;
  }
  Planted done(const std::string& cause, const std::string& mark, std::vector<std::string> more = {}) {
    p.cause = cause;
    if (!mark.empty()) p.line = at_line(mark);
    p.more = std::move(more);
    return std::move(p);
  }
};

Planted bad_address() {
  Scene s("bad address");
  const auto in = s.ints("net/x", 8, 1, {0, 1, 2, 3}), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "lookup");
  s.vertex(set, "BadAddress", 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  return s.done("address exception", "planted: bad_address", {"load of 4 bytes", "outside tile memory", "slli"});
}

// One of forty layers whose control code is held once.
Planted bad_layer() {
  constexpr unsigned kLayers = 40, kBad = 27;
  Scene s("bad address in one of many layers");
  std::string vertex;
  for (unsigned n = 0; n < kLayers; ++n) {
    const std::string name = "layer" + std::to_string(n);
    const auto in = s.ints(name + "/x", 8, 1, {0, n == kBad ? 1u : 0u}), out = s.ints(name + "/y", 1, 1);
    const auto set = add_compute_set(s.b, name);
    s.vertex(set, "BadAddress", 1, {{"in", in}, {"out", out}});
    if (n == kBad) vertex = s.p.vertex;
    s.p.programs.push_back(execute(set));
  }
  s.p.vertex = vertex;
  s.p.programs = {sequence(std::move(s.p.programs))};
  return s.done("address exception", "planted: bad_address", {"Execute(layer" + std::to_string(kBad) + ")"});
}

Planted null_pointer() {
  Scene s("null pointer");
  const auto out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "lookup");
  s.vertex(set, "NullPointer", 1, {{"out", out}});
  s.p.programs = {execute(set)};
  return s.done("null pointer", "planted: null_pointer",
                {"address exception", at_line("calls: null_pointer"), "state 'address'"});
}

Planted misaligned() {
  Scene s("misaligned");
  const auto in = s.ints("net/x", 8, 1), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "lookup");
  s.vertex(set, "Misaligned", 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  return s.done("no multiple of 4", "planted: misaligned", {"address exception", "element 2 of input 'in' (net/x[2])"});
}

Planted write_past_end() {
  Scene s("write past the end of an output");
  const auto out = s.ints("net/short", 4, 1), links = s.ints("net/links", 4, 1), result = s.ints("net/y", 1, 1);
  const auto write = add_compute_set(s.b, "write"), follow = add_compute_set(s.b, "follow");
  set_state(s.b, s.vertex(write, "WritesTooMuch", 1, {{"out", out}}), "reach", 6);
  s.vertex(follow, "Follows", 1, {{"links", links}, {"out", result}});
  s.p.programs = {sequence({execute(write), execute(follow)})};
  return s.done("address exception", "planted: write_past_end",
                {"the pointer of input 'links'", "written in cycle", at_line("writer: write_past_end"),
                 "vertex 0 of codelet 'WritesTooMuch'", "just beyond the end of output 'out' (net/short[0..3]"});
}

Planted bank_clash() {
  Scene s("bank clash");
  const auto set = add_compute_set(s.b, "read text");
  for (unsigned i = 0; i < 6; ++i) {
    const auto out = s.ints("net/y" + std::to_string(i), 1, 1);
    set_state(s.b, s.vertex(set, "ReadsText", 1, {{"out", out}}), "address", kMemoryBase + 0x100);
  }
  s.p.vertex = "of codelet 'ReadsText' in compute set 'read text'";
  s.p.context = "worker";
  s.p.programs = {execute(set)};
  return s.done("clash exception", "planted: bank_clash", {"fetched in the same cycle", "also in element 0"});
}

// x on tile 0 goes to y on tile 1, where a vertex adds it up.
Scene exchange(const std::string& name, unsigned words) {
  Scene s(name);
  std::vector<uint32_t> values(words);
  for (unsigned i = 0; i < words; ++i) values[i] = 0x1000 + i;
  const auto x = s.ints("net/x", words, 0, values), y = s.ints("net/y", words, 1), z = s.ints("net/z", 1, 1);
  const auto set = add_compute_set(s.b, "sum");
  s.vertex(set, "Sum", 1, {{"in", y}, {"out", z}});
  s.p.programs = {sequence({copy(x, y), execute(set)})};
  s.p.context = "exchange ports";
  s.p.vertex = "";
  return s;
}

uint64_t read_event(chip::Chip& chip, unsigned tile, uint32_t at) {
  return chip.debug_read(tile, DebugSpace::kMemory, 0, at) |
         uint64_t{chip.debug_read(tile, DebugSpace::kMemory, 0, at + 4)} << 32;
}
void write_event(chip::Chip& chip, unsigned tile, uint32_t at, uint64_t event) {
  chip.debug_write(tile, DebugSpace::kMemory, 0, at, static_cast<uint32_t>(event));
  chip.debug_write(tile, DebugSpace::kMemory, 0, at + 4, static_cast<uint32_t>(event >> 32));
}
// The first event with words on that tile.
uint32_t first_transfer(chip::Chip& chip, unsigned tile, uint32_t at) {
  while (ExchangeEvent::decode(read_event(chip, tile, at)).count == 0) at += 8;
  return at;
}

Planted unsent_word() {
  Scene s = exchange("unsent word", 8);
  s.p.poke = [](chip::Chip& chip, const image::Executable&, const std::map<unsigned, uint32_t>& lists) {
    const uint32_t at = first_transfer(chip, 0, lists.at(0));
    auto event = ExchangeEvent::decode(read_event(chip, 0, at));
    --event.count;
    write_event(chip, 0, at, event.encode());
  };
  return s.done("no word came from tile 0", "",
                {"net/y[7]", "this is word 7", "it sent 7 words in this phase", "sends 7 words"});
}

Planted wrong_mux() {
  Scene s = exchange("wrong mux", 8);
  s.p.poke = [](chip::Chip& chip, const image::Executable&, const std::map<unsigned, uint32_t>& lists) {
    const uint32_t at = first_transfer(chip, 1, lists.at(1));
    write_event(chip, 1, at, ExchangeEvent::Layout::source.with(read_event(chip, 1, at), 3));
  };
  return s.done("no word came from tile 3", "",
                {"this is word 0", "tile 3", "is not armed", "a word of tile 0 would have come just then"});
}

Planted word_for_nobody() {
  Scene s = exchange("word for nobody", 8);
  s.p.poke = [](chip::Chip& chip, const image::Executable&, const std::map<unsigned, uint32_t>& lists) {
    const uint32_t at = first_transfer(chip, 0, lists.at(0));
    write_event(chip, 0, at, read_event(chip, 0, at) + (1ull << 4));  // one cycle late
  };
  return s.done("no word came from tile 0", "", {"this is word 0", "one cycle later"});
}

// Words of the control code of a tile, with their addresses, from the step of that name on.
uint32_t find_instruction(chip::Chip& chip, const image::Executable& executable, unsigned tile, const std::string& step,
                          uint32_t wanted) {
  for (const names::Step& place : executable.chip().info.steps) {
    if (place.tile != tile || executable.chip().info.name(place.what).find(step) == std::string::npos) continue;
    for (uint32_t at = place.pc; at < place.pc + kControlArea; at += 4)
      if (chip.debug_read(tile, DebugSpace::kMemory, 0, at) == wanted) return at;
  }
  throw std::runtime_error("no such instruction in step " + step);
}

void leave_out_sync(Scene& s, unsigned tile, unsigned zone) {
  s.p.poke = [=](chip::Chip& chip, const image::Executable& executable, const std::map<unsigned, uint32_t>&) {
    const uint32_t sync = spec::encode(spec::Opcode::Sync, {.imm = static_cast<int32_t>(zone)});
    chip.debug_write(tile, DebugSpace::kMemory, 0, find_instruction(chip, executable, tile, "Copy", sync),
                     spec::encode(spec::Opcode::Addi, {}));
  };
}

// Tile 1 does not wait for the end of the exchange and lets its workers begin.
Planted early_exit() {
  Scene s = exchange("early exit from an exchange", 4000);
  leave_out_sync(s, 1, 1);
  return s.done("while workers were active", "", {"net/y[0]", "worker 0", "worker.S", "codelet 'Sum'"});
}

Planted missing_at_sync() {
  Scene s = exchange("a tile missing at a sync", 8);
  leave_out_sync(s, 2, 2);
  s.p.context = "";
  s.p.tile = "tile 2";
  return s.done("Deadlock", "", {"tiles 0-1 and 3 wait at internal sync", "wait for each other", "Copy"});
}

Planted endless_loop() {
  Scene s("endless loop in a vertex");
  const auto counter = s.ints("net/counter", 1, 1);
  const auto set = add_compute_set(s.b, "spin");
  s.vertex(set, "EndlessLoop", 1, {{"counter", counter}});
  s.p.programs = {execute(set)};
  s.p.budget = 20000;
  return s.done("cycle budget", "planted: endless_loop", {"instructions between", " %)", "tiles 0 and 2-3 wait at"});
}

Planted supervisor_loop() {
  Scene s("endless loop of the supervisor");
  const auto counter = s.ints("net/counter", 1, 1);
  const auto set = add_compute_set(s.b, "spin");
  s.vertex(set, "SupervisorLoop", 1, {{"counter", counter}});
  s.p.context = "supervisor";
  s.p.programs = {execute(set)};
  s.p.budget = 20000;
  return s.done("cycle budget", "planted: supervisor_loop", {"instructions between"});
}

Planted stack_overflow() {
  Scene s("stack overflow");
  const auto depth = s.ints("net/depth", 1, 1, {100}), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "recurse");
  s.vertex(set, "StackOverflow", 1, {{"depth", depth}, {"out", out}});
  s.p.programs = {execute(set)};
  return s.done("stack exception", "planted: stack_overflow", {"below the stack's end", "in deep(int)", "256 bytes"});
}

// Of the instruction that is this word.
uint32_t address_in_text(const image::Executable& executable, uint32_t wanted) {
  for (const image::Segment& segment : executable.chip().shared)
    for (size_t i = 0; i < segment.words.size(); ++i)
      if (segment.words[i] == wanted) return segment.address + static_cast<uint32_t>(4 * i);
  throw std::runtime_error("the instruction is not in the text");
}

// Somebody has written over a word of tile 1: bits of it are others, and it fits its check bits.
Planted::Poke changed(std::function<uint32_t(const image::Executable&)> address, uint32_t mask) {
  return [=](chip::Chip& chip, const image::Executable& executable, const std::map<unsigned, uint32_t>&) {
    const uint32_t at = address(executable);
    const uint32_t word = chip.debug_read(1, DebugSpace::kMemory, 0, at);
    chip.debug_write(1, DebugSpace::kMemory, 0, at, word ^ mask);
  };
}
Planted::Poke changed_text(uint32_t wanted, uint32_t mask) {
  return changed([=](const image::Executable& executable) { return address_in_text(executable, wanted); }, mask);
}

// A bit of a word turns over while the program waits: whoever reads it excepts.
constexpr uint32_t kMarkedInstruction = 1365;
Planted turned_over(const std::string& name, const std::string& codelet,
                    const std::function<uint32_t(const image::Executable&)>& address, uint32_t mask,
                    const std::vector<std::string>& says) {
  Scene s(name);
  const auto out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  if (codelet == "CorruptedState") {
    const auto in = s.ints("net/x", 8, 1);
    s.vertex(set, codelet, 1, {{"in", in}, {"out", out}});
  } else {
    s.vertex(set, codelet, 1, {{"out", out}});
  }
  s.p.programs = {execute(set)};
  s.p.faults = [=](const image::Executable& executable) {
    return std::vector<inspect::Fault>{
        {.flip = {.site = chip::FlipSite::kMemory, .tile = 1, .address = address(executable), .mask = mask},
         .cycle = kWhileWaiting}};
  };
  s.p.context = "memory";
  s.p.vertex = "";  // whoever read it; the place is told
  return s.done("parity exception", "", says);
}

Planted turned_over_text() {
  return turned_over("flipped bit of an instruction", "IllegalInstruction",
                     [](const image::Executable& executable) {
                       return address_in_text(executable, spec::encode(spec::Opcode::Addi,
                                                                       {.rd = 5, .rs1 = 0, .imm = kMarkedInstruction}));
                     },
                     0x40,
                     {"the word at", "text of '__vertex_IllegalInstruction'",
                      "; the program has 0x55500293 there (bit 6 has turned over)"});
}

Planted turned_over_data() {
  return turned_over("flipped bit of a vertex's state", "CorruptedState",
                     [](const image::Executable& executable) { return executable.chip().info.vertices.at(0).address; },
                     1u << 30,
                     {"the pointer of input 'in' in the state of vertex 0 of codelet 'CorruptedState'", "holds"});
}

// The vertex's marked instruction becomes none.
Planted illegal_instruction() {
  Scene s("illegal instruction");
  const auto out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  s.vertex(set, "IllegalInstruction", 1, {{"out", out}});
  s.p.programs = {execute(set)};
  s.p.poke = changed_text(spec::encode(spec::Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = kMarkedInstruction}), 0x40);
  return s.done("illegal exception", "planted: illegal_instruction",
                {"is no instruction", "the program has `addi t0, zero, 1365` there (bit 6 has turned over)"});
}

// fadd.s becomes fadd.d.
Planted double_arithmetic() {
  Scene s("double arithmetic");
  const auto out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  s.vertex(set, "AddsFloats", 1, {{"out", out}});
  s.p.programs = {execute(set)};
  s.p.poke = changed_text(0x00007053, 1u << 25);
  return s.done("illegal exception", "planted: double_arithmetic",
                {"is double arithmetic, which the tile has not; use float", "bit 25 has turned over"});
}

Planted data_executed() {
  Scene s("execution of data");
  const auto in = s.ints("net/x", 8, 1), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  s.vertex(set, "ExecutesData", 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  return s.done("is executed as an instruction", "from: data_executed", {"illegal exception", "net/x[0]", "jalr"});
}

Planted float_trap(const std::string& name, const std::string& codelet, const std::string& mark, float x, float y,
                   const std::string& cause) {
  Scene s(name);
  const auto in = s.floats("net/x", 1, x, y);
  const auto out = s.b.variable("net/y", ElementType::kFloat, {{1, 1}});
  const auto set = add_compute_set(s.b, "calculate");
  s.vertex(set, codelet, 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  s.p.poke = [](chip::Chip& chip, const image::Executable&, const std::map<unsigned, uint32_t>&) {
    chip.debug_write(kNoTile, DebugSpace::kCsr, 0, static_cast<uint32_t>(spec::Csr::Xfpictl), 7);
  };
  return s.done("float exception", "planted: " + mark, {cause});
}

Planted packet_length() {
  Scene s("wrong length of a packet");
  const auto packet = s.ints("net/packet", 8, 1);
  const auto set = add_compute_set(s.b, "send");
  set_state(s.b, s.vertex(set, "PacketLength", 1, {{"packet", packet}}), "words", 300);
  s.p.context = "supervisor";
  s.p.programs = {execute(set)};
  return s.done("operand exception", "planted: packet_length", {"hsend", "a packet of 300 words"});
}

// A bit of a pointer in a vertex's state is another before it runs.
Planted corrupted_state() {
  Scene s("corrupted vertex state");
  const auto in = s.ints("net/x", 8, 1), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  s.vertex(set, "CorruptedState", 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  s.p.poke = changed([](const image::Executable& executable) { return executable.chip().info.vertices.at(0).address; },
                     1u << 30);
  return s.done("address exception", "planted: corrupted_state",
                {"was loaded from", "the pointer of input 'in' in the state of vertex 0 of codelet 'CorruptedState'",
                 "bit 30 has turned over", "outside tile memory"});
}

// A bit of a datum turns over in one of two chips in lockstep: what reads it first is told.
Planted mismatch() {
  Scene s("mismatch in lockstep");
  const auto in = s.ints("net/x", 8, 1, {1, 2, 3, 4, 5, 6, 7, 8}), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "sum");
  s.vertex(set, "Sum", 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  s.p.lockstep = true;
  s.p.faults = [](const image::Executable& executable) {
    const names::Vertex& vertex = executable.chip().info.vertices.at(0);
    return std::vector<inspect::Fault>{
        {.flip = {.site = chip::FlipSite::kMemory,
                  .tile = vertex.tile,
                  .address = executable.chip().info.fields.at(vertex.first_field).address + 8,
                  .mask = 1u << 4},
         .cycle = kWhileWaiting}};
  };
  return s.done("the two sides differ", "reads: mismatch",
                {"load from", "element 2 of input 'in' (net/x[2])", "= 0x13", "= 0x3"});
}

// A bit of a word turns over on its way, which nothing notices but the host: what ran, and who sent, is told.
Planted failed_check() {
  Scene s = exchange("failed check of the host", 8);
  s.p.faults = [](const image::Executable&) {
    return std::vector<inspect::Fault>{
        {.flip = {.site = chip::FlipSite::kReceived, .tile = 1, .mask = 1}, .cycle = kWhileWaiting}};
  };
  s.p.check = "net/z is not the sum of net/x";
  s.p.check_tile = 1;
  s.p.tile = "tile 1";
  s.p.context = "worker 0 ran";
  return s.done("Check failed: net/z is not the sum of net/x", "",
                {"vertex 0 of codelet 'Sum' in compute set 'sum'", "received 8 words from tile 0"});
}

Planted failed_assert() {
  Scene s("failed assert");
  const auto in = s.ints("net/x", 1, 1, {3}), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  s.vertex(set, "FailedAssert", 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  s.p.never = {"csrrw", "may not execute `", "in float"};
  return s.done("a failed assert", "planted: failed_assert", {"illegal exception", "in f at"});
}

Planted misaligned_jump() {
  Scene s("jump to no multiple of 4");
  const auto out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  s.vertex(set, "MisalignedJump", 1, {{"out", out}});
  s.p.programs = {execute(set)};
  s.p.never = {"was changed"};
  return s.done("which is no multiple of 4, text of 'f'", "from: misaligned_jump", {"pc exception", "jalr"});
}

// A supervisor at pc 0 is not the exchange ports, whose faults have no pc.
Planted jump_to_null() {
  Scene s("jump of the supervisor to 0");
  const auto out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  set_state(s.b, s.vertex(set, "JumpToNull", 1, {{"out", out}}), "address", 0);
  s.p.context = "supervisor";
  s.p.programs = {execute(set)};
  s.p.never = {"exchange ports", "met in the memory element"};
  return s.done("jump to 0x0, near address 0, as of a null pointer", "from: jump_to_null", {"pc exception", "jalr"});
}

// Host memory is shorter than the program was made for.
Planted refused_packet() {
  Scene s("packet outside host memory");
  const auto out = s.ints("net/y", 40, 1);
  s.b.graph.streams.push_back({"results", ElementType::kInt, 40, false, {}});
  s.p.programs = {program(graph::CopyToStream{out, 0})};
  s.p.host_bytes = 64;
  s.p.tile = "Tile 1";
  s.p.context = "supervisor";
  return s.done("host memory refused a packet: write of 40 words at host address", "",
                {"hsend", "it reached the host port in cycle", "stream results"});
}

// A bit of a register turns over while it is used: what it holds is not what was written to it.
Planted turned_register() {
  Scene s("turned register");
  const auto in = s.ints("net/x", 8, 1), out = s.ints("net/y", 1, 1);
  const auto set = add_compute_set(s.b, "run");
  s.vertex(set, "TurnedRegister", 1, {{"in", in}, {"out", out}});
  s.p.programs = {execute(set)};
  s.p.faults = [](const image::Executable&) {
    return std::vector<inspect::Fault>{
        {.flip = {.site = chip::FlipSite::kInteger, .tile = 1, .context = 1, .address = 5, .mask = 1u << 30},
         .cycle = 9000}};
  };
  return s.done("address exception", "planted: turned_register",
                {"outside tile memory", "t0          0x4", "was written to it (bit 30 has turned over)"});
}

}  // namespace

std::vector<Planted> planted_failures() {
  std::vector<Planted> all;
  const float huge = 3e38f, infinite = std::bit_cast<float>(0x7f800000u);
  all.push_back(bad_address());
  all.push_back(bad_layer());
  all.push_back(null_pointer());
  all.push_back(misaligned());
  all.push_back(write_past_end());
  all.push_back(bank_clash());
  all.push_back(unsent_word());
  all.push_back(wrong_mux());
  all.push_back(word_for_nobody());
  all.push_back(early_exit());
  all.push_back(missing_at_sync());
  all.push_back(endless_loop());
  all.push_back(supervisor_loop());
  all.push_back(stack_overflow());
  all.push_back(illegal_instruction());
  all.push_back(double_arithmetic());
  all.push_back(data_executed());
  all.push_back(
      float_trap("float trap: invalid", "FloatInvalid", "float_invalid", infinite, infinite, "invalid operation"));
  all.push_back(float_trap("float trap: divide by zero", "FloatDivide", "float_divide", 1, 0, "divide by zero in"));
  all.push_back(float_trap("float trap: overflow", "FloatOverflow", "float_overflow", huge, huge, "overflow in"));
  all.push_back(packet_length());
  all.push_back(corrupted_state());
  all.push_back(turned_over_text());
  all.push_back(turned_over_data());
  all.push_back(mismatch());
  all.push_back(failed_check());
  all.push_back(failed_assert());
  all.push_back(misaligned_jump());
  all.push_back(jump_to_null());
  all.push_back(turned_register());
  all.push_back(refused_packet());
  return all;
}

}  // namespace tessera::test
