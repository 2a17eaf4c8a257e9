// tessera gdb PORT|FILE: a debugger on a run that was started with --gdb.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/firmware/host/file_text.h"
#include "sw/tools/tessera/commands.h"
#include "sw/tools/tessera/installation.h"

namespace tessera::tool {
namespace {

constexpr const char* kScript = "share/tessera/gdb/tessera.py";
// The registers of all processes: gdb asks for those of the first only.
constexpr const char* kDescribe = "python tiles.describe()";

// By number: a machine may have no name service.
const std::string kHere = "127.0.0.1:";

bool is_port(const std::string& text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }) &&
         std::stoul(text) >= 1 && std::stoul(text) <= 65535;
}

// "PORT", "HOST:PORT", or a file that holds the port (--gdb-file).
std::string server_of(const std::string& where) {
  if (is_port(where)) return kHere + where;
  if (const size_t colon = where.rfind(':'); colon != std::string::npos && is_port(where.substr(colon + 1)))
    return where;
  std::error_code error;
  const bool there = std::filesystem::exists(where, error);
  std::string port;
  if (!std::filesystem::is_regular_file(where, error) || !(std::ifstream(where) >> port) || !is_port(port))
    throw CommandError(where + " is " + (there ? firmware::file_text(where) + ", " : "") +
                       "neither a port (1 to 65535), nor HOST:PORT, nor a file that holds a port");
  return kHere + port;
}

// Taken as text: else gdb tells of every file that it fetches, one or two a tile. Of its error only the end, the
// system's words: what stands before them differs from version to version.
std::string connect_to(const std::string& server) {
  return "python exec(\"try:\\n gdb.execute('target extended-remote " + server +
         "', to_string=True)\\nexcept gdb.error as error:\\n print('tessera gdb: no debugger is served at " + server +
         ":', str(error).rpartition(': ')[2], file=sys.stderr)\\n gdb.execute('quit 1')\", {'gdb': gdb, 'sys': "
         "__import__('sys')})";
}

[[noreturn]] void start(const std::string& where, bool hardware, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"gdb-multiarch", "-q"};
  for (const char* line : {"set osabi none", "set confirm off", "set schedule-multiple on",
                           "set print thread-events off", "set print inferior-events off", "set tcp auto-retry off",
                           // A run answers once its program is loaded, and what lies far back takes a replay: gdb would
                           // ask again after 2 seconds, and take the answers for those of its next questions.
                           "set remotetimeout 86400"})
    words.insert(words.end(), {"-ex", line});
  // Printers, instructions and tiles.
  const auto script = root_with(kScript) / kScript;
  words.insert(words.end(), {"-ex", "source " + script.string()});
  // Programs come from the server.
  words.insert(words.end(), {"-ex", connect_to(server_of(where)), "-ex", kDescribe});
  // Conditions are looked at by gdb, which reads what they name.
  if (hardware)
    words.insert(words.end(), {"-ex", "set breakpoint condition-evaluation host", "-ex", "monitor hardware"});
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  if (errno == ENOENT) throw CommandError("gdb: gdb-multiarch is not installed (apt-get install gdb-multiarch)");
  throw CommandError(fmt::format("gdb-multiarch cannot be started: {}", std::strerror(errno)));
}

}  // namespace

void add_gdb(CLI::App& app) {
  CLI::App* command = app.add_subcommand("gdb", "Starts gdb-multiarch on a run that serves a debugger");
  command->footer(
      "The run is started with `tessera run PROGRAM --gdb`, or with --gdb-halt to stand before the first instruction.\n"
      "Each context of a tile is a thread; programs and source lines come with the connection.");
  struct Options {
    std::string where;
    bool hardware = false;
    std::vector<std::string> more;
  };
  auto o = std::make_shared<Options>();
  command->add_option("WHERE", o->where, "PORT, HOST:PORT, or the file of --gdb-file")->required();
  command->add_flag("--hardware", o->hardware,
                    "stop by the tiles' own breakpoints (two a context) and watchpoints (one), as on a chip: forward "
                    "only, and it costs chip time");
  command->add_option("ARGUMENTS", o->more, "further arguments of gdb, after --");
  command->callback([o] { start(o->where, o->hardware, o->more); });
}

}  // namespace tessera::tool
