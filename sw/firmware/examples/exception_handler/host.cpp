// The host's part: an exception handler. It reads cause, context and place of the exception through the tile's debug
// port, repairs what the instruction stumbled over, and starts the supervisor there again. Registers stay as they are.
//   exception_handler ELF [rtl|model]
#include <cstdio>
#include <exception>
#include <limits>
#include <numeric>

#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/words.h"
#include "sw/firmware/host/board.h"

using namespace tessera;

namespace {

void handle(firmware::Board& board, unsigned tile) {
  using spec::DebugControl;
  const auto control = [&](uint32_t number) { return board.read(tile, chip::DebugSpace::kControl, 0, number); };
  const auto status = spec::TileStatus::decode(control(DebugControl::kStatus));
  const uint32_t pc = control(DebugControl::kExceptionPc), value = control(DebugControl::kExceptionValue);
  const unsigned cause = status.cause, context = status.context_id;
  std::printf("tile %u, context %u: %s exception, address %#x\n", tile, context,
              std::string(spec::cause_name(static_cast<uint8_t>(cause))).c_str(), value);
  if (static_cast<spec::Cause>(cause) != spec::Cause::Address || context != 0 || value != 0)
    throw std::runtime_error("this handler knows null pointers of supervisors only");
  const uint32_t instruction = board.client().peek(tile, pc, 1).at(0);
  board.set_word(tile, "pointer", board.address_of("answer"));
  board.write(tile, chip::DebugSpace::kInteger, context, spec::rs1_of(instruction), board.address_of("answer"));
  board.restart(tile, pc);
}

int run(const char* elf, const char* backend) {
  firmware::BoardOptions options;
  options.machine = "mk2-4";
  options.backend = backend;
  firmware::Board board(options);
  board.on_print = [](unsigned, unsigned, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  std::vector<unsigned> tiles(board.machine().tiles());
  std::iota(tiles.begin(), tiles.end(), 0);
  board.load(firmware::read_elf_image(elf), tiles);
  board.start();
  while (!board.finished()) {
    const chip::Stop stop = board.run(std::numeric_limits<uint64_t>::max(), 0);
    if (board.finished()) break;
    if (stop.reason == chip::StopReason::kHostSync)
      board.answer();
    else if (stop.reason == chip::StopReason::kException)
      handle(board, stop.tile);
    else
      throw std::runtime_error(board.explain(stop));
  }
  for (const auto& end : board.ends())
    if (end.code != 0) return end.code;
  std::printf("all tiles ended after %llu cycles\n", static_cast<unsigned long long>(board.client().counters().cycles));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: exception_handler ELF [rtl|model]\n");
    return 2;
  }
  try {
    return run(argv[1], argc == 3 ? argv[2] : "rtl");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exception_handler: %s\n", error.what());
    return 1;
  }
}
