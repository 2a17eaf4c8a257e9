// The server against a client that behaves badly, goes away and comes back, and against the cycles of a run without it.
#include <unistd.h>

#include <algorithm>
#include <random>

#include "debugged_run.h"
#include "inspect/gdb/registers.h"
#include "inspect/gdb/rsp.h"
#include "rsp_client.h"
#include "tb/random/run_chip_program.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr uint64_t kSeed = 21;

// Checks of Catch are made on the test's own thread: the client collects.
struct Notes {
  std::vector<std::string> wrong;
  void expect(bool good, const std::string& what) {
    if (!good) wrong.push_back(what);
  }
};

uint64_t cycles_of(chip::Chip& run, const spec::Machine& machine) {
  run_chip_program(run, random_chip_program(kSeed, machine, 2));
  return run.cycle();
}

uint64_t cycles_alone(chip::Backend backend, const spec::Machine& machine) {
  const auto chip = chip::make_chip(backend, machine);
  return cycles_of(*chip, machine);
}

void debugged(chip::Backend backend, const std::string& options, const std::function<void(unsigned, Notes&)>& client) {
  const auto machine = spec::load_machine("mk2-4");
  const uint64_t alone = cycles_alone(backend, machine);
  DebuggedRun run(backend, machine, options);
  Notes notes;
  uint64_t cycles = 0;
  run.with([&](unsigned port) { client(port, notes); }, [&] { cycles = cycles_of(*run, machine); });
  CHECK(notes.wrong == std::vector<std::string>());
  CHECK(cycles == alone);
}

std::string pc_of(RspClient& gdb) { return gdb.ask("p20"); }

}  // namespace

TEST_CASE("steps and stops change no cycle") {
  const auto backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  debugged(backend, "gdb-halt=true", [](unsigned port, Notes& notes) {
    RspClient gdb(port);
    notes.expect(gdb.ask("?").starts_with("T05"), "first stop");
    for (int n = 0; n < 30; ++n) notes.expect(gdb.ask("vCont;s:p2.1;c").starts_with("T05"), "step");
    notes.expect(thread_of(gdb.ask("bs")) == "p2.1", "step back");
    // gdb asks every tile to lift its breakpoints, and names no thread when it lets all of them go.
    notes.expect(gdb.ask("Hgp4.1") == "OK" && gdb.ask("Hc-1") == "OK", "other thread");
    notes.expect(thread_of(gdb.ask("bs")) == "p2.1", "step back of the thread that stopped");
    for (int n = 0; n < 5; ++n) notes.expect(gdb.ask("vCont;s:p3.1").starts_with("T05"), "step alone");
    notes.expect(gdb.ask("g").size() == 8 * 33 + 16 * 32, "registers");
    notes.expect(gdb.ask("D") == "OK", "detach");
  });
}

TEST_CASE("garbage, unknown requests and bad numbers are refused and harm nothing") {
  debugged(chip::Backend::kModel, "gdb-halt=true", [](unsigned port, Notes& notes) {
    RspClient gdb(port);
    std::mt19937 random(3);
    const std::string letters = "gGpPmMXzZcCsSvqQHTbD?!0123456789abcdef:;,.-#$}*x ";
    for (int n = 0; n < 3000; ++n) {
      std::string payload;
      for (unsigned i = random() % 30; i > 0; --i) payload += letters[random() % letters.size()];
      // What resumes, detaches or kills is tested elsewhere.
      if (payload.empty() || std::string("cCsSbDkRvGPMX").find(payload[0]) != std::string::npos) continue;
      gdb.send_raw("$" + payload + "#" + (random() % 2 == 0 ? "00" : "zz"));
    }
    // Some of it may have been an empty packet, which has an answer.
    gdb.send("qC");
    while (!gdb.receive().starts_with("QC")) {
    }
    for (const char* bad : {"m",
                            "m4c000",
                            "m0,4",
                            "mffffffffffffffff,4",
                            "p",
                            "pffff",
                            "Pfff=0",
                            "P1=0",
                            "Z9,0,0",
                            "Z0",
                            "Z0,x,4",
                            "Hg",
                            "Hgp99.1",
                            "Tp9.9",
                            "vCont;q",
                            "vCont;r:p1.1",
                            "vCont;s:p77.1",
                            "vFile:open:",
                            "vFile:pread:77,1,1",
                            "qXfer:features:read:x:0,10",
                            "qXfer:threads:write::0,1",
                            "qRcmd,0",
                            "G00",
                            "Mfffffffc,8:00",
                            "X4c000,2:a",
                            "vAttach;99",
                            "Z0,4c010,4;X",
                            "Z0,4c010,4;X9,27",
                            "Z0,4c010,4;X1,zz",
                            "Z0,4c010,4;Y",
                            "qTessera.Instruction:1",
                            "qTessera.Selected:p99.1",
                            "D;99"})
      gdb.ask(bad);
    notes.expect(gdb.ask("vMustReplyEmpty").empty(), "unknown packet");
    notes.expect(gdb.ask("?").starts_with("T05"), "still there");
    notes.expect(gdb.ask("qXfer:features:read:target.xml:0,3fff").find("riscv:rv32") != std::string::npos,
                 "description");
    gdb.ask("D");
  });
}

TEST_CASE("what a client has asked several times, or given up, while the run was busy is answered once") {
  debugged(chip::Backend::kModel, "gdb-halt=true", [](unsigned port, Notes& notes) {
    RspClient gdb(port, false);
    const std::string greeting = inspect::gdb::framed("qSupported:multiprocess+");
    gdb.send_raw(inspect::gdb::framed("vMustReplyEmpty") + greeting + greeting + greeting);
    notes.expect(gdb.receive().starts_with("PacketSize="), "the last question");
    gdb.send_raw(inspect::gdb::framed("qC") + "\x03-");
    notes.expect(gdb.receive().starts_with("QC"), "the next one, with Ctrl-C behind it");
    notes.expect(gdb.ask("D") == "OK", "detach");
  });
}

TEST_CASE("a debugger that goes away in the middle leaves the run alone; another one may come") {
  debugged(chip::Backend::kModel, "gdb-halt=true", [](unsigned port, Notes& notes) {
    std::string pc;
    {
      RspClient first(port);
      first.ask("Z0,4c010,4");
      for (int n = 0; n < 10; ++n) first.ask("vCont;s:p1.1");
      first.send("vCont;c");
    }
    try {
      RspClient second(port);  // the run may be over by then
      const std::string stop = second.ask("?");
      notes.expect(stop.empty() || stop[0] == 'T' || stop[0] == 'W', "second debugger");
      second.ask("D");
    } catch (const std::runtime_error&) {
    }
  });
}

TEST_CASE("a breakpoint where no code lies is refused: gdb has functions that it calls return to one") {
  debugged(chip::Backend::kModel, "gdb-halt=true", [](unsigned port, Notes& notes) {
    RspClient gdb(port);
    for (const char* place : {"Z0,0,4", "Z0,4bffc,4", "Z0,e7ff0,4", "Z1,e7ff0,4", "Z0,f0000000,4"})
      notes.expect(gdb.ask(place) == "E01", place);
    notes.expect(gdb.ask("Z0,4c000,4;X1,27X3,220127") == "OK", "in the text, with conditions");
    notes.expect(gdb.ask("z0,4c000,4") == "OK", "taken away");
    notes.expect(gdb.ask("D") == "OK", "detach");
  });
}

TEST_CASE("of many tiles those are shown that are asked for, or stop") {
  const auto machine = spec::load_machine("mk2-64");
  DebuggedRun run(chip::Backend::kModel, machine, "gdb-halt=true");
  Notes notes;
  run.with(
      [&](unsigned port) {
        RspClient gdb(port);
        notes.expect(gdb.ask("qfThreadInfo") == "mp1.1,p1.2,p1.3,p1.4,p1.5,p1.6,p1.7", "one at first");
        notes.expect(gdb.ask("qTessera.Tiles") == "302d3633", "0-63");
        notes.expect(thread_of(gdb.ask("vAttach;8")) == "p8.1", "tile 7");
        notes.expect(gdb.ask("qfThreadInfo").find("p8.7") != std::string::npos, "is shown");
        notes.expect(gdb.ask("Hgp1.1") == "OK" && gdb.ask("Hgp21.1") == "E01", "tile 32 is not");
        // $xtile == 32, set on tile 0.
        const auto xtile =
            static_cast<unsigned>(std::ranges::find(inspect::gdb::registers(), "xtile", &inspect::gdb::Register::name) -
                                  inspect::gdb::registers().begin());
        char condition[64];
        std::snprintf(condition, sizeof condition, "Z0,%s,4;X7,26%04x22201327", "4c004", xtile);
        notes.expect(gdb.ask(condition) == "OK", "condition");
        const std::string stop = gdb.ask("vCont;c");
        notes.expect(thread_of(stop).starts_with("p21."), "tile 32 stops: " + stop);
        notes.expect(gdb.ask("Hgp21.1") == "OK", "and is shown");
        notes.expect(gdb.ask("D") == "OK", "detach");
      },
      [&] { cycles_of(*run, machine); });
  CHECK(notes.wrong == std::vector<std::string>());
}

TEST_CASE("a second debugger is turned away while one looks") {
  debugged(chip::Backend::kModel, "gdb-halt=true", [](unsigned port, Notes& notes) {
    RspClient first(port);
    RspClient other(port);
    first.ask("?");
    notes.expect(other.ask("?").empty(), "turned away");
    notes.expect(!pc_of(first).empty(), "the first stays");
    first.ask("D");
  });
}

TEST_CASE("killing ends the run with one line") {
  const auto machine = spec::load_machine("mk2-4");
  DebuggedRun run(chip::Backend::kModel, machine, "gdb-halt=true");
  std::string said;
  run.with([](unsigned port) { RspClient(port).ask("vKill;1"); },
           [&] {
             try {
               cycles_of(*run, machine);
             } catch (const std::runtime_error& e) {
               said = e.what();
             }
           });
  CHECK(said == "the debugger has killed the run");
}

TEST_CASE("an address that is none is one line") {
  for (const char* address : {"x", "99999", "localhost:", "no.such.host.invalid:1"}) {
    inspect::Options options;
    options.gdb = address;
    try {
      inspect::gdb::make_part(options, spec::load_machine("mk2-4"));
      FAIL("no exception for " << address);
    } catch (const std::runtime_error& e) {
      CHECK_THAT(e.what(), Catch::Matchers::StartsWith(std::string("gdb=") + address));
    }
  }
}
