#include <cstdio>
#include <numeric>
#include <poplar/Device.hpp>
#include <poplar/exceptions.hpp>

#include "sw/card/environment.h"
#include "sw/poplar/card_errors.h"
#include "sw/poplar/device_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/log.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/target_impl.h"

namespace poplar {

namespace log = tessera::log;

namespace {

detail::DeviceImpl& impl_of(const Device& device) {
  const auto& impl = detail::Access::impl(device);
  if (!impl) throw poplar_error("this Device is empty: take one from a DeviceManager or from IPUModel::createDevice");
  return *impl;
}

void print_line(const std::string& line) { std::fprintf(stderr, "tessera: %s\n", line.c_str()); }

}  // namespace

namespace detail {

std::string backend_or(const std::string& usual) {
  const std::string backend = tessera::runtime::with_poplar_errors(tessera::card::backend_variable);
  return backend.empty() ? usual : backend;
}

std::shared_ptr<DeviceImpl> make_device_impl(unsigned id, Target target, const std::string& usual_backend) {
  const bool quiet = tessera::runtime::with_poplar_errors(tessera::card::quiet);
  const bool check = tessera::runtime::with_poplar_errors(tessera::card::check);
  auto impl = std::make_shared<DeviceImpl>();
  impl->id = id;
  impl->card = std::make_shared<tessera::card::Card>(
      tessera::card::CardOptions{.machine = Access::impl(target)->system,
                                 .backend = backend_or(usual_backend),
                                 .inspect = check ? "check=true" : "",
                                 .inspect_over = tessera::card::inspect_variable,
                                 .say = quiet ? std::function<void(const std::string&)>() : print_line});
  impl->target = std::move(target);
  log::write(log::Module::kTarget, log::Level::kInfo, [&] {
    return "device " + std::to_string(id) + " is machine " + impl->card->machine() + ", backend " +
           impl->card->backend();
  });
  return impl;
}

}  // namespace detail

Device::Device() = default;
Device::Device(Device&& other) noexcept = default;
Device& Device::operator=(Device&& other) noexcept {
  if (this != &other) {
    Device old(std::move(*this));
    impl_ = std::move(other.impl_);
  }
  return *this;
}
// A device that its program forgets to detach goes back to its manager.
Device::~Device() {
  if (impl_ && impl_->attached && impl_->chips) impl_->chips->give_back(impl_->range);
}
Device::Device(std::shared_ptr<detail::DeviceImpl> impl) : impl_(std::move(impl)) {}

unsigned Device::getId() const { return impl_of(*this).id; }
const Target& Device::getTarget() const { return impl_of(*this).target; }

bool Device::attach() const {
  detail::DeviceImpl& impl = impl_of(*this);
  if (!impl.needs_attach) return true;
  if (!impl.chips->take(impl.range)) return false;
  try {
    tessera::runtime::with_poplar_errors([&] { impl.card->start(); });
  } catch (...) {
    impl.chips->give_back(impl.range);
    throw;
  }
  return impl.attached = true;
}

bool Device::isAttached() const {
  const detail::DeviceImpl& impl = impl_of(*this);
  return !impl.needs_attach || impl.attached;
}

void Device::detach() const {
  detail::DeviceImpl& impl = impl_of(*this);
  impl.card->stop();
  if (impl.attached) impl.chips->give_back(impl.range);
  impl.attached = false;
}

void Device::reset() const {
  detail::DeviceImpl& impl = impl_of(*this);
  if (!isAttached()) throw poplar_error("Device::reset: the device is not attached");
  impl.card->take();  // no engine's program is on it any more
  tessera::runtime::with_poplar_errors(
      [&] { impl.card->use("resetting", [](tessera::card::Client& client) { client.reset(); }); });
}

std::vector<int> Device::getDriverIDs() const {
  const detail::DeviceImpl& impl = impl_of(*this);
  std::vector<int> ids(impl.target.getNumIPUs());
  std::iota(ids.begin(), ids.end(), static_cast<int>(impl.needs_attach ? impl.range.first : impl.id));
  return ids;
}

void Device::getDriverVersion(unsigned& major, unsigned& minor, unsigned& point) const {
  impl_of(*this);
  major = tessera::machine::kProtocolVersion;
  minor = point = 0;
}

std::vector<int> Device::getNumaTopology() const { return std::vector<int>(getTarget().getNumIPUs(), -1); }
std::vector<int> Device::getNumaNodesUsedForIPUs() const { return getNumaTopology(); }

bool Device::supportsRemoteBuffers() const {
  impl_of(*this);
  return true;
}

bool Device::hasGateway() const { return detail::has_gateways(*detail::Access::impl(impl_of(*this).target)); }

std::map<std::string, std::string> Device::getAttributes() const {
  const detail::DeviceImpl& impl = impl_of(*this);
  return {{"machine", impl.card->machine()}, {"backend", impl.card->backend()}};
}

std::string Device::getAttribute(IPUAttributes::AttributeId id) const {
  if (id != IPUAttributes::AttributeId::BoardVariant) throw poplar_error("Device::getAttribute: unknown attribute");
  return impl_of(*this).card->machine();
}

Device Device::createVirtualDevice(unsigned tilesPerIPU) {
  const detail::DeviceImpl& mine = impl_of(*this);
  const auto& target = *detail::Access::impl(mine.target);
  if (tilesPerIPU > target.tiles_per_ipu)
    throw poplar_error("Device::createVirtualDevice: an IPU of the device has " + std::to_string(target.tiles_per_ipu) +
                       " tiles, not " + std::to_string(tilesPerIPU));
  auto impl = std::make_shared<detail::DeviceImpl>(mine);
  impl->target = mine.target.createVirtualTarget(target.num_ipus, tilesPerIPU);
  return detail::Access::make_device(impl);
}

Device Device::createCPUDevice(unsigned numIPUs) {
  return detail::Access::make_device(detail::make_device_impl(0, Target::createCPUTarget(true, numIPUs), "model"));
}

Device Device::createSimulatorDevice(const Target& target, const OptionFlags& options) {
  OptionFlags all = options;
  readJSONFromEnv("POPLAR_SIMULATOR_OPTIONS", all);
  tessera::runtime::check(tessera::runtime::simulator_options(), all);
  if (!detail::Access::impl(target)) throw poplar_error("Device::createSimulatorDevice: the target is empty");
  return detail::Access::make_device(detail::make_device_impl(0, target, "rtl"));
}

}  // namespace poplar
