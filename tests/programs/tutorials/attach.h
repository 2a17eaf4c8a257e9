// Attaches the first free IPU, as programs for the real machine do.
#pragma once

#include <poplar/DeviceManager.hpp>
#include <stdexcept>
#include <utility>

inline poplar::Device attach_ipu() {
  auto manager = poplar::DeviceManager::createDeviceManager();
  for (auto& device : manager.getDevices(poplar::TargetType::IPU, 1))
    if (device.attach()) return std::move(device);
  throw std::runtime_error("no IPU is free");
}
