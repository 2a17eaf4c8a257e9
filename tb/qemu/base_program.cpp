#include "base_program.h"

#include "tb/random/control_flow.h"
#include "tb/random/float_data.h"
#include "tb/random/layout.h"

namespace tessera::test {
namespace {

constexpr uint32_t kCodeBytes = 0x2000;  // of a worker; two share a memory element, which holds nothing else
constexpr unsigned kLength = 260;

}  // namespace

BaseProgram random_base_program(uint64_t seed, unsigned worker) {
  Random random(seed);
  BaseProgram program;
  Layout at;
  program.entry = at.worker_code + worker * kCodeBytes;
  program.data[0] = at.data0 + worker * 0x400;
  program.data[1] = at.data1 + worker * 0x400;
  at.data0 = program.data[0];
  at.data1 = program.data[1];
  const MixOptions options{.worker = true, .standard = true, .rare = 0, .at = at};
  Program code;
  code.base = program.entry;
  add_register_setup(code, random, options);
  add_random_block(code, random, options, kLength);
  program.end = code.here();
  program.images.push_back({code.base, code.words});
  for (const uint32_t area : program.data)
    program.images.push_back(random_float_image(random, area, BaseProgram::kDataBytes));
  return program;
}

}  // namespace tessera::test
