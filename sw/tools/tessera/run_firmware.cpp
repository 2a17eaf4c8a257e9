#include "sw/tools/tessera/run_firmware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>

#include "formats/whole_file.h"
#include "rtl/spec/system.h"
#include "sw/card/environment.h"
#include "sw/card/printed.h"
#include "sw/card/remote_memory.h"
#include "sw/firmware/host/board.h"
#include "sw/tools/tessera/arguments.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

using firmware::Board;

constexpr const char* kUsualMachine = "mk2-16";
constexpr size_t kMostTold = 8;
constexpr int kMostStatus = 255;

// FILE@OFFSET or FILE@OFFSET:BYTES
struct Area {
  std::string file;
  uint64_t offset = 0, bytes = 0;
};
Area area_of(const std::string& text, const std::string& option, bool with_bytes) {
  Area area{text, 0, 0};
  if (const size_t at = text.rfind('@'); at != std::string::npos) {
    area.file = text.substr(0, at);
    std::string rest = text.substr(at + 1);
    if (const size_t colon = rest.find(':'); with_bytes && colon != std::string::npos) {
      area.bytes = number_of(rest.substr(colon + 1), option + " " + text);
      rest = rest.substr(0, colon);
    }
    area.offset = number_of(rest, option + " " + text);
  }
  if (area.file.empty()) throw CommandError(fmt::format("{} {}: no file is named", option, text), kExitUsage);
  if (with_bytes && area.bytes == 0)
    throw CommandError(fmt::format("{} {}: say what to write, as FILE@OFFSET:BYTES", option, text), kExitUsage);
  return area;
}

// What files are put into and written from.
struct MemoryOfHost {
  std::string input, output;  // options
  uint64_t bytes = 0;
  std::string text;  // "host memory of 4096 bytes (--host-memory)"
};

void check_inside(const Area& area, uint64_t bytes, const MemoryOfHost& memory, const std::string& option) {
  if (area.offset > memory.bytes || bytes > memory.bytes - area.offset)
    throw CommandError(
        fmt::format("{} {}: {} bytes at {} do not fit {}", option, area.file, bytes, area.offset, memory.text));
}

struct Input {
  Area area;
  std::vector<char> bytes;
};
Input read_input(const std::string& text, const MemoryOfHost& memory) {
  Input input{area_of(text, memory.input, false), {}};
  std::ifstream in(input.area.file, std::ios::binary);
  if (!in) throw CommandError(memory.input + ": " + input.area.file + " cannot be read: " + std::strerror(errno));
  if (std::filesystem::is_directory(input.area.file))
    throw CommandError(memory.input + ": " + input.area.file + " is a directory");
  input.bytes.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  check_inside(input.area, input.bytes.size(), memory, memory.input);
  return input;
}
std::vector<Input> read_inputs(const std::vector<std::string>& texts, const MemoryOfHost& memory) {
  std::vector<Input> inputs;
  for (const std::string& text : texts) inputs.push_back(read_input(text, memory));
  return inputs;
}

void check_outputs(const std::vector<std::string>& texts, const MemoryOfHost& memory) {
  for (const std::string& text : texts) {
    const Area area = area_of(text, memory.output, true);
    check_inside(area, area.bytes, memory, memory.output);
    require_place(area.file, memory.output);
  }
}

void give_output(const Area& area, std::span<const std::byte> bytes, const std::string& option) {
  try {
    formats::write_whole_file(area.file, std::span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  } catch (const formats::CannotWrite& error) {
    throw CommandError(option + ": " + error.what());
  }
}

// That of the chip's gateway, of no bytes if it has none and nothing is to go there.
MemoryOfHost remote_memory_of(const spec::System& system, const FirmwareRun& run) {
  MemoryOfHost memory{"--remote-input", "--remote-output", 0, ""};
  if (!system.gateways.empty()) memory.bytes = system.gateways.front().dram_bytes;
  memory.text = fmt::format("the {} bytes of the gateway", memory.bytes);
  if (memory.bytes == 0 && (!run.remote_inputs.empty() || !run.remote_outputs.empty()))
    throw CommandError(fmt::format("{}: system {} has no gateway, in whose memory that would be",
                                   run.remote_inputs.empty() ? memory.output : memory.input, system.name));
  return memory;
}

// Puts what tiles print on standard output; begins lines with tile and context where asked.
class Printer {
 public:
  explicit Printer(bool label) : label_(label) {}

  void print(unsigned tile, unsigned context, std::string_view text) {
    if (!label_) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      return;
    }
    const std::string who = context == 0 ? fmt::format("tile {} supervisor: ", tile)
                                         : fmt::format("tile {} worker {}: ", tile, context - 1);
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      const std::string_view line = text.substr(0, end);
      if (who != open_) fmt::print("{}{}", open_.empty() ? "" : "\n", who);
      open_ = line.back() == '\n' ? std::string() : who;
      std::fwrite(line.data(), 1, line.size(), stdout);
      text.remove_prefix(end);
    }
  }

 private:
  bool label_;
  std::string open_;  // whose line has not ended yet
};

void lost(unsigned tile, unsigned context, uint32_t count, uint32_t words) {
  std::fflush(stdout);
  fmt::print(stderr,
             "tessera: tile {}, {}: {} printf{} lost, its buffer of {} words was full (PRINT_WORDS of "
             "tessera_firmware, or more host syncs)\n",
             tile, context == 0 ? "supervisor" : fmt::format("worker {}", context - 1), count, count == 1 ? "" : "s",
             words);
}

// What an exit status of tessera's own says; null: it has none such of firmware.
const char* own_meaning(int status) {
  switch (status) {
    case kExitCannot:
      return "that something could not be done";
    case kExitUsage:
      return "that the command line is wrong";
    case kExitStopped:
      return "that tiles came to no end";
    case kExitFiles:
      return "that a file could not be written";
    default:
      return nullptr;
  }
}

// The exit status that a tile's code becomes, and what of it would be misread.
int status_of(const Board::TileEnd& end) {
  if (end.code < 0 || end.code > kMostStatus) {
    fmt::print(stderr, "tessera: exit code {} of tile {} is beyond 0 to {}: the exit status is {}\n", end.code,
               end.tile, kMostStatus, kMostStatus);
    return kMostStatus;
  }
  if (const char* meaning = own_meaning(end.code); meaning != nullptr)
    fmt::print(stderr, "tessera: exit status {} is the code of tile {}; of tessera itself it would say {}\n", end.code,
               end.tile, meaning);
  return end.code;
}

// `cycle`: of the last stop, before the host looked at what was printed.
int report_end(Board& board, uint64_t cycle, const std::string& backend) {
  int status = 0;
  size_t failed = 0;
  for (const Board::TileEnd& end : board.ends()) {
    if (end.code == 0) continue;
    if (failed++ < kMostTold) fmt::print(stderr, "tessera: tile {} ended with exit code {}\n", end.tile, end.code);
    if (status == 0) status = status_of(end);
  }
  if (failed > kMostTold) fmt::print(stderr, "tessera: {} more tiles ended with an exit code\n", failed - kMostTold);
  fmt::print(stderr, "tessera: {} tile{} of {} ended in cycle {} ({})\n", board.ends().size(),
             board.ends().size() == 1 ? "" : "s", board.machine().name, cycle, backend);
  return status;
}

// Whether its end could be seen: else a run would go on answering host syncs for ever.
void require_end(const firmware::ElfImage& image, const std::vector<firmware::ElfImage>& more, const FirmwareRun& run) {
  const auto tells = [](const firmware::ElfImage& one) { return one.symbol(card::kAttentionSymbol) != nullptr; };
  if (tells(image) || std::any_of(more.begin(), more.end(), tells) || run.cycles != 0) return;
  throw CommandError(
      fmt::format("{} has no symbol '{}', by which firmware tells its end (docs/user/firmware.md): say with "
                  "--cycles when to end it",
                  image.path, card::kAttentionSymbol));
}

std::string first_given(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

}  // namespace

int run_firmware(const FirmwareRun& run) {
  const firmware::ElfImage image = firmware::read_elf_image(run.elf);
  firmware::BoardOptions options;
  options.machine = first_given({run.machine, card::machine_variable(), image.machine, kUsualMachine});
  options.backend = first_given({run.backend, card::backend_variable(), "rtl"});
  if (!card::quiet()) options.notice = [](const std::string& line) { fmt::print(stderr, "tessera: {}\n", line); };
  options.inspect = run.inspect;
  options.host_memory = run.host_memory;
  const spec::System system = spec::load_system(options.machine);
  const spec::Machine& machine = spec::only_chip(system);
  firmware::check_fits(image, machine);
  const std::vector<unsigned> tiles = tiles_of(run.tiles, "--tiles", machine.tiles());
  std::vector<firmware::ElfImage> more;
  for (const std::string& elf : run.with) more.push_back(firmware::read_elf_image(elf));
  require_end(image, more, run);
  const MemoryOfHost host{"--input", "--output", run.host_memory,
                          fmt::format("host memory of {} bytes (--host-memory)", run.host_memory)};
  const MemoryOfHost remote = remote_memory_of(system, run);
  check_outputs(run.outputs, host);
  check_outputs(run.remote_outputs, remote);
  const std::vector<Input> inputs = read_inputs(run.inputs, host);
  const std::vector<Input> remote_inputs = read_inputs(run.remote_inputs, remote);

  Board board(options);
  for (const Input& input : inputs)
    if (!input.bytes.empty())
      std::memcpy(board.host_memory().data() + input.area.offset, input.bytes.data(), input.bytes.size());
  auto gateway = board.client().remote_memory();
  for (const Input& input : remote_inputs) gateway->write(input.area.offset, std::as_bytes(std::span(input.bytes)));
  Printer printer(run.label);
  board.on_print = [&](unsigned tile, unsigned context, std::string_view text) { printer.print(tile, context, text); };
  board.on_lost = lost;
  board.load(image, tiles, more);
  board.start();

  const uint64_t limit = run.cycles == 0 ? std::numeric_limits<uint64_t>::max() : run.cycles;
  const uint64_t budget = run.budget.value_or(machine.compute_budget);
  chip::Stop stop;
  for (;;) {
    stop = board.run(limit, budget);
    std::fflush(stdout);
    if (board.finished() || stop.reason != chip::StopReason::kHostSync) break;
    board.answer();
  }
  bool whole = true;
  const auto leave = [&](const std::function<void()>& write) {
    try {
      write();
    } catch (const std::exception& error) {
      fmt::print(stderr, "tessera: {}\n", error.what());
      whole = false;
    }
  };
  for (const std::string& output : run.outputs)
    leave([&] {
      const Area area = area_of(output, host.output, true);
      give_output(area, board.host_memory().subspan(area.offset, area.bytes), host.output);
    });
  for (const std::string& output : run.remote_outputs)
    leave([&] {
      const Area area = area_of(output, remote.output, true);
      std::vector<std::byte> bytes(area.bytes);
      gateway->read(area.offset, bytes);
      give_output(area, bytes, remote.output);
    });
  leave([&] { board.finish(); });
  if (board.finished()) {
    const int status = report_end(board, stop.cycle, options.backend);
    return status == 0 && !whole ? kExitFiles : status;
  }
  if (stop.reason == chip::StopReason::kLimit) {
    fmt::print(stderr, "tessera: stopped at cycle {}, as --cycles asks\n", stop.cycle);
    for (const std::string& line : board.standing()) fmt::print(stderr, "  {}\n", line);
  } else {
    fmt::print(stderr, "tessera: {}\n", board.explain(stop));
  }
  return kExitStopped;
}

}  // namespace tessera::tool
