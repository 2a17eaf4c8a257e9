#include "inspect/bench/bench_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "inspect/arguments.h"
#include "inspect/options.h"
#include "inspect/variables.h"

namespace tessera::inspect {

std::string take_options(int& argc, char* argv[]) {
  const std::string variable = options_variable();
  char** const end = argv + argc;
  char** const rest =
      std::find_if(std::min(argv + 1, end), end, [](const char* word) { return !std::strcmp(word, "--"); });
  CLI::App command;
  command.set_help_flag();
  command.allow_extras();
  Arguments arguments("none");
  arguments.add_to(command);
  std::vector<std::string> words(std::min(argv + 1, rest), rest);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    command.parse(words);
  } catch (const CLI::ParseError& error) {
    throw BadOption(error.what());
  }
  // The words that are left are the program's, in their order.
  const std::vector<std::string> left = command.remaining();
  char** to = std::min(argv + 1, end);
  auto next = left.begin();
  for (char** word = to; word != rest; ++word)
    if (next != left.end() && *word == *next) *to++ = *word, ++next;
  to = std::copy(rest == end ? end : rest + 1, end, to);
  argc = static_cast<int>(to - argv);
  if (to != end) *to = nullptr;
  return arguments.text(variable);
}

std::string for_chip(const std::string& text, const std::string& name) {
  Options options = parse_options(text);
  for (std::string* file : {&options.waves, &options.trace, &options.gdb_file, &options.on_failure}) {
    if (file->empty()) continue;
    const std::filesystem::path path(*file);
    *file = (path.parent_path() / (path.stem().string() + "." + name + path.extension().string())).string();
  }
  return inspect::text(options);
}

}  // namespace tessera::inspect
