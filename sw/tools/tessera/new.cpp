// tessera new firmware DIR: a project for the tiles, from the files in share/tessera/firmware/template.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "formats/whole_file.h"
#include "rtl/spec/system.h"
#include "sw/tools/tessera/commands.h"
#include "sw/tools/tessera/installation.h"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirmware = "share/tessera/firmware";

// A project's name: that of its folder, in letters that CMake takes for a target.
std::string project_name(const fs::path& folder) {
  std::string name = fs::absolute(folder).lexically_normal().filename().string();
  if (name.empty()) name = fs::absolute(folder).lexically_normal().parent_path().filename().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return name.empty() ? "firmware" : name;
}

std::string filled(std::string text, const std::string& key, const std::string& value) {
  const std::string mark = "@" + key + "@";
  for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
    text.replace(at, mark.size(), value);
  return text;
}

void make(const std::string& folder, const std::string& machine) {
  const fs::path to = folder;
  std::error_code error;
  if (fs::exists(to) && !fs::is_directory(to)) throw CommandError(folder + " is a file; a project needs a folder");
  if (fs::exists(to) && !fs::is_empty(to, error))
    throw CommandError(folder + " is not empty; a new project needs a folder of its own");
  const fs::path root = root_with(fs::path(kFirmware) / "template");
  if (!fs::exists(root / kFirmware / "generated/machines" / machine)) {
    spec::load_runnable(machine);  // says which machines there are, and which cannot run
    throw CommandError("firmware is made for the machines that `tessera machines` lists, by name");
  }
  fs::create_directories(to, error);
  if (error) throw CommandError(folder + " cannot be made: " + error.message(), kExitFiles);
  const std::string name = project_name(to);
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(root / kFirmware / "template")) {
    std::ifstream in(entry.path());
    std::ostringstream bytes;
    bytes << in.rdbuf();
    std::string file = entry.path().filename().string();
    if (file.ends_with(".in")) file.resize(file.size() - 3);
    if (file == "gitignore") file = ".gitignore";
    if (!in) throw CommandError(entry.path().string() + " cannot be read");
    files[(to / file).string()] =
        filled(filled(filled(bytes.str(), "TESSERA", root.string()), "NAME", name), "MACHINE", machine);
  }
  try {
    for (const auto& [file, text] : files) formats::write_whole_file(file, text);
  } catch (const formats::CannotWrite& unwritten) {
    for (const auto& [file, text] : files) fs::remove(file, error);  // half a project is none
    throw CommandError(unwritten.what(), kExitFiles);
  }
  fmt::print(
      "{0} is ready for {1}. To build and run it:\n"
      "  cd {0}\n"
      "  cmake --workflow --preset firmware\n"
      "  tessera run build/{2}.elf\n",
      folder, machine, name);
}

}  // namespace

void add_new(CLI::App& app) {
  CLI::App* command = app.add_subcommand("new", "Makes a new project: tessera new firmware DIR");
  command->require_subcommand(1);
  CLI::App* firmware = command->add_subcommand("firmware", "Makes DIR with a program for bare tiles");
  firmware->footer(
      "The project has CMakeLists.txt, main.c and README.md, and builds with CMake, clang-19 and lld-19. Start code,\n"
      "linker script and hardware layer stay with Tessera.");
  struct Options {
    std::string folder, machine = "mk2-16";
  };
  auto o = std::make_shared<Options>();
  firmware->add_option("DIR", o->folder, "folder of the project, new or empty")->required();
  firmware->add_option("--machine", o->machine, "machine it is for")->capture_default_str();
  firmware->callback([o] { make(o->folder, o->machine); });
}

}  // namespace tessera::tool
