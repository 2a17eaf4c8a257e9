#include "inspect/waves/save_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "formats/whole_file.h"
#include "inspect/waves/all_signals.h"
#include "inspect/waves/signals.h"
#include "inspect/waves/wave_contents.h"

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

void add_scope(Body& body, const std::string& tile, const Scope& scope, bool closed) {
  const std::string path = *scope.name ? tile + "." + scope.name : tile;
  const bool context = scope.signals.size() == kContextSignals;
  if (*scope.title) body.open(scope.title, closed);
  for (size_t i = 0; i < scope.signals.size(); ++i) {
    if (context && i == static_cast<size_t>(ContextSignal::Function))
      body.open(fmt::format("more of {}", scope.title), true);
    body.signal(path, scope.signals[i].name, scope.signals[i]);
  }
  if (context) body.close();
  if (*scope.title) body.close();
}

// What a tile does and its contexts first, its ports below.
void add_architecture(Body& body, spec::TileId tile, uint32_t chips, const SaveFile& file) {
  const std::string top = scope_of(tile);
  const std::vector<Scope>& scopes = tile_scopes();
  const size_t contexts = scopes.size() - kContexts;
  const Failure* failed = file.failure && file.failure->tile == tile ? &*file.failure : nullptr;
  const auto add = [&](size_t i) {
    bool closed = scopes[i].closed;
    if (failed && i > contexts) closed = i != contexts + failed->context;
    if (failed && failed->exception && scopes[i].name == std::string_view("exception")) closed = false;
    add_scope(body, top, scopes[i], closed);
  };
  body.open(spec::tile_text(tile, chips), file.failure ? !failed : tile != file.tiles.front());
  add(0);
  for (size_t i = contexts; i < scopes.size(); ++i) add(i);
  for (size_t i = 1; i < contexts; ++i) add(i);
  body.close();
}

void add_fabric(Body& body, const SaveFile& file) {
  const uint32_t chip = file.tiles.empty() ? 0 : file.tiles.front().chip;
  std::vector<unsigned> tiles;
  for (const spec::TileId& tile : file.tiles)
    if (tile.chip == chip) tiles.push_back(tile.tile);
  body.open("fabric", false);
  for (const FabricGroup& group : fabric_groups(*file.fabric, tiles)) {
    body.open(group.title, group.closed);
    for (const FabricSignal& s : group.signals)
      body.signal(chip_scope(chip), "", {s.name.c_str(), s.bits, s.shown, s.names, s.color});
    body.close();
  }
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
    if (file.fabric) add_fabric(body, file);
    return body;
  }
  for (size_t i = 0; i < file.tiles.size(); ++i) {
    const uint32_t chip = file.tiles[i].chip;
    if (i > 0 && file.tiles[i - 1].chip == chip) continue;
    const std::string of_chip = chips > 1 ? fmt::format("chip {} ", chip) : "";
    body.signal(chip_scope(chip), of_chip + "superstep", {"superstep", 32, Shown::Decimal, Names::None, 3});
    body.signal(chip_scope(chip), of_chip + "superstep name", {"superstep_name", 0, Shown::Text, Names::None, 3});
  }
  for (const spec::TileId& tile : file.tiles) add_architecture(body, tile, chips, file);
  return body;
}

// So many cycles are seen at first: instructions can be read. GTKWave shows 2^-zoom time units in 200 pixels.
constexpr double kCycles = 90, kPixels = 1240;
double zoom() { return -std::log2(kCycles / kPixels * 200); }

// "1 Copy(weights, localWeights)": less of a step's name, for markers stand close.
std::string shortened(std::string name) {
  const std::string part = "stream ";
  for (size_t at = name.find(part); at != std::string::npos; at = name.find(part)) name.erase(at, part.size());
  constexpr size_t kMost = 60;
  if (name.size() > kMost) name = name.substr(0, kMost - 3) + "...";
  return name;
}

// The supersteps, and what the run ended for, if only the first of them find a place.
std::vector<Marker> shown_markers(const SaveFile& file) {
  std::vector<Marker> shown = file.markers;
  shown.resize(std::min(shown.size(), file.failure ? kMarkers - 1 : kMarkers));
  if (file.failure) {
    const Failure& failed = *file.failure;
    const uint32_t chips = file.tiles.empty() ? 1 : file.tiles.back().chip + 1;
    const std::string context = failed.context == 0 ? "supervisor" : fmt::format("worker {}", failed.context - 1);
    shown.push_back({failed.cycle, fmt::format("{}: {} {}", failed.exception ? "exception" : "end",
                                               spec::tile_text(failed.tile, chips), context)});
  }
  return shown;
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

}  // namespace

std::string text_of(const SaveFile& file) {
  std::string text = "[*] Tessera\n";
  text += fmt::format("[dumpfile] \"{}\"\n[savefile] \"{}\"\n", file.fst, file.path);
  text += fmt::format("[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n", file.view);
  const std::vector<Marker> markers = shown_markers(file);
  text += fmt::format("*{:.6f} {}", zoom(), file.failure ? file.failure->cycle : file.view + kBeforeMarker);
  for (size_t i = 0; i < kMarkers; ++i)
    text += i < markers.size() ? fmt::format(" {}", markers[i].cycle) : std::string(" -1");
  text += "\n";
  for (size_t i = 0; i < markers.size(); ++i)
    text += fmt::format("[markername] {}{}\n", static_cast<char>('A' + i), shortened(markers[i].name));
  text += "[sst_width] 1\n[signals_width] 330\n[sst_expanded] 0\n";
  return text + body_of(file).text() + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

std::vector<std::string> shown_signals(const SaveFile& file) { return body_of(file).names(); }

void write_value_names(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw std::runtime_error("waves: " + folder + " cannot be made: " + error.message());
  for (const Names table :
       {Names::States, Names::Zones, Names::Tiles, Names::Causes, Names::Contexts, Names::Registers, Names::Flags}) {
    const std::string path = fmt::format("{}/{}.txt", folder, file_of(table));
    std::string lines;
    for (const auto& [code, name] : value_names(table)) lines += code + " " + name + "\n";
    formats::write_whole_file(path, lines);
  }
}

void write(const SaveFile& file) {
  write_value_names(file.names_folder);
  formats::write_whole_file(file.path, text_of(file));
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

std::string write_save_file(const std::string& fst, const std::string& path,
                            const std::optional<spec::TileId>& ended_for) {
  const SaveFile file = beside(contents_of(fst, ended_for), fst, path);
  write(file);
  return file.path;
}

}  // namespace tessera::inspect::waves
