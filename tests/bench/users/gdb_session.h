// A run that serves a debugger, and gdb on it, as a user has them: for figures of what the user waits for.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tessera::bench {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin);

// A process on pipes.
class Process {
 public:
  Process(const std::vector<std::string>& command, const std::vector<std::string>& environment);
  ~Process();  // ends it
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void write(const std::string& text);
  // What it says up to `end`, which must come; throws std::runtime_error when the process ends before.
  std::string read_to(const std::string& end);
  int wait();    // to its end; exit status
  int finish();  // the same, at the end of its input

 private:
  pid_t id_ = -1;
  int to_ = -1, from_ = -1;
  std::string said_;
};

class GdbSession {
 public:
  // `program`: what runs, with its arguments. Comes back when the first prompt is there.
  GdbSession(const std::vector<std::string>& program, const std::vector<std::string>& environment,
             const std::string& folder);
  ~GdbSession();

  double to_port() const { return to_port_; }      // seconds from the program's start until it could be debugged
  double to_prompt() const { return to_prompt_; }  // from the start of gdb
  std::string say(const std::string& command);     // its output
  double time(const std::string& command, std::string* output = nullptr);
  int end();  // of the program

 private:
  Process run_;
  double to_port_ = 0, to_prompt_ = 0;
  std::string port_;
  Process gdb_;
  unsigned commands_ = 0;

  static std::vector<std::string> with_port(std::vector<std::string> environment, const std::string& folder);
  std::string wait_for_port(const std::string& folder);
};

}  // namespace tessera::bench
