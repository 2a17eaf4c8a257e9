// A device that programs run on. Movable, not copyable; a default-constructed one is no device.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

namespace poplar {

namespace detail {
struct DeviceImpl;
}

struct IPUAttributes {
  enum class AttributeId { BoardVariant };
};

class Device {
 public:
  Device();
  Device(Device&& other) noexcept;
  Device& operator=(Device&& other) noexcept;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  unsigned getId() const;
  const Target& getTarget() const;
  // Takes the device for this process; false if someone else has it.
  bool attach() const;
  bool isAttached() const;
  void detach() const;
  std::vector<int> getDriverIDs() const;  // of the devices of one IPU that it is made of
  void getDriverVersion(unsigned& major, unsigned& minor, unsigned& point) const;
  // The node of this computer's memory that each IPU is beside, and the node whose processors serve it: -1, since a
  // machine is a process that no node holds.
  std::vector<int> getNumaTopology() const;
  std::vector<int> getNumaNodesUsedForIPUs() const;
  bool supportsRemoteBuffers() const;  // true: in the memory of a gateway, or in host memory
  bool hasGateway() const;             // every IPU reaches the memory of one
  std::map<std::string, std::string> getAttributes() const;
  std::string getAttribute(IPUAttributes::AttributeId id) const;  // BoardVariant: the machine's name
  // Puts an attached device into its state after power-up.
  void reset() const;
  // The same device used as if its IPUs had fewer tiles.
  Device createVirtualDevice(unsigned tilesPerIPU);

  static Device createCPUDevice(unsigned numIPUs = 1);
  // The RTL machine for a target made by Target::createIPUTarget.
  static Device createSimulatorDevice(const Target& target, const OptionFlags& options = {});

 private:
  explicit Device(std::shared_ptr<detail::DeviceImpl> impl);
  friend struct detail::Access;
  std::shared_ptr<detail::DeviceImpl> impl_;
};

}  // namespace poplar
