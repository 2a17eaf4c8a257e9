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

}  // namespace

TEST_CASE("every signal that the save file shows first is in waves of depth all") {
  const fs::path folder = fs::temp_directory_path() / ("tessera-all-signals-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string fst = (folder / "out.fst").string();
  const auto digits = DigitsRun::compile("mk2-4");
  {
    DigitsRun run(digits, chip::make_wave_chip(digits.machine, {fst, {1}, 2, 1}),
                  "waves=" + fst + ";wave-tiles=1;wave-from=2;wave-for=1;wave-depth=all;snapshots=false");
    run.load();
    run.train();
    run.recorded().finish();
  }
  const FstDump dump(fst);
  inspect::waves::SaveFile file;
  file.tiles = {{0, 1}};
  file.all_signals = true;
  const auto shown = inspect::waves::shown_signals(file);
  CHECK(shown.size() > 40);
  for (const std::string& name : shown) {
    INFO(name);
    CHECK(dump.has(name));
  }
  const std::string left = contents(folder / "out.gtkw");
  CHECK(left.find("[markername] A2 ") != std::string::npos);
  CHECK(left.find("chip0.tile1.sync_zone_o[3:0]") != std::string::npos);
  // From the file alone: no markers, for the RTL knows no supersteps, else the same.
  inspect::waves::write_save_file(fst, (folder / "again.gtkw").string());
  CHECK(contents(folder / "again.gtkw").find("chip0.tile1.sync_zone_o[3:0]") != std::string::npos);
  fs::remove_all(folder);
}
