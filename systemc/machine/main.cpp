// tessera-machine: the cards of a system in a host, for one client, until the client closes.
// docs/reference/machine-process.md.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <systemc>
#include <thread>

#include "inspect/gdb/system_debugger.h"
#include "inspect/make_run.h"
#include "inspect/progress/part.h"
#include "rtl/spec/system.h"
#include "sim/engine/backend.h"
#include "sim/process/channel.h"
#include "systemc/machine/rack.h"
#include "systemc/machine/session.h"
#include "systemc/pcie/chip_time.h"

namespace {

using namespace tessera;

constexpr int kExitUsage = 1, kExitNoMachine = 2, kExitFileNotWhole = 5;

struct Arguments {
  int fd = -1;
  std::string listen;
  std::string machine = "mk2-16";
  std::string backend = "model";
  std::string inspect;
  link::Pace pace;
};

// Waits for one client at the path, which is gone afterwards.
machine::Descriptor accept_one(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error("socket path is too long: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  machine::Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener.valid() || ::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.get(), 1) != 0)
    throw std::runtime_error("cannot listen at " + path + ": " + std::strerror(errno));
  machine::Descriptor client(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  ::unlink(path.c_str());
  if (!client.valid()) throw std::runtime_error("cannot accept at " + path + ": " + std::strerror(errno));
  return client;
}

// There is no card; the client is told why as the answer to its first message.
int refuse(machine::Channel& channel, const std::string& why) {
  try {
    channel.receive();
    channel.send(machine::Kind::kError, machine::Writer().text(why).bytes());
  } catch (const std::exception&) {
    std::cerr << "tessera-machine: " << why << "\n";
  }
  return kExitNoMachine;
}

void tell(const std::string& line) { std::cerr << "tessera: " + line + "\n"; }

int serve(const Arguments& arguments, machine::Channel& channel) {
  std::unique_ptr<inspect::gdb::SystemDebugger> debugger;  // of several chips
  std::vector<std::unique_ptr<inspect::RecordedRun>> owned;
  spec::System system;
  machine::Rack::Run run{arguments.pace, {}, tell, {}};
  try {
    system = spec::load_system(arguments.machine);
    const auto count = static_cast<uint32_t>(system.chips.size());
    run.link_faults = inspect::link_faults(arguments.inspect, system);
    run.link_trace = inspect::link_trace(arguments.inspect, system);
    if (count == 1 && arguments.pace.quantum != 0)
      throw std::runtime_error("--quantum is for systems of several chips; " + system.name + " has one");
    if (count > 1) debugger = std::make_unique<inspect::gdb::SystemDebugger>(system.chips[0].tiles(), count);
    const unsigned asked = arguments.pace.threads;
    const unsigned threads = asked > 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
    const auto make_backend = [&](chip::BackendRequest request, const spec::Machine& machine) {
      request.threads = std::max(1u, threads / count);  // chips run beside each other, too
      return chip::make_backend(request, machine);
    };
    for (uint32_t c = 0; c < count; ++c)
      owned.push_back(inspect::make_run(make_backend, arguments.backend, system.chips[c], arguments.inspect, {c, count},
                                        debugger.get()));
  } catch (const std::exception& error) {
    return refuse(channel, error.what());
  }
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  pcie::set_time_resolution();
  std::vector<inspect::RecordedRun*> runs;
  for (const auto& run : owned) runs.push_back(run.get());
  std::unique_ptr<machine::Rack> rack;
  try {
    rack = std::make_unique<machine::Rack>("rack", system, std::vector<chip::Chip*>(runs.begin(), runs.end()),
                                           std::move(run));
  } catch (const std::exception& error) {
    return refuse(channel, error.what());
  }
  if (debugger) {
    debugger->look_into(runs);
    rack->look_between(*debugger);
  }
  machine::Session session("session", channel, runs, *rack, system, arguments.backend);
  sc_core::sc_start();
  std::istringstream report(rack->link_report());
  for (std::string line; std::getline(report, line);) tell(line);
  try {
    session.finish_all();
  } catch (const std::exception& error) {
    std::cerr << "tessera-machine: " << error.what() << "\n";
    return kExitFileNotWhole;
  }
  return session.exit_status();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  Arguments arguments;
  CLI::App app{"The Tessera cards of a system in a host, for one client"};
  auto* fd = app.add_option("--fd", arguments.fd, "socket of the client, inherited");
  app.add_option("--listen", arguments.listen, "Unix socket path at which to wait for the client")->excludes(fd);
  app.add_option("--machine", arguments.machine, "machine or system, by name or .toml path")->capture_default_str();
  app.add_option("--backend", arguments.backend, "model, rtl or lockstep, as the executable holds them")
      ->capture_default_str();
  app.add_option("--inspect", arguments.inspect, "what to look at: key=value;... (docs/reference/inspection.md)");
  app.add_option("--threads", arguments.pace.threads,
                 "on which chips and their tiles run; 0: as many as there are cores")
      ->capture_default_str();
  app.add_option("--quantum", arguments.pace.quantum,
                 "cycles of the longest round of a system's chips; 0: the least latency of a link")
      ->capture_default_str();
  app.add_option("--hold-up", arguments.pace.hold_up_seed,
                 "seed by which chips are held up in each round, for tests; 0: they are not")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  // The end of a terminal is for the client; when it ends, so does this process, and closes its files. Ctrl-C is too,
  // but asks here where the tiles stand.
  std::signal(SIGINT, [](int) { inspect::progress::ask(); });
  std::signal(SIGHUP, SIG_IGN);
  try {
    if (arguments.fd < 0 && arguments.listen.empty()) throw std::runtime_error("--fd or --listen is needed");
    machine::Channel channel(arguments.fd >= 0 ? machine::Descriptor(arguments.fd) : accept_one(arguments.listen));
    return serve(arguments, channel);
  } catch (const std::exception& error) {
    std::cerr << "tessera-machine: " << error.what() << "\n";
    return kExitUsage;
  }
}

int main(int argc, char* argv[]) {
  ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
