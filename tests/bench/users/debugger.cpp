// What a user of the debugger waits for: a conditional continue over a whole run of 16 tiles of RTL, the first prompt
// on all tiles of a large machine, a line backwards.
#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "tests/bench/figure.h"
#include "tests/bench/users/gdb_session.h"
#include "tests/codelet/temporary_directory.h"

using namespace tessera::bench;

namespace {

using Strings = std::vector<std::string>;

constexpr int kTurns = 3;

void need(const std::string& output, const std::string& text) {
  if (output.find(text) == std::string::npos) throw std::runtime_error("no '" + text + "' in: " + output);
}

Strings run_of(const std::string& machine, const std::string& backend, const std::string& program) {
  return {TESSERA_TOOL, "run", "--machine", machine, "--backend", backend, program};
}

double plain_run() {
  const auto begin = Clock::now();
  Process alone(run_of("mk2-16", "rtl", MANY_ROUNDS), {"TESSERA_QUIET=1"});
  if (alone.wait() != 0) throw std::runtime_error("the plain run fails");
  return seconds_since(begin);
}

// From the program's start to its end, but for the time in which it waits for gdb.
void conditional_continue(const std::string& folder, const std::string& where, const char* condition) {
  double plain = 1e9, least = 1e9;
  for (int n = 0; n < kTurns; ++n) {
    plain = std::min(plain, plain_run());
    GdbSession gdb(run_of("mk2-16", "rtl", MANY_ROUNDS), {"TESSERA_QUIET=1"}, folder);
    gdb.say("tile 5");
    gdb.say(std::string("break program.cpp:19 if ") + condition);
    std::string output;
    const double seconds = gdb.to_port() + gdb.time("continue", &output);
    need(output, "exited normally");
    least = std::min(least, seconds);
  }
  print_figure("users_gdb_condition_" + where, least / plain, "times the plain run", Goal::kAtMost, 1.5,
               {{"plain", plain}, {"debugged", least}, {"condition", condition}, {"machine", "mk2-16"}});
}

void first_prompt(const std::string& folder) {
  GdbSession gdb(run_of("mk2", "model", THREE_ROUNDS), {"TESSERA_QUIET=1"}, folder);
  std::string stop, value;
  gdb.say("break scaled if $xtile == 1000 && $xwid == 2");
  const double to_stop = gdb.time("continue", &stop);
  need(stop, "tile 1000 worker 2");
  const double to_value = gdb.time("print factor", &value);
  need(value, "= 2");
  gdb.say("delete");
  const double to_end = gdb.time("continue", &stop);
  need(stop, "exited normally");
  print_figure("users_gdb_first_prompt_mk2", gdb.to_prompt(), "s", Goal::kAtMost, 5,
               {{"to the breakpoint", to_stop}, {"print", to_value}, {"to the end", to_end}, {"machine", "mk2"}});
}

void a_line_back(const std::string& folder) {
  double slowest = 0;
  GdbSession gdb(run_of("mk2-16", "rtl", MANY_ROUNDS), {"TESSERA_QUIET=1"}, folder);
  gdb.say("tile 5");
  gdb.say("break program.cpp:19 if $xtile == 5 && worker == 3 && rounds == 40");
  need(gdb.say("continue"), "hit Breakpoint");
  gdb.say("delete");
  for (int n = 0; n < 8; ++n) {
    std::string output;
    slowest = std::max(slowest, gdb.time("reverse-next", &output));
    need(output, "\t");
  }
  print_figure("users_gdb_reverse_next", slowest, "s", Goal::kAtMost, 1, {{"machine", "mk2-16"}, {"backend", "rtl"}});
}

}  // namespace

int main() try {
  const TemporaryDirectory files;
  conditional_continue(files.path(""), "one_worker", "$xtile == 5 && worker == 3 && rounds == 5000");
  conditional_continue(files.path(""), "all_workers", "i == 4 && rounds == 5000");
  first_prompt(files.path(""));
  a_line_back(files.path(""));
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
