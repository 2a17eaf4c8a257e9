#include <poplar/DeviceManager.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>

#include "rtl/spec/system.h"
#include "rtl/spec/system_part.h"
#include "sw/card/environment.h"
#include "sw/poplar/attached_chips.h"
#include "sw/poplar/device_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/target_impl.h"

namespace poplar {
namespace {

namespace spec = tessera::spec;

// Of a machine of one chip. Each attached device is a process of its own, so their number is a matter of taste: enough
// for a program's threads.
constexpr unsigned kNumSingleDevices = 16;

void check(const OptionFlags& options) { tessera::runtime::check(tessera::runtime::manager_options(), options); }

std::string machine_of_ipu() {
  const std::string name = tessera::card::machine_variable();
  return name.empty() ? "mk2-16" : name;
}

// What TESSERA_MACHINE has: each device is a system of its own.
struct Listed {
  std::string system;
  detail::ChipRange chips;
};

bool is_joined(const spec::System& system, const detail::ChipRange& chips) {
  try {
    spec::system_part(system, chips.first, chips.first + chips.count - 1);
    return true;
  } catch (const spec::SystemError&) {
    return false;
  }
}

// By id: single chips, then pairs, then fours and so on, as a driver lists them.
std::vector<Listed> listed() {
  std::vector<Listed> devices;
  const std::string name = machine_of_ipu();
  spec::System system;
  try {
    system = spec::load_system(name);
  } catch (const spec::MachineError& error) {
    throw invalid_machine_model(error.what());
  }
  const auto chips = static_cast<unsigned>(system.chips.size());
  if (chips == 1) {
    for (unsigned id = 0; id < kNumSingleDevices; ++id) devices.push_back({name, {id, 1}});
    return devices;
  }
  for (unsigned count = 1; count <= chips; count *= 2)
    for (unsigned first = 0; first + count <= chips; first += count)
      if (const detail::ChipRange range{first, count}; is_joined(system, range))
        devices.push_back({count == chips ? name : spec::part_text(name, first, first + count - 1), range});
  return devices;
}

const Listed& checked(const std::vector<Listed>& devices, unsigned id) {
  if (id < devices.size()) return devices[id];
  throw poplar_error("there is no device " + std::to_string(id) + "; ids go from 0 to " +
                     std::to_string(devices.size() - 1));
}

bool is_inside(const detail::ChipRange& inner, const detail::ChipRange& outer) {
  return inner.first >= outer.first && inner.first + inner.count <= outer.first + outer.count;
}

}  // namespace

namespace detail {

struct DeviceManagerImpl {
  const std::shared_ptr<AttachedChips> chips =
      std::make_shared<AttachedChips>(std::max(kNumSingleDevices, spec::System::kMostChips));
};

}  // namespace detail

namespace {

Device make_device(const detail::DeviceManagerImpl& manager, const Listed& device, unsigned id,
                   const OptionFlags& options) {
  auto target = detail::make_target_impl(TargetType::IPU, device.chips.count, 0, device.system);
  detail::take_link_options(*target, options, tessera::runtime::manager_options());
  auto impl = detail::make_device_impl(id, detail::Access::make_target(std::move(target)), "rtl");
  impl->needs_attach = true;
  impl->chips = manager.chips;
  impl->range = device.chips;
  return detail::Access::make_device(std::move(impl));
}

}  // namespace

DeviceManager::DeviceManager() : impl_(std::make_shared<detail::DeviceManagerImpl>()) {}
DeviceManager::DeviceManager(const DeviceManager& other) = default;
DeviceManager::DeviceManager(DeviceManager&& other) noexcept = default;
DeviceManager& DeviceManager::operator=(const DeviceManager& other) = default;
DeviceManager& DeviceManager::operator=(DeviceManager&& other) noexcept = default;
DeviceManager::~DeviceManager() = default;

DeviceManager DeviceManager::createDeviceManager() { return DeviceManager(); }

std::size_t DeviceManager::getNumDevices() const { return listed().size(); }

std::vector<Device> DeviceManager::getDevices(const OptionFlags& options) const {
  check(options);
  const std::vector<Listed> all = listed();
  std::vector<Device> devices;
  for (unsigned id = 0; id < all.size(); ++id) devices.push_back(make_device(*impl_, all[id], id, options));
  return devices;
}

std::vector<Device> DeviceManager::getDevices(TargetType type, unsigned numIPUs, const OptionFlags& options) const {
  check(options);
  std::vector<Device> devices;
  if (type == TargetType::IPU) {
    const std::vector<Listed> all = listed();
    for (unsigned id = 0; id < all.size(); ++id)
      if (all[id].chips.count == numIPUs) devices.push_back(make_device(*impl_, all[id], id, options));
    return devices;
  }
  try {
    if (type == TargetType::IPU_MODEL)
      devices.push_back(detail::Access::make_device(detail::make_device_impl(
          kNumSingleDevices, detail::Access::make_target(detail::make_target_impl(type, numIPUs, 0, "ipu2")),
          "model")));
    else
      devices.push_back(Device::createCPUDevice(numIPUs));
  } catch (const invalid_machine_model&) {
    // There are none of so many IPUs.
  }
  return devices;
}

std::vector<unsigned> DeviceManager::getChildDeviceIds(unsigned id, unsigned numIPUs) const {
  const std::vector<Listed> all = listed();
  const detail::ChipRange mine = checked(all, id).chips;
  std::vector<unsigned> children;
  for (unsigned child = 0; child < all.size(); ++child)
    if (all[child].chips.count == numIPUs && is_inside(all[child].chips, mine)) children.push_back(child);
  return children;
}

Device DeviceManager::getDevice(unsigned id, const OptionFlags& options) const {
  check(options);
  return make_device(*impl_, checked(listed(), id), id, options);
}

}  // namespace poplar
