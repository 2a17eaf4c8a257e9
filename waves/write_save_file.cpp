// tessera-save-file: writes a GTKWave save file, and the value name files it uses, beside waves of tiles.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "waves/save_file.h"

int main(int argc, char** argv) {
  CLI::App app("Writes a GTKWave save file for waves of tiles");
  std::string waves, out;
  std::vector<unsigned> tiles;
  app.add_option("waves", waves, "the FST")->required();
  app.add_option("--tiles", tiles, "the tiles in it")->delimiter(',')->required();
  app.add_option("-o,--output", out, "the save file; default: the FST's name with .gtkw");
  CLI11_PARSE(app, argc, argv);
  namespace fs = std::filesystem;
  try {
    const fs::path fst = fs::absolute(waves);
    const fs::path save = out.empty() ? fs::path(fst).replace_extension(".gtkw") : fs::absolute(out);
    const fs::path names = fs::path(save).replace_extension(".names");
    fs::create_directories(names);
    tessera::waves::write_value_names(names.string());
    const fs::path filter = fs::read_symlink("/proc/self/exe").parent_path() / "tessera-disassemble";
    std::ofstream file(save);
    file << tessera::waves::save_file({fst.string(), tiles, names.string(), fs::exists(filter) ? filter.string() : ""});
    file.close();
    if (!file) throw std::runtime_error(save.string() + " cannot be written");
  } catch (const std::exception& error) {
    std::cerr << "tessera-save-file: " << error.what() << "\n";
    return 1;
  }
}
