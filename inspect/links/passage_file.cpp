// How passages are written.
#include <fmt/format.h>

#include "formats/whole_file.h"
#include "inspect/links/link_picture.h"
#include "inspect/links/link_trace.h"
#include "inspect/links/link_wave.h"
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
    if (p.of_gateway()) {
      file_.write(of_gateway(p));
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
                            p.address, p.payload(), p.bad ? 1 : 0));
  }
  void close() override { file_.keep(); }

 private:
  std::string of_gateway(const Passage& p) const {
    const bool at_link = p.kind == Passage::Kind::kGatewayLink;
    const uint32_t from = at_link ? system_.gateway_links[p.lane.link].ends[p.lane.from] : p.chip;
    return fmt::format("{},{},{} {},{},{},{},,,{},{},{},{},{},{:x},{},\n", p.run, p.cycle,
                       at_link ? "gateway link" : "remote", p.reads ? "read" : "write", p.lane.link, from, p.to, p.left,
                       p.left_last, p.arrived, p.chip, p.tile, p.address, p.payload());
  }

  formats::WholeFile file_;
  const spec::System system_;
};

}  // namespace

std::unique_ptr<PassageFile> make_passage_file(const std::string& path, const spec::System& system) {
  if (path.ends_with(".fst")) return make_wave(path, system);
  if (path.ends_with(".json") || path.ends_with(".json.gz")) return make_picture(path, system);
  return std::make_unique<CommaSeparated>(path, system);
}

}  // namespace tessera::inspect::links
