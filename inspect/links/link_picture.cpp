#include "inspect/links/link_picture.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "inspect/trace/perfetto_file.h"
#include "rtl/spec/words.h"

namespace tessera::inspect::links {
namespace {

// A process a link, a thread a direction of a channel: a packet is a slice from its first word here to its last there.
// A process a gateway, and a link of gateways, in it two threads a chip: its packets, and the answers to them.
class Picture : public PassageFile {
 public:
  Picture(const std::string& path, const spec::System& system) : file_(path), system_(system) {}

  void write(const Passage& p) override {
    if (p.kind == Passage::Kind::kSync) {
      file_.slice(track_of_group(p), p.left, p.cycle, "waits for the group");
      return;
    }
    if (p.of_gateway()) {
      write_of_gateway(p);
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
                 {"words", std::to_string(p.payload())},
                 {"layer", std::to_string(p.layer)},
                 {"there", fmt::format("{} to {}", p.arrived, p.cycle)},
                 {"bad", p.bad ? "yes" : "no"}});
  }
  void close() override { file_.close(); }

 private:
  // Of a run's links, groups, gateways and links of gateways, in this order.
  uint32_t process_of(unsigned run, size_t number) const {
    const size_t all =
        system_.links.size() + system_.groups.size() + system_.gateways.size() + system_.gateway_links.size();
    return static_cast<uint32_t>(1 + run * all + number);
  }
  std::string run_text(unsigned run) const { return run == 0 ? "" : fmt::format("run {} ", run); }

  trace::PerfettoFile::Track track_of_group(const Passage& p) {
    const trace::PerfettoFile::Track track{process_of(p.run, system_.links.size() + p.lane.link), 1 + p.lane.from};
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

  void write_of_gateway(const Passage& p) {
    const bool at_link = p.kind == Passage::Kind::kGatewayLink;
    const uint32_t number = p.lane.link;
    size_t before = system_.links.size() + system_.groups.size() + number;
    if (at_link) before += system_.gateways.size();
    const uint32_t process = process_of(p.run, before);
    if (named_.insert({process, 0}).second) {
      const auto name = [&](uint32_t gateway) { return "'" + system_.gateways[gateway].name + "'"; };
      file_.process(process, run_text(p.run) + (at_link ? fmt::format("gateway link {}: {}, {}", number,
                                                                      name(system_.gateway_links[number].ends[0]),
                                                                      name(system_.gateway_links[number].ends[1]))
                                                        : fmt::format("gateway {}: {}", number, name(number))));
    }
    // One behind the other, for each chip.
    const trace::PerfettoFile::Track packets{process, 1 + 2 * p.chip}, answers{process, 2 + 2 * p.chip};
    if (named_.insert({process, packets.thread}).second) {
      file_.thread(packets, fmt::format("packets of chip {}", p.chip));
      file_.thread(answers, fmt::format("answers to chip {}", p.chip));
    }
    const trace::PerfettoFile::Details details = {{"tile", std::to_string(p.tile)},
                                                  {"address", fmt::format("{:#x}", p.address)},
                                                  {"words", std::to_string(p.payload())},
                                                  {"gateway", system_.gateways[p.to].name}};
    file_.slice(packets, p.left, p.left_last + 1, p.reads ? "read" : "write", details);
    if (p.reads) file_.slice(answers, p.arrived, p.cycle, "answer", details);
  }

  trace::PerfettoFile file_;
  const spec::System system_;
  std::set<std::pair<uint32_t, uint32_t>> named_;
};

}  // namespace

std::unique_ptr<PassageFile> make_picture(const std::string& path, const spec::System& system) {
  return std::make_unique<Picture>(path, system);
}

}  // namespace tessera::inspect::links
