#include "sw/card/process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

extern char** environ;

namespace tessera::card {

using machine::Descriptor;

namespace {

constexpr int kChildSocket = 3;

std::filesystem::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&find_machine), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  auto file = std::filesystem::canonical(info.dli_fname, ignored);
  // In a program itself the name is as it was called, which says nothing when the shell found it in PATH.
  if (file.empty()) file = std::filesystem::canonical("/proc/self/exe", ignored);
  return file.parent_path();
}

// Where a machine may be: upwards from the library or program that holds this code, and in the installation, for
// programs of users that hold it.
std::vector<std::filesystem::path> roots() {
  std::vector<std::filesystem::path> folders;
  for (auto base = own_folder(); !base.empty() && base != base.root_path(); base = base.parent_path())
    folders.push_back(base);
  if (const char* root = std::getenv("TESSERA_ROOT"); root != nullptr && *root != '\0') folders.emplace_back(root);
  return folders;
}

}  // namespace

std::string find_machine(const std::string& backend) {
  if (const char* path = std::getenv("TESSERA_MACHINE_BIN"); path != nullptr && *path != '\0') return path;
  std::vector<std::string> names = {"tessera-machine-" + (backend == "lockstep" ? "waves" : backend)};
  if (backend == "model") names.push_back("tessera-machine-rtl");  // holds it too
  std::string places;
  for (const std::filesystem::path& base : roots()) {
    for (const char* folder : {"", "libexec/tessera", "systemc/machine"}) {
      for (const std::string& name : names) {
        const std::filesystem::path candidate = base / folder / name;
        if (::access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate)) return candidate;
      }
    }
    places += (places.empty() ? "" : ", ") + base.string();
  }
  throw std::runtime_error("no executable " + names.front() + " found from " + places +
                           "; in a shell that has sourced PREFIX/enable of an installation it is found, or set "
                           "TESSERA_MACHINE_BIN to its path");
}

Process::Process(const std::string& executable, const std::string& machine, const std::string& backend,
                 const std::vector<std::string>& more) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw std::runtime_error(std::string("no socket for tessera-machine: ") + std::strerror(errno));
  Descriptor mine(pair[0]), theirs(pair[1]);
  // A descriptor above the one it becomes: dup2 of a descriptor onto itself would keep it close-on-exec.
  Descriptor passed(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, kChildSocket + 1));
  if (!passed.valid()) throw std::runtime_error(std::string("no socket for tessera-machine: ") + std::strerror(errno));

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, passed.get(), kChildSocket);
  const std::string fd = std::to_string(kChildSocket);
  std::vector<std::string> words = {executable, "--fd", fd, "--machine", machine, "--backend", backend};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed = ::posix_spawn(&pid_, executable.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + executable + ": " + std::strerror(failed));
  socket_ = std::move(mine);
}

Process::~Process() {
  socket_ = Descriptor();
  end();
}

std::string Process::end() {
  if (ended_) return *ended_;
  int status = 0;
  pid_t got;
  do {
    got = ::waitpid(pid_, &status, 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    ended_ = "ended; its status was taken by someone else";
  } else if (WIFSIGNALED(status)) {
    ended_ = "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
  } else {
    ended_ = "ended with status " + std::to_string(WEXITSTATUS(status));
  }
  return *ended_;
}

}  // namespace tessera::card
