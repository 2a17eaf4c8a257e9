// A test program whose cases run in a thread of SystemC, all of them on one Bench, a module that stands for the whole
// program: one elaboration serves them all. The program has one file, which defines nothing of Catch itself.
#pragma once

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <systemc>
#include <utility>

#include "systemc/pcie/chip_time.h"

namespace tessera::test {

class CatchThread : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(CatchThread);
  CatchThread(sc_core::sc_module_name name, std::function<int()> body) : sc_module(name), body_(std::move(body)) {
    SC_THREAD(run);
    set_stack_size(8 << 20);
  }
  int result() const { return result_; }

 private:
  void run() {
    result_ = body_();
    sc_core::sc_stop();
  }

  std::function<int()> body_;
  int result_ = 1;
};

// What sc_main does: `bench` points at the bench while the cases run.
template <class Bench>
int run_session(Bench*& bench, int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  pcie::set_time_resolution();
  Bench the_bench("bench");
  bench = &the_bench;
  Catch::Session session;
  CatchThread runner("runner", [&] { return session.run(argc, argv); });
  sc_core::sc_start();
  return runner.result();
}

inline int run_systemc(int argc, char* argv[]) {
  ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

}  // namespace tessera::test
