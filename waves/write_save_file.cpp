// tessera-save-file: writes a GTKWave save file, and the files of names that it uses, beside waves that have lost
// theirs.
#include <CLI/CLI.hpp>
#include <iostream>

#include "inspect/waves/save_file.h"

int main(int argc, char** argv) {
  CLI::App app("Writes a GTKWave save file for waves of tiles");
  std::string waves, out;
  app.add_option("waves", waves, "the FST")->required();
  app.add_option("-o,--output", out, "the save file; default: the FST's name with .gtkw");
  CLI11_PARSE(app, argc, argv);
  try {
    std::cout << tessera::inspect::waves::write_save_file(waves, out) << "\n";
  } catch (const std::exception& error) {
    std::cerr << "tessera-save-file: " << error.what() << "\n";
    return 1;
  }
}
