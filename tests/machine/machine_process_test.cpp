// tessera-machine as a process, with a fake chip: the protocol, several at once, and either side dying.
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <memory>
#include <thread>

#include "fake_steps.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/registers.h"
#include "sw/card/client.h"
#include "sw/card/process.h"

namespace {

using namespace tessera;
using card::Client;
using test::Step;

constexpr uint32_t kBase = 0x4c000;
constexpr uint64_t kForEver = ~uint64_t{0};

struct Machine {
  card::Process process{FAKE_MACHINE, "mk2-4", "fake"};
  Client client{process.take_socket()};
};

// Host memory shared with a machine.
struct Memory {
  explicit Memory(size_t bytes) : size(bytes), fd(::memfd_create("host", MFD_CLOEXEC)) {
    REQUIRE(::ftruncate(fd.get(), static_cast<off_t>(bytes)) == 0);
    words = static_cast<uint32_t*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0));
  }
  ~Memory() { ::munmap(words, size); }
  size_t size;
  machine::Descriptor fd;
  uint32_t* words;
};

void load_steps(Client& client, const std::vector<std::array<uint32_t, 4>>& steps) {
  std::vector<uint32_t> words;
  for (const auto& step : steps) words.insert(words.end(), step.begin(), step.end());
  client.load(0, kBase, words);
}

constexpr uint32_t step(Step what) { return static_cast<uint32_t>(what); }

// Adds one to a host word each time it is let go. The chip's host memory begins `offset` bytes into what is shared.
void count_up(Client& client, unsigned times, uint32_t offset = 0) {
  Memory memory(4096 + offset);
  client.window(memory.fd.get(), 4096, offset);
  uint32_t* const words = memory.words + offset / 4;
  load_steps(client, {{step(Step::kHostSync), kBase + 512, 0, 0},
                      {step(Step::kHostRead), 0, 1, kBase + 516},
                      {step(Step::kHostWrite), 4, 1, kBase + 512},
                      {step(Step::kHostWrite), 8, 1, kBase + 516},
                      {step(Step::kAgain), 0, 0, 0}});
  for (unsigned i = 0; i < times; ++i) {
    REQUIRE(client.run(kForEver, 0).front().reason == chip::StopReason::kHostSync);
    words[0] = 3 * i;
    client.write(spec::kRegMark, i + 1);
  }
  REQUIRE(client.run(kForEver, 0).front().reason == chip::StopReason::kHostSync);
  CHECK(words[1] == times);
  CHECK(words[2] == 3 * (times - 1));
}

bool gone(pid_t pid) {
  // Waits for the end of a process that is not our child.
  for (int i = 0; i < 5000; ++i) {
    if (::kill(pid, 0) != 0) return true;
    ::usleep(1000);
  }
  return false;
}

TEST_CASE("a machine says what it is") {
  Machine m;
  CHECK(m.client.identity().system == "mk2-4");
  CHECK(m.client.identity().backend == "fake");
  CHECK(m.client.identity().chips.at(0).tiles == 4);
  CHECK(m.client.read(spec::kRegIdentity) == spec::kIdentityMagic);
}

TEST_CASE("an unknown machine or backend is refused with the reason") {
  card::Process unknown(FAKE_MACHINE, "mk9", "fake");
  CHECK_THROWS_WITH(Client(unknown.take_socket()), Catch::Matchers::ContainsText("mk9"));
  CHECK(unknown.end() == "ended with status 2");
  card::Process backend(FAKE_MACHINE, "mk2-4", "rtl");
  CHECK_THROWS_WITH(Client(backend.take_socket()), Catch::Matchers::ContainsText("rtl"));
}

TEST_CASE("a system of one chip runs under its own name") {
  card::Process card16(FAKE_MACHINE, "card-16", "fake");
  Client client(card16.take_socket());
  CHECK(client.identity().system == "card-16");
  CHECK(client.identity().chips.at(0).machine == "mk2-16");
}

TEST_CASE("messages say what chip they are of, and a chip that the system has not is refused") {
  int pair[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
  machine::Channel left{machine::Descriptor(pair[0])}, right{machine::Descriptor(pair[1])};
  left.send(machine::Kind::kWaits, {1, 2, 3}, -1, 3);
  const machine::Message got = right.receive();
  CHECK(got.kind == machine::Kind::kWaits);
  CHECK(got.chip == 3);
  CHECK(got.body == std::vector<uint8_t>{1, 2, 3});

  card::Process process(FAKE_MACHINE, "mk2-4", "fake");
  machine::Channel channel(process.take_socket());
  channel.send(machine::Kind::kWaits, {}, -1, 1);
  const machine::Message reply = channel.receive();
  CHECK(reply.kind == machine::Kind::kError);
  CHECK(reply.chip == 1);
  CHECK(machine::Reader(reply.body).text() == "there is no chip 1: system mk2-4 has 1, from 0 on");

  Machine m;
  CHECK_THROWS_WITH(m.client.choose(1), "there is no chip 1: system mk2-4 has 1, from 0 on");
  m.client.choose(0);
  CHECK(m.client.read(spec::kRegIdentity) == spec::kIdentityMagic);
}

TEST_CASE("what a machine of several chips says of itself comes back unharmed") {
  const machine::Identity told{7, "m2000", 12345, "rtl", {{"mk2", 1472, 99}, {"bow", 1472, 98}}, "a notice"};
  machine::Writer out;
  put(out, told);
  machine::Reader in(out.bytes());
  machine::Identity read;
  get(in, read);
  in.end();
  CHECK(read.system == "m2000");
  CHECK(read.system_hash == 12345);
  REQUIRE(read.chips.size() == 2);
  CHECK(read.chips[1].machine == "bow");
  CHECK(read.chips[1].machine_hash == 98);
  CHECK(read.notice == "a notice");
}

TEST_CASE("an inspection option that is wrong is refused with its key, at the start and later") {
  card::Process wrong(FAKE_MACHINE, "mk2-4", "fake", {"--inspect", "wave-from=soon"});
  CHECK_THROWS_WITH(Client(wrong.take_socket()), Catch::Matchers::ContainsText("wave-from"));
  CHECK(wrong.end() == "ended with status 2");
  card::Process lacking(FAKE_MACHINE, "mk2-4", "fake", {"--inspect", "gdb=0;gdb-tiles=4"});
  CHECK_THROWS_WITH(Client(lacking.take_socket()), Catch::Matchers::ContainsText("gdb-tiles"));

  Machine m;
  CHECK_THROWS_WITH(m.client.inspect("waves"), Catch::Matchers::ContainsText("'waves'"));
  CHECK_THROWS_WITH(m.client.inspect("snapshot-memory=1"), Catch::Matchers::ContainsText("snapshot-memory"));
  CHECK_THROWS_WITH(m.client.program({1, 2, 3}, false), Catch::Matchers::ContainsText("program"));
  CHECK(m.client.failure().empty());
  m.client.finish();
  count_up(m.client, 3);
}

TEST_CASE("a chip without snapshots is looked into as far as it goes") {
  card::Process process(FAKE_MACHINE, "mk2-4", "fake", {"--inspect", "trace=/dev/null;snapshot-every=5"});
  Client client(process.take_socket());
  count_up(client, 5);
  client.finish();
}

TEST_CASE("an executable that is not there is named") {
  CHECK_THROWS_WITH(card::Process("/nowhere/tessera-machine", "mk2-4", "fake"),
                    Catch::Matchers::ContainsText("/nowhere/tessera-machine"));
}

TEST_CASE("host memory is shared: the chip reads and writes it between host syncs") {
  Machine m;
  count_up(m.client, 20);
  count_up(m.client, 2, 8192);
  count_up(m.client, 2, 12);
}

TEST_CASE("machines run at once, each driven from a thread of its own") {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      Machine m;
      count_up(m.client, 10 + i);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("after a reset the machine is as new") {
  Machine m;
  count_up(m.client, 3);
  m.client.reset();
  CHECK(m.client.counters().cycles == 0);
  CHECK(m.client.peek(0, kBase, 1).at(0) == 0);
  count_up(m.client, 2);
}

TEST_CASE("stops, exceptions, waits and counters come across") {
  Machine m;
  load_steps(m.client,
             {{step(Step::kExcept), 8, 2, 0}, {step(Step::kDeadlock), 0, 0, 0}, {step(Step::kBudget), 0, 0, 0}});
  const chip::Stop excepted = m.client.run(kForEver, 0).front();
  CHECK(excepted.reason == chip::StopReason::kException);
  CHECK(excepted.tile == 2);
  const auto exceptions = m.client.exceptions();
  REQUIRE(exceptions.size() == 1);
  CHECK(exceptions[0].tile == 2);
  CHECK(exceptions[0].status.cause == 8);
  CHECK(exceptions[0].status.pc == kBase);
  CHECK(m.client.run(kForEver, 0).front().reason == chip::StopReason::kDeadlock);
  const auto waits = m.client.waits();
  REQUIRE(waits.size() == 2);
  CHECK(waits[0].state == "waits at internal sync");
  CHECK(waits[1].active_workers == 3);
  CHECK(waits[1].worker_pc[1] == 2);
  CHECK(m.client.run(kForEver, 5).front().reason == chip::StopReason::kBudget);
  CHECK(m.client.counters().cycles == excepted.cycle + 20);
}

TEST_CASE("supersteps are recorded with their hash while recording is on") {
  Machine m;
  m.client.record(true);
  load_steps(m.client, {{step(Step::kHostSync), kBase + 512, 0, 0}, {step(Step::kAgain), 0, 0, 0}});
  m.client.run(kForEver, 0);
  const uint64_t loaded = m.client.take_record().at(0).hash;
  CHECK(loaded != 0);
  m.client.record(false);
  m.client.write(spec::kRegMark, 1);
  m.client.run(kForEver, 0);
  CHECK(m.client.take_record().empty());
  m.client.record(true);
  m.client.write(spec::kRegMark, 1);
  m.client.load(1, kBase + 4, std::vector<uint32_t>{7});
  const chip::Stop stop = m.client.run(kForEver, 0).front();
  const auto records = m.client.take_record();
  REQUIRE(records.size() == 1);
  CHECK(records[0].index == 2);
  CHECK(records[0].cycle == stop.cycle);
  CHECK(records[0].hash != loaded);
  CHECK(m.client.take_record().empty());
}

TEST_CASE("writes travel many in a message, and none is made after a refused one") {
  Machine m;
  card::Client::Writes writes(m.client);
  const std::vector<uint32_t> many(100'000, 5);  // more than a message holds
  for (uint32_t tile = 0; tile < 4; ++tile) writes.load(tile, kBase, many);
  writes.write(spec::kRegMailbox0, 11);
  writes.send();
  for (uint32_t tile = 0; tile < 4; ++tile) CHECK(m.client.peek(tile, kBase, 100'000) == many);
  CHECK(m.client.read(spec::kRegMailbox0) == 11);
  writes.write(spec::kRegMailbox0, 12);
  writes.write(spec::kRegIdentity, 0);
  writes.write(spec::kRegMailbox0, 13);
  CHECK_THROWS_WITH(writes.send(), Catch::Matchers::ContainsText("refuses to write register 0x000"));
  CHECK(m.client.read(spec::kRegMailbox0) == 12);
}

TEST_CASE("a refused access is an error with the machine's words, and the machine goes on") {
  Machine m;
  CHECK_THROWS_AS(m.client.write(spec::kRegMark, 1), card::Refused);
  CHECK_THROWS_AS(m.client.load(0, 0x1000, std::vector<uint32_t>{1}), card::Refused);
  load_steps(m.client, {{step(Step::kHostWrite), 0, 1, kBase}});
  const chip::Stop stop = m.client.run(kForEver, 0).front();  // there is none yet
  REQUIRE(stop.reason == chip::StopReason::kRefused);
  CHECK(stop.refusal->words == 1);
  CHECK(stop.refusal->address == 0);
  CHECK(m.client.read(spec::kRegIdentity) == spec::kIdentityMagic);
}

TEST_CASE("host memory smaller than it is said to be is refused") {
  Machine m;
  Memory memory(4096);
  CHECK_THROWS_AS(m.client.window(memory.fd.get(), 8192), card::Refused);
  CHECK_THROWS_AS(m.client.window(memory.fd.get(), 4096, 4), card::Refused);
  CHECK_THROWS_AS(m.client.window(memory.fd.get(), ~uint64_t{0}, 4096), card::Refused);
  count_up(m.client, 1);
}

TEST_CASE("a machine killed while it runs is seen at once, and the next one works") {
  auto killed = std::make_unique<Machine>();
  load_steps(killed->client, {{step(Step::kSpin), 0, 0, 0}});
  std::thread killer([pid = killed->process.pid()] {
    ::usleep(50000);
    ::kill(pid, SIGKILL);
  });
  CHECK_THROWS_AS(killed->client.run(kForEver, 0), card::Lost);
  killer.join();
  CHECK(killed->process.end() == "was killed by signal 9 (Killed)");
  Machine next;
  count_up(next.client, 2);
}

TEST_CASE("a machine that crashes by itself is seen with its signal") {
  Machine m;
  load_steps(m.client, {{step(Step::kDie), 0, 0, 0}});
  CHECK_THROWS_AS(m.client.run(kForEver, 0), card::Lost);
  CHECK(m.process.end() == "was killed by signal 6 (Aborted)");
}

TEST_CASE("a machine ends when its client is killed, idle or in the middle of a run") {
  const bool running = GENERATE(false, true);
  int report[2];
  REQUIRE(::pipe(report) == 0);
  const pid_t client = ::fork();
  if (client == 0) {
    Machine m;
    const pid_t pid = m.process.pid();
    if (::write(report[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
    if (running) {
      load_steps(m.client, {{step(Step::kSpin), 0, 0, 0}});
      m.client.run(kForEver, 0);
    }
    ::pause();
  }
  pid_t machine = 0;
  REQUIRE(::read(report[0], &machine, sizeof machine) == sizeof machine);
  ::usleep(50000);
  CHECK(::kill(machine, 0) == 0);
  ::kill(client, SIGKILL);
  ::waitpid(client, nullptr, 0);
  CHECK(gone(machine));
  ::close(report[0]);
  ::close(report[1]);
}

TEST_CASE("a damaged message ends the machine with its reason and its status") {
  struct Case {
    const char* what;
    std::vector<uint8_t> bytes;
  };
  const auto message = [](uint32_t magic, uint32_t kind, uint64_t bytes, std::vector<uint8_t> body) {
    std::vector<uint8_t> all(16);
    std::memcpy(all.data(), &magic, 4);
    std::memcpy(all.data() + 4, &kind, 4);
    std::memcpy(all.data() + 8, &bytes, 8);
    all.insert(all.end(), body.begin(), body.end());
    return all;
  };
  const Case damaged = GENERATE_COPY(
      Case{"wrong magic", message(0x12345678, 1, 0, {})},
      Case{"absurd length", message(machine::kMessageMagic, 1, uint64_t{1} << 60, {})},
      Case{"unknown kind", message(machine::kMessageMagic, 77, 0, {})},
      Case{"short body", message(machine::kMessageMagic, 3, 2, {1, 2})},
      Case{"list longer than the body", message(machine::kMessageMagic, 3, 8, {0, 0, 0, 0, 255, 255, 255, 255})},
      Case{"long body", message(machine::kMessageMagic, 1, 8, {1, 0, 0, 0, 0, 0, 0, 0})});
  INFO(damaged.what);
  card::Process process(FAKE_MACHINE, "mk2-4", "fake");
  machine::Descriptor socket = process.take_socket();
  REQUIRE(::write(socket.get(), damaged.bytes.data(), damaged.bytes.size()) ==
          static_cast<ssize_t>(damaged.bytes.size()));
  machine::Channel channel(std::move(socket));
  const machine::Message reply = channel.receive();
  CHECK(reply.kind == machine::Kind::kError);
  CHECK_THAT(machine::Reader(reply.body).text(), Catch::Matchers::StartsWith("damaged message: "));
  CHECK(process.end() == "ended with status 3");
}

TEST_CASE("a machine that answers nonsense is one that is gone") {
  int pair[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
  std::thread nonsense([fd = pair[1]] {
    machine::Channel channel{machine::Descriptor(fd)};
    channel.receive();
    channel.send(machine::Kind::kReply, {1, 2, 3});
  });
  CHECK_THROWS_AS(Client(machine::Descriptor(pair[0])), card::Lost);
  nonsense.join();
}

TEST_CASE("a client of another protocol version is told both versions") {
  card::Process process(FAKE_MACHINE, "mk2-4", "fake");
  machine::Channel channel(process.take_socket());
  channel.send(machine::Kind::kHello, machine::Writer().number(uint32_t{99}).bytes());
  const machine::Message reply = channel.receive();
  CHECK(reply.kind == machine::Kind::kError);
  CHECK_THAT(
      machine::Reader(reply.body).text(),
      Catch::Matchers::ContainsText("99") && Catch::Matchers::ContainsText(std::to_string(machine::kProtocolVersion)));
}

TEST_CASE("a client that closes in the middle of a message ends the machine in order") {
  card::Process process(FAKE_MACHINE, "mk2-4", "fake");
  {
    machine::Descriptor socket = process.take_socket();
    REQUIRE(::write(socket.get(), "TSSM", 4) == 4);
  }
  CHECK(process.end() == "ended with status 0");
}

TEST_CASE("a machine started by hand waits at a socket path") {
  std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/socket";
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::execl(FAKE_MACHINE, FAKE_MACHINE, "--listen", path.c_str(), "--machine", "mk2-4", "--backend", "fake", nullptr);
    ::_exit(127);
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  machine::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  bool connected = false;
  for (int i = 0; i < 5000 && !connected; ++i) {
    connected = ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    if (!connected) ::usleep(1000);
  }
  REQUIRE(connected);
  {
    Client client(std::move(socket));
    CHECK(client.identity().chips.at(0).tiles == 4);
    count_up(client, 1);
  }
  int status = -1;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(::access(path.c_str(), F_OK) != 0);
  ::rmdir(folder.c_str());
}

}  // namespace
