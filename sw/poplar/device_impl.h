// What stands behind poplar::Device.
#pragma once

#include <memory>
#include <string>

#include <poplar/Device.hpp>
#include <poplar/Target.hpp>

#include "sw/card/card.h"
#include "sw/poplar/attached_chips.h"

namespace poplar::detail {

struct DeviceImpl {
  unsigned id = 0;
  Target target;
  std::shared_ptr<tessera::card::Card> card;
  // Devices of a DeviceManager are attached by the program; models and simulators are one's own from the start.
  bool needs_attach = false;
  std::shared_ptr<AttachedChips> chips;  // of all devices of one manager; null where needs_attach is false
  ChipRange range;                       // of them, this device
  bool attached = false;                 // by this object
};

// The card's backend: $TESSERA_BACKEND if set (throws poplar_error if it is no backend), else `usual`.
std::string backend_or(const std::string& usual);

std::shared_ptr<DeviceImpl> make_device_impl(unsigned id, Target target, const std::string& usual_backend);

}  // namespace poplar::detail
