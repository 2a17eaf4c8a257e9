#include "inspect/waves/wave_contents.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

#include "inspect/trigger.h"
#include "inspect/waves/fst_file.h"
#include "inspect/waves/signals.h"

namespace tessera::inspect::waves {
namespace {

constexpr uint64_t kBeforeFailure = 70;  // cycles: what led to it matters more than what came after

// Shortly before the lowest tile's worker 0 computes its first number, or, without numbers, before workers begin.
// Loading, before superstep 1, is passed over.
uint64_t first_work(FstReader& reader, const SaveFile& file) {
  const bool loads = file.markers.size() > 1 && file.markers[0].name.starts_with("0");
  const uint64_t from = loads ? file.markers[1].cycle : file.begin;
  const auto first = [&](const std::string& scope, std::string_view name, auto begins) {
    uint64_t found = WindowGate::kNever;
    for (const FstSignal& signal : reader.signals())
      if (signal.scope == scope && signal.name.starts_with(name))
        reader.read({signal.handle}, [&](uint64_t cycle, uint32_t, std::string_view value) {
          if (cycle >= from && begins(value)) found = std::min(found, cycle);
        });
    return found;
  };
  const std::string tile = scope_of(file.tiles.front());
  uint64_t work =
      first(tile + ".worker0", "number", [](std::string_view value) { return !value.empty() && value != "0"; });
  if (work == WindowGate::kNever)
    work = first(tile, "active_workers", [](std::string_view value) { return value.find('1') != value.npos; });
  return work == WindowGate::kNever ? from : std::max(from, work - std::min(work, kBeforeMarker));
}

// The first exception of these tiles; of several in one cycle the lowest tile's.
std::optional<Failure> first_exception(FstReader& reader, const std::vector<spec::TileId>& tiles) {
  std::optional<Failure> found;
  for (const spec::TileId& tile : tiles) {
    const std::string scope = scope_of(tile) + ".exception";
    std::optional<Failure> here;
    uint64_t context = 0;
    std::map<uint32_t, std::string_view> names;
    for (const FstSignal& signal : reader.signals())
      if (signal.scope == scope && (signal.name.starts_with("cause") || signal.name.starts_with("context")))
        names.emplace(signal.handle, signal.name);
    std::vector<uint32_t> handles;
    for (const auto& [handle, name] : names) handles.push_back(handle);
    reader.read(handles, [&](uint64_t cycle, uint32_t handle, std::string_view value) {
      if (here && here->cycle != cycle) return;
      const bool one = value.find('1') != value.npos;
      if (names.at(handle).starts_with("context")) {
        context = one ? std::stoull(std::string(value), nullptr, 2) : 0;
      } else if (one) {
        here = Failure{cycle, tile, 0, true};
      }
      if (here) here->context = std::min<unsigned>(static_cast<unsigned>(context), kContexts - 1);
    });
    if (here && (!found || here->cycle < found->cycle)) found = here;
  }
  return found;
}

// At the end of the waves: the lowest worker that runs there, or else the supervisor.
Failure end_of(FstReader& reader, const spec::TileId& tile) {
  Failure end{reader.last_time(), tile, 0, false};
  for (const FstSignal& signal : reader.signals())
    if (signal.scope == scope_of(tile) && signal.name.starts_with("active_workers"))
      reader.read({signal.handle}, [&](uint64_t, uint32_t, std::string_view value) {
        const size_t lowest = value.rfind('1');
        end.context = lowest == value.npos ? 0 : static_cast<unsigned>(value.size() - lowest);
      });
  return end;
}

// Takes "chip12" and the dot behind it from the front of a scope.
std::optional<uint32_t> take_number(std::string_view& scope, std::string_view kind) {
  if (!scope.starts_with(kind)) return std::nullopt;
  const std::string_view rest = scope.substr(kind.size());
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc() || (end != rest.data() + rest.size() && *end != '.')) return std::nullopt;
  scope = rest.substr(std::min<size_t>(rest.size(), static_cast<size_t>(end - rest.data()) + 1));
  return number;
}

// The machine of the fabric in a file of every signal, from its scopes.
std::optional<FabricShape> fabric_in(FstReader& reader) {
  FabricShape shape;
  unsigned of_column = 0;
  const auto count = [](std::string_view scope, std::string_view before, unsigned& most) {
    const size_t at = scope.find(before);
    if (at == scope.npos) return false;
    unsigned number = 0;
    std::from_chars(scope.data() + at + before.size(), scope.data() + scope.size(), number);
    most = std::max(most, number + 1);
    return true;
  };
  for (const FstSignal& signal : reader.signals()) {
    if (count(signal.scope, ".u_exchange.g_column[", shape.columns)) count(signal.scope, ".g_tile[", of_column);
    count(signal.scope, ".u_edge.g_block[", shape.blocks);
    if (signal.scope.find(".u_exchange.g_side[0].") != std::string::npos) count(signal.scope, ".g_row[", shape.rows);
  }
  if (shape.rows == 0 || shape.columns == 0 || shape.blocks == 0) return std::nullopt;
  shape.lanes = of_column / shape.rows;
  return shape;
}

}  // namespace

SaveFile contents_of(const std::string& fst, const std::optional<spec::TileId>& ended_for) {
  FstReader reader(fst);
  SaveFile file;
  file.begin = reader.first_time();
  file.end = reader.last_time();
  file.all_signals = true;
  std::set<spec::TileId> tiles;
  std::map<uint32_t, uint32_t> names;  // handles of superstep names by chip
  for (const FstSignal& signal : reader.signals()) {
    std::string_view scope = signal.scope;
    const auto chip = take_number(scope, "chip");
    if (!chip) continue;
    if (scope.empty() && signal.name == "superstep_name") names[*chip] = signal.handle;
    const auto tile = take_number(scope, "tile");
    if (!tile) continue;
    tiles.insert({*chip, *tile});
    if (signal.scope.ends_with(".supervisor")) file.all_signals = false;
  }
  file.tiles.assign(tiles.begin(), tiles.end());
  if (tiles.empty()) throw std::runtime_error("waves: " + fst + " holds no tile: tessera has not written it");
  if (!names.empty())
    reader.read({names.begin()->second}, [&](uint64_t cycle, uint32_t, std::string_view name) {
      if (!name.empty()) file.markers.push_back({cycle, std::string(name)});
    });
  if (file.all_signals) file.fabric = fabric_in(reader);
  if (!file.all_signals) file.failure = first_exception(reader, file.tiles);
  if (!file.failure && ended_for && tiles.contains(*ended_for)) file.failure = end_of(reader, *ended_for);
  if (file.failure)
    file.view = std::max(file.begin, file.failure->cycle - std::min(file.failure->cycle, kBeforeFailure));
  else
    file.view = first_work(reader, file);
  return file;
}

}  // namespace tessera::inspect::waves
