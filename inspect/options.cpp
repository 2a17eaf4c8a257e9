#include "inspect/options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace tessera::inspect {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  size_t from = 0;
  for (size_t end; (end = text.find(at, from)) != std::string::npos; from = end + 1)
    parts.push_back(text.substr(from, end - from));
  parts.push_back(text.substr(from));
  return parts;
}

// Decimal, or hexadecimal after 0x.
std::optional<uint64_t> number(const std::string& text) {
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* first = text.data() + (hex ? 2 : 0);
  const char* last = text.data() + text.size();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc() || end != last || first == last) return std::nullopt;
  return value;
}

std::string hex(uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

constexpr unsigned kMostTiles = 1 << 16;  // more than any machine has
constexpr unsigned kMostChips = 1 << 16;  // more than any system has

unsigned tile_number(const std::string& text) {
  const auto value = number(trimmed(text));
  if (!value || *value >= kMostTiles) throw BadOption("'" + trimmed(text) + "' is no tile");
  return static_cast<unsigned>(*value);
}

// "1:3-5" begins with a chip, and so much is taken from the text; without one it is chip 0.
uint32_t take_chip(std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return 0;
  const std::string chip = trimmed(text.substr(0, colon));
  text.erase(0, colon + 1);
  const auto value = number(chip);
  if (!value || *value >= kMostChips) throw BadOption("'" + chip + "' is no chip");
  return static_cast<uint32_t>(*value);
}

std::string chip_prefix(uint32_t chip) { return chip == 0 ? "" : std::to_string(chip) + ":"; }

struct Prefix {
  const char* name;
  Trigger::Kind kind;
  bool named, hex;  // its value may be a name; its number is written in hexadecimal
};
constexpr Prefix kPrefixes[] = {{"superstep", Trigger::Kind::kSuperstep, false, false},
                                {"cycle", Trigger::Kind::kCycle, false, false},
                                {"exception", Trigger::Kind::kException, false, false},
                                {"pc", Trigger::Kind::kPc, true, true},
                                {"vertex", Trigger::Kind::kVertex, true, false},
                                {"address", Trigger::Kind::kAddress, false, true},
                                {"sync", Trigger::Kind::kSync, false, false}};

bool flag(const std::string& text) {
  if (text == "true" || text == "1" || text == "on") return true;
  if (text == "false" || text == "0" || text == "off") return false;
  throw BadOption("'" + text + "' is neither true nor false");
}

uint64_t count(const std::string& text, uint64_t least) {
  const auto value = number(text);
  if (!value || *value < least) throw BadOption("'" + text + "' is no number from " + std::to_string(least) + " on");
  return *value;
}

std::string port(const std::string& text) {
  const size_t colon = text.rfind(':');
  const auto value = number(colon == std::string::npos ? text : text.substr(colon + 1));
  if (!text.empty() && (!value || *value > 65535 || colon == 0))
    throw BadOption("'" + text + "' is neither PORT nor HOST:PORT");
  return text;
}

bool depth(const std::string& text) {
  if (text != "architecture" && text != "all") throw BadOption("'" + text + "' is neither architecture nor all");
  return text == "all";
}

std::string fabric(const std::string& text) {
  if (!text.empty() && text != "rtl" && text != "engine") throw BadOption("'" + text + "' is neither rtl nor engine");
  return text;
}

const char* word(bool value) { return value ? "true" : "false"; }

// One row a key, in the order in which they are written.
struct Key {
  const char* name;
  void (*set)(Options&, const std::string&);
  std::string (*get)(const Options&);
};
constexpr Key kKeys[] = {
    {"waves", [](Options& o, const std::string& v) { o.waves = v; }, [](const Options& o) { return o.waves; }},
    {"wave-tiles", [](Options& o, const std::string& v) { o.wave_window.tiles = parse_tiles(v); },
     [](const Options& o) { return text(o.wave_window.tiles); }},
    {"wave-from", [](Options& o, const std::string& v) { o.wave_window.from = parse_trigger(v); },
     [](const Options& o) { return text(o.wave_window.from); }},
    {"wave-for", [](Options& o, const std::string& v) { o.wave_window.length = parse_length(v); },
     [](const Options& o) { return text(o.wave_window.length); }},
    {"wave-depth", [](Options& o, const std::string& v) { o.wave_all_signals = depth(v); },
     [](const Options& o) { return std::string(o.wave_all_signals ? "all" : "architecture"); }},
    {"rtl-window", [](Options& o, const std::string& v) { o.rtl_window = flag(v); },
     [](const Options& o) { return std::string(word(o.rtl_window)); }},
    {"fabric", [](Options& o, const std::string& v) { o.fabric = fabric(v); },
     [](const Options& o) { return o.fabric; }},
    {"trace", [](Options& o, const std::string& v) { o.trace = v; }, [](const Options& o) { return o.trace; }},
    {"trace-tiles", [](Options& o, const std::string& v) { o.trace_window.tiles = parse_tiles(v); },
     [](const Options& o) { return text(o.trace_window.tiles); }},
    {"trace-from", [](Options& o, const std::string& v) { o.trace_window.from = parse_trigger(v); },
     [](const Options& o) { return text(o.trace_window.from); }},
    {"trace-for", [](Options& o, const std::string& v) { o.trace_window.length = parse_length(v); },
     [](const Options& o) { return text(o.trace_window.length); }},
    {"trace-registers", [](Options& o, const std::string& v) { o.trace_registers = flag(v); },
     [](const Options& o) { return std::string(word(o.trace_registers)); }},
    {"gdb", [](Options& o, const std::string& v) { o.gdb = port(v); }, [](const Options& o) { return o.gdb; }},
    {"gdb-tiles", [](Options& o, const std::string& v) { o.gdb_tiles = parse_tiles(v); },
     [](const Options& o) { return text(o.gdb_tiles); }},
    {"gdb-halt", [](Options& o, const std::string& v) { o.gdb_halt = flag(v); },
     [](const Options& o) { return std::string(word(o.gdb_halt)); }},
    {"gdb-file", [](Options& o, const std::string& v) { o.gdb_file = v; }, [](const Options& o) { return o.gdb_file; }},
    {"on-failure", [](Options& o, const std::string& v) { o.on_failure = v; },
     [](const Options& o) { return o.on_failure; }},
    {"failure-supersteps", [](Options& o, const std::string& v) { o.failure_supersteps = count(v, 1); },
     [](const Options& o) { return std::to_string(o.failure_supersteps); }},
    {"check", [](Options& o, const std::string& v) { o.check = flag(v); },
     [](const Options& o) { return std::string(word(o.check)); }},
    {"snapshots", [](Options& o, const std::string& v) { o.snapshots = flag(v); },
     [](const Options& o) { return std::string(word(o.snapshots)); }},
    {"snapshot-every", [](Options& o, const std::string& v) { o.snapshot_every = count(v, 0); },
     [](const Options& o) { return std::to_string(o.snapshot_every); }},
    {"snapshot-memory", [](Options& o, const std::string& v) { o.snapshot_memory = count(v, 1); },
     [](const Options& o) { return std::to_string(o.snapshot_memory); }},
    {"progress", [](Options& o, const std::string& v) { o.progress = count(v, 0); },
     [](const Options& o) { return std::to_string(o.progress); }},
    {"link-trace", [](Options& o, const std::string& v) { o.link_trace = v; },
     [](const Options& o) { return o.link_trace; }},
    {"faults", [](Options& o, const std::string& v) { o.faults = v; }, [](const Options& o) { return o.faults; }},
};

// What a key belongs to, and does nothing without.
struct Companion {
  const char *key, *of, *or_of = nullptr;
};
constexpr Companion kCompanions[] = {{"wave-tiles", "waves"},
                                     {"wave-from", "waves"},
                                     {"wave-for", "waves"},
                                     {"wave-depth", "waves"},
                                     {"rtl-window", "waves", "trace"},
                                     {"trace-tiles", "trace"},
                                     {"trace-from", "trace"},
                                     {"trace-for", "trace"},
                                     {"trace-registers", "trace"},
                                     {"gdb-tiles", "gdb"},
                                     {"gdb-halt", "gdb"},
                                     {"gdb-file", "gdb"},
                                     {"failure-supersteps", "on-failure"}};

// Throws BadOption for an entry that is no key=value, and for a key given twice.
std::vector<std::pair<std::string, std::string>> entries(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const std::string& part : split(text, ';')) {
    const std::string entry = trimmed(part);
    if (entry.empty()) continue;
    const size_t equals = entry.find('=');
    if (equals == std::string::npos) throw BadOption("inspection option '" + entry + "' is no key=value");
    const std::string key = trimmed(entry.substr(0, equals));
    for (const auto& [other, value] : list)
      if (other == key) throw BadOption("inspection option '" + key + "' is given twice");
    list.emplace_back(key, trimmed(entry.substr(equals + 1)));
  }
  return list;
}

}  // namespace

bool TileSet::has(spec::TileId tile) const { return all || std::binary_search(tiles.begin(), tiles.end(), tile); }

std::vector<unsigned> TileSet::of(unsigned machine_tiles, const spec::ChipPlace& place) const {
  std::vector<unsigned> on_chip;
  if (all) {
    for (unsigned tile = 0; tile < machine_tiles; ++tile) on_chip.push_back(tile);
    return on_chip;
  }
  for (const spec::TileId& id : tiles) {
    if (id.chip >= place.chips)
      throw BadOption("there is no chip " + std::to_string(id.chip) + ": the system has " +
                      std::to_string(place.chips) + (place.chips == 1 ? " chip" : " chips") + ", from 0 on");
    if (id.tile >= machine_tiles)
      throw BadOption("there is no " + spec::tile_text(id, place.chips) + ": the machine has " +
                      std::to_string(machine_tiles) + " tiles, from 0 on");
    if (id.chip == place.chip) on_chip.push_back(id.tile);
  }
  return on_chip;
}

TileSet parse_tiles(const std::string& text) {
  TileSet set;
  if (trimmed(text) == "all") return set;
  set.all = false;
  for (std::string part : split(text, ',')) {
    const uint32_t chip = take_chip(part);
    const size_t dash = part.find('-');
    if (dash == 0) throw BadOption("'" + part + "' is no tile");
    const unsigned first = tile_number(part.substr(0, dash));
    const unsigned last = dash == std::string::npos ? first : tile_number(part.substr(dash + 1));
    if (last < first) throw BadOption("'" + trimmed(part) + "' is no range of tiles");
    for (unsigned tile = first; tile <= last; ++tile) set.tiles.push_back({chip, tile});
  }
  std::sort(set.tiles.begin(), set.tiles.end());
  set.tiles.erase(std::unique(set.tiles.begin(), set.tiles.end()), set.tiles.end());
  return set;
}

std::string text(const TileSet& set) {
  if (set.all) return "all";
  std::string out;
  for (size_t i = 0; i < set.tiles.size();) {
    size_t end = i + 1;
    const auto follows = [&](const spec::TileId& before, const spec::TileId& id) {
      return id == spec::TileId{before.chip, before.tile + 1};
    };
    while (end < set.tiles.size() && follows(set.tiles[end - 1], set.tiles[end])) ++end;
    if (!out.empty()) out += ',';
    out += chip_prefix(set.tiles[i].chip) + std::to_string(set.tiles[i].tile);
    if (end > i + 1) out.append("-").append(std::to_string(set.tiles[end - 1].tile));
    i = end;
  }
  return out;
}

Trigger parse_trigger(const std::string& text) {
  Trigger trigger;
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  std::string value = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (colon == std::string::npos && kind != "exception") {
    const auto superstep = number(kind);
    if (!superstep) throw BadOption("'" + text + "' is no superstep, cycle or event");
    trigger.number = *superstep;
    return trigger;
  }
  for (const Prefix& prefix : kPrefixes) {
    if (kind != prefix.name) continue;
    trigger.kind = prefix.kind;
    if (prefix.kind == Trigger::Kind::kException) {
      if (colon != std::string::npos) throw BadOption("'" + text + "': 'exception' takes no value");
      return trigger;
    }
    if (prefix.kind == Trigger::Kind::kSync) trigger.chip = take_chip(value);
    const auto at = prefix.kind == Trigger::Kind::kVertex ? std::nullopt : number(value);
    if (value.empty() || (!at && !prefix.named)) throw BadOption("'" + text + "' needs a number after the colon");
    if (at)
      trigger.number = *at;
    else
      trigger.name = value;
    return trigger;
  }
  throw BadOption("'" + text + "' is no superstep, cycle or event");
}

std::string text(const Trigger& trigger) {
  for (const Prefix& prefix : kPrefixes) {
    if (prefix.kind != trigger.kind) continue;
    if (trigger.kind == Trigger::Kind::kException) return prefix.name;
    if (!trigger.name.empty()) return std::string(prefix.name) + ":" + trigger.name;
    return std::string(prefix.name) + ":" + chip_prefix(trigger.chip) +
           (prefix.hex ? hex(trigger.number) : std::to_string(trigger.number));
  }
  return "";
}

Length parse_length(const std::string& text) {
  if (text == "all") return {};
  const bool cycles = !text.empty() && text.back() == 'c';
  const auto value = number(cycles ? text.substr(0, text.size() - 1) : text);
  if (!value || *value == 0)
    throw BadOption("'" + text + "' is no length: 'all', supersteps as '2', or cycles as '500c'");
  return {cycles ? Length::Kind::kCycles : Length::Kind::kSupersteps, *value};
}

std::string text(const Length& length) {
  if (length.kind == Length::Kind::kAll) return "all";
  return std::to_string(length.number) + (length.kind == Length::Kind::kCycles ? "c" : "");
}

bool Options::records() const {
  return snapshots || !waves.empty() || !trace.empty() || !gdb.empty() || !on_failure.empty() || check ||
         !faults.empty() || progress != 0;
}

Options parse_options(const std::string& text) {
  Options options;
  for (const auto& [key, value] : entries(text)) {
    const auto found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const Key& k) { return key == k.name; });
    if (found == std::end(kKeys)) {
      std::string names;
      for (const Key& k : kKeys) names += (names.empty() ? "" : ", ") + std::string(k.name);
      throw BadOption("there is no inspection option '" + key + "' (value '" + value + "'); there are " + names);
    }
    try {
      found->set(options, value);
    } catch (const BadOption& error) {
      throw BadOption("inspection option '" + key + "': " + error.what());
    }
  }
  return options;
}

std::string text(const Options& options) {
  const Options defaults;
  std::string out;
  for (const Key& key : kKeys) {
    const std::string value = key.get(options);
    if (value == key.get(defaults)) continue;
    if (!out.empty()) out += ';';
    out.append(key.name).append("=").append(value);
  }
  return out;
}

void check_companions(const std::string& text) {
  const auto given = entries(text);
  const auto is_given = [&](const std::string& key) {
    return std::any_of(given.begin(), given.end(), [&](const auto& entry) { return entry.first == key; });
  };
  for (const Companion& companion : kCompanions)
    if (is_given(companion.key) && !is_given(companion.of) &&
        (companion.or_of == nullptr || !is_given(companion.or_of)))
      throw BadOption(std::string("inspection option '") + companion.key + "' does nothing without '" + companion.of +
                      (companion.or_of != nullptr ? std::string("' or '") + companion.or_of + "'" : "'"));
}

void check_tiles(const Options& options, unsigned machine_tiles, const spec::ChipPlace& place) {
  const std::pair<const char*, const TileSet*> sets[] = {{"wave-tiles", &options.wave_window.tiles},
                                                         {"trace-tiles", &options.trace_window.tiles},
                                                         {"gdb-tiles", &options.gdb_tiles}};
  for (const auto& [key, tiles] : sets) {
    try {
      tiles->of(machine_tiles, place);
    } catch (const BadOption& error) {
      throw BadOption("inspection option '" + std::string(key) + "': " + error.what());
    }
  }
}

std::string of_process(const std::string& text, long process) {
  std::string out = text;
  const std::string id = std::to_string(process);
  for (size_t at = 0; (at = out.find("%p", at)) != std::string::npos; at += id.size()) out.replace(at, 2, id);
  return out;
}

std::string merge(const std::string& a, const std::string& b) {
  auto list = entries(a);
  for (const auto& [key, value] : entries(b)) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&, &name = key](const auto& e) { return e.first == name; });
    if (found != list.end())
      found->second = value;
    else
      list.emplace_back(key, value);
  }
  std::string out;
  for (const auto& [key, value] : list) {
    if (!out.empty()) out += ';';
    out.append(key).append("=").append(value);
  }
  return out;
}

}  // namespace tessera::inspect
