// What a fault of a tile's exchange ports was about: who should have sent the word, or who was in the way.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "inspect/failure/case.h"
#include "inspect/failure/event_list.h"
#include "inspect/failure/instruction_text.h"
#include "inspect/failure/operands.h"
#include "inspect/pipeline.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"

namespace tessera::inspect::failure {
namespace {

constexpr unsigned kNearby = 64;  // cycles around a missing word in which others are looked for

// Every tile's words in some cycles, and what one of them sent in all of the phase.
class SendWatch : public chip::Observer {
 public:
  SendWatch(unsigned tiles, uint64_t from, uint64_t to) : all(tiles), from_(from), to_(to) {}
  std::vector<std::vector<History::Transfer>> all;

  void sent(unsigned tile, uint64_t cycle, uint32_t data) override {
    if (cycle >= from_ && cycle <= to_) all[tile].push_back({cycle, data, tile});
  }

 private:
  uint64_t from_, to_;
};

class ExchangeReport {
 public:
  ExchangeReport(Case& c, const History& history, unsigned tile, const chip::ExceptionStatus& status)
      : case_(c),
        words_(c.words),
        machine_(c.words.machine()),
        tile_(tile),
        status_(status),
        exchange_(history.tile(tile).exchange),
        history_(history) {}

  PortsFault explain() {
    const std::string place = words_.address(tile_, status_.value, nullptr);
    where_ = fmt::format("{:#x}{}", status_.value, place.empty() ? "" : ", " + place);
    {
      StoppedChip chip(case_.run);
      if (exchange_.armed != 0) events_ = read_events(chip, machine_, tile_, exchange_.list, exchange_.started);
      find_workers(chip);
    }
    const std::string step = history_.step(tile_);
    if (!step.empty()) fault_.lines += row("in", step);
    if (exchange_.armed != 0)
      fault_.lines +=
          row("armed", fmt::format("in cycle {} with {} at {:#x}; the phase began in cycle {}", exchange_.armed,
                                   counted(events_.size(), "event"), exchange_.list, exchange_.started));
    if (static_cast<spec::Cause>(status_.cause) == spec::Cause::Config) {
      out_of_turn();
    } else if (const Event* event = receiving(events_, status_.cycle, word_); event != nullptr && addressed(*event)) {
      receive(*event);
    } else {
      clash();
    }
    return fault_;
  }

 private:
  struct Missing {
    unsigned port, tile;  // by which it had to come, and to whom
    uint64_t cycle;
  };
  struct Worker {
    unsigned context = 0;
    uint32_t pc = 0, instruction = 0;
    Access access;
    uint32_t address = 0;
    const names::Vertex* vertex = nullptr;
  };

  bool addressed(const Event& event) const {
    return event.address + (event.pair == 0 ? 4 : 8) * word_ == status_.value;
  }

  void find_workers(StoppedChip& chip) {
    const uint32_t active = chip.active(tile_);
    for (unsigned context = 0; context < 7; ++context) {
      if (context != 0 && (active >> (context - 1) & 1) == 0) continue;
      Worker w{context, chip.pc(tile_, context), 0, {}, 0, history_.vertex(tile_, context)};
      if (w.pc % 4 == 0 && w.pc >= machine_.memory_base && w.pc < machine_.memory_end()) {
        w.instruction = chip.word(tile_, w.pc);
        w.access = access_of(w.instruction);
        w.address = chip.x(tile_, context, w.access.base) + static_cast<uint32_t>(w.access.offset);
      }
      if (w.vertex == nullptr && context != 0)
        w.vertex =
            vertex_by_list(words_, tile_, chip.csr(tile_, context, static_cast<unsigned>(spec::Csr::Xvbase)),
                           chip.x(tile_, context, kListRegister), [&](uint32_t at) { return chip.word(tile_, at); });
      workers_.push_back(w);
    }
  }

  void receive(const Event& event) {
    fault_.lines += row("receives", fmt::format("event {} of its list {}; this is word {}", &event - events_.data(),
                                                describe(event), word_));
    const std::optional<Missing> missing = missing_of(event);
    if (missing) {
      unsent(event, *missing);
    } else if (workers_.size() > 1) {
      active(event);
    } else {
      clash();
    }
  }

  // The word, or the half of a double word, that did not come.
  std::optional<Missing> missing_of(const Event& event) const {
    const auto came = [&](const Missing& word) {
      return std::any_of(exchange_.received.begin(), exchange_.received.end(),
                         [&](const History::Transfer& t) { return t.cycle == word.cycle && t.source == word.port; });
    };
    const bool early = event.pair == static_cast<unsigned>(spec::PairedReceive::kEarly);
    const Missing own{event.source, tile_, status_.cycle - early};
    if (!came(own)) return own;
    if (event.pair == 0) return std::nullopt;
    const Missing other{spec::Machine::pair_of(event.source), spec::Machine::pair_of(tile_), status_.cycle - !early};
    return came(other) ? std::nullopt : std::optional(other);
  }

  void unsent(const Event& event, const Missing& missing) {
    const unsigned source = missing.port;
    fault_.what = fmt::format("no word came from {} for {}", words_.tile(source), where_);
    if (source >= machine_.tiles()) {
      fault_.what = fmt::format("it has selected {}, which there is not, for {}", words_.tile(source), where_);
      return;
    }
    case_.involved.push_back(source);
    const uint64_t due = missing.cycle - machine_.latency(source, missing.tile);
    SendWatch watch(machine_.tiles(), due > 2 * kNearby ? due - 2 * kNearby : 0, due + 2 * kNearby);
    case_.run.go_to(begin_of_replay(case_.run, case_.end()));
    case_.run.replay(case_.end(), &watch);
    const History sender = replay(case_, {source});
    sender_lines(sender.tile(source), source, due, sender.step(source));
    if (event.pair != 0) {
      const unsigned other = spec::Machine::pair_of(source);
      case_.involved.push_back(other);
      const History sends_too = replay(case_, {other});
      sender_lines(sends_too.tile(other), other, due, sends_too.step(other));
    }
    near_misses(watch, source, due, event.count);
  }

  // What the tile that should have sent did instead.
  void sender_lines(const History::Tile& sender, unsigned source, uint64_t due, const std::string& step) {
    // It may have armed the next phase already. All tiles of a phase begin it in one cycle.
    const bool over = sender.exchange.started != exchange_.started;
    const History::Exchange& e = over ? sender.exchange_before : sender.exchange;
    std::vector<Event> events;
    {
      StoppedChip chip(case_.run);
      if (e.armed != 0 && e.started == exchange_.started)
        events = read_events(chip, machine_, source, e.list, e.started);
    }
    std::string text = fmt::format("{}: the word had to be on its port in cycle {}", words_.tile(source), due);
    if (sender.exception.cause != 0) {
      text += fmt::format("; it excepted in cycle {}", sender.exception.cycle);
    } else if (e.armed == 0 || e.started != exchange_.started) {
      text += "; its sequencer is not armed for this phase" + (step.empty() ? "" : "; it is " + in_step(step));
    } else if (e.words_sent == 0) {
      text += "; it sent nothing in this phase";
    } else {
      text += fmt::format("; it sent {} in this phase, the last in cycle {}", counted(e.words_sent, "word"),
                          e.sent.back().cycle);
    }
    fault_.lines += row("sender", text);
    // The send event nearest to what was wanted.
    const Event* nearest = nullptr;
    const auto away = [&](const Event& event) {
      return due < event.first                 ? event.first - due
             : due < event.first + event.count ? 0
                                               : due - (event.first + event.count - 1);
    };
    for (const Event& event : events)
      if (!event.receive && event.count != 0 && (nearest == nullptr || away(event) < away(*nearest))) nearest = &event;
    if (nearest != nullptr)
      fault_.lines += row("", fmt::format("event {} of its {} at {:#x} {}", nearest - events.data(), events.size(),
                                          e.list, describe(*nearest)));
  }

  // Words that passed near the place where one was missing.
  void near_misses(const SendWatch& watch, unsigned source, uint64_t due, unsigned count) {
    // The words before and behind it in its event are in their places.
    for (const History::Transfer& t : watch.all[source]) {
      const bool early = t.cycle + 1 == due && word_ == 0;
      const bool late = t.cycle == due + 1 && (word_ == 0 || word_ + 1 == count);
      if (early || late)
        fault_.lines += row("passed", fmt::format("{} sent {:#010x} one cycle {}", words_.tile(source), t.data,
                                                  early ? "earlier: it was for nobody" : "later"));
    }
    for (unsigned other = 0; other < watch.all.size(); ++other) {
      if (other == source) continue;
      const uint64_t its = status_.cycle - machine_.latency(other, tile_);
      for (const History::Transfer& t : watch.all[other]) {
        if (t.cycle != its) continue;
        case_.involved.push_back(other);
        fault_.lines += row("instead", fmt::format("a word of {} would have come just then: {:#010x}, had it been "
                                                   "selected in place of {}",
                                                   words_.tile(other), t.data, words_.tile(source)));
      }
    }
  }

  void active(const Event& event) {
    fault_.what = fmt::format("a word of {} came for {} while workers were active", words_.tile(event.source), where_);
    for (const Worker& w : workers_) {
      if (w.context == 0) continue;
      fault_.lines += row(context_name(w.context),
                          words_.place(w.pc) + (w.vertex == nullptr ? "" : ", for " + words_.vertex(*w.vertex)));
    }
  }

  void clash() {
    fault_.what = fmt::format("two ports met in the memory element of {}", where_);
    unsigned word = 0;
    if (const Event* event = receiving(events_, status_.cycle, word))
      fault_.lines += row("write", fmt::format("event {} {}", event - events_.data(), describe(*event)));
    if (const Event* event = sending(events_, status_.cycle + kToPort, word))
      fault_.lines += row("read", fmt::format("event {} {}", event - events_.data(), describe(*event)));
    for (const Worker& w : workers_) {
      if (w.access.bytes == 0 || w.address < machine_.memory_base || w.address >= machine_.memory_end()) continue;
      if (status_.value >= machine_.memory_base && status_.value < machine_.memory_end() &&
          machine_.element_of(w.address) != machine_.element_of(status_.value))
        continue;
      const bool in_turn = w.context == 0 || (status_.cycle - kToMemory) % 6 == w.context - 1;
      if (!in_turn) continue;
      const std::string place = words_.address(tile_, w.address, w.vertex);
      fault_.lines += row(
          "met", fmt::format("{}: `{}` at {:#x}{}, {}", context_name(w.context), spec::disassemble(w.instruction, w.pc),
                             w.address, place.empty() ? "" : ", " + place, words_.place(w.pc)));
    }
  }

  void out_of_turn() {
    fault_.what = fmt::format("an event out of turn, or one that leaves memory, at {}", where_);
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& e = events_[i];
      if (e.cycle + 2 * kNearby < status_.cycle || e.cycle > status_.cycle + kNearby) continue;
      fault_.lines += row("event", fmt::format("{} in cycle {} {}", i, e.cycle, describe(e)));
    }
  }

  Case& case_;
  const Words& words_;
  const spec::Machine& machine_;
  const unsigned tile_;
  const chip::ExceptionStatus status_;
  const History::Exchange& exchange_;
  const History& history_;
  std::vector<Event> events_;
  std::vector<Worker> workers_;
  unsigned word_ = 0;
  std::string where_;
  PortsFault fault_;
};

}  // namespace

PortsFault explain_exchange(Case& c, const History& history, unsigned tile, const chip::ExceptionStatus& status) {
  return ExchangeReport(c, history, tile, status).explain();
}

}  // namespace tessera::inspect::failure
