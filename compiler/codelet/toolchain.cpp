#include "compiler/codelet/toolchain.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/subprocess.h"

namespace tessera::compiler {
namespace {

namespace fs = std::filesystem;

bool is_device_root(const fs::path& path) { return fs::exists(path / "include/poplar/Vertex.hpp"); }

// The file that this code was loaded from: libpoplar, popc or a test.
fs::path own_file() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&is_device_root), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error);
}

}  // namespace

std::string device_root() {
  const char* chosen = std::getenv("TESSERA_ROOT");
  if (chosen != nullptr && *chosen != '\0') {
    const fs::path root = fs::path(chosen) / "share/tessera/device";
    if (is_device_root(root)) return root.string();
    throw CodeletError(CodeletError::Kind::kFile,
                       "TESSERA_ROOT is " + std::string(chosen) + ", where there is no share/tessera/device");
  }
  // bin/ and lib/ stand beside share/; a multiarch lib directory is one level deeper.
  fs::path directory = own_file().parent_path();
  for (int level = 0; level < 3; ++level, directory = directory.parent_path()) {
    if (is_device_root(directory / "share/tessera/device")) return (directory / "share/tessera/device").string();
  }
  const fs::path build = fs::path(TESSERA_BUILD_ROOT) / "share/tessera/device";
  if (is_device_root(build)) return build.string();
  throw CodeletError(CodeletError::Kind::kFile,
                     "the device headers (share/tessera/device) are not beside this program; set TESSERA_ROOT to the "
                     "directory Tessera is installed in");
}

std::string find_tool(const std::string& program, const std::string& package) {
  const char* path = std::getenv("PATH");
  std::istringstream directories(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::string candidate = (directory.empty() ? "." : directory) + "/" + program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  throw CodeletError(CodeletError::Kind::kNoTool,
                     program + " is needed for this and not installed: apt install " + package);
}

std::string file_identity(const std::string& path) {
  std::error_code error;
  const std::string real = fs::canonical(path, error).string();
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return path + " missing";
  return real + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

Clang find_clang() {
  Clang clang;
  clang.path = find_tool("clang++-19", "clang-19 lld-19");
  const ToolResult result = run_tool({clang.path, "-E", "-x", "c++", "-v", "/dev/null"});
  std::istringstream lines(result.output);
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (clang.version.empty()) clang.version = line;
    if (line.starts_with("#include <")) listed = true;
    if (line.starts_with("End of search list")) break;
    if (!listed || !line.starts_with(" /")) continue;
    const std::string directory = line.substr(1);
    if (directory.find("/c++/") != std::string::npos) {
      clang.cxx_includes.push_back(directory);
    } else if (directory.find("/lib/clang/") != std::string::npos) {
      clang.builtin_include = directory;
    }
  }
  if (result.status != 0 || clang.builtin_include.empty()) {
    throw CodeletError(CodeletError::Kind::kNoTool, clang.path + " does not tell its header directories");
  }
  if (clang.cxx_includes.empty()) {
    throw CodeletError(CodeletError::Kind::kNoTool, "no C++ standard headers found: apt install libstdc++-12-dev");
  }
  return clang;
}

std::vector<std::string> target_flags() {
  // Without relaxation offsets inside a function are final in the object, which the call-graph reader relies on.
  return {"--target=riscv32-unknown-elf",
          "-march=rv32imfd_zfh_zba_zbb",
          "-mabi=ilp32d",
          "-mno-relax",
          "-mno-implicit-float",
          "-g",  // changes no code; stays out of tile memory
          "-nostdlibinc",
          "-ffunction-sections",
          "-fdata-sections",
          "-fstack-size-section",
          "-fno-math-errno",
          "-ffp-contract=off",
          "-fno-asynchronous-unwind-tables",
          "-D__TESSERA__=1",
          "-D__POPC__=1"};
}

std::vector<std::string> language_flags() {
  return {"-std=c++20",
          "-O3",
          "-fno-exceptions",
          "-fno-rtti",
          "-fno-threadsafe-statics",
          "-fno-finite-loops",  // a loop that never ends is one that the cycle budget ends
          "-nostdinc++",
          "-Wno-ignored-attributes",
          "-Wno-unknown-attributes"};
}

std::vector<std::string> check_flags() {
  return {"-D__TESSERA_CHECK__=1", "-D_GLIBCXX_ASSERTIONS",
          "-fsanitize=array-bounds,null,alignment,integer-divide-by-zero,return,unreachable,bool,enum",
          "-fno-sanitize-recover=all",
          // Optimised further, instructions of several lines become one of none.
          "-O1",
          // What stays in a register leaves no trace in memory: the compiler must find it.
          "-Werror=uninitialized"};
}

std::vector<std::string> codelet_flags(const Clang& clang) {
  std::vector<std::string> flags = target_flags();
  for (std::string& flag : language_flags()) flags.push_back(std::move(flag));
  const std::string root = device_root();
  // Not a system folder: libclang reads CPATH, which may hold the host's headers of the same names, and puts its
  // folders before those.
  flags.insert(flags.end(), {"-I", root + "/include", "-I", root + "/generated"});
  for (const std::string& directory : clang.cxx_includes) flags.insert(flags.end(), {"-isystem", directory});
  // Last: the C++ headers wrap the C ones with #include_next.
  flags.insert(flags.end(), {"-isystem", root + "/libc", "-isystem", root + "/libc/configuration"});
  // What no other folder has: sources include <Vertex.hpp> and its like without poplar/.
  flags.insert(flags.end(), {"-idirafter", root + "/include/poplar"});
  return flags;
}

}  // namespace tessera::compiler
