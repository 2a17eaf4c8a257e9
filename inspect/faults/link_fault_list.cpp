#include "inspect/faults/link_fault_list.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "inspect/faults/fault_line.h"

namespace tessera::inspect {
namespace {

using Kind = link::LaneFault::Kind;

constexpr std::pair<const char*, Kind> kKinds[] = {
    {"flip", Kind::kFlip}, {"drop", Kind::kDrop}, {"double", Kind::kDouble}, {"down", Kind::kDown}};

std::optional<Kind> kind_of(const std::string& name) {
  for (const auto& [known, kind] : kKinds)
    if (name == known) return kind;
  return std::nullopt;
}

uint64_t at_least_one(const std::string& text, const std::string& what) {
  const uint64_t value = fault_number(text, what);
  if (value == 0) throw BadFault(fmt::format("{}=0 is none: it is at least 1", what));
  return value;
}

// "3", or "all".
std::vector<uint32_t> links_of(const std::string& name, const spec::System& system) {
  const auto links = static_cast<uint32_t>(system.links.size());
  std::vector<uint32_t> all;
  if (name == "all" && links > 0) {
    for (uint32_t i = 0; i < links; ++i) all.push_back(i);
    return all;
  }
  if (links == 0) throw BadFault(fmt::format("there is no link {}: system {} has none", name, system.name));
  const uint32_t number = fault_word(name, "link");
  if (number >= links)
    throw BadFault(fmt::format("there is no link {}: system {} has {}, from 0 on", number, system.name, links));
  return {number};
}

std::optional<unsigned> end_of(const spec::Link& link, uint32_t chip) {
  for (unsigned e = 0; e < 2; ++e)
    if (link.ends[e].chip == chip) return e;
  return std::nullopt;
}

void take_random(FaultKeys& keys, link::RandomFaults& random) {
  random.seed = fault_number(keys.take("seed"), "seed");
  random.every = at_least_one(keys.take("every"), "every");
  if (random.every > uint64_t{1} << 32) throw BadFault(fmt::format("every={} is too large", random.every));
  if (const auto cycles = keys.find("cycle")) {
    const size_t dash = cycles->find('-');
    random.first = fault_number(cycles->substr(0, dash), "cycle");
    if (dash != std::string::npos) random.last = fault_number(cycles->substr(dash + 1), "cycle");
    if (random.last < random.first) throw BadFault(fmt::format("cycle={} are no cycles", *cycles));
  }
  if (const auto kinds = keys.find("kinds")) {
    random.kinds.clear();
    std::istringstream parts(*kinds);
    for (std::string part; std::getline(parts, part, ',');) {
      const auto kind = kind_of(part);
      if (!kind) throw BadFault(fmt::format("kinds: '{}' is none: flip, drop, double or down", part));
      random.kinds.push_back(*kind);
    }
    if (random.kinds.empty()) throw BadFault("kinds= is empty");
  }
  if (const auto longest = keys.find("for")) random.longest_down = at_least_one(*longest, "for");
}

void take_given(FaultKeys& keys, Kind kind, link::LinkFaults::Given& given) {
  link::LaneFault& fault = given.fault;
  fault.kind = kind;
  fault.cycle = fault_number(keys.take("cycle"), "cycle");
  if (kind == Kind::kFlip) fault.bit = fault_word(keys.take("bit"), "bit");
  if (fault.bit >= link::kFlitBits)
    throw BadFault(fmt::format("there is no bit {}: a flit has {}", fault.bit, link::kFlitBits));
  if (kind != Kind::kDown) return;
  const std::string length = keys.take("for");
  const uint64_t cycles = length == "ever" ? ~uint64_t{0} : at_least_one(length, "for");
  fault.until = cycles > ~uint64_t{0} - fault.cycle ? ~uint64_t{0} : fault.cycle + cycles;
}

void parse(const std::string& site, std::istringstream& words, const spec::System& system,
           std::map<uint32_t, link::LinkFaults>& faults) {
  std::string line = site + words.str().substr(words.str().find(site) + site.size());
  line.erase(line.find_last_not_of(" \t\r") + 1);
  const auto kind = kind_of(site.substr(site.find('-') + 1));
  if (!kind && site != "link-random" && site != "link-timeout")
    throw BadFault(fmt::format(
        "'{}' is no site of links: link-flip, link-drop, link-double, link-down, link-random or link-timeout", site));
  FaultKeys keys(words);
  const std::vector<uint32_t> links = links_of(keys.take("link"), system);
  if (site == "link-timeout") {
    const uint64_t cycles = at_least_one(keys.take("cycles"), "cycles");
    for (const uint32_t number : links) faults[number].dead_after = cycles;
  } else if (site == "link-random") {
    link::RandomFaults random;
    take_random(keys, random);
    for (const uint32_t number : links) faults[number].random.push_back(random);
  } else {
    link::LinkFaults::Given given;
    take_given(keys, *kind, given);
    given.text = line;
    const auto from = keys.find("from"), channel = keys.find("channel");
    bool leaves = false;
    for (const uint32_t number : links) {
      const spec::Link& link = system.links[number];
      if (from) given.end = end_of(link, fault_word(*from, "from"));
      if (from && !given.end) continue;
      leaves = true;
      if (channel) {
        given.channel = fault_word(*channel, "channel");
        if (const uint32_t channels = system.chips[link.ends[0].chip].link_words; *given.channel >= channels)
          throw BadFault(
              fmt::format("there is no channel {}: link {} has {}, from 0 on", *given.channel, number, channels));
      }
      faults[number].given.push_back(given);
    }
    if (!leaves)
      throw BadFault(fmt::format("from={}: {} does not leave that chip", *from,
                                 links.size() == 1 ? fmt::format("link {}", links.front()) : "a link"));
  }
  keys.end();
}

}  // namespace

std::map<uint32_t, link::LinkFaults> parse_link_faults(const std::string& text, const spec::System& system,
                                                       const std::string& name) {
  std::map<uint32_t, link::LinkFaults> faults;
  each_fault_line(text, name, [&](const std::string& site, std::istringstream& words) {
    if (is_link_site(site)) parse(site, words, system, faults);
  });
  return faults;
}

std::map<uint32_t, link::LinkFaults> read_link_faults(const std::string& path, const spec::System& system) {
  return parse_link_faults(read_fault_list(path), system, path);
}

}  // namespace tessera::inspect
