#include "inspect/frozen_view.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "inspect/pipeline.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect {
namespace {

using chip::DebugSpace;
using chip::kNoTile;
using spec::DebugControl;
using spec::kAllContexts;

constexpr unsigned kReadCycles = 4;
constexpr unsigned kTries = 1000;  // more than the slots of any instruction take
constexpr uint16_t kCsrs[] = {
#define CSR(id, number, name, who, access, effect) number,
#include "rtl/spec/csrs.def"
#undef CSR
};
constexpr unsigned kSlots = 6, kIntegers = 32, kFloats = 32;

}  // namespace

FrozenView::FrozenView(Run& run, uint64_t c) : run_(run), cycle_(c) {
  // At the frontier the chip may have been written to in its last cycle, so it is held there where nothing issues.
  stand_ = c == run.oldest() || c == run.frontier() ? c : c - 1;
  late_.from = c;
}

FrozenView::~FrozenView() { close(); }

void FrozenView::close() {
  if (!scratch_) return;
  run_.chip().observe(nullptr);
  scratch_.reset();
  mode_ = Mode::kNone;
}

void FrozenView::pass(uint64_t cycles) {
  for (unsigned n = 0; n < cycles; n += kReadCycles)
    run_.chip().debug_read(0, DebugSpace::kControl, 0, DebugControl::kStatus);
}

void FrozenView::open(Mode mode) {
  if (mode_ == mode) return;
  close();
  run_.go_to(stand_);
  chip::Chip& chip = run_.chip();
  if (waits_.empty()) waits_ = chip.waits();
  scratch_ = run_.scratch();
  mode_ = mode;
  chip.observe(&late_);
  chip.debug_write(kNoTile, DebugSpace::kControl, kAllContexts, DebugControl::kHalt, 0);
  pass(mode == Mode::kState ? kToState : kToMemory);
  const bool one_too_many = std::any_of(late_.records.begin(), late_.records.end(),
                                        [&](const auto& late) { return late.second.cycle == cycle_; });
  if (one_too_many && stand_ == cycle_ && stand_ > run_.oldest()) {
    stand_ = cycle_ - 1;
    late_.records.clear();
    close();
    return open(mode);
  }
  if (mode == Mode::kState) {
    if (!exceptions_.empty()) return;
    const auto now = chip.waits();
    for (unsigned tile = 0; tile < waits_.size(); ++tile) {
      waits_[tile].active_workers = now[tile].active_workers;
      exceptions_.push_back(chip.exception(tile));
    }
  } else {
    // Ends what the exchange sequencer and the packet port would still do.
    chip.debug_write(kNoTile, DebugSpace::kControl, 0, DebugControl::kStart, chip.machine().memory_base);
    chip.debug_write(kNoTile, DebugSpace::kControl, kAllContexts, DebugControl::kHalt, 0);
    pass(kToState);
  }
}

uint32_t FrozenView::debug(unsigned tile, DebugSpace space, unsigned context, uint32_t address) {
  open(Mode::kState);
  return ask(tile, space, context, address);
}

// A held tile refuses while an instruction of several slots is between its passes, and ends it.
uint32_t FrozenView::ask(unsigned tile, DebugSpace space, unsigned context, uint32_t address) {
  for (unsigned n = 0; n < kTries; ++n) {
    const uint32_t value = run_.chip().debug_read(tile, space, context, address);
    if (!run_.chip().access_refused()) return value;
  }
  throw std::logic_error("tile " + std::to_string(tile) + " does not come to rest although it is held");
}

// An instruction of several slots that began before c and ends after it completes while the context is held. Its
// context issued nothing since it began, so all that is the context's own is as it was then.
const FrozenView::Private* FrozenView::between_passes(unsigned tile, unsigned context) {
  const std::pair key(tile, context);
  const auto known = private_.find(key);
  if (known != private_.end()) return known->second.get();
  auto& result = private_[key];
  debug(tile, DebugSpace::kInteger, context, 0);  // answered when all that is under way has ended
  if (!late_.records.contains(key)) return nullptr;
  const chip::Retire record = late_.records.at(key);
  const uint64_t slots = spec::info(spec::decode(record.instruction)).slots;
  const uint64_t began = std::max(record.cycle - kSlots * (slots - 1), run_.oldest());
  if (began >= cycle_) return nullptr;
  close();
  result = std::make_unique<Private>(FrozenView(run_, began).private_state(tile, context));
  return result.get();
}

FrozenView::Private FrozenView::private_state(unsigned tile, unsigned context) {
  Private state;
  state.pc = debug(tile, DebugSpace::kControl, context, DebugControl::kPc);
  for (unsigned n = 0; n < kIntegers; ++n) state.x.push_back(debug(tile, DebugSpace::kInteger, context, n));
  if (context == 0) return state;
  for (unsigned n = 0; n < kFloats; ++n)
    state.f.push_back(debug(tile, DebugSpace::kFloat, context, 2 * n) |
                      uint64_t{debug(tile, DebugSpace::kFloat, context, 2 * n + 1)} << 32);
  for (const uint16_t number : kCsrs)
    if (spec::csr_info(number)->who != spec::Who::Supervisor)
      state.csrs[number] = debug(tile, DebugSpace::kCsr, context, number);
  return state;
}

uint32_t FrozenView::pc(unsigned tile, unsigned context) {
  if (const Private* own = between_passes(tile, context)) return own->pc;
  return debug(tile, DebugSpace::kControl, context, DebugControl::kPc);
}

uint32_t FrozenView::x(unsigned tile, unsigned context, unsigned number) {
  if (const Private* own = between_passes(tile, context)) return own->x.at(number);
  return debug(tile, DebugSpace::kInteger, context, number);
}

uint64_t FrozenView::f(unsigned tile, unsigned context, unsigned number) {
  if (context == 0) return 0;
  if (const Private* own = between_passes(tile, context)) return own->f.at(number);
  const uint64_t low = debug(tile, DebugSpace::kFloat, context, 2 * number);
  return low | uint64_t{debug(tile, DebugSpace::kFloat, context, 2 * number + 1)} << 32;
}

uint32_t FrozenView::csr(unsigned tile, unsigned context, unsigned number) {
  if (number == static_cast<unsigned>(spec::Csr::Cycle)) return static_cast<uint32_t>(cycle_);
  if (number == static_cast<unsigned>(spec::Csr::Cycleh)) return static_cast<uint32_t>(cycle_ >> 32);
  if (context != 0)
    if (const Private* own = between_passes(tile, context)) {
      const auto csr = own->csrs.find(number);
      return csr == own->csrs.end() ? 0 : csr->second;
    }
  return debug(tile, DebugSpace::kCsr, context, number);
}

uint32_t FrozenView::vector(unsigned tile, unsigned context, unsigned number) {
  return debug(tile, DebugSpace::kVector, context, number);
}

uint8_t FrozenView::active(unsigned tile) { return wait(tile).active_workers; }

chip::ExceptionStatus FrozenView::exception(unsigned tile) {
  if (exceptions_.empty()) open(Mode::kState);
  return exceptions_.at(tile);
}

chip::TileWait FrozenView::wait(unsigned tile) {
  if (exceptions_.empty()) open(Mode::kState);
  return waits_.at(tile);
}

uint32_t FrozenView::word(unsigned tile, uint32_t address) {
  const auto& machine = run_.chip().machine();
  if (address < machine.memory_base || address >= machine.memory_end()) return 0;
  const std::pair key(tile, address & ~3u);
  const auto known = words_.find(key);
  if (known != words_.end()) return known->second;
  open(Mode::kMemory);
  return words_[key] = ask(tile, DebugSpace::kMemory, 0, key.second);
}

void FrozenView::read(unsigned tile, uint32_t address, std::span<uint8_t> bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto at = address + static_cast<uint32_t>(i);
    bytes[i] = static_cast<uint8_t>(word(tile, at) >> (8 * (at & 3)));
  }
}

}  // namespace tessera::inspect
