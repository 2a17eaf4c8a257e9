#include "tests/bench/users/gdb_session.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace tessera::bench {

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Process::Process(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
  id_ = fork();
  if (id_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    dup2(from[1], STDERR_FILENO);
    for (const std::string& entry : environment)
      setenv(entry.substr(0, entry.find('=')).c_str(), entry.substr(entry.find('=') + 1).c_str(), 1);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  to_ = to[1];
  from_ = from[0];
}

Process::~Process() {
  if (to_ >= 0) close(to_);
  close(from_);
  if (id_ > 0) {
    kill(id_, SIGTERM);
    waitpid(id_, nullptr, 0);
  }
}

void Process::write(const std::string& text) {
  if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("it takes no commands");
}

std::string Process::read_to(const std::string& end) {
  for (size_t at; (at = said_.find(end)) == std::string::npos;) {
    char bytes[65536];
    const ssize_t got = read(from_, bytes, sizeof bytes);
    if (got <= 0) throw std::runtime_error("ended before '" + end + "': " + said_);
    said_.append(bytes, static_cast<size_t>(got));
  }
  const size_t at = said_.find(end);
  const std::string text = said_.substr(0, at);
  said_.erase(0, at + end.size());
  return text;
}

int Process::finish() {
  close(to_);
  to_ = -1;
  return wait();
}

int Process::wait() {
  char bytes[65536];
  while (read(from_, bytes, sizeof bytes) > 0) {
  }
  int status = 0;
  waitpid(id_, &status, 0);
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<std::string> GdbSession::with_port(std::vector<std::string> environment, const std::string& folder) {
  environment.push_back("TESSERA_INSPECT=gdb=0;gdb-halt=true;gdb-file=" + folder + "/port");
  return environment;
}

std::string GdbSession::wait_for_port(const std::string& folder) {
  const auto begin = Clock::now();
  while (!std::filesystem::exists(folder + "/port")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  to_port_ = seconds_since(begin);
  std::string port;
  std::ifstream(folder + "/port") >> port;
  std::filesystem::remove(folder + "/port");
  return port;
}

GdbSession::GdbSession(const std::vector<std::string>& program, const std::vector<std::string>& environment,
                       const std::string& folder)
    : run_(program, with_port(environment, folder)),
      port_(wait_for_port(folder)),
      gdb_({TESSERA_TOOL, "gdb", port_, "--", "-nx", "-ex", "set pagination off", "-ex", "set width 0"}, {}) {
  const auto begin = Clock::now();
  say("show version");
  to_prompt_ = seconds_since(begin);
}

// By the end of its input, as a user's gdb ends: at SIGTERM gdb 13 aborts in its exit handlers.
GdbSession::~GdbSession() { gdb_.finish(); }

std::string GdbSession::say(const std::string& command) {
  const std::string end = "=== " + std::to_string(++commands_) + " ===";
  gdb_.write(command + "\necho \\n" + end + "\\n\n");
  return gdb_.read_to(end);
}

double GdbSession::time(const std::string& command, std::string* output) {
  const auto begin = Clock::now();
  const std::string said = say(command);
  if (output != nullptr) *output = said;
  return seconds_since(begin);
}

int GdbSession::end() { return run_.wait(); }

}  // namespace tessera::bench
