#include "sw/poplar/executable_runner.h"

#include <errno.h>  // program_invocation_short_name

#include <algorithm>
#include <limits>
#include <poplar/exceptions.hpp>
#include <span>

#include "rtl/spec/registers.h"
#include "sw/poplar/card_errors.h"
#include "sw/poplar/image_loader.h"
#include "sw/poplar/stop_report.h"

namespace tessera::runtime {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// What the machine is told of a chip's program, by the name of the process that runs it.
std::vector<uint8_t> names_of(const image::ChipImage& chip) {
  names::ProgramInfo info = chip.info;
  info.title = ::program_invocation_short_name;
  return names::serialize(info);
}

bool at_host_sync(const chip::Stop& stop) { return stop.reason == chip::StopReason::kHostSync; }

constexpr uint64_t kPage = 4096;
constexpr uint32_t kMarkGoOn = 1;  // any mark answers a host sync inside a program

}  // namespace

void ExecutableRunner::prepare(std::shared_ptr<card::Card> card) {
  card_ = std::move(card);
  loaded_ = false;
}

void ExecutableRunner::print_to(const spec::Machine& machine, Print print) {
  prints_.clear();
  for (const image::ChipImage& chip : executable_.chips) prints_.emplace_back(chip, machine);
  print_ = std::move(print);
}

// Of the windows of replicas that follow each other.
uint64_t ExecutableRunner::stride() const { return std::max<uint64_t>(executable_.replica_stride(), kPage); }

void ExecutableRunner::tell_names(card::Client& client, bool already_there) const {
  for (uint32_t number = 0; number < chips(); ++number) {
    client.choose(number);
    client.program(names_of(executable_.chips[number % executable_.chips.size()]), already_there);
  }
  client.choose(0);
}

void ExecutableRunner::make_parties() {
  parties_.clear();
  if (!executable_.replica_hosts) parties_.push_back({.first = 0, .replicas = executable_.replicas});
  for (uint32_t replica = 0; executable_.replica_hosts && replica < executable_.replicas; ++replica)
    parties_.push_back({.first = replica, .replicas = 1});
}

void ExecutableRunner::deploy(const WorkerStart& workers) {
  loaded_ = false;
  make_parties();
  with_poplar_errors([&] {
    auto window = std::make_unique<card::HostWindow>(executable_.replicas * stride());
    owner_ = card_->take();
    card_->start();
    named_ = card_->wants_names();
    card_->use("loading a program", [&](card::Client& client) {
      if (const size_t there = client.identity().chips.size(); there != chips())
        throw poplar::poplar_error("the program is for " + std::to_string(chips()) + " chips, the device has " +
                                   std::to_string(there));
      client.replicas(executable_.replica_syncs ? of_replica() : 0, executable_.replica_hosts);
      if (named_) tell_names(client, false);
      load_image(client, executable_, workers);
      for (uint32_t number = 0; number < chips(); ++number) {
        client.choose(number);
        client.window(window->descriptor(), stride(), number / of_replica() * stride());
      }
      client.choose(0);
      if (limits_.host_sync == 0) return;
      for (Party& party : parties_) party.cycle = client.counters().cycles;
    });
    window_ = std::move(window);
  });
  while (std::ranges::any_of(parties_, [](const Party& party) { return !party.waits; }))
    run_to_stop("starting the tiles");
  loaded_ = true;
}

// The cycle beyond which the first party that runs would be too late. One that waits for others is not.
uint64_t ExecutableRunner::limit() const {
  uint64_t first = kNoLimit;
  for (const Party& party : parties_)
    if (!party.waits && !party.held && limits_.host_sync != 0 && limits_.host_sync < kNoLimit - party.cycle)
      first = std::min(first, party.cycle + limits_.host_sync);
  return first;
}

// Parties all of whose chips have come to a host sync, by its cycle.
std::vector<ExecutableRunner::Party*> ExecutableRunner::asking(const std::vector<chip::Stop>& stops) {
  std::vector<Party*> all;
  for (Party& party : parties_) {
    const auto own = std::span(stops).subspan(first_chip(party), end_chip(party) - first_chip(party));
    party.held = std::ranges::all_of(own, waits_for_others);
    if (party.waits || !std::ranges::all_of(own, at_host_sync)) continue;
    party.waits = true;
    for (const chip::Stop& stop : own) party.cycle = std::max(party.cycle, stop.cycle);
    all.push_back(&party);
  }
  std::ranges::stable_sort(all, {}, [](const Party* party) { return party->cycle; });
  return all;
}

// The stops, but for chips that are to be told of no more than others that wait: their party is not late.
std::vector<chip::Stop> ExecutableRunner::late(const std::vector<chip::Stop>& stops) const {
  std::vector<chip::Stop> told = stops;
  for (const Party& party : parties_)
    for (uint32_t number = first_chip(party); number < end_chip(party); ++number)
      if (told[number].reason == chip::StopReason::kLimit &&
          (party.waits || told[number].cycle - party.cycle < limits_.host_sync))
        told[number].reason = chip::StopReason::kGroupSync;
  return told;
}

// The parties that have come to a host sync.
std::vector<ExecutableRunner::Party*> ExecutableRunner::run_to_stop(const std::string& what) {
  std::string failure, printed;
  std::vector<Party*> asked;
  with_poplar_errors([&] {
    card_->use_as(owner_, what, [&](card::Client& client) {
      std::vector<chip::Stop> stops;
      uint64_t most;
      do {
        most = limit();
        stops = client.run(most, limits_.compute);
        asked = asking(stops);
        // Who would have been late first waits for others by now.
      } while (asked.empty() && limit() > most &&
               std::ranges::any_of(stops, [](const auto& stop) { return stop.reason == chip::StopReason::kLimit; }));
      most = limit();
      // What has come too far ends the run; whoever stands still may wait for replicas that the host is to answer.
      const bool too_far = std::ranges::any_of(stops, [&](const chip::Stop& stop) {
        return stop.reason == chip::StopReason::kBudget ||
               (stop.reason == chip::StopReason::kLimit && stop.cycle >= most);
      });
      if (too_far || asked.empty()) {
        if (aborted() != nullptr) return;  // the others of its replica's chips wait for it
        if (!named_) tell_names(client, true);
        failure = refused(client, stops);
        if (failure.empty()) failure = tell_stop(client, executable_, late(stops), limits_, what);
        printed = take_printed(client, stops, 0, chips());
      }
      for (const Party* party : asked)
        if (failure.empty() && may_have_printed(*party))
          printed += take_printed(client, stops, first_chip(*party), end_chip(*party));
      client.choose(0);
    });
  });
  if (!printed.empty()) print_(printed);
  if (!failure.empty()) throw poplar::application_runtime_error(failure);
  return asked;
}

std::string ExecutableRunner::refused(card::Client& client, const std::vector<chip::Stop>& stops) const {
  std::string why;
  for (uint32_t number = 0; explain_ && number < stops.size() && why.empty(); ++number) {
    if (!stops[number].refusal) continue;
    client.choose(number);
    why = explain_(client, *stops[number].refusal);
  }
  return why;
}

// That a replica has given last.
uint32_t ExecutableRunner::event(uint32_t replica) const {
  return window_->word(static_cast<uint32_t>(replica * stride() + executable_.host.event_offset));
}

const image::Stream* ExecutableRunner::aborted() const {
  const image::HostLayout& host = executable_.host;
  for (uint32_t replica = 0; parties_[0].replicas > 1 && replica < executable_.replicas; ++replica) {
    const uint32_t now = event(replica);
    if (now == image::kEventDone || now > host.phases.size()) continue;
    for (const uint32_t stream : host.phases[now - 1])
      if (host.streams.at(stream).use == image::StreamUse::kAbort) return &host.streams[stream];
  }
  return nullptr;
}

// Whether the phase that the party stands in is one behind a compute set that prints.
bool ExecutableRunner::may_have_printed(const Party& party) const {
  const image::HostLayout& host = executable_.host;
  const uint32_t now = event(party.first);
  if (now == image::kEventDone || now > host.phases.size()) return false;
  const std::vector<uint32_t>& streams = host.phases[now - 1];
  return std::any_of(streams.begin(), streams.end(),
                     [&](uint32_t stream) { return host.streams.at(stream).use == image::StreamUse::kPrintf; });
}

std::string ExecutableRunner::take_printed(card::Client& client, const std::vector<chip::Stop>& stops, uint32_t first,
                                           uint32_t end) const {
  std::string text;
  for (uint32_t number = first; !prints_.empty() && number < end; ++number) {
    const CodeletPrints& prints = prints_[number % prints_.size()];
    if (!prints.any()) continue;
    client.choose(number);
    // A tile that computes has to stand still before it can be read; its run is over in any case.
    const chip::StopReason reason = stops[number].reason;
    if (reason == chip::StopReason::kBudget || reason == chip::StopReason::kLimit) client.halt(chip::kNoTile);
    text += prints.take(client, chips());
  }
  return text;
}

void ExecutableRunner::answer(Party& party, uint32_t mark, const std::string& what) {
  with_poplar_errors([&] {
    card_->use_as(owner_, what, [&](card::Client& client) {
      for (uint32_t number = end_chip(party); number-- > first_chip(party);) {
        client.choose(number);
        client.write(spec::kRegMark, mark);
      }
    });
  });
  party.waits = party.held = false;
}

// What a party wants of the host, which all its replicas have to agree on.
uint32_t ExecutableRunner::event(const Party& party, const std::string& what) const {
  const uint32_t now = event(party.first);
  for (uint32_t replica = party.first + 1; replica < party.first + party.replicas; ++replica)
    if (event(replica) != now)
      throw poplar::application_runtime_error("replicas 0 and " + std::to_string(replica) +
                                              " have come to different exchanges with the host while " + what);
  if (now != image::kEventDone && now > executable_.host.phases.size())
    throw poplar::unknown_runtime_error("the tiles ask for transfer " + std::to_string(now) + " while " + what +
                                        ", which the program does not have");
  return now;
}

void ExecutableRunner::run(uint32_t program, const std::string& name, const Transfer& transfer) {
  const std::string what = "running " + name;
  loaded_ = false;  // until the program has come to its end
  for (Party& party : parties_) answer(party, program + 1, what);
  for (size_t done = 0; done < parties_.size();) {
    const std::vector<Party*> asked = run_to_stop(what);
    if (const image::Stream* abort = aborted()) {
      transfer(*abort, window_->bytes(), 0);
      throw poplar::unknown_runtime_error("an abort has been passed over while " + what);
    }
    for (Party* party : asked) {
      const uint32_t now = event(*party, what);
      if (now == image::kEventDone) {
        ++done;
        continue;
      }
      const image::HostLayout& host = executable_.host;
      for (const uint32_t stream : host.phases[now - 1])
        for (uint32_t replica = party->first; replica < party->first + party->replicas; ++replica)
          transfer(host.streams.at(stream), window_->bytes().subspan(replica * stride(), stride()), replica);
      answer(*party, kMarkGoOn, what);
    }
  }
  loaded_ = true;
}

}  // namespace tessera::runtime
