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

// What the machine is told of the program, by the name of the process that runs it.
std::vector<uint8_t> names_of(const image::Executable& executable) {
  names::ProgramInfo info = executable.chip().info;
  info.title = ::program_invocation_short_name;
  return names::serialize(info);
}

constexpr uint32_t kMarkGoOn = 1;  // any mark answers a host sync inside a program

}  // namespace

void ExecutableRunner::prepare(std::shared_ptr<card::Card> card) {
  card_ = std::move(card);
  loaded_ = false;
}

void ExecutableRunner::print_to(const spec::Machine& machine, Print print) {
  prints_.emplace(executable_, machine);
  print_ = std::move(print);
}

void ExecutableRunner::deploy(const WorkerStart& workers) {
  loaded_ = false;
  if (executable_.chips.size() != 1)
    throw poplar::poplar_error("the program is for a system of " + std::to_string(executable_.chips.size()) +
                               " chips; this version runs systems of one chip");
  cycle_ = 0;
  with_poplar_errors([&] {
    auto window = std::make_unique<card::HostWindow>(executable_.host.bytes);
    owner_ = card_->take();
    card_->start();
    named_ = card_->wants_names();
    card_->use("loading a program", [&](card::Client& client) {
      if (named_) client.program(names_of(executable_), false);
      load_image(client, executable_, workers);
      client.window(window->descriptor(), window->bytes().size());
      if (limits_.host_sync != 0) cycle_ = client.counters().cycles;
    });
    window_ = std::move(window);
  });
  run_to_stop("starting the tiles");
  loaded_ = true;
}

chip::Stop ExecutableRunner::run_to_stop(const std::string& what) {
  chip::Stop stop;
  std::string failure, printed;
  with_poplar_errors([&] {
    card_->use_as(owner_, what, [&](card::Client& client) {
      const bool limited = limits_.host_sync != 0 && limits_.host_sync < kNoLimit - cycle_;
      stop = client.run(limited ? cycle_ + limits_.host_sync : kNoLimit, limits_.compute).front();
      cycle_ = stop.cycle;
      if (stop.reason != chip::StopReason::kHostSync) {
        if (!named_) client.program(names_of(executable_), true);
        failure = tell_stop(client, executable_, stop, limits_, what);
      } else if (!may_have_printed()) {
        return;
      }
      printed = take_printed(client, stop);
    });
  });
  if (!printed.empty()) print_(printed);
  if (!failure.empty()) throw poplar::application_runtime_error(failure);
  return stop;
}

// Whether the phase that the tiles stand in is one behind a compute set that prints.
bool ExecutableRunner::may_have_printed() const {
  const image::HostLayout& host = executable_.host;
  const uint32_t event = window_->word(host.event_offset);
  if (event == image::kEventDone || event > host.phases.size()) return false;
  const std::vector<uint32_t>& streams = host.phases[event - 1];
  return std::any_of(streams.begin(), streams.end(),
                     [&](uint32_t stream) { return host.streams.at(stream).use == image::StreamUse::kPrintf; });
}

std::string ExecutableRunner::take_printed(card::Client& client, const chip::Stop& stop) const {
  if (!prints_ || !prints_->any()) return "";
  // A tile that computes has to stand still before it can be read; its run is over in any case.
  if (stop.reason == chip::StopReason::kBudget || stop.reason == chip::StopReason::kLimit) client.halt(chip::kNoTile);
  return prints_->take(client);
}

void ExecutableRunner::run(uint32_t program, const std::string& name, const Transfer& transfer) {
  const std::string what = "running " + name;
  loaded_ = false;  // until the program has come to its end
  uint32_t mark = program + 1;
  for (;;) {
    with_poplar_errors(
        [&] { card_->use_as(owner_, what, [&](card::Client& client) { client.write(spec::kRegMark, mark); }); });
    run_to_stop(what);
    const uint32_t event = window_->word(executable_.host.event_offset);
    if (event == image::kEventDone) break;
    const image::HostLayout& host = executable_.host;
    if (event > host.phases.size())
      throw poplar::unknown_runtime_error("the tiles ask for transfer " + std::to_string(event) + " while " + what +
                                          ", which the program does not have");
    for (const uint32_t stream : host.phases[event - 1]) transfer(host.streams.at(stream), window_->bytes());
    mark = kMarkGoOn;
  }
  loaded_ = true;
}

}  // namespace tessera::runtime
