// Finds the devices of this computer.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/TargetType.hpp>

namespace poplar {

namespace detail {
struct DeviceManagerImpl;
}

class DeviceManager {
 public:
  DeviceManager();
  DeviceManager(const DeviceManager& other);
  DeviceManager(DeviceManager&& other) noexcept;
  DeviceManager& operator=(const DeviceManager& other);
  DeviceManager& operator=(DeviceManager&& other) noexcept;
  ~DeviceManager();

  static DeviceManager createDeviceManager();
  std::size_t getNumDevices() const;
  // All devices of the machine that TESSERA_MACHINE names. Of a system of several chips: each chip, then each two that
  // follow each other, then each four, and so on; a device is busy while one is attached that has a chip of it. Of one
  // chip: 16 such machines.
  std::vector<Device> getDevices(const OptionFlags& options = {}) const;
  // Devices of that kind and size; none if there are none, without an exception.
  std::vector<Device> getDevices(TargetType type, unsigned numIPUs, const OptionFlags& options = {}) const;
  // Throws poplar_error if there is no such device.
  Device getDevice(unsigned id, const OptionFlags& options = {}) const;
  // The devices of numIPUs whose IPUs are all of this one, itself among them. Throws poplar_error if there is no such
  // device.
  std::vector<unsigned> getChildDeviceIds(unsigned id, unsigned numIPUs = 1) const;

 private:
  std::shared_ptr<const detail::DeviceManagerImpl> impl_;
};

}  // namespace poplar
