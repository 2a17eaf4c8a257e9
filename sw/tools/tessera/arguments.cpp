#include "sw/tools/tessera/arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include "formats/whole_file.h"
#include "inspect/options.h"
#include "sw/firmware/host/file_text.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

const std::string kEmpty = "has an empty value";

std::optional<uint64_t> number_in(const std::string& text) {
  const bool hexadecimal = text.starts_with("0x");
  uint64_t value = 0;
  const char *begin = text.data() + (hexadecimal ? 2 : 0), *end = text.data() + text.size();
  const auto got = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
  if (got.ec != std::errc() || got.ptr != end || begin == end) return std::nullopt;
  return value;
}

// The subcommands of the innermost command that was given.
std::string commands_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) return commands_of(*chosen.front());
  std::string names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) names += " " + one->get_name();
  return names;
}

std::string name_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : app.get_name() + " " + name_of(*chosen.front());
}

}  // namespace

uint64_t number_of(const std::string& text, const std::string& option, uint64_t least) {
  const auto value = number_in(text);
  if (!value || *value < least)
    throw CommandError(
        fmt::format("{}: '{}' is no number from {} to {}", option, text, least, std::numeric_limits<uint64_t>::max()),
        kExitUsage);
  return *value;
}

uint64_t bytes_of(const std::string& text, const std::string& option) {
  const std::string units = "kmg";
  const size_t unit = text.empty() ? std::string::npos : units.find(text.back());
  const unsigned shift = unit == std::string::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  const auto value = number_in(text.substr(0, text.size() - (shift == 0 ? 0 : 1)));
  if (!value || *value > std::numeric_limits<uint64_t>::max() >> shift)
    throw CommandError(option + ": '" + text + "' is no number of bytes, such as 4096, 64k, 1m or 2g", kExitUsage);
  return *value << shift;
}

std::vector<unsigned> tiles_of(const std::string& text, const std::string& option, unsigned machine_tiles,
                               const spec::ChipPlace& place) {
  try {
    return inspect::parse_tiles(text).of(machine_tiles, place);
  } catch (const inspect::BadOption& error) {
    throw CommandError(option + ": " + error.what(), kExitUsage);
  }
}

CLI::Option* add_number(CLI::App* command, const std::string& option, const std::string& what,
                        const std::function<void(uint64_t)>& take, uint64_t least) {
  return command
      ->add_option_function<std::string>(
          option, [=](const std::string& text) { take(number_of(text, option, least)); }, what)
      ->type_name("NUMBER");
}

void refuse_empty_values(CLI::App& command) {
  const CLI::Validator filled([](std::string& value) { return value.empty() ? kEmpty : std::string(); }, "");
  for (CLI::Option* option : command.get_options())
    if (option->get_items_expected_min() > 0 && option->get_name() != "ARGUMENTS") option->check(filled);
  for (CLI::App* one : command.get_subcommands([](CLI::App*) { return true; })) refuse_empty_values(*one);
}

void require_place(const std::string& path, const std::string& option) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (path.empty() || path.find("%p") != std::string::npos) return;                          // %p: of a process to come
  if (there && !fs::is_regular_file(path, error) && !fs::is_directory(path, error)) return;  // a pipe, /dev/null
  try {
    const formats::WholeFile trial(path);
  } catch (const formats::CannotWrite& unwritten) {
    throw CommandError(option + ": " + unwritten.what(), kExitFiles);
  }
}

void require_data(const std::string& path, const std::string& wanted) {
  std::error_code error;
  if (!fs::exists(path, error)) throw CommandError("there is no file " + path);
  if (const std::string is = firmware::file_text(path); is != "data")
    throw CommandError(path + " is " + is + ", not " + wanted);
}

std::string complaint_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::string command = name_of(app), what = error.what(), option = what.substr(0, what.find(':'));
  const std::string more = fmt::format(" ({} --help tells more)", command);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string words = what.substr(what.find(": ") + 2);
    if (command != "tessera run" || !words.starts_with("-"))
      return fmt::format("{} takes no {}", command, words) + more;
    return fmt::format("tessera run has no option {0}; options of the program go behind --: tessera run PROGRAM -- {0}",
                       words);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return option + (what.find("At Most") != std::string::npos ? " is given more than once" : " needs a value") + more;
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && what.find("subcommand") != std::string::npos)
    return command + " needs a command:" + commands_of(app) + more;
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr && what.ends_with(kEmpty))
    return option + " " + kEmpty + more;
  return what + more;
}

}  // namespace tessera::tool
