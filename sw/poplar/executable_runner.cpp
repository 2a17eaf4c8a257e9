#include "sw/poplar/executable_runner.h"

#include <errno.h>  // program_invocation_short_name

#include <algorithm>
#include <limits>
#include <poplar/exceptions.hpp>

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

void ExecutableRunner::deploy(const WorkerStart& workers) {
  loaded_ = false;
  cycle_ = 0;
  with_poplar_errors([&] {
    auto window = std::make_unique<card::HostWindow>(executable_.replicas * stride());
    owner_ = card_->take();
    card_->start();
    named_ = card_->wants_names();
    card_->use("loading a program", [&](card::Client& client) {
      if (const size_t there = client.identity().chips.size(); there != chips())
        throw poplar::poplar_error("the program is for " + std::to_string(chips()) + " chips, the device has " +
                                   std::to_string(there));
      if (named_) tell_names(client, false);
      load_image(client, executable_, workers);
      for (uint32_t number = 0; number < chips(); ++number) {
        client.choose(number);
        client.window(window->descriptor(), stride(), number / executable_.chips.size() * stride());
      }
      client.choose(0);
      if (limits_.host_sync != 0) cycle_ = client.counters().cycles;
    });
    window_ = std::move(window);
  });
  run_to_stop("starting the tiles");
  loaded_ = true;
}

// Every chip stands at a host sync afterwards.
void ExecutableRunner::run_to_stop(const std::string& what) {
  std::string failure, printed;
  with_poplar_errors([&] {
    card_->use_as(owner_, what, [&](card::Client& client) {
      const bool limited = limits_.host_sync != 0 && limits_.host_sync < kNoLimit - cycle_;
      const std::vector<chip::Stop> stops =
          client.run(limited ? cycle_ + limits_.host_sync : kNoLimit, limits_.compute);
      for (const chip::Stop& stop : stops) cycle_ = std::max(cycle_, stop.cycle);
      if (!std::all_of(stops.begin(), stops.end(), at_host_sync)) {
        if (aborted() != nullptr) return;  // the others of its replica's chips wait for it
        if (!named_) tell_names(client, true);
        failure = refused(client, stops);
        if (failure.empty()) failure = tell_stop(client, executable_, stops, limits_, what);
      } else if (!may_have_printed()) {
        return;
      }
      printed = take_printed(client, stops);
      client.choose(0);
    });
  });
  if (!printed.empty()) print_(printed);
  if (!failure.empty()) throw poplar::application_runtime_error(failure);
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
  for (uint32_t replica = 0; executable_.replicas > 1 && replica < executable_.replicas; ++replica) {
    const uint32_t now = event(replica);
    if (now == image::kEventDone || now > host.phases.size()) continue;
    for (const uint32_t stream : host.phases[now - 1])
      if (host.streams.at(stream).use == image::StreamUse::kAbort) return &host.streams[stream];
  }
  return nullptr;
}

// Whether the phase that the tiles stand in is one behind a compute set that prints.
bool ExecutableRunner::may_have_printed() const {
  const image::HostLayout& host = executable_.host;
  const uint32_t now = event(0);
  if (now == image::kEventDone || now > host.phases.size()) return false;
  const std::vector<uint32_t>& streams = host.phases[now - 1];
  return std::any_of(streams.begin(), streams.end(),
                     [&](uint32_t stream) { return host.streams.at(stream).use == image::StreamUse::kPrintf; });
}

std::string ExecutableRunner::take_printed(card::Client& client, const std::vector<chip::Stop>& stops) const {
  std::string text;
  for (uint32_t number = 0; !prints_.empty() && number < stops.size(); ++number) {
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

void ExecutableRunner::run(uint32_t program, const std::string& name, const Transfer& transfer) {
  const std::string what = "running " + name;
  loaded_ = false;  // until the program has come to its end
  uint32_t mark = program + 1;
  for (;;) {
    with_poplar_errors([&] {
      card_->use_as(owner_, what, [&](card::Client& client) {
        for (uint32_t number = chips(); number-- > 0;) {
          client.choose(number);
          client.write(spec::kRegMark, mark);
        }
      });
    });
    run_to_stop(what);
    if (const image::Stream* abort = aborted()) {
      transfer(*abort, window_->bytes(), 0);
      throw poplar::unknown_runtime_error("an abort has been passed over while " + what);
    }
    const uint32_t now = event(0);
    for (uint32_t replica = 1; replica < executable_.replicas; ++replica)
      if (event(replica) != now)
        throw poplar::application_runtime_error("replicas 0 and " + std::to_string(replica) +
                                                " have come to different exchanges with the host while " + what);
    if (now == image::kEventDone) break;
    const image::HostLayout& host = executable_.host;
    if (now > host.phases.size())
      throw poplar::unknown_runtime_error("the tiles ask for transfer " + std::to_string(now) + " while " + what +
                                          ", which the program does not have");
    for (const uint32_t stream : host.phases[now - 1])
      for (uint32_t replica = 0; replica < executable_.replicas; ++replica)
        transfer(host.streams.at(stream), window_->bytes().subspan(replica * stride(), stride()), replica);
    mark = kMarkGoOn;
  }
  loaded_ = true;
}

}  // namespace tessera::runtime
