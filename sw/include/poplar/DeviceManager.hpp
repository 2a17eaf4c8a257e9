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
  std::vector<Device> getDevices(const OptionFlags& options = {}) const;
  // Devices of that kind and size; none if there are none, without an exception.
  std::vector<Device> getDevices(TargetType type, unsigned numIPUs, const OptionFlags& options = {}) const;
  // Throws poplar_error if there is no such device.
  Device getDevice(unsigned id, const OptionFlags& options = {}) const;
  // The devices of numIPUs whose IPUs are all of this one: a device is one IPU, so itself or none. Throws poplar_error
  // if there is no such device.
  std::vector<unsigned> getChildDeviceIds(unsigned id, unsigned numIPUs = 1) const;

 private:
  std::shared_ptr<const detail::DeviceManagerImpl> impl_;
};

}  // namespace poplar
