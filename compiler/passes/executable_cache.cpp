#include "compiler/passes/executable_cache.h"

#include <dlfcn.h>

#include <filesystem>
#include <span>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/codelet_library.h"
#include "compiler/codelet/sha256.h"
#include "compiler/codelet/toolchain.h"
#include "compiler/graph/graph_bytes.h"
#include "compiler/image/executable_file.h"

namespace tessera::compiler {
namespace {

std::string name_of(const std::string& key) { return key + ".executable"; }

// The library or program that holds this compiler.
std::string own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_file), &info) == 0 || info.dli_fname == nullptr)
    throw CodeletError(CodeletError::Kind::kFile, "executable cache: it cannot be told which file the compiler is");
  return std::filesystem::absolute(info.dli_fname).string();
}

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ExecutableCache::ExecutableCache(const std::string& folder) : cache_(folder) {
  if (!cache_.usable())
    throw CodeletError(
        CodeletError::Kind::kFile,
        "executable cache: " + folder + " is no folder of yours that nobody else can write to, and cannot be made one");
}

std::string ExecutableCache::key(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                                 const spec::Machine& machine, const std::vector<std::string>& options) {
  Sha256 digest;
  const std::string root = device_root();
  for (const std::string& file :
       {own_file(), find_tool("ld.lld-19", "lld-19"), root + "/runtime.gp", root + "/tile.ld"})
    digest.update_field(file_identity(file));
  digest.update_field(machine.name);
  digest.update_field(std::to_string(machine.hash()));
  digest.update_field(std::to_string(options.size()));
  for (const std::string& option : options) digest.update_field(option);
  digest.update_field(std::to_string(graph.libraries.size()));
  for (const auto& library : graph.libraries) digest.update_field(text_of(to_gp(*library)));
  graph::for_each_piece(graph, programs, [&](std::span<const std::uint8_t> piece) { digest.update(text_of(piece)); });
  return digest.hex();
}

std::optional<image::Executable> ExecutableCache::find(const std::string& key) const {
  const auto file = cache_.find(name_of(key));
  if (!file) return std::nullopt;
  try {
    return image::deserialize(std::vector<std::uint8_t>(file->begin(), file->end()), key);
  } catch (const image::BadExecutable&) {
    return std::nullopt;
  }
}

void ExecutableCache::store(const std::string& key, const image::Executable& executable) const {
  cache_.store(name_of(key), text_of(image::serialize(executable)));
}

}  // namespace tessera::compiler
