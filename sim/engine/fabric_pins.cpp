#include "sim/engine/fabric_pins.h"

#include <stdexcept>
#include <string>

#include "rtl/spec/machine.h"

namespace tessera::chip {

#define FABRIC_KIND(id, machine) std::unique_ptr<FabricPins> make_fabric_##id(VerilatedContext*);
#define LINKED_KIND FABRIC_KIND
#include "fabric_kinds.def"
#undef LINKED_KIND
#undef FABRIC_KIND

namespace {

struct Kind {
  const char* machine;
  std::unique_ptr<FabricPins> (*make)(VerilatedContext*);
  bool linked;
};
constexpr Kind kKinds[] = {
#define FABRIC_KIND(id, machine) {machine, make_fabric_##id, false},
#define LINKED_KIND(id, machine) {machine, make_fabric_##id, true},
#include "fabric_kinds.def"
#undef LINKED_KIND
#undef FABRIC_KIND
};

[[noreturn]] void no_links() { throw std::logic_error("this fabric has no links"); }

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
                                    "block_packets",
                                    "links",
                                    "link_words",
                                    "link_packets"};

bool fits(FabricPins& pins, const spec::Machine& machine) {
  const auto fields = spec::machine_fields(machine);
  for (unsigned i = 0; i < fields.size(); ++i)
    for (const char* number : kNumbers)
      if (fields[i].first == number && pins.description(i) != fields[i].second) return false;
  return true;
}

}  // namespace

void FabricPins::join(uint32_t, const spec::LinkTables&, Grouped) { no_links(); }

void FabricPins::turns(std::span<const unsigned>) { no_links(); }

void FabricPins::link_in(const LinkEvent&) { no_links(); }

void FabricPins::group_answer(uint8_t, bool) { no_links(); }

std::string fabric_kind_of(FabricChoice choice, const spec::Machine& machine) {
  if (choice == FabricChoice::kEngine || (choice == FabricChoice::kUsual && machine.tiles() > kUsualFabricTiles))
    return "";
  std::string built;
  for (const Kind& kind : kKinds) {
    if (kind.linked) continue;
    if (fits(*kind.make(nullptr), machine)) return kind.machine;
    built += std::string(built.empty() ? "" : ", ") + kind.machine;
  }
  if (choice == FabricChoice::kUsual) return "";
  throw std::runtime_error("the RTL of the fabric of machine " + machine.name +
                           " is not built: this build has those of " + built +
                           "; configure with -DTESSERA_FABRICS=DESCRIPTION (its name or path) and build again, or take "
                           "the engine's (fabric=engine)");
}

std::unique_ptr<FabricPins> make_fabric_pins(FabricChoice choice, const spec::Machine& machine, bool linked) {
  const std::string name = fabric_kind_of(choice, machine);
  for (const Kind& kind : kKinds)
    if (kind.machine == name && kind.linked == linked) return kind.make(nullptr);
  return nullptr;
}

}  // namespace tessera::chip
