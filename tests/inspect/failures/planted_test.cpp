// Each planted failure is told in full, and waves and trace of it show it, on model and RTL.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "sim/engine/model_chip.h"
#include "tests/inspect/failures/left_files.h"
#include "tests/inspect/failures/planted.h"
#ifdef TESSERA_HAS_RTL
#include "sim/engine/rtl_chip.h"
#endif

using namespace tessera;
using namespace tessera::test;

namespace {

struct Backend {
  std::string name;
  MakeChip make;
};

std::vector<Backend> backends() {
  std::vector<Backend> all = {{"model", chip::make_model_chip}};
#ifdef TESSERA_HAS_RTL
  all.push_back({"rtl", chip::make_rtl_chip});
#endif
  return all;
}

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("planted_" + std::to_string(getpid()));
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("every planted failure is told: tile, context, vertex, line, cause") {
  const Folder folder;
  for (const Planted& planted : planted_failures()) {
    std::string first;
    for (const Backend& backend : backends()) {
      const Told told = tell(planted, backend.make, folder.path);
      INFO(planted.name << " on the " << backend.name << "\n" << told.report);
      CHECK(told.missing == std::vector<std::string>{});
      CHECK(told.wrong == std::vector<std::string>{});
      CHECK(wrong_files(told, folder.path) == std::vector<std::string>{});
      // Both tell the same, to the cycle.
      if (first.empty()) first = told.report;
      CHECK(told.report == first);
      std::filesystem::remove_all(folder.path);
    }
  }
}
