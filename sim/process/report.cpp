#include "sim/process/report.h"

namespace tessera::machine {

void put(Writer& out, const ChipIdentity& chip) { out.text(chip.machine).number(chip.tiles).number(chip.machine_hash); }

void get(Reader& in, ChipIdentity& chip) {
  chip.machine = in.text();
  chip.tiles = in.number<uint32_t>();
  chip.machine_hash = in.number<uint64_t>();
}

void put(Writer& out, const Identity& identity) {
  out.number(identity.version).text(identity.system).number(identity.system_hash).text(identity.backend);
  put(out, identity.chips);
  out.text(identity.notice);
}

void get(Reader& in, Identity& identity) {
  identity.version = in.number<uint32_t>();
  identity.system = in.text();
  identity.system_hash = in.number<uint64_t>();
  identity.backend = in.text();
  get(in, identity.chips);
  identity.notice = in.text();
}

void put(Writer& out, const chip::Stop& stop) {
  out.number(static_cast<uint32_t>(stop.reason)).number(stop.cycle).number(static_cast<uint32_t>(stop.tile));
  out.number(uint32_t{stop.zone});
  if (stop.reason != chip::StopReason::kRefused) return;
  const chip::Refusal& refusal = stop.refusal.value();
  out.number(refusal.cycle).number(refusal.sent).number(uint32_t{refusal.tile}).number(uint32_t{refusal.write});
  out.number(uint32_t{refusal.remote}).number(refusal.address).number(uint32_t{refusal.words});
}

void get(Reader& in, chip::Stop& stop) {
  stop.reason = static_cast<chip::StopReason>(in.number<uint32_t>());
  stop.cycle = in.number<uint64_t>();
  stop.tile = in.number<uint32_t>();
  stop.zone = static_cast<uint8_t>(in.number<uint32_t>());
  if (stop.reason != chip::StopReason::kRefused) return;
  chip::Refusal& refusal = stop.refusal.emplace();
  refusal.cycle = in.number<uint64_t>();
  refusal.sent = in.number<uint64_t>();
  refusal.tile = in.number<uint32_t>();
  refusal.write = in.number<uint32_t>() != 0;
  refusal.remote = in.number<uint32_t>() != 0;
  refusal.address = in.number<uint64_t>();
  refusal.words = in.number<uint32_t>();
}

void put(Writer& out, const ExceptionReport& report) {
  const chip::ExceptionStatus& status = report.status;
  out.number(report.tile).number(status.cause).number(status.context);
  out.number(status.pc).number(status.value).number(status.cycle);
}

void get(Reader& in, ExceptionReport& report) {
  report.tile = in.number<uint32_t>();
  report.status.cause = in.number<uint8_t>();
  report.status.context = in.number<uint8_t>();
  report.status.pc = in.number<uint32_t>();
  report.status.value = in.number<uint32_t>();
  report.status.cycle = in.number<uint64_t>();
}

void put(Writer& out, const chip::TileWait& wait) {
  out.number(static_cast<uint32_t>(wait.tile)).text(wait.state).number(wait.supervisor_pc).number(wait.active_workers);
  for (uint32_t pc : wait.worker_pc) out.number(pc);
}

void get(Reader& in, chip::TileWait& wait) {
  wait.tile = in.number<uint32_t>();
  wait.state = in.text();
  wait.supervisor_pc = in.number<uint32_t>();
  wait.active_workers = in.number<uint8_t>();
  for (uint32_t& pc : wait.worker_pc) pc = in.number<uint32_t>();
}

void put(Writer& out, const chip::Counters& counters) {
  static_assert(sizeof counters == 9 * sizeof(uint64_t), "all of them are below");
  out.number(counters.cycles).number(counters.evaluated).number(counters.skipped).number(counters.supersteps);
  out.number(counters.compute)
      .number(counters.sync)
      .number(counters.exchange)
      .number(counters.transfer)
      .number(counters.host);
}

void get(Reader& in, chip::Counters& counters) {
  for (uint64_t* value : {&counters.cycles, &counters.evaluated, &counters.skipped, &counters.supersteps,
                          &counters.compute, &counters.sync, &counters.exchange, &counters.transfer, &counters.host})
    *value = in.number<uint64_t>();
}

void put(Writer& out, const SuperstepRecord& record) {
  out.number(record.index).number(record.cycle).number(record.hash);
}

void get(Reader& in, SuperstepRecord& record) {
  record.index = in.number<uint64_t>();
  record.cycle = in.number<uint64_t>();
  record.hash = in.number<uint64_t>();
}

}  // namespace tessera::machine
