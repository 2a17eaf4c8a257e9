// A recorded run of a tile program with a debugger's server, and a client of it on a thread of its own.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "inspect/gdb/part.h"
#include "inspect/recorded_run.h"

namespace tessera::test {

class DebuggedRun {
 public:
  // `more`: options beside gdb.
  DebuggedRun(chip::Backend backend, const spec::Machine& machine, const std::string& more)
      : folder_(std::filesystem::temp_directory_path() / ("tessera-gdb-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    const std::string file = (folder_ / "port").string();
    run_ = std::make_unique<inspect::RecordedRun>(
        chip::make_chip(backend, machine), "gdb=0;gdb-file=" + file + ";" + more,
        [&](inspect::PartKind kind, const inspect::Options& options) -> std::unique_ptr<inspect::Part> {
          return kind == inspect::PartKind::kGdb ? inspect::gdb::make_part(options, machine) : nullptr;
        });
    std::ifstream(file) >> port_;
  }
  ~DebuggedRun() {
    run_.reset();
    std::filesystem::remove_all(folder_);
  }

  inspect::RecordedRun& operator*() { return *run_; }
  inspect::RecordedRun* operator->() { return run_.get(); }
  unsigned port() const { return port_; }

  // `client` runs beside `drive`; what it throws fails the test.
  void with(const std::function<void(unsigned port)>& client, const std::function<void()>& drive) {
    std::string problem;
    std::thread other([&] {
      try {
        client(port_);
      } catch (const std::exception& e) {
        problem = e.what();
      }
    });
    drive();
    run_->finish_all();
    other.join();
    CHECK(problem.empty());
    INFO(problem);
  }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<inspect::RecordedRun> run_;
  unsigned port_ = 0;
};

}  // namespace tessera::test
