// A Poplar program that is looked into: by TESSERA_INSPECT and by the API, on what TESSERA_BACKEND says, mk2-4.
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <poplar/exceptions.hpp>
#include <tessera/machine.hpp>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace tessera::test;
using Catch::Matchers::ContainsText;
namespace fs = std::filesystem;

// A folder of the test's own, gone at its end.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("tessera-inspect-" + std::to_string(::getpid()))) {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  const fs::path path;
};

// TESSERA_INSPECT, for a while.
struct Asked {
  explicit Asked(const std::string& text) { ::setenv("TESSERA_INSPECT", text.c_str(), 1); }
  ~Asked() { ::unsetenv("TESSERA_INSPECT"); }
};

struct Outcome {
  std::vector<float> values;
  std::uint64_t cycles = 0, hash = 0;
  std::vector<std::array<std::uint64_t, 3>> supersteps;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const Device& device) {
  Scaling scaling(device.getTarget(), 2);
  tessera::recordSupersteps(device, true);
  tessera::takeSupersteps(device);  // of what ran before
  scaling.engine.load(device);
  Outcome got;
  for (float first : {1.0f, 5.0f}) {
    const auto values = scaling.run(count(first));
    CHECK(values == scaled(first, 2));
    got.values.insert(got.values.end(), values.begin(), values.end());
  }
  got.cycles = tessera::machineCounters(device).cycles;
  got.hash = tessera::memoryHash(device);
  for (const auto& s : tessera::takeSupersteps(device)) got.supersteps.push_back({s.index, s.cycle, s.hash});
  return got;
}

// An FST is whole when its header has got its end time and the file of its hierarchy is gone.
bool whole_fst(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<unsigned char, 25> head{};
  in.read(reinterpret_cast<char*>(head.data()), head.size());
  std::uint64_t end = 0;
  for (int i = 17; i < 25; ++i) end = end << 8 | head[static_cast<size_t>(i)];
  return in && end > 0 && !fs::exists(path + ".hier");
}

// A socket that listens on a port of its own.
struct Listener {
  Listener() : fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(fd, 1) == 0);
    REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
  }
  ~Listener() { ::close(fd); }
  int fd;
  unsigned port = 0;
};

}  // namespace

TEST_CASE("looking inside changes neither results, nor cycles, nor any superstep") {
  const Folder folder;
  Outcome plain;
  {
    const Asked nothing("snapshots=false");
    plain = outcome(attach());
  }
  REQUIRE(plain.supersteps.size() > 2);
  const std::string waves = "waves=" + (folder / "w.fst"), trace = "trace=" + (folder / "t.trace");
  for (const std::string& text :
       {std::string("snapshot-every=50"), waves, waves + ";wave-tiles=1,3;wave-from=1;wave-for=2", trace,
        trace + ";trace-tiles=2;trace-registers=true", std::string("gdb=0"), waves + ";" + trace + ";gdb=0"}) {
    CAPTURE(text);
    const Asked asked(text);
    CHECK(outcome(attach()) == plain);
  }
  CHECK(whole_fst(folder / "w.fst"));
  CHECK(fs::file_size(folder / "t.trace") > 500);
}

TEST_CASE("the RTL runs the window only, and shows every signal, with the same results and cycles") {
  const Folder folder;
  if (tessera::machineBackend(attach()) != "rtl") return;
  Outcome plain;
  {
    const Asked nothing("snapshots=false");
    plain = outcome(attach());
  }
  for (const std::string& text :
       {std::string("rtl-window=true"), std::string("wave-depth=all"), std::string("rtl-window=true;wave-depth=all")}) {
    CAPTURE(text);
    const std::string path = folder / "w.fst";
    fs::remove(path);
    {
      const Asked asked("waves=" + path + ";wave-tiles=1;wave-from=1;wave-for=1;" + text);
      const Outcome got = outcome(attach());
      CHECK(got.values == plain.values);
      CHECK(got.cycles == plain.cycles);
      CHECK(got.hash == plain.hash);
    }
    CHECK(whole_fst(path));
  }
  for (const char* wrong : {"rtl-window=true", "waves=w.fst;rtl-window=true;wave-from=exception",
                            "waves=w.fst;wave-depth=all;wave-for=100c"}) {
    const Asked asked(wrong);
    CHECK_THROWS_WITH(attach(), ContainsText("inspection option"));
  }
  // Asked for with a program on the device it begins the machine anew.
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  tessera::leaveWaves(device, folder / "all.fst", {0}, 0, 2, true);
  CHECK_THROWS_WITH(scaling.run(count(1)), ContainsText("load it again"));
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
  device.detach();
  CHECK(whole_fst(folder / "all.fst"));
}

TEST_CASE("the API turns waves and traces on and off while a program is on the device") {
  const Folder folder;
  const Device device = attach();
  const Outcome plain = outcome(device);
  Scaling scaling(device.getTarget(), 2);
  tessera::leaveTrace(device, folder / "a.trace", {0, 1});
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
  tessera::finishFiles(device);
  const auto size = fs::file_size(folder / "a.trace");
  CHECK(size > 500);
  tessera::leaveWaves(device, folder / "b.fst", {2}, 0, 1000);
  tessera::leaveTrace(device, folder / "b.trace");
  CHECK(scaling.run(count(5)) == scaled(5, 2));
  tessera::setInspection(device, "waves=");
  CHECK(whole_fst(folder / "b.fst"));
  CHECK(scaling.run(count(5)) == scaled(5, 2));
  tessera::finishFiles(device);
  CHECK(fs::file_size(folder / "a.trace") == size);
  CHECK(fs::file_size(folder / "b.trace") > 500);
  CHECK(outcome(device) == plain);
}

TEST_CASE("what cannot be done is refused by name, and the next run works") {
  const Folder folder;
  const Listener taken;
  struct Row {
    std::string text, key;
  };
  const Row rows[] = {
      {"wavs=x", "wavs"},
      {"wave-from=soon", "wave-from"},
      {"wave-tiles=1", "inspection option 'wave-tiles' does nothing without 'waves'"},
      {"trace-registers=true", "inspection option 'trace-registers' does nothing without 'trace'"},
      {"waves=/no/such/folder/x.fst", "/no/such/folder/x.fst"},
      {"trace=/no/such/folder/x.trace", "/no/such/folder/x.trace"},
      {"waves=" + (folder / "x.fst") + ";wave-tiles=1,4", "wave-tiles"},
      {"trace=" + (folder / "x.trace") + ";trace-tiles=77", "trace-tiles"},
      {"gdb=0;gdb-tiles=4", "gdb-tiles"},
      {"gdb=" + std::to_string(taken.port), std::to_string(taken.port)},
      {"faults=/no/such/list", "/no/such/list"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    {
      const Asked asked(row.text);
      CHECK_THROWS_WITH(attach(), ContainsText(row.key));
    }
    const Device device = attach();
    Scaling scaling(device.getTarget(), 2);
    try {
      tessera::setInspection(device, row.text);
      scaling.engine.load(device);
      FAIL("not refused");
    } catch (const poplar_error& error) {
      CHECK_THAT(error.what(), ContainsText(row.key));
    }
    // The one after it, on the same device once that is attached again.
    const Device next = attach();
    Scaling again(next.getTarget(), 3);
    again.engine.load(next);
    CHECK(again.run(count(1)) == scaled(1, 3));
  }
  CHECK(fs::is_empty(folder.path));

  const Device device = attach();
  CHECK_THROWS_WITH(tessera::leaveWaves(device, "none.fst", {4}, 0, 1), ContainsText("no tile 4"));
  if (tessera::machineBackend(device) != "rtl")
    CHECK_THROWS_WITH(tessera::leaveWaves(device, "none.fst", {0}, 0, 1, true), ContainsText("show the RTL"));
}

TEST_CASE("with a program on the device only waves, trace and debugger can be changed, and a refusal harms nothing") {
  const Folder folder;
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  CHECK_THROWS_WITH(tessera::setInspection(device, "snapshots=false"), ContainsText("snapshots=false"));
  CHECK_THROWS_WITH(tessera::leaveTrace(device, "/no/such/folder/x.trace"), ContainsText("/no/such/folder"));
  CHECK(scaling.run(count(1)) == scaled(1, 2));
  tessera::leaveTrace(device, folder / "t.trace");
  CHECK(scaling.run(count(1)) == scaled(1, 2));
  tessera::finishFiles(device);
  CHECK(fs::file_size(folder / "t.trace") > 500);
}

TEST_CASE("a debugger's port can be opened before and after the load") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  const bool before = GENERATE(false, true);
  unsigned port = 0;
  if (before) port = tessera::startDebugger(device);
  scaling.engine.load(device);
  if (!before) port = tessera::startDebugger(device);
  CHECK(port > 0);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  ::close(fd);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
}

TEST_CASE("files of a program that is killed in the middle of a run are closed") {
  const Folder folder;
  int report[2];
  REQUIRE(::pipe(report) == 0);
  const pid_t program = ::fork();
  if (program == 0) {
    try {
      const Asked asked("waves=" + (folder / "w.fst") + ";wave-tiles=0;trace=" + (folder / "t.trace"));
      const Device device = attach();
      Scaling scaling(device.getTarget(), 2);
      scaling.engine.load(device);
      scaling.run(count(1));
      const pid_t pid = *machines().begin();
      if (::write(report[1], &pid, sizeof pid) == sizeof pid)
        for (;;) scaling.run(count(1));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(1);
  }
  ::close(report[1]);
  pid_t machine = 0;
  REQUIRE(::read(report[0], &machine, sizeof machine) == sizeof machine);
  ::usleep(50000);
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  bool gone = false;
  for (int i = 0; i < 20000 && !gone; ++i) {
    gone = ::kill(machine, 0) != 0;
    ::usleep(1000);
  }
  CHECK(gone);
  CHECK(whole_fst(folder / "w.fst"));
  CHECK(fs::file_size(folder / "t.trace") > 500);
  ::close(report[0]);
}
