// The fabrics with waves.
#include <string>

#include "sim/engine/fabric_pins.h"

namespace tessera::chip {

#define FABRIC_KIND(id, machine) std::unique_ptr<FabricPins> make_fabric_##id##_trace(VerilatedContext*);
#define LINKED_KIND(id, machine)
#include "fabric_kinds.def"
#undef LINKED_KIND
#undef FABRIC_KIND

std::unique_ptr<FabricPins> make_traced_fabric_pins(FabricChoice choice, const spec::Machine& machine,
                                                    VerilatedContext& context) {
  const std::string name = fabric_kind_of(choice, machine);
#define FABRIC_KIND(id, machine) \
  if (name == machine) return make_fabric_##id##_trace(&context);
#define LINKED_KIND(id, machine)
#include "fabric_kinds.def"
#undef LINKED_KIND
#undef FABRIC_KIND
  return nullptr;
}

}  // namespace tessera::chip
