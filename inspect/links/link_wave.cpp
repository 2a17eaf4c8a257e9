#include "inspect/links/link_wave.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "inspect/waves/fst_file.h"
#include "rtl/spec/remote_windows.h"
#include "rtl/spec/words.h"

namespace tessera::inspect::links {
namespace {

using waves::FstWriter;

// A scope a link, in it one for each direction of a channel; a scope a gateway, in it one for each chip, and a link of
// gateways, in it one for each direction and chip. Runs follow each other in time, which does not go back.
class Wave : public PassageFile {
 public:
  Wave(const std::string& path, const spec::System& system) : file_(path) {
    for (uint32_t number = 0; number < system.links.size(); ++number) {
      const spec::Link& link = system.links[number];
      file_.open_scope(fmt::format("link{}", number));
      for (unsigned from = 0; from < 2; ++from)
        for (unsigned channel = 0; channel < system.chips[link.ends[0].chip].link_words; ++channel) {
          file_.open_scope(
              fmt::format("chip{}_to_chip{}_channel{}", link.ends[from].chip, link.ends[1 - from].chip, channel));
          lanes_[{number, from, channel}] = {
              file_.text("packet"),   file_.bits("chip", 6),  file_.bits("tile", 11),      file_.bits("address", 32),
              file_.bits("words", 9), file_.bits("layer", 1), file_.bits("sent_again", 1), file_.text("arriving")};
          file_.close_scope();
        }
      file_.close_scope();
    }
    for (uint32_t number = 0; number < system.groups.size(); ++number) {
      file_.open_scope(fmt::format("sync_group{}", number));
      for (const uint32_t chip : system.groups[number].members)
        waits_[{number, chip}] = file_.bits(fmt::format("chip{}_waits", chip), 1);
      file_.close_scope();
    }
    add_gateways(system);
    run_ = file_.bits("run", 16);
    for (const auto& [lane, signals] : lanes_)
      for (const FstWriter::Handle text : {signals.packet, signals.arriving}) at(0).push_back({text, 0, "", true});
    for (const auto& [place, signals] : remote_)
      for (const FstWriter::Handle text : {signals.packet, signals.answer}) at(0).push_back({text, 0, "", true});
    at(0).push_back({run_, 0, "", false});
  }

  void write(const Passage& p) override {
    if (p.run != runs_) begin_run(p.run);
    if (p.of_gateway()) {
      write_of_gateway(p);
      return;
    }
    if (p.kind == Passage::Kind::kSync) {
      const FstWriter::Handle waits = waits_.at({p.lane.link, p.lane.from});
      at(p.left).push_back({waits, 1, "", false});
      at(p.cycle).push_back({waits, 0, "", false});
      return;
    }
    const Signals& lane = lanes_.at(p.lane);
    if (p.kind == Passage::Kind::kAgain) {
      at(p.cycle).push_back({lane.sent_again, 1, "", false});
      at(p.cycle + 1).push_back({lane.sent_again, 0, "", false});
      return;
    }
    const auto header = spec::PacketHeader::decode(p.header);
    const uint32_t words = p.payload();
    const std::string text =
        fmt::format("chip {} tile {}, {} at {:#x}{}", header.chip, header.tile, words, p.address, p.bad ? ", bad" : "");
    auto& begin = at(p.left);
    begin.push_back({lane.packet, 0, text, true});
    begin.push_back({lane.chip, header.chip, "", false});
    begin.push_back({lane.tile, header.tile, "", false});
    begin.push_back({lane.address, p.address, "", false});
    begin.push_back({lane.words, words, "", false});
    begin.push_back({lane.layer, p.layer, "", false});
    at(p.left_last + 1).push_back({lane.packet, 0, "", true});
    at(p.arrived).push_back({lane.arriving, 0, text, true});
    at(p.cycle + 1).push_back({lane.arriving, 0, "", true});
  }

  void settled(uint64_t cycle) override {
    for (; !changes_.empty() && changes_.begin()->first < cycle; changes_.erase(changes_.begin())) {
      last_ = std::max(last_, begin_ + changes_.begin()->first);
      file_.time(begin_ + changes_.begin()->first);
      for (const Change& change : changes_.begin()->second)
        if (change.is_text)
          file_.set(change.handle, std::string_view(change.text));
        else
          file_.set(change.handle, change.value);
    }
  }

  void close() override {
    settled(~uint64_t{0});
    file_.close();
  }

 private:
  struct Signals {
    FstWriter::Handle packet, chip, tile, address, words, layer, sent_again, arriving;
  };
  struct RemoteSignals {
    FstWriter::Handle packet, tile, address, words, answer;
  };
  struct Change {
    FstWriter::Handle handle;
    uint64_t value;
    std::string text;
    bool is_text;
  };
  std::vector<Change>& at(uint64_t cycle) { return changes_[cycle]; }

  // Behind all of the run before.
  void begin_run(unsigned run) {
    settled(~uint64_t{0});
    begin_ = last_ + 1;
    runs_ = run;
    at(0).push_back({run_, run, "", false});
  }

  void add_gateways(const spec::System& system) {
    const auto signals = [&](const std::string& scope) {
      file_.open_scope(scope);
      const RemoteSignals made = {file_.text("packet"), file_.bits("tile", 11), file_.bits("address", 40),
                                  file_.bits("words", 9), file_.text("answer")};
      file_.close_scope();
      return made;
    };
    std::map<link::LinkWatch::Lane, RemoteSignals>& all = remote_;
    for (uint32_t g = 0; g < system.gateways.size(); ++g) {
      file_.open_scope(fmt::format("gateway{}", g));
      for (const uint32_t chip : system.gateways[g].chips)
        all[{g, kAtGateway, chip}] = signals(fmt::format("chip{}", chip));
      file_.close_scope();
    }
    for (uint32_t l = 0; l < system.gateway_links.size(); ++l) {
      const auto& ends = system.gateway_links[l].ends;
      file_.open_scope(fmt::format("gateway_link{}", l));
      for (unsigned from = 0; from < 2; ++from)
        for (const uint32_t chip : passing(system, {l, from}))
          all[{l, from, chip}] =
              signals(fmt::format("gateway{}_to_gateway{}_chip{}", ends[from], ends[1 - from], chip));
      file_.close_scope();
    }
  }

  // Chips whose packets pass there.
  static std::set<uint32_t> passing(const spec::System& system, const spec::RemoteWindow::Hop& hop) {
    std::set<uint32_t> chips;
    for (uint32_t g = 0; g < system.gateways.size(); ++g)
      for (const spec::RemoteWindow& window : spec::remote_windows(system.gateways, system.gateway_links, g))
        if (std::ranges::find(window.way, hop) != window.way.end())
          chips.insert(system.gateways[g].chips.begin(), system.gateways[g].chips.end());
    return chips;
  }

  void write_of_gateway(const Passage& p) {
    const unsigned from = p.kind == Passage::Kind::kRemote ? kAtGateway : p.lane.from;
    const RemoteSignals& signals = remote_.at({p.lane.link, from, p.chip});
    const std::string text =
        fmt::format("tile {}, {} {} at {:#x}", p.tile, p.reads ? "reads" : "writes", p.payload(), p.address);
    auto& begin = at(p.left);
    begin.push_back({signals.packet, 0, text, true});
    begin.push_back({signals.tile, p.tile, "", false});
    begin.push_back({signals.address, p.address, "", false});
    begin.push_back({signals.words, p.payload(), "", false});
    // Before what begins in that cycle, which may have been written already.
    const auto ends = [&](FstWriter::Handle handle, uint64_t cycle) {
      at(cycle).insert(at(cycle).begin(), {handle, 0, "", true});
    };
    ends(signals.packet, p.left_last + 1);
    if (!p.reads) return;
    at(p.arrived).push_back({signals.answer, 0, text, true});
    ends(signals.answer, p.cycle);
  }

  FstWriter file_;
  std::map<link::LinkWatch::Lane, Signals> lanes_;
  std::map<std::pair<uint32_t, uint32_t>, FstWriter::Handle> waits_;  // by group and chip
  static constexpr unsigned kAtGateway = 2;                           // not an end of a link
  std::map<link::LinkWatch::Lane, RemoteSignals> remote_;             // by gateway or link, end of it, chip
  FstWriter::Handle run_ = 0;
  std::map<uint64_t, std::vector<Change>> changes_;  // of the run, by cycle
  unsigned runs_ = 0;
  uint64_t begin_ = 0, last_ = 0;  // times: of the run's cycle 0, and that were written
};

}  // namespace

std::unique_ptr<PassageFile> make_wave(const std::string& path, const spec::System& system) {
  return std::make_unique<Wave>(path, system);
}

}  // namespace tessera::inspect::links
