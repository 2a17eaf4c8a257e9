#include "sim/model/exchange_sequencer.h"

#include "rtl/spec/words.h"

namespace tessera::model {

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
  at_ = cycle + 1 + spec::ExchangeEvent::decode(event_).delay;
}

void ExchangeSequencer::read_event(const Memory& memory, ElementUse& use, PortFault& fault) {
  if (!memory.contains(list_)) {
    fault.raise(spec::Cause::Config, list_);
    return;
  }
  if (!use.read(memory.element_of(list_))) fault.raise(spec::Cause::Exchange, list_);
  event_ = memory.read(list_);
  list_ += 8;
}

void ExchangeSequencer::execute(uint64_t cycle, const Memory& memory, ElementUse& use, PortFault& fault) {
  const auto event = spec::ExchangeEvent::decode(event_);
  if (event.count != 0) {
    const uint32_t address = 4 * event.word_address;
    if (event.is_receive ? receive_left_ : send_left_) {
      fault.raise(spec::Cause::Config, address);
      return;
    }
    (event.is_receive ? receive_left_ : send_left_) = event.count;
    (event.is_receive ? receive_address_ : send_address_) = address;
    if (event.is_receive) source_ = static_cast<uint16_t>(event.source);
  }
  if (event.last) {
    last_done_ = true;
  } else {
    read_event(memory, use, fault);
    at_ = cycle + 1 + spec::ExchangeEvent::decode(event_).delay;
  }
}

void ExchangeSequencer::read_ports(uint64_t cycle, unsigned way, const Memory& memory, ElementUse& use,
                                   PortFault& fault) {
  sent_[1] = sent_[0];
  sent_[0].valid = false;
  selecting_ = false;
  if (event_pending_ && cycle == at_) {
    event_pending_ = false;
    read_event(memory, use, fault);
  }
  if (!exchanging()) return;
  if (!last_done_ && cycle == at_) execute(cycle, memory, use, fault);
  if (send_left_) {
    if (!memory.contains(send_address_)) {
      fault.raise(spec::Cause::Config, send_address_);
    } else {
      if (!use.read(memory.element_of(send_address_))) fault.raise(spec::Cause::Exchange, send_address_);
      sent_[0] = {true, memory.read_word(send_address_)};
    }
    send_address_ += 4;
    --send_left_;
  }
  const uint64_t landing = (cycle - way) % kWay, now = cycle % kWay;
  lands_ = (asked_ >> landing & 1) != 0;
  place_ = places_[landing];
  asked_ &= ~(uint64_t{1} << landing);
  if (receive_left_) {
    selecting_ = true;
    asked_ |= uint64_t{1} << now;
    places_[now] = receive_address_;
    receive_address_ += 4;
    --receive_left_;
  }
}

void ExchangeSequencer::write_port(const chip::TileInputs& in, bool worker_active, Memory& memory, ElementUse& use,
                                   PortFault& fault, chip::PortWrite& written) {
  if (!exchanging()) return;
  if (lands_) {
    if (!memory.contains(place_)) {
      fault.raise(spec::Cause::Config, place_);
    } else {
      if (!in.exchange_valid || worker_active || !use.write(memory.element_of(place_)))
        fault.raise(spec::Cause::Exchange, place_);
      if (in.exchange_valid) {
        memory.write_word(place_, in.exchange_data);
        written = {true, false, in.cycle, place_, in.exchange_data};
      }
    }
  }
  // Idle from the cycle after the last event, the last send read and the last receive write.
  if (last_done_ && !send_left_ && !receive_left_ && asked_ == 0) state_ = State::kIdle;
}

void ExchangeSequencer::advance(chip::TileOutputs& next) const {
  next.exchange_valid = sent_[1].valid;
  next.exchange_data = sent_[1].valid ? sent_[1].data : 0;
  next.exchange_select = selecting_ ? source_ : chip::kNoTile;
  next.exchanging = exchanging();
}

}  // namespace tessera::model
