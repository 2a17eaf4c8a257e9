#include "tests/damage/kinds.h"

#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "compiler/codelet/codelet_library.h"
#include "compiler/image/executable_file.h"
#include "formats/elf_seal.h"
#include "inspect/trace/recorder.h"
#include "inspect/trace/trace_reader.h"
#include "inspect/waves/fst_file.h"
#include "inspect/waves/save_file.h"
#include "inspect/waves/signals.h"
#include "inspect/waves/wave_contents.h"
#include "rtl/spec/system.h"
#include "sim/port/checkpoint.h"
#include "sw/firmware/host/elf_image.h"
#include "tests/inspect/trace/synthetic_run.h"

namespace tessera::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

const spec::Machine& machine() {
  static const spec::Machine mk2_4 = spec::load_machine("mk2-4");
  return mk2_4;
}

Bytes image_file() {
  std::mt19937 random(1);
  image::Executable executable;
  image::ChipImage& chip = executable.chip();
  chip.machine = machine().name;
  chip.machine_hash = machine().hash();
  chip.shared = {{machine().memory_base, std::vector<uint32_t>(700)}};
  for (uint32_t& word : chip.shared[0].words) word = static_cast<uint32_t>(random());
  chip.tiles.resize(machine().tiles());
  chip.usage.resize(machine().tiles());
  chip.groups = {{{{0x5c000, {static_cast<uint32_t>(random()), 5}}}}};
  for (image::TileImage& tile : chip.tiles) tile.segments = {{0x60000, {static_cast<uint32_t>(random()), 2, 3}}};
  chip.tiles[1].group = 1;
  chip.info.names = {"", "net/x", "Scale"};
  chip.info.vertices = {{.tile = 1, .address = 0x60000, .bytes = 12, .id = 7, .codelet = 2}};
  executable.programs = {{"train", false}, {"read x", true}};
  executable.host.streams = {{.handle = "x", .elements = 3, .bytes = 12, .shape = {3}, .pieces = {{0, 64, 12}}}};
  return image::serialize(executable);
}

std::string read_image(const std::string& path) {
  return text_of(image::serialize(image::deserialize(bytes_of(path), path)));
}

std::string read_library(const std::string& path) { return text_of(compiler::to_gp(compiler::load_gp(path))); }

std::string read_firmware(const std::string& path) {
  const firmware::ElfImage image = firmware::read_elf_image(path);
  firmware::check_fits(image, spec::load_machine(image.machine.empty() ? "mk2-16" : image.machine));
  std::string text = std::to_string(image.entry);
  for (const firmware::Segment& segment : image.segments) {
    text += " " + std::to_string(segment.address) + ":";
    for (const uint32_t word : segment.words) text += std::to_string(word) + ",";
  }
  for (const firmware::ElfSymbol& symbol : image.symbols) text += symbol.name + std::to_string(symbol.address);
  return text;
}

Bytes trace_file() {
  using namespace inspect::trace;
  const TemporaryFile file;
  Recorder recorder({.path = file.path, .window = {}, .block_events = 100}, machine());
  names::ProgramInfo program;
  program.title = "small";
  recorder.program_changed(program);
  const auto events = synthetic_run(machine(), {0, 1, 2, 3}, 5, {.supersteps = 5, .instructions = 20});
  for (const Event& e : events) tell(e, recorder);
  recorder.stands_at(events.back().cycle + 1);
  recorder.finish();
  return bytes_of(file.path);
}

// A trace that is cut off is read up to where it is whole, and says so.
std::string read_trace(const std::string& path) {
  inspect::trace::TraceReader reader(path);
  std::string text;
  for (size_t run = 0; run < reader.runs().size(); ++run)
    reader.read(run, {}, [&](const inspect::trace::Event& e) { text += all_of(e) + "\n"; });
  if (!reader.cut_off().empty()) throw std::runtime_error(reader.cut_off());
  return text;
}

Bytes wave_file() {
  const inspect::trace::TemporaryFile file(".fst");
  inspect::waves::FstWriter fst(file.path);
  fst.open_scope("chip0");
  const auto name = fst.text("superstep_name");
  std::vector<inspect::waves::FstWriter::Handle> handles;
  fst.open_scope("tile0");
  for (const inspect::waves::Scope& scope : inspect::waves::tile_scopes()) {
    if (*scope.name) fst.open_scope(scope.name);
    for (const inspect::waves::Signal& signal : scope.signals)
      if (signal.bits != 0) handles.push_back(fst.bits(signal.name, signal.bits));
    if (*scope.name) fst.close_scope();
  }
  fst.close_scope();
  fst.close_scope();
  std::mt19937_64 random(3);
  for (uint64_t cycle = 0; cycle < 2000; ++cycle) {
    fst.time(cycle);
    if (cycle % 500 == 0) fst.set(name, "superstep " + std::to_string(cycle / 500));
    for (int i = 0; i < 3; ++i) fst.set(handles[random() % handles.size()], random());
  }
  fst.close();
  return bytes_of(file.path);
}

std::string read_waves(const std::string& path) {
  std::string text = inspect::waves::text_of(inspect::waves::contents_of(path, {}));
  inspect::waves::FstReader reader(path);
  std::vector<uint32_t> handles;
  for (const inspect::waves::FstSignal& signal : reader.signals()) handles.push_back(signal.handle);
  reader.read(handles, [&](uint64_t cycle, uint32_t handle, std::string_view value) {
    text += std::to_string(cycle) + " " + std::to_string(handle) + " " + std::string(value) + "\n";
  });
  return text;
}

Bytes checkpoint_file() {
  std::mt19937_64 random(4);
  chip::Checkpoint checkpoint;
  checkpoint.machine = machine().name;
  checkpoint.machine_hash = machine().hash();
  checkpoint.tiles.resize(machine().tiles());
  for (chip::Checkpoint::Tile& tile : checkpoint.tiles) {
    tile.pc[0] = machine().memory_base + 4;
    tile.x[0][5] = static_cast<uint32_t>(random());
    for (uint64_t& word : tile.memory[machine().memory_base & ~0xfffu]) word = random();
  }
  return chip::serialize(checkpoint);
}

std::string read_checkpoint(const std::string& path) {
  return text_of(chip::serialize(chip::load_checkpoint(path, machine())));
}

std::string read_machine(const std::string& path) {
  std::string text;
  for (const spec::Machine& chip : spec::load_system(path).chips)
    for (const auto& [name, value] : spec::machine_fields(chip)) text += name + " = " + std::to_string(value) + "\n";
  return text;
}

}  // namespace

std::vector<Kind> kinds(const std::string& firmware, const std::string& library) {
  Bytes elf = bytes_of(firmware);
  formats::seal_elf(elf);
  return {{"executable", ".image", image_file(), read_image},
          {"codelet library", ".gp", bytes_of(library), read_library},
          {"firmware", ".elf", elf, read_firmware},
          {"trace", ".trace", trace_file(), read_trace},
          {"waves", ".fst", wave_file(), read_waves},
          {"checkpoint", ".checkpoint", checkpoint_file(), read_checkpoint},
          {"machine", ".toml", bytes_of(spec::descriptions_folder("machines") + "/mk2.toml"), read_machine, true},
          {"system", ".toml", bytes_of(spec::descriptions_folder("systems") + "/pair-4.toml"), read_machine, true}};
}

}  // namespace tessera::test
