// Runs an executable on a chip, of model tiles unless another is given, as the runtime does through its card: load,
// start, answer host syncs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "rtl/spec/machine.h"
#include "sim/port/chip.h"

namespace tessera::test {

// What tests run on that are about no machine in particular: $TESSERA_TEST_MACHINE, else mk2-4.
std::string test_machine();

class ProgramRunner : private chip::HostBus {
 public:
  // budget: cycles of one compute phase.
  ProgramRunner(image::Executable executable, const spec::Machine& machine, std::unique_ptr<chip::Chip> chip = nullptr,
                std::uint64_t budget = 50'000'000);

  // Fills or takes the bytes of a transfer in row-major order.
  using Transfer = std::function<void(const image::Stream&, std::vector<std::uint8_t>&)>;
  // Runs a program to its end. Throws std::runtime_error saying why the chip stopped otherwise.
  void run(std::uint32_t program, const Transfer& transfer = {});

  template <class T>
  void write(const std::string& handle, const std::vector<T>& values) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
    const std::vector<std::uint8_t> bytes(first, first + values.size() * sizeof(T));
    run(stream(handle, image::StreamUse::kHostWrite).program,
        [&](const image::Stream&, std::vector<std::uint8_t>& data) { data = bytes; });
  }
  template <class T>
  std::vector<T> read(const std::string& handle) {
    std::vector<T> values;
    run(stream(handle, image::StreamUse::kHostRead).program,
        [&](const image::Stream&, std::vector<std::uint8_t>& data) {
          values.resize(data.size() / sizeof(T));
          std::copy(data.begin(), data.end(), reinterpret_cast<std::uint8_t*>(values.data()));
        });
    return values;
  }

  chip::Chip& chip() { return *chip_; }
  std::uint64_t host_syncs() const { return host_syncs_; }  // so far
  // Host memory ends there: packets beyond are refused.
  void end_host_memory(std::uint32_t bytes) { host_.resize(bytes / 4); }
  const image::Executable& executable() const { return executable_; }

 private:
  bool reaches(std::uint64_t, std::uint32_t host_address, std::size_t words, bool) override {
    return host_address / 4 + words <= host_.size();
  }
  void write(std::uint64_t cycle, std::uint32_t host_address, std::span<const std::uint32_t> words) override;
  std::uint64_t read(std::uint64_t cycle, std::uint32_t host_address, std::span<std::uint32_t> words) override;
  const image::Stream& stream(const std::string& handle, image::StreamUse use) const;
  void wait_for_host_sync();
  void serve(const image::Stream& stream, const Transfer& transfer);

  spec::Machine machine_;
  image::Executable executable_;
  std::unique_ptr<chip::Chip> chip_;
  std::vector<std::uint32_t> host_;
  std::uint64_t budget_;
  std::uint64_t host_syncs_ = 0;
  std::uint64_t cycle_ = 0;  // of the pending host sync
};

}  // namespace tessera::test
