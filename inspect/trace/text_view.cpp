#include "inspect/trace/text_view.h"

#include <fmt/format.h>

#include "inspect/trace/event_words.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect::trace {
namespace {

std::string retire_line(const Event& e, Names& names) {
  const chip::Retire& r = e.retire;
  std::string did;
  const auto add = [&did](const std::string& part) { did += (did.empty() || part.empty() ? "" : ", ") + part; };
  for (const RegisterWrite& w : registers_written(r)) add(w.name + " = " + w.value);
  add(store_text(e, names));
  if (e.reads.known != 0) did += (did.empty() ? "" : " ") + reads_text(e, names);
  if (r.exception != 0) add(fmt::format("exception {}", spec::cause_name(r.exception)));
  return fmt::format("{:>10} {:>4} {:<3} {:>6x}  {:<34} {:<34} {}", e.cycle, names.number(e.tile),
                     context_name(r.context), r.pc, spec::disassemble(r.instruction, r.pc), did, names.place(e));
}

bool has_context(EventKind kind) {
  return kind == EventKind::kEntered || kind == EventKind::kLeft || kind == EventKind::kExcepted;
}

bool is_load(const Event& e) { return e.kind == EventKind::kDebugWritten && e.space == chip::DebugSpace::kMemory; }

}  // namespace

std::string line_heading() {
  return fmt::format("{:>10} {:>4} {:<3} {:>6}  {:<34} {:<34} {}", "cycle", "tile", "ctx", "pc", "instruction or event",
                     "wrote or read", "where");
}

std::string line(const Event& e, Names& names) {
  if (e.kind == EventKind::kRetire) return retire_line(e, names);
  const std::string tile =
      e.tile == chip::kNoTile ? (e.kind == EventKind::kDebugWritten ? "all" : "chip") : names.number(e.tile);
  return fmt::format("{:>10} {:>4} {:<3} {:>6}  {}", e.cycle, tile, has_context(e.kind) ? context_name(e.context) : "",
                     "", what(e, names));
}

bool TextLines::continues_load(const Event& e) const {
  return loaded_ && is_load(e) && e.tile == loaded_->tile && e.address == loaded_->address + 4 * loaded_words_ &&
         e.cycle == loaded_->cycle + loaded_words_;
}

void TextLines::add(const Event& e) {
  names_.follow(e);
  if (continues_load(e)) {
    ++loaded_words_;
    return;
  }
  if (loaded_ && e.kind == EventKind::kDebugTime) {
    meanwhile_.push_back(e);
    return;
  }
  if (taken_ && e.tile == taken_->tile && e.cycle == taken_->cycle && e.value == taken_->value &&
      (e.kind == EventKind::kExchangeWrite || e.kind == EventKind::kPacketWrite)) {
    print_(line(*taken_, names_) + " to " + bracketed(e, e.address, names_));
    taken_.reset();
    return;
  }
  end();
  if (e.kind == EventKind::kReceived || e.kind == EventKind::kPacketIn)
    taken_ = e;
  else if (is_load(e))
    loaded_ = e, loaded_words_ = 1;
  else
    print_(line(e, names_));
}

void TextLines::end() {
  if (taken_) print_(line(*taken_, names_));
  taken_.reset();
  if (!loaded_) return;
  std::string text = line(*loaded_, names_);
  if (loaded_words_ > 1)
    text += fmt::format(" and on, {} words up to [{:x}], one a cycle", loaded_words_,
                        loaded_->address + 4 * (loaded_words_ - 1));
  print_(text);
  loaded_.reset();
  for (const Event& e : meanwhile_) print_(line(e, names_));
  meanwhile_.clear();
}

const std::vector<EventGroup>& event_groups() {
  static const std::vector<EventGroup> groups = {
      {"instructions", "every instruction", [](const Event& e) { return e.kind == EventKind::kRetire; }},
      {"stores", "instructions that wrote memory",
       [](const Event& e) { return e.kind == EventKind::kRetire && e.retire.mem_write; }},
      {"loads", "instructions that read memory",
       [](const Event& e) {
         return e.kind == EventKind::kRetire && read_plan(e.retire.instruction).kind != ReadPlan::Kind::kNone;
       }},
      {"exchange", "words sent, received and written, and who listens to whom",
       [](const Event& e) {
         return e.kind == EventKind::kSent || e.kind == EventKind::kReceived || e.kind == EventKind::kExchangeWrite ||
                e.kind == EventKind::kSelected || e.kind == EventKind::kExchanging;
       }},
      {"sync", "requests, acknowledgements, supersteps",
       [](const Event& e) {
         return e.kind == EventKind::kSyncRequest || e.kind == EventKind::kSyncAcknowledge ||
                e.kind == EventKind::kSuperstep;
       }},
      {"host", "packets, host syncs, debug accesses",
       [](const Event& e) {
         return e.kind == EventKind::kPacketRequest || e.kind == EventKind::kPacketOut ||
                e.kind == EventKind::kPacketIn || e.kind == EventKind::kPacketWrite || e.kind == EventKind::kHostSync ||
                e.kind == EventKind::kDebugTime || e.kind == EventKind::kDebugWritten;
       }},
      {"vertices", "vertices entered and left",
       [](const Event& e) { return e.kind == EventKind::kEntered || e.kind == EventKind::kLeft; }},
      {"exceptions", "exceptions",
       [](const Event& e) {
         return e.kind == EventKind::kExcepted || (e.kind == EventKind::kRetire && e.retire.exception != 0);
       }},
  };
  return groups;
}

}  // namespace tessera::inspect::trace
