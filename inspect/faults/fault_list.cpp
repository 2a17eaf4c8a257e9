#include "inspect/faults/fault_list.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/register_names.h"

namespace tessera::inspect {
namespace {

using chip::Flip;
using chip::FlipSite;

struct SiteName {
  const char* name;
  FlipSite site;
};
// Registers: by their name, integer or float.
constexpr SiteName kSites[] = {
    {"memory", FlipSite::kMemory},     {"register", FlipSite::kInteger},     {"csr", FlipSite::kCsr},
    {"exchange", FlipSite::kReceived}, {"packet-out", FlipSite::kPacketOut}, {"packet-in", FlipSite::kPacketIn}};

// "5", "0,4-7".
uint64_t mask_of(const std::string& bits) {
  uint64_t mask = 0;
  std::istringstream parts(bits);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t dash = part.find('-');
    const uint64_t first = fault_number(part.substr(0, dash), "bit");
    const uint64_t last = dash == std::string::npos ? first : fault_number(part.substr(dash + 1), "bit");
    if (first > last || last > 63) throw BadFault(fmt::format("'{}' are no bits", part));
    for (uint64_t bit = first; bit <= last; ++bit) mask |= uint64_t{1} << bit;
  }
  if (mask == 0) throw BadFault("bit= is empty");
  return mask;
}

std::string bits_of(uint64_t mask) {
  std::string bits;
  for (unsigned bit = 0; bit < 64; ++bit)
    if (mask >> bit & 1) bits += (bits.empty() ? "" : ",") + std::to_string(bit);
  return bits;
}

uint32_t csr_number(const std::string& name) {
#define CSR(id, number, csr_name, who, access, effect) \
  if (name == csr_name) return number;
#include "rtl/spec/csrs.def"
#undef CSR
  throw BadFault(fmt::format("there is no CSR {}", name));
}

void take_place(FaultKeys& keys, Flip& flip) {
  if (flip.site == FlipSite::kMemory) flip.address = fault_word(keys.take("address"), "address");
  if (flip.site != FlipSite::kInteger && flip.site != FlipSite::kCsr) return;
  flip.context = fault_word(keys.take("context"), "context");
  const auto name = keys.take("name");
  if (flip.site == FlipSite::kCsr) {
    flip.address = csr_number(name);
    return;
  }
  const auto found = spec::find_register(name);
  if (!found) throw BadFault(fmt::format("name={} is no register, such as a0, sp or fa5 (x10, x2, f15)", name));
  if (found->is_float) flip.site = FlipSite::kFloat;
  flip.address = found->number;
}

void take_time(FaultKeys& keys, Fault& fault) {
  if (const auto cycle = keys.find("cycle")) {
    fault.cycle = fault_number(*cycle, "cycle");
    return;
  }
  const auto superstep = keys.find("superstep");
  if (!superstep) throw BadFault("cycle= or superstep= is missing");
  const size_t plus = superstep->find('+');
  fault.by_superstep = true;
  fault.superstep = fault_number(superstep->substr(0, plus), "superstep");
  if (plus != std::string::npos) fault.cycle = fault_number(superstep->substr(plus + 1), "superstep");
}

// The sides of backend lockstep.
constexpr std::pair<const char*, chip::FlipSide> kSides[] = {{"rtl", chip::FlipSide::kFirst},
                                                             {"model", chip::FlipSide::kSecond}};

chip::FlipSide side_of(const std::string& name) {
  for (const auto& [known, side] : kSides)
    if (name == known) return side;
  throw BadFault(fmt::format("side={} is none: rtl or model", name));
}

// "3", "1:3".
spec::TileId tile_of(const std::string& name, const spec::ChipPlace& place) {
  const size_t colon = name.find(':');
  spec::TileId id;
  if (colon != std::string::npos) id.chip = fault_word(name.substr(0, colon), "tile");
  id.tile = fault_word(colon == std::string::npos ? name : name.substr(colon + 1), "tile");
  if (id.chip >= place.chips)
    throw BadFault(fmt::format("there is no chip {}: the system has {}, from 0 on", id.chip, place.chips));
  return id;
}

Fault parse(std::istringstream& words, const std::string& site, const spec::Machine& machine,
            const spec::ChipPlace& place) {
  Fault fault;
  Flip& flip = fault.flip;
  const SiteName* known = nullptr;
  for (const auto& s : kSites)
    if (site == s.name) known = &s;
  if (known == nullptr)
    throw BadFault(fmt::format("'{}' is no site: memory, register, csr, exchange, packet-out or packet-in", site));
  flip.site = known->site;
  FaultKeys keys(words);
  const spec::TileId tile = tile_of(keys.take("tile"), place);
  fault.place = {tile.chip, place.chips};
  flip.tile = tile.tile;
  take_place(keys, flip);
  const auto bits = keys.take("bit");
  flip.lost = flip.site == FlipSite::kReceived && bits == "valid";
  if (!flip.lost) flip.mask = mask_of(bits);
  take_time(keys, fault);
  if (const auto side = keys.find("side")) flip.side = side_of(*side);
  keys.end();
  try {
    check_flip(machine, flip);
  } catch (const std::out_of_range& error) {
    throw BadFault(error.what());
  }
  return fault;
}

}  // namespace

std::vector<Fault> parse_faults(const std::string& text, const spec::Machine& machine, const std::string& name,
                                const spec::ChipPlace& place) {
  std::vector<Fault> faults;
  each_fault_line(text, name, [&](const std::string& site, std::istringstream& words) {
    if (is_link_site(site) && place.chips > 1) return;
    if (const Fault fault = parse(words, site, machine, place); fault.place.chip == place.chip) faults.push_back(fault);
  });
  return faults;
}

std::vector<Fault> read_faults(const std::string& path, const spec::Machine& machine, const spec::ChipPlace& place) {
  return parse_faults(read_fault_list(path), machine, path, place);
}

std::string text(const Fault& fault) {
  const Flip& flip = fault.flip;
  const std::string tile = fault.place.number(flip.tile);
  std::string line;
  switch (flip.site) {
    case FlipSite::kMemory:
      line = fmt::format("memory tile={} address={:#x}", tile, flip.address);
      break;
    case FlipSite::kInteger:
    case FlipSite::kFloat:
      line = fmt::format("register tile={} context={} name={}", tile, flip.context,
                         spec::register_name({flip.site == FlipSite::kFloat, static_cast<uint8_t>(flip.address)}));
      break;
    case FlipSite::kCsr: {
      const auto* csr = spec::csr_info(static_cast<uint16_t>(flip.address));
      line = fmt::format("csr tile={} context={} name={}", tile, flip.context, csr ? csr->name : "?");
      break;
    }
    default:
      for (const auto& s : kSites)
        if (s.site == flip.site) line = fmt::format("{} tile={}", s.name, tile);
      break;
  }
  line += " bit=" + (flip.lost ? "valid" : bits_of(flip.mask));
  if (!fault.by_superstep)
    line += fmt::format(" cycle={}", fault.cycle);
  else
    line += fmt::format(" superstep={}{}", fault.superstep, fault.cycle == 0 ? "" : fmt::format("+{}", fault.cycle));
  for (const auto& [name, side] : kSides)
    if (flip.side == side) line += fmt::format(" side={}", name);
  return line;
}

}  // namespace tessera::inspect
