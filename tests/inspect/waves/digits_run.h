// The demo's network on a chip under inspection, in this process: what the runtime does with a card, in small.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "inspect/recorded_run.h"
#include "rtl/spec/machine.h"
#include "sim/port/chip.h"
#include "tests/programs/digits/data_set.h"

namespace tessera::test {

class DigitsRun : private chip::HostBus {
 public:
  // The network compiled for a machine, with its names.
  struct Compiled {
    spec::Machine machine;
    image::Executable executable;
    DataSet digits;
  };
  static Compiled compile(const std::string& machine);

  // `options`: inspection options in text form.
  DigitsRun(const Compiled&, std::unique_ptr<chip::Chip>, const std::string& options);

  void load();  // and start: up to the first host sync
  // Trains `batches` batches, each an epoch of its own.
  void train(unsigned batches = 1);
  void run_program(uint32_t program);
  inspect::RecordedRun& recorded() { return run_; }

 private:
  void write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) override;
  uint64_t read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) override;
  void wait_for_host_sync();
  void serve(const image::Stream&);

  const Compiled& compiled_;
  inspect::RecordedRun run_;
  std::vector<uint32_t> host_;
};

}  // namespace tessera::test
