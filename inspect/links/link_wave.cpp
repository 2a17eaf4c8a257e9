#include "inspect/links/link_wave.h"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "inspect/waves/fst_file.h"
#include "rtl/spec/words.h"

namespace tessera::inspect::links {
namespace {

using waves::FstWriter;

// A scope a link, in it one for each direction of a channel.
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
    for (const auto& [lane, signals] : lanes_)
      for (const FstWriter::Handle text : {signals.packet, signals.arriving}) at(0).push_back({text, 0, "", true});
  }

  // Of the first run: time does not go back.
  void write(const Passage& p) override {
    if (p.run != 0) return;
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
    const uint32_t words = p.words < 2 ? 0 : p.words - 2;
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
      file_.time(changes_.begin()->first);
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
  struct Change {
    FstWriter::Handle handle;
    uint64_t value;
    std::string text;
    bool is_text;
  };
  std::vector<Change>& at(uint64_t cycle) { return changes_[cycle]; }

  FstWriter file_;
  std::map<link::LinkWatch::Lane, Signals> lanes_;
  std::map<std::pair<uint32_t, uint32_t>, FstWriter::Handle> waits_;  // by group and chip
  std::map<uint64_t, std::vector<Change>> changes_;
};

}  // namespace

std::unique_ptr<PassageFile> make_wave(const std::string& path, const spec::System& system) {
  return std::make_unique<Wave>(path, system);
}

}  // namespace tessera::inspect::links
