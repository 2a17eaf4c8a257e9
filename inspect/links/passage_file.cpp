// How passages are written.
#include <fmt/format.h>

#include <set>

#include "formats/whole_file.h"
#include "inspect/links/link_trace.h"
#include "inspect/links/link_wave.h"
#include "inspect/trace/perfetto_file.h"
#include "rtl/spec/words.h"

namespace tessera::inspect::links {
namespace {

class CommaSeparated : public PassageFile {
 public:
  CommaSeparated(const std::string& path, const spec::System& system) : file_(path), system_(system) {
    file_.write("run,cycle,event,link,from,to,channel,layer,left,left_last,arrived,chip,tile,address,words,bad\n");
  }
  void write(const Passage& p) override {
    if (p.kind == Passage::Kind::kSync) {
      file_.write(fmt::format("{},{},group sync,{},{},{},,,{},,,,,,,\n", p.run, p.cycle, p.lane.link, p.lane.from,
                              p.lane.from, p.left));
      return;
    }
    const spec::Link& link = system_.links[p.lane.link];
    const uint32_t from = link.ends[p.lane.from].chip, to = link.ends[1 - p.lane.from].chip;
    if (p.kind == Passage::Kind::kAgain) {
      file_.write(fmt::format("{},{},sent again,{},{},{},{},,,,,,,,,\n", p.run, p.cycle, p.lane.link, from, to,
                              p.lane.channel));
      return;
    }
    const auto header = spec::PacketHeader::decode(p.header);
    file_.write(fmt::format("{},{},packet,{},{},{},{},{},{},{},{},{},{},{:x},{},{}\n", p.run, p.cycle, p.lane.link,
                            from, to, p.lane.channel, p.layer, p.left, p.left_last, p.arrived, header.chip, header.tile,
                            p.address, p.words < 2 ? 0 : p.words - 2, p.bad ? 1 : 0));
  }
  void close() override { file_.keep(); }

 private:
  formats::WholeFile file_;
  const spec::System system_;
};

// A process a link, a thread a direction of a channel: a packet is a slice from its first word here to its last there.
class Picture : public PassageFile {
 public:
  Picture(const std::string& path, const spec::System& system) : file_(path), system_(system) {}

  void write(const Passage& p) override {
    if (p.kind == Passage::Kind::kSync) {
      file_.slice(track_of_group(p), p.left, p.cycle, "waits for the group");
      return;
    }
    const auto track = track_of(p);
    if (p.kind == Passage::Kind::kAgain) {
      file_.instant(track, p.cycle, "sent again");
      return;
    }
    const auto header = spec::PacketHeader::decode(p.header);
    file_.slice(track, p.left, p.left_last + 1, fmt::format("to chip {} tile {}", header.chip, header.tile),
                {{"address", fmt::format("{:#x}", p.address)},
                 {"words", std::to_string(p.words < 2 ? 0 : p.words - 2)},
                 {"layer", std::to_string(p.layer)},
                 {"there", fmt::format("{} to {}", p.arrived, p.cycle)},
                 {"bad", p.bad ? "yes" : "no"}});
  }
  void close() override { file_.close(); }

 private:
  // Of link or group `number` of a run: links first.
  uint32_t process_of(unsigned run, uint32_t number) const {
    return 1 + run * static_cast<uint32_t>(system_.links.size() + system_.groups.size()) + number;
  }
  std::string run_text(unsigned run) const { return run == 0 ? "" : fmt::format("run {} ", run); }

  trace::PerfettoFile::Track track_of_group(const Passage& p) {
    const auto links = static_cast<uint32_t>(system_.links.size());
    const trace::PerfettoFile::Track track{process_of(p.run, links + p.lane.link), 1 + p.lane.from};
    if (named_.insert({track.process, 0}).second)
      file_.process(track.process, fmt::format("{}sync group {}", run_text(p.run), p.lane.link));
    if (named_.insert({track.process, track.thread}).second) file_.thread(track, fmt::format("chip {}", p.lane.from));
    return track;
  }

  trace::PerfettoFile::Track track_of(const Passage& p) {
    const spec::Link& link = system_.links[p.lane.link];
    const trace::PerfettoFile::Track track{process_of(p.run, p.lane.link), 1 + 2 * p.lane.channel + p.lane.from};
    const auto end = [&](unsigned e) { return fmt::format("chip {} port {}", link.ends[e].chip, link.ends[e].port); };
    if (named_.insert({track.process, 0}).second)
      file_.process(track.process, fmt::format("{}link {}: {}, {}", run_text(p.run), p.lane.link, end(0), end(1)));
    if (named_.insert({track.process, track.thread}).second)
      file_.thread(track, fmt::format("chip {} to chip {}, channel {}", link.ends[p.lane.from].chip,
                                      link.ends[1 - p.lane.from].chip, p.lane.channel));
    return track;
  }

  trace::PerfettoFile file_;
  const spec::System system_;
  std::set<std::pair<uint32_t, uint32_t>> named_;
};

}  // namespace

std::unique_ptr<PassageFile> make_passage_file(const std::string& path, const spec::System& system) {
  if (path.ends_with(".fst")) return make_wave(path, system);
  if (path.ends_with(".json") || path.ends_with(".json.gz")) return std::make_unique<Picture>(path, system);
  return std::make_unique<CommaSeparated>(path, system);
}

}  // namespace tessera::inspect::links
