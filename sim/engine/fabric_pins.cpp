#include "sim/engine/fabric_pins.h"

#include <stdexcept>
#include <string>

#include "rtl/spec/machine.h"

namespace tessera::chip {

#define FABRIC_KIND(id, machine) std::unique_ptr<FabricPins> make_fabric_##id(VerilatedContext*);
#include "fabric_kinds.def"
#undef FABRIC_KIND

namespace {

struct Kind {
  const char* machine;
  std::unique_ptr<FabricPins> (*make)(VerilatedContext*);
};
constexpr Kind kKinds[] = {
#define FABRIC_KIND(id, machine) {machine, make_fabric_##id},
#include "fabric_kinds.def"
#undef FABRIC_KIND
};

// The numbers of a description that the fabric is made of.
constexpr const char* kNumbers[] = {"rows",
                                    "columns",
                                    "lanes",
                                    "sync_request",
                                    "sync_acknowledge",
                                    "external_request",
                                    "external_acknowledge",
                                    "edge_latency",
                                    "exchange_blocks",
                                    "block_packets"};

bool fits(FabricPins& pins, const spec::Machine& machine) {
  const auto fields = spec::machine_fields(machine);
  for (unsigned i = 0; i < fields.size(); ++i)
    for (const char* number : kNumbers)
      if (fields[i].first == number && pins.description(i) != fields[i].second) return false;
  return true;
}

}  // namespace

std::string fabric_kind_of(FabricChoice choice, const spec::Machine& machine) {
  if (choice == FabricChoice::kEngine || (choice == FabricChoice::kUsual && machine.tiles() > kUsualFabricTiles))
    return "";
  std::string built;
  for (const Kind& kind : kKinds) {
    if (fits(*kind.make(nullptr), machine)) return kind.machine;
    built += std::string(built.empty() ? "" : ", ") + kind.machine;
  }
  if (choice == FabricChoice::kUsual) return "";
  throw std::runtime_error("the RTL of the fabric of machine " + machine.name +
                           " is not built: this build has those of " + built +
                           "; configure with -DTESSERA_FABRICS=DESCRIPTION (its name or path) and build again, or take "
                           "the engine's (fabric=engine)");
}

std::unique_ptr<FabricPins> make_fabric_pins(FabricChoice choice, const spec::Machine& machine) {
  const std::string name = fabric_kind_of(choice, machine);
  for (const Kind& kind : kKinds)
    if (kind.machine == name) return kind.make(nullptr);
  return nullptr;
}

}  // namespace tessera::chip
