#include "sw/libs/popops/prebuilt.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

namespace popops {
namespace {

namespace fs = std::filesystem;

// The libraries of one folder.
class Prebuilt {
 public:
  explicit Prebuilt(const fs::path& folder) {
    std::ifstream index(folder / kPrebuiltIndex);
    for (std::string name, file; index >> name >> file;) {
      const std::string path = (folder / file).string();
      library_of_[name] = path;
      vertices_of_[path].push_back(name);
    }
  }

  // The library that has the vertex; "" if none does, or if some of its vertices are in the graph already.
  std::string library_for(const poplar::Graph& graph, const std::string& name) const {
    const auto found = library_of_.find(name);
    if (found == library_of_.end()) return "";
    for (const std::string& vertex : vertices_of_.at(found->second))
      if (graph.hasCodelet(vertex)) return "";
    return found->second;
  }

 private:
  std::map<std::string, std::string> library_of_;
  std::map<std::string, std::vector<std::string>> vertices_of_;
};

// share/ stands beside the folder of this library, or one above. Not in the build tree, where what was compiled once
// may be older than the headers that it was made of.
fs::path folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&make_known), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path own = fs::canonical(info.dli_fname, error).parent_path();
  for (const fs::path& base :
       {own.parent_path() / "share/tessera/popops", own.parent_path().parent_path() / "share/tessera/popops"})
    if (fs::exists(base / kPrebuiltIndex, error)) return base;
  return {};
}

bool checked() {
  const char* value = std::getenv("TESSERA_CHECK");
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

}  // namespace

void make_known(poplar::Graph& graph, const std::string& name, const std::string& source) {
  if (graph.hasCodelet(name)) return;
  static const Prebuilt prebuilt(folder());
  const std::string library = checked() ? "" : prebuilt.library_for(graph, name);
  if (!library.empty()) {
    graph.addCodelets(library);
    return;
  }
  std::stringstream text(source);
  graph.addCodelets(text);
}

}  // namespace popops
