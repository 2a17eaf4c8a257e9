#include "inspect/trace/perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "inspect/trace/exchange_runs.h"
#include "inspect/trace/perfetto_file.h"
#include "inspect/trace/tables.h"
#include "inspect/trace/traffic.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/remote_address.h"
#include "rtl/spec/words.h"

namespace tessera::inspect::trace {
namespace {

using Track = PerfettoFile::Track;

// Processes: 1 the chip, 2 the host, from kFirstTile on the tiles. Threads of each, in the order shown.
constexpr uint32_t kChip = 1, kHost = 2, kGateway = 3, kFirstTile = 16;
constexpr uint32_t kSupersteps = 1, kPhases = 2;
constexpr uint32_t kHostThread = 1, kToHost = 2, kToTiles = 3;
constexpr uint32_t kSupervisor = 1, kExchange = 8, kSends = 9, kReceives = 10;  // 2..7: workers
constexpr uint32_t kPacketsOut = 11, kPacketsIn = 12;

struct Open {
  uint64_t begin = 0;
  std::string name;
  PerfettoFile::Details details;
};

struct PacketOpen {
  uint64_t begin = 0, next = 0;
  std::vector<uint32_t> words;
};

// What a packet carries, and to or from which tensor where its words say so (docs/reference/edge.md).
std::string packet_name(const std::vector<uint32_t>& words, uint32_t tile, bool out, const Names& names) {
  using spec::PacketKind;
  const auto header = spec::PacketHeader::decode(words.front());
  const bool asks = header.kind == PacketKind::kReadHost || header.kind == PacketKind::kReadRemote;
  const size_t tile_address = asks ? 2 : 1;  // word that holds it
  const auto data = [&] {
    const std::string name = words.size() > tile_address ? names.data(tile, words[tile_address]) : "";
    return name.empty() ? "" : " for " + name;
  };
  switch (header.kind) {
    case PacketKind::kWriteHost:
    case PacketKind::kWriteRemote:
      return fmt::format("{} words of {}", header.words, names.tile(tile));
    case PacketKind::kReadHost:
    case PacketKind::kReadRemote:
      return fmt::format("{} asks for {} words{}", names.tile(tile), header.words, data());
    case PacketKind::kResponse:
      return fmt::format("{} words to {}{}", header.words, names.tile(tile), data());
    case PacketKind::kWriteTile:
      if (out)
        return fmt::format("{} words of {} for chip {} tile {}", header.words, names.tile(tile), header.chip,
                           header.tile);
      return fmt::format("{} words of another chip to {}{}", header.words, names.tile(tile), data());
    default:
      return fmt::format("packet of unknown kind {}", header.kind);
  }
}

class Slices {
 public:
  Slices(PerfettoFile& out, Names& names) : out_(out), names_(names) {}

  void add(const Event& e) {
    switch (e.kind) {
      case EventKind::kRetire:
        return supervisor(e);
      case EventKind::kEntered:
        inside_[{e.tile, e.context}] = e;
        return;
      case EventKind::kLeft:
        return vertex(e);
      case EventKind::kExchanging:
        return exchange(e);
      case EventKind::kSent:
        ++words_[e.tile].first;
        return;
      case EventKind::kReceived:
        ++words_[e.tile].second;
        return;
      case EventKind::kSyncRequest:
        if (e.address != spec::SyncZone::kAutomatic) waits_[e.tile] = e;  // for that the supervisor does not wait
        return;
      case EventKind::kSyncAcknowledge:
        return acknowledge(e);
      case EventKind::kHostSync:
        host_sync_ = e.cycle;
        return;
      case EventKind::kDebugTime:
        // Accesses while the host is notified belong to its turn.
        if (!host_sync_) out_.slice({kHost, kHostThread}, e.cycle, e.to, "debug accesses");
        return;
      case EventKind::kPacketOut:
        return packet(e, packets_out_[e.tile], e.flag);
      case EventKind::kPacketIn:
        if (e.flag) end_packet(e.tile, packets_in_[e.tile], false);
        return packet(e, packets_in_[e.tile], false);
      case EventKind::kExcepted:
        out_.instant({kFirstTile + e.tile, kSupervisor + e.context}, e.cycle,
                     "exception " + std::string(spec::cause_name(static_cast<uint8_t>(e.address))),
                     {{"pc", fmt::format("{:#x}", e.from)}, {"value", fmt::format("{:#x}", e.value)}});
        return;
      default:
        return;
    }
  }

  void end(uint64_t cycle) {
    for (auto& [tile, step] : steps_) out_.slice({kFirstTile + tile, kSupervisor}, step.begin, cycle, step.name);
    for (const auto& [tile, wait] : waits_) show_wait(wait, cycle);
    for (const auto& [key, e] : inside_) show_vertex(e, cycle);
    for (const auto& [tile, begin] : exchanging_) show_exchange(tile, begin, cycle);
    for (auto& [tile, open] : packets_out_) end_packet(tile, open, true);
    for (auto& [tile, open] : packets_in_) end_packet(tile, open, false);
    if (host_sync_) out_.slice({kHost, kHostThread}, *host_sync_, cycle, "host sync, not answered");
  }

 private:
  // The supervisor is in a step until an instruction of another one.
  void supervisor(const Event& e) {
    if (e.context != 0) return;
    names_.follow(e);
    const std::string& name = names_.step(e);
    if (name.empty()) return;
    auto [step, fresh] = steps_.try_emplace(e.tile);
    if (!fresh && step->second.name == name) return;
    if (!fresh) out_.slice({kFirstTile + e.tile, kSupervisor}, step->second.begin, e.cycle, step->second.name);
    step->second = {e.cycle, name, {}};
  }

  void vertex(const Event& e) {
    const auto entered = inside_.find({e.tile, e.context});
    if (entered == inside_.end()) return;
    show_vertex(entered->second, e.cycle);
    inside_.erase(entered);
  }
  void show_vertex(const Event& in, uint64_t end) {
    out_.slice({kFirstTile + in.tile, kSupervisor + in.context}, in.cycle, end, names_.codelet(in),
               {{"vertex", names_.vertex(in)}, {"state", fmt::format("{:#x}", in.address)}});
  }

  void exchange(const Event& e) {
    if (e.flag) {
      exchanging_[e.tile] = e.cycle;
      words_[e.tile] = {};
      return;
    }
    const auto begun = exchanging_.find(e.tile);
    if (begun == exchanging_.end()) return;
    show_exchange(e.tile, begun->second, e.cycle);
    exchanging_.erase(begun);
  }
  void show_exchange(uint32_t tile, uint64_t begin, uint64_t end) {
    out_.slice(
        {kFirstTile + tile, kExchange}, begin, end, "exchange",
        {{"words sent", std::to_string(words_[tile].first)}, {"words received", std::to_string(words_[tile].second)}});
  }

  void acknowledge(const Event& e) {
    for (const auto& [tile, wait] : waits_) show_wait(wait, e.to);
    waits_.clear();
    if (!host_sync_) return;
    out_.slice({kHost, kHostThread}, *host_sync_, e.cycle, fmt::format("host sync, answered with mark {}", e.value));
    host_sync_.reset();
  }
  void show_wait(const Event& wait, uint64_t end) {
    out_.slice({kFirstTile + wait.tile, kSupervisor}, wait.cycle, end,
               fmt::format("waits at {} sync", spec::zone_name(wait.address)));
  }

  void packet(const Event& e, PacketOpen& open, bool last) {
    if (open.words.empty()) open.begin = e.cycle;
    open.words.push_back(e.value);
    open.next = e.cycle + 1;
    if (last) end_packet(e.tile, open, true);
  }
  // On the tile's track, and, to or from the host, on the host's for the direction; to remote memory, on the gateway's.
  // What comes from there comes as from the host.
  void end_packet(uint32_t tile, PacketOpen& open, bool out) {
    if (open.words.empty()) return;
    const std::string name = packet_name(open.words, tile, out, names_);
    PerfettoFile::Details details;
    if (const auto step = steps_.find(tile); step != steps_.end()) details.emplace_back("step", step->second.name);
    const auto header = spec::PacketHeader::decode(open.words[0]);
    const bool of_gateway =
        header.kind == spec::PacketKind::kWriteRemote || header.kind == spec::PacketKind::kReadRemote;
    const bool of_host = header.kind != spec::PacketKind::kWriteTile && !of_gateway;
    if (out && open.words.size() > 1)
      details.emplace_back(
          of_gateway ? "remote address"
          : of_host  ? "host address"
                     : "tile address",
          fmt::format("{:#x}", of_gateway ? spec::remote_address(header, open.words[1]) : open.words[1]));
    out_.slice({kFirstTile + tile, out ? kPacketsOut : kPacketsIn}, open.begin, open.next, name, details);
    if (of_gateway) {
      if (!std::exchange(has_gateway_, true)) {
        out_.process(kGateway, "gateway");
        out_.thread({kGateway, kToHost}, "transfers to remote memory");
      }
      out_.slice({kGateway, kToHost}, open.begin, open.next, name, details);
    }
    if (of_host) out_.slice({kHost, out ? kToHost : kToTiles}, open.begin, open.next, name, details);
    open.words.clear();
  }

  PerfettoFile& out_;
  Names& names_;
  std::map<uint32_t, Open> steps_;
  std::map<uint32_t, Event> waits_;
  std::map<std::pair<uint32_t, unsigned>, Event> inside_;
  std::map<uint32_t, uint64_t> exchanging_;
  std::map<uint32_t, std::pair<uint64_t, uint64_t>> words_;  // sent, received
  std::map<uint32_t, PacketOpen> packets_out_, packets_in_;
  std::optional<uint64_t> host_sync_;
  bool has_gateway_ = false;  // a packet has gone there
};

void name_tracks(PerfettoFile& out, const TraceReader& reader, const Selection& selection) {
  out.process(kChip, "chip " + (reader.place().chips > 1 ? std::to_string(reader.place().chip) + " " : "") +
                         reader.chip().machine);
  out.thread({kChip, kSupersteps}, "supersteps");
  out.thread({kChip, kPhases}, "phases");
  out.process(kHost, "host");
  out.thread({kHost, kHostThread}, "host thread");
  out.thread({kHost, kToHost}, "transfers to the host");
  out.thread({kHost, kToTiles}, "transfers to tiles");
  for (const uint32_t tile : reader.chip().tiles) {
    if (!selection.wants(tile, 0)) continue;
    const uint32_t process = kFirstTile + tile;
    out.process(process, reader.place().tile(tile));
    out.thread({process, kSupervisor}, "supervisor");
    for (unsigned worker = 0; worker < 6; ++worker)
      out.thread({process, kSupervisor + 1 + worker}, fmt::format("worker {}", worker));
    out.thread({process, kExchange}, "exchange");
    out.thread({process, kSends}, "sends");
    out.thread({process, kReceives}, "receives");
    out.thread({process, kPacketsOut}, "packets out");
    out.thread({process, kPacketsIn}, "packets in");
  }
}

void show_sent(PerfettoFile& out, const SentRun& run) {
  out.slice({kFirstTile + run.tile, kSends}, run.begin, run.end, "sends", {{"words", std::to_string(run.words)}});
}

void show_received(PerfettoFile& out, const Names& names, const ReceivedRun& run) {
  PerfettoFile::Details details = {{"words", std::to_string(run.words)}};
  std::string tensor;
  if (run.first) {
    details.emplace_back("address", fmt::format("{:#x}", *run.first));
    tensor = names.data(run.tile, *run.first);
    if (!tensor.empty()) details.emplace_back("first", tensor);
    if (const std::string last = names.data(run.tile, *run.last); !last.empty()) details.emplace_back("last", last);
  }
  const Track receives{kFirstTile + run.tile, kReceives}, sends{kFirstTile + run.source, kSends};
  out.slice(receives, run.begin, run.end, "from " + names.tile(run.source), details);
  out.flow(sends, run.sent, receives, run.begin, tensor.empty() ? "exchange" : tensor);
}

}  // namespace

void write_perfetto(TraceReader& reader, size_t run, const Selection& chosen, const std::string& path) {
  PerfettoFile out(path);
  name_tracks(out, reader, chosen);
  const uint64_t end = std::min(end_of(reader, run), chosen.to);
  Names names(reader.runs().at(run).program, reader.place());
  const SuperstepTable table = superstep_table(reader, run);
  for (const SuperstepRow& row : table.rows) {
    if (row.times.begin >= end || row.times.end <= chosen.from) continue;
    out.slice({kChip, kSupersteps}, row.times.begin, row.times.end, fmt::format("superstep {}", row.times.index),
              {{"steps", row.steps}, {"retired", std::to_string(row.times.retired)}});
  }
  for (const Phase& phase : table.phases)
    if (phase.begin < end && phase.end > chosen.from)
      out.slice({kChip, kPhases}, phase.begin, phase.end, name_of(phase.kind));
  Slices slices(out, names);
  Traffic traffic(std::max(story_of(reader.runs()[run]).cycle(), chosen.from), [&](const Traffic::Change& c) {
    out.counter(c.tile == chip::kNoTile ? kChip : kFirstTile + c.tile, c.cycle, c.counter, c.series, c.value);
  });
  ExchangeRuns exchange(
      reader.machine(), [&](const SentRun& sent) { show_sent(out, sent); },
      [&](const ReceivedRun& received) { show_received(out, names, received); });
  Selection selection = chosen;
  selection.lanes = ~0u;
  reader.read(run, selection, [&](const Event& e) {
    slices.add(e);
    traffic.add(e);
    exchange.add(e);
  });
  slices.end(end);
  traffic.end(end);
  exchange.end();
  out.close();
}

}  // namespace tessera::inspect::trace
