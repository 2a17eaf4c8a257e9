#include "rtl/spec/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>

#include "formats/fnv.h"
#include "rtl/spec/description_text.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/remote_address.h"
#include "rtl/spec/standard_system.h"
#include "rtl/spec/system_part.h"

namespace tessera::spec {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostLanes = 64, kMostLatency = 1 << 20, kMostRate = 1024;
// An answer must not meet a packet of a link that has begun to come down before the read has left (link.md).
constexpr int64_t kLeastGatewayLatency = kMostLinkWords + 2;
constexpr int64_t kMostGatewayRate = 4;  // the host port, which a chip's packets to it pass, is a word wide
constexpr int64_t kDramUnit = 32;        // a row's granule
constexpr auto kMostDram = static_cast<int64_t>(kRemoteMemoryEnd);

// Says of what object of which system something is wrong.
class Complaint {
 public:
  Complaint(std::string system, std::string object) : system_(std::move(system)), object_(std::move(object)) {}
  [[noreturn]] void operator()(const std::string& what) const {
    throw SystemError("system " + system_ + ": " + (object_.empty() ? "" : object_ + ": ") + what);
  }

 private:
  std::string system_, object_;
};

// The lines of one table; whatever is not asked for is refused at the end.
class Lines {
 public:
  Lines(const toml::table& table, Complaint complain) : table_(table), complain_(std::move(complain)) {}

  const Complaint& complain() const { return complain_; }

  std::string text(const char* key) {
    const auto value = node(key).value_exact<std::string>();
    if (!value || value->empty()) complain_(fmt::format("line '{}' is no text", key));
    return *value;
  }
  uint64_t number(const char* key, int64_t least, int64_t most) { return number(key, node(key), least, most); }
  // A list of chips, each once; ascending in what is given back.
  std::vector<uint32_t> chips(const char* key, size_t number_of_chips, size_t least) {
    std::vector<uint32_t> list;
    for (const toml::node& node : array(key)) list.push_back(chip(node, number_of_chips));
    std::sort(list.begin(), list.end());
    if (const auto twice = std::adjacent_find(list.begin(), list.end()); twice != list.end())
      complain_(fmt::format("chip {} is named twice", *twice));
    if (list.size() < least) complain_(fmt::format("line '{}' names fewer than {} chips", key, least));
    return list;
  }
  bool truth(const char* key) {
    const auto value = node(key).value_exact<bool>();
    if (!value) complain_(fmt::format("line '{}' is neither true nor false", key));
    return *value;
  }
  std::array<ChipPort, 2> ends(const char* key, size_t number_of_chips) {
    const toml::array& list = array(key);
    std::array<ChipPort, 2> ends;
    if (list.size() != 2) complain_(fmt::format("line '{}' is no pair of [chip, port]", key));
    for (size_t i = 0; i < 2; ++i) {
      const toml::array* end = list[i].as_array();
      if (end == nullptr || end->size() != 2) complain_(fmt::format("line '{}' is no pair of [chip, port]", key));
      ends[i].chip = chip((*end)[0], number_of_chips);
      ends[i].port = static_cast<uint32_t>(number("port", (*end)[1], 0, System::kLinkPorts - 1));
    }
    return ends;
  }
  // Two of a kind of objects, by name or number.
  std::array<uint32_t, 2> pair(const char* key, const char* kind, const std::vector<std::string>& names) {
    const toml::array& list = array(key);
    std::array<uint32_t, 2> ends{};
    if (list.size() != 2) complain_(fmt::format("line '{}' is no pair of {}s", key, kind));
    for (size_t i = 0; i < 2; ++i) {
      if (const auto name = list[i].value_exact<std::string>()) {
        const auto found = std::find(names.begin(), names.end(), *name);
        if (found == names.end()) complain_(fmt::format("there is no {} '{}'", kind, *name));
        ends[i] = static_cast<uint32_t>(found - names.begin());
      } else if (const auto number = list[i].value_exact<int64_t>()) {
        if (*number < 0 || *number >= static_cast<int64_t>(names.size()))
          complain_(fmt::format("there is no {} {}: the system has {}, from 0 on", kind, *number, names.size()));
        ends[i] = static_cast<uint32_t>(*number);
      } else {
        complain_(fmt::format("line '{}' is no pair of {}s, each a name or a number", key, kind));
      }
    }
    return ends;
  }
  const toml::array& array(const char* key) {
    const toml::array* list = node(key).as_array();
    if (list == nullptr) complain_(fmt::format("line '{}' is no list", key));
    return *list;
  }
  // Tables [[key]]; none when there is no such line.
  std::vector<const toml::table*> tables(const char* key) {
    known_.emplace_back(key);
    std::vector<const toml::table*> tables;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return tables;
    const toml::array* list = node->as_array();
    if (list == nullptr) complain_(fmt::format("'{0}' is no table [[{0}]]", key));
    for (const toml::node& one : *list) {
      if (!one.is_table()) complain_(fmt::format("'{0}' is no table [[{0}]]", key));
      tables.push_back(one.as_table());
    }
    return tables;
  }
  // Table [key]; null when there is no such line.
  const toml::table* table(const char* key) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    if (node != nullptr && !node->is_table()) complain_(fmt::format("'{0}' is no table [{0}]", key));
    return node == nullptr ? nullptr : node->as_table();
  }
  void end() const {
    for (auto&& [key, node] : table_)
      if (std::find(known_.begin(), known_.end(), key.str()) == known_.end())
        complain_(fmt::format("unknown line '{}'", key.str()));
  }

 private:
  const toml::node& node(const char* key) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) complain_(fmt::format("line '{}' is missing", key));
    return *node;
  }
  uint64_t number(const char* key, const toml::node& node, int64_t least, int64_t most) const {
    const auto value = node.value_exact<int64_t>();
    if (!value || *value < least || *value > most)
      complain_(fmt::format("{} is no number from {} to {}", key, least, most));
    return static_cast<uint64_t>(*value);
  }
  uint32_t chip(const toml::node& node, size_t number_of_chips) const {
    const auto value = node.value_exact<int64_t>();
    if (!value) complain_("a chip is named by its number, its place in the list of chips");
    if (*value < 0 || *value >= static_cast<int64_t>(number_of_chips))
      complain_(fmt::format("there is no chip {}: the system has {}, from 0 on", *value, number_of_chips));
    return static_cast<uint32_t>(*value);
  }

  const toml::table& table_;
  Complaint complain_;
  std::vector<std::string> known_;
};

// What `make` gives, as a matter of system descriptions.
template <class Make>
auto of_system(const Make& make) {
  try {
    return make();
  } catch (const BadDescriptionText& error) {
    throw SystemError("system description: " + std::string(error.what()));
  }
}
std::string system_text(const std::string& path) {
  return of_system([&] { return read_description(path); });
}
toml::table parse(const std::string& text) {
  return of_system([&] { return parse_description(text); });
}

std::vector<Machine> chips_of(Lines& top) {
  std::vector<Machine> chips;
  for (const toml::node& node : top.array("chips")) {
    const auto name = node.value_exact<std::string>();
    const size_t id = chips.size();
    if (!name) top.complain()(fmt::format("chip {}: its machine is named by a text", id));
    if (id == System::kMostChips) top.complain()(fmt::format("more than {} chips", System::kMostChips));
    // A long list mostly says the same name again.
    if (id > 0 && *top.array("chips")[id - 1].value<std::string>() == *name) {
      chips.push_back(chips.back());
      continue;
    }
    try {
      chips.push_back(load_machine(*name));
    } catch (const MachineError& error) {
      top.complain()(fmt::format("chip {}: {}", id, error.what()));
    }
    const Machine &first = chips.front(), &last = chips.back();
    if (last.clock_hz != first.clock_hz)
      top.complain()(
          fmt::format("chip {}: its clock of {} Hz is not that of chip 0, {} Hz", id, last.clock_hz, first.clock_hz));
    if (last.tiles() != first.tiles())
      top.complain()(fmt::format("chip {}: its {} tiles are not the {} of chip 0", id, last.tiles(), first.tiles()));
  }
  if (chips.empty()) top.complain()("it has no chips");
  return chips;
}

// The chips at its ends, the lower first.
std::pair<uint32_t, uint32_t> between(const Link& link) { return std::minmax(link.ends[0].chip, link.ends[1].chip); }

// Ports are used once, and links reach every chip from chip 0.
void check_links(const System& system) {
  const auto complain = [&](size_t link, const std::string& what) {
    Complaint(system.name, fmt::format("link {}", link))(what);
  };
  std::vector<std::pair<ChipPort, size_t>> used;
  std::vector<uint32_t> joined(system.chips.size());  // chips with the same number reach each other
  std::iota(joined.begin(), joined.end(), 0);
  for (size_t i = 0; i < system.links.size(); ++i) {
    const auto& [a, b] = system.links[i].ends;
    if (a.chip == b.chip) complain(i, fmt::format("it joins chip {} to itself", a.chip));
    for (const ChipPort& end : {a, b}) {
      for (const auto& [port, link] : used)
        if (port == end) complain(i, fmt::format("port {} of chip {} is used by link {}", end.port, end.chip, link));
      used.emplace_back(end, i);
      const Machine& machine = system.chips[end.chip];
      if (end.port >= machine.links)
        complain(i, fmt::format("chip {} has no port {}: its machine {} has {} (links)", end.chip, end.port,
                                machine.name, machine.links));
      if (system.links[i].bytes_per_cycle != 4 * machine.link_words)
        complain(i, fmt::format("{} bytes a cycle, and a port of chip {}, a {}, takes {} (link_words)",
                                system.links[i].bytes_per_cycle, end.chip, machine.name, 4 * machine.link_words));
    }
    // Packets choose a link by a number from the first on (docs/reference/link.md, Routes).
    for (size_t other = i; other-- > 0;) {
      if (between(system.links[other]) != between(system.links[i])) continue;
      for (const ChipPort& end : {a, b}) {
        const auto& ends = system.links[other].ends;
        const uint32_t port = ends[0].chip == end.chip ? ends[0].port : ends[1].port;
        if (end.port != port + 1)
          complain(i, fmt::format("port {} of chip {} does not follow port {}, that of link {} between the same chips",
                                  end.port, end.chip, port, other));
      }
      break;
    }
    const uint32_t from = joined[b.chip], to = joined[a.chip];
    std::replace(joined.begin(), joined.end(), from, to);
  }
  for (uint32_t chip = 1; chip < joined.size(); ++chip)
    if (joined[chip] != joined[0])
      Complaint(system.name, fmt::format("chip {}", chip))("no links lead to it from chip 0");
}

// All chips stand in it, and links join neighbours, all of them.
void check_grid(const System& system) {
  const Grid& grid = *system.grid;
  const Complaint complain(system.name, "grid");
  if (uint64_t{grid.columns} * grid.rows != system.chips.size())
    complain(
        fmt::format("its {} columns and {} rows are not the {} chips", grid.columns, grid.rows, system.chips.size()));
  std::set<std::pair<uint32_t, uint32_t>> joined;
  for (size_t i = 0; i < system.links.size(); ++i) {
    const uint32_t a = system.links[i].ends[0].chip, b = system.links[i].ends[1].chip;
    const std::vector<uint32_t> beside = grid.beside(a);
    if (!std::binary_search(beside.begin(), beside.end(), b))
      complain(fmt::format("link {} joins chips {} and {}, which are no neighbours in it", i, a, b));
    joined.insert({a, b}), joined.insert({b, a});
  }
  for (uint32_t chip = 0; chip < system.chips.size(); ++chip)
    for (const uint32_t other : grid.beside(chip))
      if (!joined.contains({chip, other}))
        complain(fmt::format("no link joins chips {} and {}, which are neighbours in it", chip, other));
}

// Each chip in one host at most once, in each zone's groups at most once, and so on: `each` gives the lists.
template <class Objects, class Name>
void check_shares(const System& system, const Objects& objects, const Name& name, bool every_chip,
                  const std::string& every_chip_in) {
  std::vector<std::optional<size_t>> of(system.chips.size());
  for (size_t i = 0; i < objects.size(); ++i)
    for (const uint32_t chip : *objects[i]) {
      if (of[chip]) Complaint(system.name, name(i))(fmt::format("chip {} is in {} already", chip, name(*of[chip])));
      of[chip] = i;
    }
  for (uint32_t chip = 0; every_chip && chip < of.size(); ++chip)
    if (!of[chip]) Complaint(system.name, fmt::format("chip {}", chip))("it is in no " + every_chip_in);
}

template <class Named>
void check_named(const System& system, const std::vector<Named>& list, const std::string& kind, bool every_chip) {
  std::vector<const std::vector<uint32_t>*> chips;
  for (size_t i = 0; i < list.size(); ++i) {
    chips.push_back(&list[i].chips);
    for (size_t j = 0; j < i; ++j)
      if (list[j].name == list[i].name)
        Complaint(system.name, kind + " '" + list[i].name + "'")("another has the same name");
  }
  check_shares(system, chips, [&](size_t i) { return kind + " '" + list[i].name + "'"; }, every_chip, kind);
}

void check_groups(const System& system) {
  for (const auto zone : {SyncGroup::Zone::kGs1, SyncGroup::Zone::kGs2}) {
    std::vector<const std::vector<uint32_t>*> members;
    std::vector<size_t> numbers;
    for (size_t i = 0; i < system.groups.size(); ++i)
      if (system.groups[i].zone == zone) members.push_back(&system.groups[i].members), numbers.push_back(i);
    check_shares(system, members, [&](size_t i) { return fmt::format("sync group {}", numbers[i]); }, false, "");
  }
}

// No two join the same gateways.
void check_gateway_links(const System& system) {
  for (size_t i = 0; i < system.gateway_links.size(); ++i) {
    const auto ends = std::minmax(system.gateway_links[i].ends[0], system.gateway_links[i].ends[1]);
    const Complaint complain(system.name, fmt::format("gateway link {}", i));
    const auto name = [&](uint32_t gateway) { return "gateway '" + system.gateways[gateway].name + "'"; };
    if (ends.first == ends.second) complain(fmt::format("it joins {} to itself", name(ends.first)));
    for (size_t other = 0; other < i; ++other)
      if (std::minmax(system.gateway_links[other].ends[0], system.gateway_links[other].ends[1]) == ends)
        complain(fmt::format("gateway link {} joins {} and {} already", other, name(ends.first), name(ends.second)));
  }
}

System system_from(const toml::table& table) {
  System system;
  const auto given = table["name"].value<std::string>();
  Lines top(table, Complaint(given ? *given : "without a name", ""));
  system.name = top.text("name");
  system.chips = chips_of(top);
  const size_t chips = system.chips.size();
  const auto lines = [&](const toml::table* one, std::string object) {
    return Lines(*one, Complaint(system.name, std::move(object)));
  };
  for (const toml::table* one : top.tables("link")) {
    Lines in = lines(one, fmt::format("link {}", system.links.size()));
    Link link;
    link.ends = in.ends("ends", chips);
    link.lanes = static_cast<uint32_t>(in.number("lanes", 1, kMostLanes));
    link.latency = static_cast<uint32_t>(in.number("latency", 1, kMostLatency));
    link.bytes_per_cycle = static_cast<uint32_t>(in.number("bytes_per_cycle", 1, kMostRate));
    in.end();
    system.links.push_back(link);
  }
  if (const toml::table* one = top.table("grid")) {
    Lines in = lines(one, "grid");
    Grid grid;
    grid.columns = static_cast<uint32_t>(in.number("columns", 1, System::kMostChips));
    grid.rows = static_cast<uint32_t>(in.number("rows", 1, System::kMostChips));
    grid.torus = in.truth("torus");
    in.end();
    system.grid = grid;
  }
  for (const toml::table* one : top.tables("sync_group")) {
    Lines in = lines(one, fmt::format("sync group {}", system.groups.size()));
    SyncGroup group;
    const std::string zone = in.text("zone");
    if (zone != "GS1" && zone != "GS2") in.complain()("zone '" + zone + "' is neither GS1 nor GS2");
    group.zone = zone == "GS1" ? SyncGroup::Zone::kGs1 : SyncGroup::Zone::kGs2;
    group.members = in.chips("members", chips, 2);
    group.hop_latency = static_cast<uint32_t>(in.number("hop_latency", 1, kMostLatency));
    in.end();
    system.groups.push_back(std::move(group));
  }
  for (const toml::table* one : top.tables("gateway")) {
    Lines in = lines(one, fmt::format("gateway {}", system.gateways.size()));
    Gateway gateway;
    gateway.name = in.text("name");
    gateway.chips = in.chips("chips", chips, 1);
    gateway.dram_bytes = in.number("dram_bytes", kDramUnit, kMostDram);
    if (gateway.dram_bytes % kDramUnit != 0) in.complain()(fmt::format("dram_bytes is no multiple of {}", kDramUnit));
    gateway.latency = static_cast<uint32_t>(in.number("latency", kLeastGatewayLatency, kMostLatency));
    gateway.bytes_per_cycle = static_cast<uint32_t>(in.number("bytes_per_cycle", 1, kMostGatewayRate));
    in.end();
    system.gateways.push_back(std::move(gateway));
  }
  std::vector<std::string> names;
  for (const Gateway& gateway : system.gateways) names.push_back(gateway.name);
  for (const toml::table* one : top.tables("gateway_link")) {
    Lines in = lines(one, fmt::format("gateway link {}", system.gateway_links.size()));
    GatewayLink link;
    link.ends = in.pair("ends", "gateway", names);
    link.latency = static_cast<uint32_t>(in.number("latency", 1, kMostLatency));
    link.bytes_per_cycle = static_cast<uint32_t>(in.number("bytes_per_cycle", 1, kMostGatewayRate));
    in.end();
    system.gateway_links.push_back(link);
  }
  for (const toml::table* one : top.tables("host")) {
    Lines in = lines(one, fmt::format("host {}", system.hosts.size()));
    Host host;
    host.name = in.text("name");
    host.chips = in.chips("chips", chips, 1);
    in.end();
    system.hosts.push_back(std::move(host));
  }
  top.end();
  check_system(system);
  return system;
}

std::string list(const std::vector<uint32_t>& chips) {
  return fmt::format("chip{} {}", chips.size() == 1 ? "" : "s", fmt::join(chips, ", "));
}

bool is_system(const std::string& text) { return parse(text).contains("chips"); }

std::string known_names() {
  std::string known = "machines:";
  for (const std::string& name : machine_names()) known += " " + name;
  known += "; systems:";
  for (const std::string& name : system_names()) known += " " + name;
  known += "; of several chips: a machine's name, x and " + standard_sizes() +
           "; chips of one: its name, a colon and first-last";
  return known;
}

}  // namespace

void check_system(const System& system) {
  check_links(system);
  if (system.grid) check_grid(system);
  check_groups(system);
  check_named(system, system.gateways, "gateway", false);
  check_gateway_links(system);
  check_named(system, system.hosts, "host", true);
}

std::vector<uint32_t> Grid::beside(uint32_t of) const {
  std::set<uint32_t> chips;
  const auto add = [&](uint32_t at, uint32_t length, const auto& chip_at) {
    if (at > 0 || (torus && length > 1)) chips.insert(chip_at((at + length - 1) % length));
    if (at + 1 < length || (torus && length > 1)) chips.insert(chip_at((at + 1) % length));
  };
  add(column(of), columns, [&](uint32_t c) { return chip(c, row(of)); });
  add(row(of), rows, [&](uint32_t r) { return chip(column(of), r); });
  return {chips.begin(), chips.end()};
}

uint64_t System::hash() const {
  std::string all;
  for (const Machine& chip : chips) all += fmt::format("{:016x} ", chip.hash());
  for (const Link& l : links)
    all += fmt::format("l{},{},{},{},{},{},{} ", l.ends[0].chip, l.ends[0].port, l.ends[1].chip, l.ends[1].port,
                       l.lanes, l.latency, l.bytes_per_cycle);
  if (grid) all += fmt::format("t{},{},{} ", grid->columns, grid->rows, grid->torus);
  for (const SyncGroup& g : groups)
    all += fmt::format("s{},{},{} ", static_cast<int>(g.zone), fmt::join(g.members, ","), g.hop_latency);
  for (const Gateway& g : gateways)
    all += fmt::format("g{},{},{},{} ", fmt::join(g.chips, ","), g.dram_bytes, g.latency, g.bytes_per_cycle);
  for (const GatewayLink& l : gateway_links)
    all += fmt::format("w{},{},{},{} ", l.ends[0], l.ends[1], l.latency, l.bytes_per_cycle);
  for (const Host& h : hosts) all += fmt::format("h{} ", fmt::join(h.chips, ","));
  return formats::Fnv().text(all).value();
}

System parse_system(const std::string& text) { return system_from(parse(text)); }

System system_of(const Machine& machine) {
  System system;
  system.name = machine.name;
  system.chips = {machine};
  system.hosts = {{"host", {0}}};
  return system;
}

System load_system(const std::string& name_or_path) {
  if (const auto part = part_name(name_or_path)) return system_part(load_system(part->whole), part->first, part->last);
  if (name_or_path.ends_with(".toml")) {
    const std::string text = system_text(name_or_path);
    try {
      return is_system(text) ? parse_system(text) : system_of(parse_machine(text));
    } catch (const SystemError& error) {
      throw SystemError(name_or_path + ": " + error.what());
    } catch (const MachineError& error) {
      throw MachineError(name_or_path + ": " + error.what());
    }
  }
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name_or_path) != names.end();
  };
  const bool machine = has(machine_names()), system = has(system_names());
  if (machine && system) throw SystemError("'" + name_or_path + "' names both a machine and a system");
  if (machine) return system_of(load_machine(name_or_path));
  if (const auto standard = standard_system(name_or_path); standard && !system) return *standard;
  if (system) return parse_system(system_text(descriptions_folder("systems") + "/" + name_or_path + ".toml"));
  throw SystemError("no machine or system is named '" + name_or_path + "'; known " + known_names());
}

const Machine& only_chip(const System& system) {
  if (system.chips.size() != 1)
    throw SystemError(fmt::format("system {} has {} chips, and this takes one, such as {}", system.name,
                                  system.chips.size(), part_text(system.name, 0, 0)));
  return system.chips.front();
}

Machine load_runnable(const std::string& name_or_path) { return only_chip(load_system(name_or_path)); }

std::vector<std::string> system_names() { return description_names("systems"); }

std::string text(const System& system) {
  std::string out = fmt::format("system {}, hash {:016x}\n", system.name, system.hash());
  for (size_t id = 0; id < system.chips.size(); ++id)
    out += fmt::format("chip {}: {}, {} tiles\n", id, system.chips[id].name, system.chips[id].tiles());
  if (system.grid)
    out += fmt::format("grid: {} columns, {} rows{}\n", system.grid->columns, system.grid->rows,
                       system.grid->torus ? ", a torus" : "");
  for (size_t i = 0; i < system.links.size(); ++i) {
    const Link& l = system.links[i];
    out += fmt::format("link {}: chip {} port {} to chip {} port {}, {} lanes, {} cycles, {} bytes a cycle\n", i,
                       l.ends[0].chip, l.ends[0].port, l.ends[1].chip, l.ends[1].port, l.lanes, l.latency,
                       l.bytes_per_cycle);
  }
  for (size_t i = 0; i < system.groups.size(); ++i) {
    const SyncGroup& g = system.groups[i];
    out += fmt::format("sync group {}: {} of {}, {} cycles a hop\n", i, g.zone == SyncGroup::Zone::kGs1 ? "GS1" : "GS2",
                       list(g.members), g.hop_latency);
  }
  for (const Gateway& g : system.gateways)
    out += fmt::format("gateway '{}': {}, {} bytes, {} cycles, {} bytes a cycle\n", g.name, list(g.chips), g.dram_bytes,
                       g.latency, g.bytes_per_cycle);
  for (size_t i = 0; i < system.gateway_links.size(); ++i) {
    const GatewayLink& l = system.gateway_links[i];
    out += fmt::format("gateway link {}: '{}' to '{}', {} cycles, {} bytes a cycle\n", i,
                       system.gateways[l.ends[0]].name, system.gateways[l.ends[1]].name, l.latency, l.bytes_per_cycle);
  }
  for (const Host& h : system.hosts) out += fmt::format("host '{}': {}\n", h.name, list(h.chips));
  return out;
}

}  // namespace tessera::spec
