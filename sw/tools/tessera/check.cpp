// tessera check ELF...: what firmware holds that no tile executes, and its digest. tessera_firmware() calls it behind
// every link.
#include <fmt/format.h>

#include "formats/elf_seal.h"
#include "formats/symbol_name.h"
#include "formats/whole_file.h"
#include "inspect/source_lines.h"
#include "sw/firmware/host/elf_image.h"
#include "sw/firmware/host/text_check.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

constexpr size_t kMostWords = 8;

bool is_good(const std::string& path) {
  const firmware::ElfImage image = firmware::read_elf_image(path);
  const inspect::SourceLines lines(image.file);
  const auto found = firmware::double_arithmetic(image);
  for (size_t i = 0; i < found.size() && i < kMostWords; ++i) {
    const auto at = lines.at(found[i].address);
    fmt::print(stderr, "tessera: {}: {} at {:#x}{} computes with double, which the tile has not; use float\n", path,
               formats::readable_symbol(found[i].function), found[i].address,
               at.empty() ? "" : fmt::format(" ({}:{})", at.front().file, at.front().line));
  }
  if (found.size() > kMostWords)
    fmt::print(stderr, "tessera: {}: {} more instructions do\n", path, found.size() - kMostWords);
  return found.empty();
}

// Damage is seen from now on, whoever loads the file.
void seal(const std::string& path) {
  firmware::ElfImage image = firmware::read_elf_image(path);
  formats::seal_elf(image.file);
  formats::write_whole_file(path, image.file);
}

}  // namespace

void add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Looks for what firmware holds and no tile executes: arithmetic with double. Exit status 4: there is some");
  struct Options {
    std::vector<std::string> files;
    bool seal = false;
  };
  auto o = std::make_shared<Options>();
  command->add_option("ELF", o->files, "firmware")->required();
  command->add_flag("--seal", o->seal,
                    "puts a digest into files that are good, so that damage is seen when they are run");
  command->callback([o] {
    bool good = true;
    for (const std::string& file : o->files) {
      const bool here = is_good(file);
      if (here && o->seal) seal(file);
      good &= here;
    }
    if (!good) throw Finished{kExitFound};
  });
}

}  // namespace tessera::tool
