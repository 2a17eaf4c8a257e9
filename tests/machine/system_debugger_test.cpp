// A debugger of a system of several chips: where it stops, forwards and backwards, is the same whatever runs the chips,
// and neither their results nor their cycles change.
#include <stdlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "inspect/gdb/rsp.h"
#include "tests/inspect/gdb/rsp_client.h"
#include "tests/machine/process_of_chips.h"

using namespace tessera;
using namespace tessera::test;

namespace {

namespace rsp = inspect::gdb;

// Of a stop reply: why, and of whom; and the cycle of all chips.
std::string place(RspClient& gdb, const std::string& reply) {
  const size_t end = reply.find(';', reply.find("thread:"));
  const std::string answer = gdb.ask("qRcmd," + rsp::to_hex("superstep"));
  const std::string text = rsp::from_hex(answer).value_or("") + "\n";
  const size_t cycle = text.find("\ncycle ");
  return reply.substr(0, end) + text.substr(cycle, text.find(" of", cycle) - cycle);
}

struct Session {
  std::vector<std::string> forwards, backwards;
};

// Watches some words that come from other chips, on the way to the end and back.
Session watch(unsigned port, const spec::System& system, const std::vector<Traffic::Word>& words) {
  RspClient gdb(port);
  Session session;
  gdb.ask("?");
  const uint32_t tiles = system.chips[0].tiles();
  for (const Traffic::Word& word : words) {
    gdb.ask("Hgp" + rsp::hex_text(word.chip * tiles + word.tile + 1) + ".1");
    if (gdb.ask("Z2," + rsp::hex_text(word.address) + ",4") != "OK") throw std::runtime_error("no watchpoint");
  }
  for (;;) {
    const std::string reply = gdb.ask("vCont;c");
    if (reply.find("watch:") == std::string::npos) break;  // the trap at the end
    session.forwards.push_back(place(gdb, reply));
    if (session.forwards.size() != words.size()) continue;
    // A tile in the middle of the run: registers and memory of all chips can be read.
    for (const Traffic::Word& word : words) {
      gdb.ask("Hgp" + rsp::hex_text(word.chip * tiles + word.tile + 1) + ".1");
      if (gdb.ask("g").empty()) throw std::runtime_error("no registers");
      gdb.ask("m" + rsp::hex_text(word.address) + ",4");
    }
  }
  for (;;) {
    const std::string reply = gdb.ask("bc");
    if (reply.find("watch:") == std::string::npos) break;
    session.backwards.push_back(place(gdb, reply));
  }
  gdb.ask("D");
  return session;
}

struct Folder {
  Folder() {
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no folder");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
};

}  // namespace

TEST_CASE("stops of several chips are the same for any pace, there and back, and change nothing") {
  const spec::System system = spec::load_system("mk2-4x2");
  std::mt19937 random(17);
  constexpr unsigned kPhases = 3, kWatched = 6;
  const Traffic traffic = random_traffic(system, 6, 30, random, kPhases);
  std::vector<Traffic::Word> words;
  for (unsigned i = 0; i < kWatched; ++i) words.push_back(traffic.written[random() % traffic.written.size()]);
  MachineProcess alone("mk2-4x2", "model");
  const Outcome expected = in_process(alone.client, traffic);

  std::vector<std::string> stops;
  const std::pair<std::string, std::vector<std::string>> ways[] = {{"model", {"--threads", "1"}},
                                                                   {"model", {"--threads", "2", "--hold-up", "5"}},
                                                                   {"model", {"--quantum", "7"}},
                                                                   {"rtl", {"--threads", "2"}}};
  for (const auto& [backend, pace] : ways) {
    INFO(backend << " " << pace.back());
    const Folder folder;
    const std::string file = folder.path + "/port";
    std::vector<std::string> arguments = pace;
    arguments.insert(arguments.end(), {"--inspect", "gdb=0;gdb-halt=true;snapshot-every=700;gdb-file=" + file});
    MachineProcess m("mk2-4x2", backend, arguments);
    unsigned port = 0;
    std::ifstream(file) >> port;
    Session session;
    std::string problem;
    std::thread user([&] {
      try {
        session = watch(port, system, words);
      } catch (const std::exception& e) {
        problem = e.what();
      }
    });
    const Outcome outcome = in_process(m.client, traffic);
    user.join();
    CHECK(problem.empty());
    CHECK(outcome == expected);
    CHECK(session.forwards.size() == kPhases * kWatched);
    std::ranges::reverse(session.backwards);
    // A watchpoint is told behind its instruction, backwards before it: reasons and threads are the same.
    CHECK(session.backwards.size() == session.forwards.size());
    for (size_t i = 0; i < std::min(session.forwards.size(), session.backwards.size()); ++i)
      CHECK(session.forwards[i].substr(0, session.forwards[i].find('\n')) ==
            session.backwards[i].substr(0, session.backwards[i].find('\n')));
    if (stops.empty()) stops = session.forwards;
    CHECK(session.forwards == stops);
  }
}

TEST_CASE("a debugger may come to a system that stands for its host, and to one port only") {
  const Folder folder;
  const std::string file = folder.path + "/port";
  MachineProcess m("mk2-4x2", "model");
  const spec::System system = spec::load_system("mk2-4x2");
  std::mt19937 random(3);
  const Traffic traffic = random_traffic(system, 2, 10, random, 2);
  load_and_start(m.client, traffic);
  CHECK(m.client.inspect("gdb=0;gdb-tiles=1:2;gdb-file=" + file).find("serving a debugger at port") !=
        std::string::npos);
  CHECK_THROWS_WITH(m.client.inspect("gdb=0;gdb-tiles=0:2"), Catch::Matchers::Contains("open already"));
  CHECK(all_at_host(m.client.run(kForEver, 0)));
  unsigned port = 0;
  std::ifstream(file) >> port;
  RspClient gdb(port);
  CHECK(thread_of(gdb.ask("?")) == "p7.1");
  CHECK(rsp::from_hex(gdb.ask("qTessera.Tiles")).value_or("") == "1:2");
  CHECK(rsp::from_hex(gdb.ask("qTessera.Process:1:2")).value_or("") == "7");
  CHECK(gdb.ask("qTessera.Process:0:2") == "E01");
  gdb.ask("D");
  mark(m.client);
  CHECK(m.client.run(kForEver, 0)[0].reason == chip::StopReason::kException);
}
