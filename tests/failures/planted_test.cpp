// Each planted failure is told in full, on model and RTL.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "chip/model_chip.h"
#include "tests/failures/planted.h"
#ifdef TESSERA_HAS_RTL
#include "chip/rtl_chip.h"
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

}  // namespace

TEST_CASE("every planted failure is told: tile, context, vertex, line, cause") {
  for (const Planted& planted : planted_failures()) {
    std::string first;
    for (const Backend& backend : backends()) {
      const Told told = tell(planted, backend.make, "");
      INFO(planted.name << " on the " << backend.name << "\n" << told.report);
      if (std::getenv("SHOW_REPORTS") != nullptr)
        std::cout << "---- " << planted.name << ", " << backend.name << "\n" << told.report << "\n";
      CHECK(told.missing == std::vector<std::string>{});
      // Both tell the same, to the cycle.
      if (first.empty()) first = told.report;
      CHECK(told.report == first);
    }
  }
}
