#include "sim/model/exchange_sequencer.h"

#include "rtl/spec/words.h"

namespace tessera::model {
namespace {

bool is_upper(const spec::TileSite& site) { return (site.tile_id & spec::kUpperOfPair) != 0; }

}  // namespace

void ExchangeSequencer::arm(uint32_t list, uint64_t issue) {
  state_ = State::kArmed;
  list_ = list;
  at_ = issue + 6;
  event_pending_ = true;
  last_done_ = false;
}

void ExchangeSequencer::start(uint64_t cycle) {
  if (state_ != State::kArmed) return;
  state_ = State::kRunning;
  paired_ = false;
  at_ = cycle + 1 + spec::ExchangeEvent::decode(event_).delay;
}

void ExchangeSequencer::read_event(const Memory& memory, MemoryUse& use, PortFault& fault) {
  if (!memory.contains(list_)) {
    fault.raise(spec::Cause::Config, list_);
    return;
  }
  if (!use.read(list_, kBothWords)) fault.raise(spec::Cause::Exchange, list_);
  event_ = memory.read(list_);
  list_ += 8;
}

void ExchangeSequencer::execute(uint64_t cycle, const spec::TileSite& site, const Memory& memory, MemoryUse& use,
                                PortFault& fault) {
  const auto event = spec::ExchangeEvent::decode(event_);
  if (event.count != 0) {
    const uint32_t address = 4 * event.word_address;
    const auto pair = static_cast<Pair>(event.pair);
    const bool unaligned = (address & 4) != 0 && !(event.is_receive && pair == Pair::kLends);
    const bool unfit = pair != Pair::kNone && (!site.in_pair || (!event.is_receive && event.pair != 1) || unaligned);
    if ((event.is_receive ? receive_left_ : send_left_) || unfit) {
      fault.raise(spec::Cause::Config, address);
      return;
    }
    if (event.is_receive) {
      // Who is early asks a cycle behind its selections, for when the other's half is there.
      receive_left_ = event.count + (pair == Pair::kEarly);
      receive_address_ = address;
      receive_pair_ = pair;
      receive_begins_ = true;
      source_ = static_cast<uint16_t>(event.source);
      paired_ |= pair == Pair::kEarly || pair == Pair::kLate;
    } else {
      send_left_ = event.count;
      send_address_ = address;
      send_paired_ = pair != Pair::kNone;
    }
  }
  if (event.last) {
    last_done_ = true;
  } else {
    read_event(memory, use, fault);
    at_ = cycle + 1 + spec::ExchangeEvent::decode(event_).delay;
  }
}

void ExchangeSequencer::read_ports(uint64_t cycle, const spec::TileSite& site, const Memory& memory, MemoryUse& use,
                                   PortFault& fault) {
  sent_[1] = sent_[0];
  sent_[0].valid = false;
  selecting_ = false;
  if (event_pending_ && cycle >= at_) {  // later when the tile was excepted in between
    event_pending_ = false;
    read_event(memory, use, fault);
  }
  if (!exchanging()) return;
  if (!last_done_ && cycle == at_) execute(cycle, site, memory, use, fault);
  if (send_left_) {
    if (!memory.contains(send_address_)) {
      fault.raise(spec::Cause::Config, send_address_);
    } else {
      if (!use.read(send_address_, send_paired_ ? kBothWords : word_at(send_address_)))
        fault.raise(spec::Cause::Exchange, send_address_);
      sent_[0] = {true, send_paired_, send_paired_ ? memory.read(send_address_) : memory.read_word(send_address_)};
    }
    send_address_ += send_paired_ ? 8 : 4;
    --send_left_;
  }
  const uint64_t landing = (cycle - 1 - site.select_latency) % kWay, now = cycle % kWay;
  lands_ = (asked_ >> landing & 1) != 0;
  place_ = places_[landing];
  asked_ &= ~(uint64_t{1} << landing);
  if (receive_left_) {
    --receive_left_;
    const bool early = receive_pair_ == Pair::kEarly;
    selecting_ = !early || receive_left_ != 0;
    if (receive_pair_ != Pair::kLends && !(early && receive_begins_)) {
      asked_ |= uint64_t{1} << now;
      places_[now] = {receive_address_, receive_pair_};
      receive_address_ += receive_pair_ == Pair::kNone ? 4 : 8;
    }
    receive_begins_ = false;
  }
}

void ExchangeSequencer::write_port(const chip::TileWords& in, uint64_t cycle, const spec::TileSite& site,
                                   bool worker_active, Memory& memory, MemoryUse& use, PortFault& fault,
                                   chip::PortWrites& written) {
  if (!exchanging()) return;
  if (lands_) {
    const auto& [place, pair] = place_;
    // Of a double word one half was on its port in the cycle before.
    const chip::TileWords& of_own = pair == Pair::kEarly ? held_ : in;
    const chip::TileWords& of_other = pair == Pair::kLate ? held_ : in;
    const bool valid = of_own.exchange_valid && (pair == Pair::kNone || of_other.pair_valid);
    if (!memory.contains(place)) {
      fault.raise(spec::Cause::Config, place);
    } else {
      if (!valid || worker_active || !use.write(place)) fault.raise(spec::Cause::Exchange, place);
      const uint32_t own = of_own.exchange_data, other = of_other.pair_data;
      if (valid && pair == Pair::kNone) {
        memory.write_word(place, own);
        written.received = {true, false, cycle, place, own};
      } else if (valid) {
        const uint32_t low = is_upper(site) ? other : own, high = is_upper(site) ? own : other;
        memory.write(place, uint64_t{high} << 32 | low, 0xff);
        written.received = {true, false, cycle, place, low, true};
        written.received_high = {true, false, cycle, place + 4, high, true};
      }
    }
  }
  if (paired_) held_ = in;
  // Idle from the cycle after the last event, the last send read and the last receive write.
  if (last_done_ && !send_left_ && !receive_left_ && asked_ == 0) state_ = State::kIdle;
}

void ExchangeSequencer::advance(const spec::TileSite& site, chip::TileOutputs& next) const {
  const Word& word = sent_[1];
  next.exchange_valid = word.valid;
  next.pair_valid = word.valid && word.paired;
  const auto low = static_cast<uint32_t>(word.data), high = static_cast<uint32_t>(word.data >> 32);
  if (word.valid) next.exchange_data = next.pair_valid && is_upper(site) ? high : low;
  if (next.pair_valid) next.pair_data = is_upper(site) ? low : high;
  next.paired = exchanging() && paired_;
  next.exchange_select = selecting_ ? source_ : chip::kNoTile;
  next.exchanging = exchanging();
}

}  // namespace tessera::model
