// Runs an executable on the chips of a device, with their links, as the runtime does: a replica on as many chips as the
// executable is for, each with a window of host memory of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "rtl/spec/system.h"
#include "tb/link/chips.h"

namespace tessera::test {

class SystemRunner {
 public:
  // `device`: of replicas * chips of the executable.
  SystemRunner(image::Executable executable, const spec::System& device, chip::Backend backend);
  ~SystemRunner();

  // Fills or takes the bytes of a replica's transfer in row-major order.
  using Transfer = std::function<void(std::uint32_t replica, const image::Stream&, std::vector<std::uint8_t>&)>;
  // Runs a program to its end. Throws std::runtime_error saying why the chips stopped otherwise.
  void run(std::uint32_t program, const Transfer& transfer = {});

  // By handle; a list for each replica. One list: the same to all.
  template <class T>
  void write(const std::string& handle, const std::vector<std::vector<T>>& values) {
    run(stream(handle, image::StreamUse::kHostWrite).program,
        [&](std::uint32_t replica, const image::Stream&, std::vector<std::uint8_t>& data) {
          const std::vector<T>& own = values.at(values.size() == 1 ? 0 : replica);
          const auto* first = reinterpret_cast<const std::uint8_t*>(own.data());
          data.assign(first, first + own.size() * sizeof(T));
        });
  }
  template <class T>
  void write(const std::string& handle, const std::vector<T>& values) {
    write(handle, std::vector<std::vector<T>>{values});
  }
  template <class T>
  std::vector<std::vector<T>> read_all(const std::string& handle) {
    std::vector<std::vector<T>> values(executable_.replicas);
    run(stream(handle, image::StreamUse::kHostRead).program,
        [&](std::uint32_t replica, const image::Stream&, std::vector<std::uint8_t>& data) {
          values[replica].resize(data.size() / sizeof(T));
          std::copy(data.begin(), data.end(), reinterpret_cast<std::uint8_t*>(values[replica].data()));
        });
    return values;
  }
  template <class T>
  std::vector<T> read(const std::string& handle) {
    return read_all<T>(handle).at(0);
  }

  std::uint64_t cycle() const { return cycle_; }  // of the host sync that is pending
  const image::Executable& executable() const { return executable_; }
  // Of all chips, one after the other.
  std::vector<std::uint64_t> memory_hashes();

 private:
  class Window;

  const image::Stream& stream(const std::string& handle, image::StreamUse use) const;
  void wait_for_host_sync();
  void mark(std::uint32_t value);
  void serve(std::uint32_t replica, const image::Stream& stream, const Transfer& transfer);

  image::Executable executable_;
  spec::System device_;
  Chips chips_;
  std::vector<std::uint32_t> host_;               // of all replicas
  std::vector<std::unique_ptr<Window>> windows_;  // by replica
  std::uint64_t cycle_ = 0;
};

}  // namespace tessera::test
