#include <poplar/DeviceManager.hpp>
#include <poplar/exceptions.hpp>

#include <cstdlib>

#include "sw/card/environment.h"
#include "sw/poplar/device_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/target_impl.h"

namespace poplar {
namespace {

// Each attached device is a process of its own, so their number is a matter of taste: enough for a program's threads.
constexpr unsigned kNumDevices = 16;

void check(const OptionFlags& options) { tessera::runtime::check(tessera::runtime::manager_options(), options); }

void check_id(unsigned id) {
  if (id >= kNumDevices)
    throw poplar_error("there is no device " + std::to_string(id) + "; ids go from 0 to " +
                       std::to_string(kNumDevices - 1));
}

std::string machine_of_ipu() {
  const std::string name = tessera::card::machine_variable();
  return name.empty() ? "mk2-16" : name;
}

}  // namespace

namespace detail {

struct DeviceManagerImpl {
  std::vector<std::shared_ptr<std::atomic<bool>>> busy;  // by id
};

}  // namespace detail

DeviceManager::DeviceManager() {
  auto impl = std::make_shared<detail::DeviceManagerImpl>();
  for (unsigned id = 0; id < kNumDevices; ++id) impl->busy.push_back(std::make_shared<std::atomic<bool>>(false));
  impl_ = std::move(impl);
}
DeviceManager::DeviceManager(const DeviceManager& other) = default;
DeviceManager::DeviceManager(DeviceManager&& other) noexcept = default;
DeviceManager& DeviceManager::operator=(const DeviceManager& other) = default;
DeviceManager& DeviceManager::operator=(DeviceManager&& other) noexcept = default;
DeviceManager::~DeviceManager() = default;

DeviceManager DeviceManager::createDeviceManager() { return DeviceManager(); }

std::size_t DeviceManager::getNumDevices() const { return kNumDevices; }

std::vector<Device> DeviceManager::getDevices(const OptionFlags& options) const {
  return getDevices(TargetType::IPU, 1, options);
}

std::vector<Device> DeviceManager::getDevices(TargetType type, unsigned numIPUs, const OptionFlags& options) const {
  check(options);
  std::vector<Device> devices;
  if (numIPUs != 1) return devices;
  if (type == TargetType::IPU) {
    for (unsigned id = 0; id < kNumDevices; ++id) devices.push_back(getDevice(id, options));
  } else if (type == TargetType::IPU_MODEL) {
    devices.push_back(detail::Access::make_device(detail::make_device_impl(
        kNumDevices, detail::Access::make_target(detail::make_target_impl(type, 1, 0, "ipu2")), "model")));
  } else {
    devices.push_back(Device::createCPUDevice());
  }
  return devices;
}

std::vector<unsigned> DeviceManager::getChildDeviceIds(unsigned id, unsigned numIPUs) const {
  check_id(id);
  return numIPUs == 1 ? std::vector<unsigned>{id} : std::vector<unsigned>();
}

Device DeviceManager::getDevice(unsigned id, const OptionFlags& options) const {
  check(options);
  check_id(id);
  auto target = detail::make_target_impl(TargetType::IPU, 1, 0, machine_of_ipu());
  auto impl = detail::make_device_impl(id, detail::Access::make_target(target), "rtl");
  impl->needs_attach = true;
  impl->busy = impl_->busy[id];
  return detail::Access::make_device(std::move(impl));
}

}  // namespace poplar
