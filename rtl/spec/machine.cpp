#include "rtl/spec/machine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>

#include "formats/fnv.h"
#include "rtl/spec/description_text.h"

namespace tessera::spec {
namespace {

// The library or program that this is linked into, and the program.
std::vector<std::filesystem::path> own_files() {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&machines_folder), &info) != 0 && info.dli_fname != nullptr)
    files.push_back(std::filesystem::weakly_canonical(info.dli_fname, error));
  files.push_back(std::filesystem::read_symlink("/proc/self/exe", error));
  return files;
}

// What `make` gives, as a matter of machine descriptions.
template <class Make>
auto of_machine(const Make& make) {
  try {
    return make();
  } catch (const BadDescriptionText& error) {
    throw MachineError("machine description: " + std::string(error.what()));
  }
}
std::string machine_text(const std::string& path) {
  return of_machine([&] { return read_description(path); });
}

void apply(Machine& machine, const std::string& text, int depth) {
  toml::table table = of_machine([&] { return parse_description(text); });
  if (auto base = table["base"].value<std::string>()) {
    if (depth > 4) throw MachineError("machine description: base lines go round in a circle");
    apply(machine, machine_text(machines_folder() + "/" + *base + ".toml"), depth + 1);
  }
  for (auto&& [key, node] : table) {
    const std::string name(key.str());
    if (name == "base") continue;
    if (name == "name") {
      machine.name = node.value_or<std::string>("");
      continue;
    }
    auto value = node.value<int64_t>();
    if (!value || *value < 0 || *value > 0xffffffffLL)
      throw MachineError("machine description: " + name + " is not a number of 32 bits");
    bool known = false;
#define FIELD(f)                               \
  if (name == #f) {                            \
    machine.f = static_cast<uint32_t>(*value); \
    known = true;                              \
  }
    TESSERA_MACHINE_FIELDS(FIELD)
#undef FIELD
    if (!known) throw MachineError("machine description: unknown line '" + name + "'");
  }
}

// What the hardware is made for. Each refusal names the machine and the line that an architect would change.
class Check {
 public:
  explicit Check(const Machine& machine) : m_(machine) {}

  void all() const {
    if (m_.name.empty()) throw MachineError("machine description: line 'name' is missing");
    for (const auto& [name, value] : machine_fields(m_))
      if (value == 0 && name != "compute_budget")
        throw MachineError("machine " + m_.name + ": line '" + name + "' is missing");
    grid();
    memory();
    blocks();
    latencies();
    if (m_.workers != 6) refuse("workers", m_.workers, "workers must be 6, one per issue slot");
  }

 private:
  [[noreturn]] void refuse(const char* line, uint32_t value, const std::string& why) const {
    throw MachineError(fmt::format("machine {}: line '{} = {}': {}", m_.name, line, value, why));
  }
  [[noreturn]] void refuse_address(const char* line, uint32_t value, const std::string& why) const {
    throw MachineError(fmt::format("machine {}: line '{} = {:#x}': {}", m_.name, line, value, why));
  }

  void grid() const {
    if (m_.columns % 2 != 0) refuse("columns", m_.columns, "columns must be even: the two halves of a row are folded");
    if (uint64_t{m_.rows} * m_.columns > kMostTiles || uint64_t{m_.rows} * m_.columns * m_.lanes > kMostTiles)
      refuse("rows", m_.rows,
             "rows x columns x lanes is more than 2046 tiles, which have 11 bits in events and packets");
    if (m_.rows > kMostRows)
      refuse("rows", m_.rows,
             "at most 26: a tile keeps the places of words for 64 cycles, the way of its selections and back");
  }

  void memory() const {
    const uint32_t element = m_.element_bytes;
    const uint64_t end = uint64_t{m_.memory_base} + m_.memory_bytes;
    if (!std::has_single_bit(element) || element < kLeastElement)
      refuse("element_bytes", element, "an element is a power of two of 4096 bytes or more");
    if (m_.memory_base % element != 0)
      refuse_address("memory_base", m_.memory_base, "the memory must begin with an element (element_bytes)");
    if (m_.memory_bytes % element != 0)
      refuse("memory_bytes", m_.memory_bytes, "the memory is a whole number of elements (element_bytes)");
    if (m_.elements() > kMostElements)
      refuse("memory_bytes", m_.memory_bytes, fmt::format("{} elements; a tile has at most 64", m_.elements()));
    if (end >= kAddresses)
      refuse("memory_bytes", m_.memory_bytes,
             fmt::format("the memory ends at {:#x}; addresses of events have 20 bits, so it must end below 0x100000",
                         end));
    const uint32_t region1 = m_.region1_base;
    if (region1 <= m_.memory_base || region1 >= end)
      refuse_address("region1_base", region1, "the border of the regions must lie inside the memory");
    if (region1 % (2 * element) != 0)
      refuse_address("region1_base", region1, "region 1 begins with a pair of elements, at a multiple of two of them");
    if ((end - region1) % (2 * element) != 0)
      refuse_address("region1_base", region1, "region 1 interleaves two elements, so it has an even number of them");
  }

  void blocks() const {
    if (m_.exchange_blocks > kMostBlocks) refuse("exchange_blocks", m_.exchange_blocks, "at most 64");
    if (m_.block_packets > kMostBlockPackets) refuse("block_packets", m_.block_packets, "at most 64");
    if (m_.links > kMostLinks) refuse("links", m_.links, "at most 10");
    if (m_.link_words > kMostLinkWordsACycle)
      refuse("link_words", m_.link_words, "at most 6: routes number 63 channels at most");
    if (m_.link_packets > kMostLinkPackets) refuse("link_packets", m_.link_packets, "at most 64");
  }

  void latencies() const {
    for (const auto& [name, value] : machine_fields(m_))
      if (value > kMostCycles && (name.starts_with("sync_") || name.starts_with("external_") ||
                                  name == "edge_latency" || name.starts_with("pcie_") || name == "host_turnaround"))
        refuse(name.c_str(), value, "at most 65535");
    // Requests and acknowledgements pass the trees, and one register at least between these and where sync is decided.
    for (const auto& [name, value] : machine_fields(m_))
      if (value <= m_.sync_levels() && (name.starts_with("sync_") || name.starts_with("external_")))
        refuse(name.c_str(), value,
               fmt::format("the tree of {} tiles is {} deep, and a register follows", m_.tiles(), m_.sync_levels()));
    if (m_.external_request < m_.edge_latency)
      refuse("external_request", m_.external_request,
             "requests of packets must be at the edge before those of a sync behind them (edge_latency)");
    const unsigned of_block = m_.block_tiles();
    const unsigned levels = std::bit_width(of_block - 1);
    if (m_.edge_latency <= levels + 1)
      refuse("edge_latency", m_.edge_latency,
             fmt::format("the tree in which requests of a block's {} tiles are compared is {} deep, a register comes "
                         "before it, and one behind the blocks",
                         of_block, levels));
  }

  static constexpr uint32_t kMostTiles = 2046, kMostRows = 26, kMostElements = 64, kAddresses = 0x100000,
                            kMostCycles = 0xffff, kMostBlocks = 64, kMostBlockPackets = 64, kMostLinks = 10,
                            kMostLinkWordsACycle = 6, kMostLinkPackets = 64,
                            kLeastElement = 4096;  // pages of snapshots and checkpoints
  const Machine& m_;
};

}  // namespace

unsigned Machine::latency(unsigned source, unsigned destination) const {
  const int half = static_cast<int>(columns) / 2;
  const int lane_s = source % lanes, column_s = source / lanes % columns, row_s = source / (lanes * columns);
  const int lane_d = destination % lanes, column_d = destination / lanes % columns,
            row_d = destination / (lanes * columns);
  const int half_s = column_s >= half, half_d = column_d >= half;
  const int fold_s = half_s ? static_cast<int>(columns) - 1 - column_s : column_s;
  const int fold_d = half_d ? static_cast<int>(columns) - 1 - column_d : column_d;
  const bool near = half_d == lane_d % 2;
  const int entry = lane_d >= 2 ? (near ? 2 : 4) : (near ? 1 : 5);
  const int distance = 6 * (fold_d - fold_s - (half_s ^ (lane_s % 2))) + entry;
  const int turn = half_s == half_d ? column_s % half + 1 : static_cast<int>(columns) - column_s % half;
  const int select = half * half_s + 3 - column_d + 4 * (fold_s - fold_d) + turn + std::abs(distance) - 34;
  return static_cast<unsigned>(52 + select + row_s + row_d);
}

unsigned Machine::sync_levels() const {
  unsigned levels = 1;
  for (uint64_t reached = kSyncFan; reached < tiles(); reached *= kSyncFan) ++levels;
  return levels;
}

unsigned Machine::min_latency() const {
  // Rows only add, so the nearest pair lies in row 0.
  unsigned least = ~0u;
  for (unsigned s = 0; s < lanes * columns; ++s)
    for (unsigned d = 0; d < lanes * columns; ++d) least = std::min(least, latency(s, d));
  return least;
}

unsigned Machine::element_of(uint32_t address) const {
  if (address < region1_base) return (address - memory_base) / element_bytes;
  const uint32_t offset = address - region1_base;
  return (region1_base - memory_base) / element_bytes + 2 * (offset / (2 * element_bytes)) + (address >> 3 & 1);
}

unsigned Machine::row_of(uint32_t address) const {
  if (address < region1_base) return (address - memory_base) % element_bytes / 8;
  return (address - region1_base) % (2 * element_bytes) / 16;
}

uint64_t Machine::hash() const {
  formats::Fnv hash;
  for (const auto& [name, value] : machine_fields(*this)) hash.text(name).number(value);
  return hash.value();
}

std::vector<std::pair<std::string, uint32_t>> machine_fields(const Machine& m) {
  std::vector<std::pair<std::string, uint32_t>> fields;
#define FIELD(f) fields.emplace_back(#f, m.f);
  TESSERA_MACHINE_FIELDS(FIELD)
#undef FIELD
  return fields;
}

std::string machines_folder() { return descriptions_folder("machines"); }

std::string descriptions_folder(const std::string& kind) {
  const std::string folder = "share/tessera/" + kind;
  if (const char* root = std::getenv("TESSERA_ROOT"); root != nullptr && *root != '\0')
    return std::string(root) + "/" + folder;
  // An installation stands anywhere: bin/, lib/ (a level deeper with multiarch) and libexec/tessera/ beside share/.
  for (const std::filesystem::path& file : own_files()) {
    std::filesystem::path directory = file.parent_path();
    for (int level = 0; level < 3; ++level, directory = directory.parent_path())
      if (std::filesystem::exists(directory / folder)) return (directory / folder).string();
  }
  const std::string source = std::string(TESSERA_DESCRIPTIONS_SOURCE) + "/" + kind;
  if (std::filesystem::exists(source)) return source;
  return std::string(TESSERA_DESCRIPTIONS_INSTALLED) + "/" + kind;
}

std::vector<std::string> description_names(const std::string& kind) {
  std::vector<std::string> names;
  std::error_code none_there;
  for (const auto& entry : std::filesystem::directory_iterator(descriptions_folder(kind), none_there))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> machine_names() { return description_names("machines"); }

Machine parse_machine(const std::string& text) {
  Machine machine;
  apply(machine, text, 0);
  Check(machine).all();
  return machine;
}

Machine load_machine(const std::string& name_or_path) {
  if (name_or_path.ends_with(".toml")) {
    const std::string text = machine_text(name_or_path);
    try {
      return parse_machine(text);
    } catch (const MachineError& error) {
      throw MachineError(name_or_path + ": " + error.what());
    }
  }
  const std::string path = machines_folder() + "/" + name_or_path + ".toml";
  if (name_or_path.find('/') != std::string::npos || !std::filesystem::exists(path)) {
    std::string known;
    for (const auto& name : machine_names()) known += " " + name;
    throw MachineError("no machine is named '" + name_or_path + "'; known:" + known);
  }
  return parse_machine(machine_text(path));
}

}  // namespace tessera::spec
