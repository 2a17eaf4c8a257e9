#include "inspect/waves/save_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "inspect/trigger.h"
#include "inspect/waves/all_signals.h"
#include "inspect/waves/fst_file.h"
#include "inspect/waves/signals.h"

namespace tessera::inspect::waves {
namespace {

namespace fs = std::filesystem;

// Flags of a line of a save file, as GTKWave counts them.
constexpr unsigned kRight = 0x20, kByFile = 0x2000, kByProcess = 0x4000;
constexpr unsigned kOpen = 0x800200, kOpenClosed = 0xc00200, kClose = 0x1000200, kCloseClosed = 0x1400200;

unsigned flags_of(Shown shown) {
  switch (shown) {
    case Shown::Hex:
      return kRight | 0x2;
    case Shown::Decimal:
      return kRight | 0x4;
    case Shown::Binary:
      return kRight | 0x8;
    case Shown::Single:
      return kRight | 0x8;
    case Shown::Text:
      return kRight | 0x2;
  }
  return kRight;
}

std::string with_range(const Signal& signal) {
  return signal.bits <= 1 ? signal.name : fmt::format("{}[{}:0]", signal.name, signal.bits - 1);
}

// Writes the lines of a save file's body; GTKWave numbers filters in the order of their first use.
class Body {
 public:
  explicit Body(const SaveFile& file) : file_(file) {}

  void open(const std::string& title, bool closed) {
    text_ += fmt::format("@{:x}\n-{}\n", closed ? kOpenClosed : kOpen, title);
    groups_.push_back({title, closed});
  }
  void close() {
    text_ += fmt::format("@{:x}\n-{}\n", groups_.back().closed ? kCloseClosed : kClose, groups_.back().title);
    groups_.pop_back();
  }
  void signal(const std::string& scope, const std::string& label, const Signal& signal) {
    unsigned flags = flags_of(signal.shown);
    std::string filter;
    if (signal.names == Names::Instructions) {
      if (!file_.disassembler.empty()) {
        flags |= kByProcess;
        filter = fmt::format("^>{} {}\n", 1, file_.disassembler);
      }
    } else if (signal.names != Names::None) {
      flags |= kByFile;
      const std::string path = fmt::format("{}/{}.txt", file_.names_folder, file_of(signal.names));
      const auto [at, fresh] = filters_.try_emplace(path, filters_.size() + 1);
      filter = fmt::format("^{} {}\n", at->second, path);
    }
    const std::string name = scope + "." + with_range(signal);
    names_.push_back(name);
    text_ += fmt::format("@{:x}\n{}", flags, filter);
    if (signal.color != 0) text_ += fmt::format("[color] {}\n", signal.color);
    text_ += label.empty() ? name + "\n" : fmt::format("+{{{}}} {}\n", label, name);
  }

  const std::string& text() const { return text_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Group {
    std::string title;
    bool closed;
  };
  const SaveFile& file_;
  std::string text_;
  std::vector<Group> groups_;
  std::map<std::string, size_t> filters_;
  std::vector<std::string> names_;
};

void add_scope(Body& body, const std::string& tile, const Scope& scope) {
  const std::string path = *scope.name ? tile + "." + scope.name : tile;
  const bool context = scope.signals.size() == kContextSignals;
  if (*scope.title) body.open(scope.title, scope.closed);
  for (size_t i = 0; i < scope.signals.size(); ++i) {
    if (context && i == static_cast<size_t>(ContextSignal::Function))
      body.open(fmt::format("more of {}", scope.title), true);
    body.signal(path, scope.signals[i].name, scope.signals[i]);
  }
  if (context) body.close();
  if (*scope.title) body.close();
}

// What a tile does and its contexts first, its ports below.
void add_architecture(Body& body, spec::TileId tile, uint32_t chips, bool first) {
  const std::string top = scope_of(tile);
  const std::vector<Scope>& scopes = tile_scopes();
  const size_t contexts = scopes.size() - kContexts;
  body.open(spec::tile_text(tile, chips), !first);
  add_scope(body, top, scopes[0]);
  for (size_t i = contexts; i < scopes.size(); ++i) add_scope(body, top, scopes[i]);
  for (size_t i = 1; i < contexts; ++i) add_scope(body, top, scopes[i]);
  body.close();
}

Body body_of(const SaveFile& file) {
  Body body(file);
  const uint32_t chips = file.tiles.empty() ? 1 : file.tiles.back().chip + 1;
  if (file.all_signals) {
    for (const spec::TileId& tile : file.tiles) {
      body.open(spec::tile_text(tile, chips), false);
      for (const Scope& group : all_signal_groups()) {
        body.open(group.title, group.closed);
        for (const Signal& signal : group.signals) body.signal(scope_of(tile), "", signal);
        body.close();
      }
      body.close();
    }
    return body;
  }
  for (size_t i = 0; i < file.tiles.size(); ++i) {
    const uint32_t chip = file.tiles[i].chip;
    if (i > 0 && file.tiles[i - 1].chip == chip) continue;
    const std::string of_chip = chips > 1 ? fmt::format("chip {} ", chip) : "";
    body.signal(chip_scope(chip), of_chip + "superstep", {"superstep", 32, Shown::Decimal, Names::None, 3});
    body.signal(chip_scope(chip), of_chip + "superstep name", {"superstep_name", 0, Shown::Text, Names::None, 3});
  }
  for (const spec::TileId& tile : file.tiles) add_architecture(body, tile, chips, tile == file.tiles.front());
  return body;
}

// So many cycles are seen at first: instructions can be read. GTKWave shows 2^-zoom time units in 200 pixels.
constexpr double kCycles = 90, kPixels = 1240;
constexpr uint64_t kBefore = 40;  // cycles of them before what one looks for, where the marker stands
double zoom() { return -std::log2(kCycles / kPixels * 200); }

// "1 Copy(weights, localWeights)": less of a step's name, for markers stand close.
std::string shortened(std::string name) {
  for (const std::string part : {"variable ", "stream ", "'"})
    for (size_t at = name.find(part); at != std::string::npos; at = name.find(part)) name.erase(at, part.size());
  constexpr size_t kMost = 60;
  if (name.size() > kMost) name = name.substr(0, kMost - 3) + "...";
  return name;
}

// tessera-disassemble stands with the other tools: beside this program, or as the build and the installation have it.
std::string disassembler() {
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    for (const char* place : {"tessera-disassemble", "bin/tessera-disassemble", "waves/tessera-disassemble"})
      if (fs::exists(folder / place, error)) return (folder / place).string();
  return "";
}

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
  return work == WindowGate::kNever ? from : std::max(from, work - std::min(work, kBefore));
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

// The FST's tiles, depth, times, and supersteps with their names.
SaveFile look_into(const std::string& fst) {
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
  file.view = first_work(reader, file);
  return file;
}

}  // namespace

std::string text_of(const SaveFile& file) {
  std::string text = "[*] Tessera\n";
  text += fmt::format("[dumpfile] \"{}\"\n[savefile] \"{}\"\n", file.fst, file.path);
  text += fmt::format("[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n", file.view);
  const size_t markers = std::min(file.markers.size(), kMarkers);
  text += fmt::format("*{:.6f} {}", zoom(), file.view + kBefore);
  for (size_t i = 0; i < kMarkers; ++i)
    text += i < markers ? fmt::format(" {}", file.markers[i].cycle) : std::string(" -1");
  text += "\n";
  for (size_t i = 0; i < markers; ++i)
    text += fmt::format("[markername] {}{}\n", static_cast<char>('A' + i), shortened(file.markers[i].name));
  text += "[sst_width] 1\n[signals_width] 330\n[sst_expanded] 0\n";
  return text + body_of(file).text() + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

std::vector<std::string> shown_signals(const SaveFile& file) { return body_of(file).names(); }

void write_value_names(const std::string& folder) {
  fs::create_directories(folder);
  for (const Names table :
       {Names::States, Names::Zones, Names::Tiles, Names::Causes, Names::Contexts, Names::Registers, Names::Flags}) {
    const std::string path = fmt::format("{}/{}.txt", folder, file_of(table));
    std::ofstream out(path);
    for (const auto& [code, name] : value_names(table)) out << code << " " << name << "\n";
    out.close();
    if (!out) throw std::runtime_error("waves: " + path + " cannot be written");
  }
}

void write(const SaveFile& file) {
  write_value_names(file.names_folder);
  std::ofstream out(file.path);
  out << text_of(file);
  out.close();
  if (!out) throw std::runtime_error("waves: " + file.path + " cannot be written");
}

SaveFile beside(SaveFile file, const std::string& fst, const std::string& path) {
  const fs::path absolute = fs::absolute(fst);
  const fs::path save = path.empty() ? fs::path(absolute).replace_extension(".gtkw") : fs::absolute(path);
  file.fst = absolute.string();
  file.path = save.string();
  file.names_folder = fs::path(save).replace_extension(".names").string();
  file.disassembler = disassembler();
  return file;
}

std::string write_save_file(const std::string& fst, const std::string& path) {
  const SaveFile file = beside(look_into(fst), fst, path);
  write(file);
  return file.path;
}

}  // namespace tessera::inspect::waves
