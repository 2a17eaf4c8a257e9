// From nothing to hello on the RTL: the wall time of the three commands of docs/user/firmware.md, in a folder of their
// own. Usage: bench_inside_firmware
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/bench/figure.h"
#include "tests/codelet/temporary_directory.h"

namespace {

namespace fs = std::filesystem;

constexpr unsigned kTiles = 16, kLinesPerTile = 7;  // the supervisor and six workers

double seconds_of(const std::string& command) {
  const auto begin = std::chrono::steady_clock::now();
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

unsigned lines_of(const fs::path& path) {
  std::ifstream in(path);
  unsigned lines = 0;
  for (std::string line; std::getline(in, line);) lines += line.starts_with("hello from");
  return lines;
}

void measure(const std::string& tessera, const fs::path& folder) {
  const std::string go = "cd '" + folder.string() + "' && ";
  const double made = seconds_of(go + tessera + " new firmware hello --machine mk2-16 >new.log");
  const double built = seconds_of(go + "cd hello && cmake --workflow --preset firmware >../build.log 2>&1");
  const double ran = seconds_of(go + tessera + " run hello/build/hello.elf --backend rtl >run.log 2>run.err");
  if (lines_of(folder / "run.log") != kTiles * kLinesPerTile) throw std::runtime_error("not every tile said hello");
  print_figure("new firmware project to hello from 16 tiles on RTL", made + built + ran, "s", Goal::kAtMost, 90,
               {{"new", made}, {"build", built}, {"run", ran}, {"commands", 3}});
}

}  // namespace

int main() try {
  const TemporaryDirectory files;
  measure(TESSERA_TOOL, files.path(""));
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
