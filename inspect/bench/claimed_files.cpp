#include "inspect/bench/claimed_files.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "inspect/options.h"

namespace tessera::inspect {
namespace {

struct Claims {
  std::mutex mutex;
  std::map<std::string, const ClaimedFiles*> files;
};

// Outlives whatever else the program destroys at its end.
Claims& claims() {
  static Claims* const only = new Claims;
  return *only;
}

}  // namespace

ClaimedFiles::ClaimedFiles(const std::string& text) {
  const Options options = parse_options(text);
  const std::lock_guard lock(claims().mutex);
  auto files = claims().files;
  for (const auto& [key, file] : {std::pair("waves", options.waves), std::pair("trace", options.trace),
                                  std::pair("gdb-file", options.gdb_file), std::pair("on-failure", options.on_failure)})
    if (!file.empty() && !files.emplace(std::filesystem::absolute(file).lexically_normal().string(), this).second)
      throw BadOption(std::string("inspection option '") + key + "=" + file +
                      "': another chip of the program has this file; for_chip() gives each its own");
  claims().files = std::move(files);
}

ClaimedFiles::~ClaimedFiles() {
  const std::lock_guard lock(claims().mutex);
  std::erase_if(claims().files, [&](const auto& claim) { return claim.second == this; });
}

}  // namespace tessera::inspect
