// Which fabric a run of the RTL gets: the option over the variable, and neither for what has no RTL.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "inspect/make_run.h"
#include "inspect/options.h"
#include "rtl/spec/machine.h"
#include "sim/engine/model_chip.h"

using namespace tessera;
using chip::FabricChoice;

namespace {

FabricChoice choice(const char* variable, const std::string& options, const std::string& backend = "rtl") {
  if (variable != nullptr)
    ::setenv("TESSERA_FABRIC", variable, 1);
  else
    ::unsetenv("TESSERA_FABRIC");
  auto got = FabricChoice::kUsual;
  const auto make = [&](const chip::BackendRequest& request, const spec::Machine& machine) {
    got = request.fabric;
    return chip::make_model_chip(machine);
  };
  inspect::make_run(make, backend, spec::load_machine("mk2-4"), options);
  ::unsetenv("TESSERA_FABRIC");
  return got;
}

}  // namespace

TEST_CASE("TESSERA_FABRIC and fabric= choose what joins the tiles of the RTL") {
  CHECK(choice(nullptr, "") == FabricChoice::kUsual);
  CHECK(choice("rtl", "") == FabricChoice::kRtl);
  CHECK(choice("engine", "") == FabricChoice::kEngine);
  CHECK(choice("engine", "fabric=rtl") == FabricChoice::kRtl);
  CHECK(choice(nullptr, "fabric=engine") == FabricChoice::kEngine);
}

TEST_CASE("a fabric that there is not, or for what has no RTL, is refused by name") {
  using Catch::Matchers::ContainsText;
  CHECK_THROWS_WITH(choice("verilog", ""), "TESSERA_FABRIC is 'verilog'; it can be rtl or engine");
  CHECK_THROWS_WITH(choice(nullptr, "fabric=verilog"), ContainsText("'verilog' is neither rtl nor engine"));
  CHECK_THROWS_WITH(choice("rtl", "", "model"),
                    "TESSERA_FABRIC=rtl is for what joins the tiles of the RTL, not for backend model");
  CHECK_THROWS_WITH(choice(nullptr, "fabric=engine", "model"), ContainsText("not for backend model"));
  ::unsetenv("TESSERA_FABRIC");
}
