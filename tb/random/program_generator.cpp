#include "program_generator.h"

#include <utility>

#include "control_flow.h"
#include "event_list.h"
#include "float_data.h"
#include "layout.h"
#include "supervisor_segment.h"
#include "worker_faults.h"

namespace tessera::test {
namespace {

using spec::Opcode;

constexpr unsigned kWorkerRoutines = 12;

// Some of them end the program instead of the worker.
void add_worker_routine(Program& p, Random& random, const Layout& at, OpcodeDeck& deck) {
  const MixOptions options{.worker = true, .rare = 1500, .at = at, .deck = &deck};
  add_register_setup(p, random, options);
  add_random_block(p, random, options, 8 + random.below(40));
  if (random.one_in(12)) add_worker_fault(p, random, options);
  if (random.one_in(24)) p.add(random.pick({Opcode::Trap, Opcode::Ecall, Opcode::Ebreak}));
  p.add(Opcode::Exit, {.rs1 = random.below(24)});
}

}  // namespace

RandomProgram random_program(uint64_t seed, unsigned segments, const Layout& at) {
  Random random(seed);
  RandomProgram program;
  program.seed = seed;
  Surroundings around;
  around.at = at;

  Program workers;
  workers.base = at.worker_code;
  OpcodeDeck deck;
  for (unsigned n = 0; n < kWorkerRoutines; ++n) {
    around.worker_entries.push_back(workers.here());
    add_worker_routine(workers, random, at, deck);
  }
  Image events{at.events, {}};
  for (unsigned n = 0; n < 8; ++n) {
    const auto list = random_event_list(random, 40, at);
    around.event_lists.push_back({at.events + 4 * static_cast<uint32_t>(events.words.size()), list.receives});
    for (const uint64_t event : list.events) {
      events.words.push_back(static_cast<uint32_t>(event));
      events.words.push_back(static_cast<uint32_t>(event >> 32));
    }
  }
  Program supervisor;
  supervisor.base = at.supervisor_code;
  for (unsigned n = 0; n < segments; ++n) {
    program.entries.push_back(supervisor.here());
    add_supervisor_segment(supervisor, random, around);
  }
  program.images = {{supervisor.base, supervisor.words, true},
                    {workers.base, workers.words, true},
                    events,
                    random_float_image(random, at.data0 + layout::kDataBytes / 2, layout::kDataBytes),
                    random_float_image(random, at.data1 + layout::kDataBytes / 2, layout::kDataBytes),
                    random_float_image(random, at.send_data, 64)};
  for (auto& image : random_stream_images(random, at)) program.images.push_back(std::move(image));
  for (unsigned n = 0; n < 64; ++n) program.weights.push_back(random_tame(random));
  return program;
}

}  // namespace tessera::test
