// Waves of every signal of the RTL tile: what their save file shows is in them, whoever writes the save file.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "inspect/waves/save_file.h"
#include "sim/engine/rtl_chip.h"
#include "tests/inspect/waves/digits_run.h"
#include "tests/inspect/waves/fst_dump.h"

using namespace tessera;
using namespace tessera::test;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Of tile 1 in superstep 2.
template <class Digits>
void leave_all_signals(const Digits& digits, const std::string& fst) {
  DigitsRun run(digits, chip::make_wave_chip(digits.machine, {fst, {1}, 2, 1}),
                "waves=" + fst + ";wave-tiles=1;wave-from=2;wave-for=1;wave-depth=all;snapshots=false");
  run.load();
  run.train();
  run.recorded().finish();
}

}  // namespace

TEST_CASE("waves of depth all keep cycle c at time c, in the unit of the other waves") {
  const fs::path folder = fs::temp_directory_path() / ("tessera-all-cycles-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string all = (folder / "all.fst").string(), architecture = (folder / "architecture.fst").string();
  const auto digits = DigitsRun::compile("mk2-4");
  const std::string window = ";wave-tiles=1;wave-from=2;wave-for=1";
  {
    DigitsRun run(digits, chip::make_wave_chip(digits.machine, {all, {1}, 2, 1}),
                  "waves=" + all + window + ";wave-depth=all;snapshots=false");
    run.load();
    run.train();
    run.recorded().finish();
    CHECK(fs::exists(all));  // not only when the chip is gone
  }
  {
    DigitsRun run(digits, chip::make_rtl_chip(digits.machine), "waves=" + architecture + window);
    run.load();
    run.train();
    run.recorded().finish();
  }
  const FstDump signals(all), names(architecture);
  CHECK(signals.unit() == names.unit());
  CHECK(signals.first() == names.first());
  uint64_t sent = 0, received = 0, asked = 0;
  for (uint64_t cycle = names.first() + 1; cycle + 1 < names.last(); ++cycle) {
    INFO("cycle " << cycle);
    const std::string tile = "chip0.tile1.";
    const bool sends = names.number(tile + "exchange.sending", cycle) == 1;
    const bool receives = names.number(tile + "exchange.receiving", cycle) == 1;
    sent += sends;
    received += receives;
    asked += names.number(tile + "sync.request", cycle);
    REQUIRE(signals.number(tile + "exchange_valid_o", cycle) == sends);
    if (sends)
      REQUIRE(signals.number(tile + "exchange_data_o[31:0]", cycle) ==
              names.number(tile + "exchange.sent_word[31:0]", cycle));
    REQUIRE(signals.number(tile + "sync_o.valid", cycle) == names.number(tile + "sync.request", cycle));
    REQUIRE(signals.number(tile + "sync_i.ack", cycle) == names.number(tile + "sync.acknowledge", cycle));
    if (names.number(tile + "active_workers[5:0]", cycle) != 0)
      REQUIRE(signals.number(tile + "cycle_i[63:0]", cycle) == cycle);
  }
  CHECK(sent > 10);
  CHECK(received > 10);
  CHECK(asked > 10);
  fs::remove_all(folder);
}

TEST_CASE("every signal that the save file shows first is in waves of depth all") {
  const fs::path folder = fs::temp_directory_path() / ("tessera-all-signals-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string fst = (folder / "out.fst").string();
  const auto digits = DigitsRun::compile("mk2-4");
  leave_all_signals(digits, fst);
  const FstDump dump(fst);
  inspect::waves::SaveFile file;
  file.tiles = {{0, 1}};
  file.all_signals = true;
  file.fabric = {digits.machine.rows, digits.machine.columns, digits.machine.lanes, digits.machine.blocks()};
  const auto shown = inspect::waves::shown_signals(file);
  CHECK(shown.size() > 100);
  for (const std::string& name : shown) {
    INFO(name);
    CHECK(dump.has(name));
  }
  const std::string left = contents(folder / "out.gtkw");
  CHECK(left.find("[markername] A2 ") != std::string::npos);
  CHECK(left.find("chip0.tile1.sync_o.zone[3:0]") != std::string::npos);
  // From the file alone: no markers, for the RTL knows no supersteps, else the same.
  inspect::waves::write_save_file(fst, (folder / "again.gtkw").string());
  for (const std::string& text : {left, contents(folder / "again.gtkw")}) {
    CHECK(text.find("chip0.tile1.sync_o.zone[3:0]") != std::string::npos);
    CHECK(text.find("exchange of tile 1") != std::string::npos);
    CHECK(text.find("chip0.fabric.fabric.sync_request[3:0]") != std::string::npos);
  }
  fs::remove_all(folder);
}

TEST_CASE("what a tile shows and gets is what the fabric's waves say in the same cycle") {
  const fs::path folder = fs::temp_directory_path() / ("tessera-fabric-waves-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string fst = (folder / "out.fst").string();
  const auto digits = DigitsRun::compile("mk2-4");
  leave_all_signals(digits, fst);
  const FstDump dump(fst);
  uint64_t received = 0, acknowledged = 0;
  const std::string tile = "chip0.tile1.", fabric = "chip0.fabric.";
  for (uint64_t cycle = dump.first() + 1; cycle + 1 < dump.last(); ++cycle) {
    INFO("cycle " << cycle);
    const uint64_t valid = dump.number(tile + "exchange_valid_i", cycle);
    REQUIRE((dump.number(fabric + "received_valid_o[3:0]", cycle) >> 1 & 1) == valid);
    REQUIRE((dump.number(fabric + "fabric.sync_request[3:0]", cycle) >> 1 & 1) ==
            dump.number(tile + "sync_o.valid", cycle));
    const uint64_t acknowledge = dump.number(tile + "sync_i.ack", cycle);
    REQUIRE((dump.number(fabric + "fabric.sync_ack[3:0]", cycle) >> 1 & 1) == acknowledge);
    if (valid != 0)
      REQUIRE(dump.number(fabric + "fabric.u_exchange.g_column[0].u_column.g_tile[1].u_drop.data_o[31:0]", cycle) ==
              dump.number(tile + "exchange_data_i[31:0]", cycle));
    received += valid;
    acknowledged += acknowledge;
  }
  CHECK(received > 10);
  CHECK(acknowledged >= 1);
  fs::remove_all(folder);
}
