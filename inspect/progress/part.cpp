#include "inspect/progress/part.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include "inspect/progress/standing.h"

namespace tessera::inspect::progress {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr uint64_t kCycles = 65536;  // between two looks at the clock, at most
constexpr Seconds kOnTerminal{1}, kInFile{60};

std::atomic<unsigned> asked{0};  // how often

class ProgressPart : public Part {
 public:
  ProgressPart(uint64_t seconds, const spec::ChipPlace& place)
      : first_(static_cast<double>(seconds)), place_(place), terminal_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressPart() override { clear(); }

  Needs needs() const override { return {false, kCycles, 0}; }

  void at_boundary(Run& run, const chip::Stop& stop) override {
    const Clock::time_point now = Clock::now();
    if (!last_) last_ = Mark{now, run.position()};
    if (const unsigned times = asked; std::exchange(answered_, times) != times) tell_all(run);
    if (place_.chip == 0 && now - last_->time >= (told_ ? (terminal_ ? kOnTerminal : kInFile) : first_)) tell(run, now);
    const bool goes_on = stop.reason == chip::StopReason::kSuperstep || stop.reason == chip::StopReason::kLimit;
    if (!goes_on) clear();  // the host may have something to say
  }

  void program_changed(const names::ProgramInfo&) override {
    clear();
    last_.reset();
    told_ = false;
  }
  void finish() override { clear(); }

 private:
  struct Mark {
    Clock::time_point time;
    uint64_t cycle;
  };

  void tell(Run& run, Clock::time_point now) {
    const double rate = static_cast<double>(run.position() - last_->cycle) / Seconds(now - last_->time).count();
    const std::string line = fmt::format("tessera: {}superstep {}, cycle {}, {:.2g} cycles/s: {}", of_chip(),
                                         run.boundary_before(run.position()).superstep, run.position(), rate,
                                         standing_line(run.program(), run.chip().waits()));
    if (terminal_) {
      std::fprintf(stderr, "\r\033[K%s", line.c_str());
      open_ = true;
    } else {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stderr);
    last_ = Mark{now, run.position()};
    told_ = true;
  }

  void tell_all(Run& run) {
    clear();
    std::string text = fmt::format("tessera: {}superstep {}, cycle {}\n", of_chip(),
                                   run.boundary_before(run.position()).superstep, run.position());
    for (const std::string& line : standing_lines(run.program(), run.chip().waits()))
      text += "tessera:   " + line + "\n";
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }

  std::string of_chip() const { return place_.chips > 1 ? fmt::format("chip {}: ", place_.chip) : ""; }

  // The line on the terminal goes.
  void clear() {
    if (std::exchange(open_, false)) std::fputs("\r\033[K", stderr);
  }

  const Seconds first_;
  const spec::ChipPlace place_;
  const bool terminal_;
  unsigned answered_ = asked;
  std::optional<Mark> last_;
  bool told_ = false, open_ = false;
};

}  // namespace

std::unique_ptr<Part> make_part(const Options& options, const spec::ChipPlace& place) {
  if (options.progress == 0) return nullptr;
  return std::make_unique<ProgressPart>(options.progress, place);
}

void ask() { ++asked; }

}  // namespace tessera::inspect::progress
