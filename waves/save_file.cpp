#include "waves/save_file.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "rtl/spec/causes.h"

namespace tessera::waves {
namespace {

// Flags of a line of a save file, as GTKWave counts them.
constexpr unsigned kHex = 0x22, kDecimal = 0x24, kBinary = 0x28, kSingle = 0x28;
constexpr unsigned kByFile = 0x2000, kByProcess = 0x4000;
constexpr unsigned kOpen = 0x800200, kOpenClosed = 0xc00200, kClose = 0x1000200;

struct Signal {
  const char* name;
  unsigned flags;
  int color;          // GTKWave's, 0: its default
  const char* names;  // file of value names, or "disassembly", or null
};

struct Group {
  const char* name;
  std::vector<Signal> signals;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> made = {
      {"time", {{"cycle_i[63:0]", kDecimal, 0, nullptr}, {"slot_i[2:0]", kDecimal, 0, nullptr}}},
      {"retired",
       {{"observe_o.retire_valid", kSingle, 2, nullptr},
        {"observe_o.context_id[2:0]", kHex, 3, "contexts"},
        {"observe_o.pc[31:0]", kHex, 3, nullptr},
        {"observe_o.instruction[31:0]", kHex, 3, "disassembly"},
        {"observe_o.reg_write", kSingle, 0, nullptr},
        {"observe_o.reg_float", kSingle, 0, nullptr},
        {"observe_o.reg_number[4:0]", kDecimal, 0, nullptr},
        {"observe_o.reg_data[63:0]", kHex, 0, nullptr},
        {"observe_o.mem_write", kSingle, 0, nullptr},
        {"observe_o.mem_address[31:0]", kHex, 0, nullptr},
        {"observe_o.mem_data[63:0]", kHex, 0, nullptr}}},
      {"contexts",
       {{"tile.active[5:0]", kBinary, 5, nullptr},
        {"tile.supervisor_waits", kSingle, 5, nullptr},
        {"tile.supervisor_issues", kSingle, 5, nullptr},
        {"tile.u_front.u_issue.worker_pc_q[0][31:0]", kHex, 0, nullptr},
        {"tile.u_front.u_issue.worker_pc_q[1][31:0]", kHex, 0, nullptr},
        {"tile.u_front.u_issue.worker_pc_q[2][31:0]", kHex, 0, nullptr},
        {"tile.u_front.u_issue.worker_pc_q[3][31:0]", kHex, 0, nullptr},
        {"tile.u_front.u_issue.worker_pc_q[4][31:0]", kHex, 0, nullptr},
        {"tile.u_front.u_issue.worker_pc_q[5][31:0]", kHex, 0, nullptr}}},
      {"sync",
       {{"sync_request_o", kSingle, 6, nullptr},
        {"sync_zone_o[3:0]", kHex, 6, "zones"},
        {"sync_value_o", kSingle, 6, nullptr},
        {"sync_ack_i", kSingle, 6, nullptr},
        {"sync_consensus_i", kSingle, 6, nullptr},
        {"sync_mark_i[15:0]", kDecimal, 6, nullptr}}},
      {"exchange",
       {{"exchanging_o", kSingle, 4, nullptr},
        {"exchange_valid_o", kSingle, 4, nullptr},
        {"exchange_data_o[31:0]", kHex, 4, nullptr},
        {"exchange_select_o[10:0]", kDecimal, 4, "sources"},
        {"exchange_valid_i", kSingle, 4, nullptr},
        {"exchange_data_i[31:0]", kHex, 4, nullptr}}},
      {"packets",
       {{"packet_request_o", kSingle, 7, nullptr},
        {"packet_grant_i", kSingle, 7, nullptr},
        {"packet_valid_o", kSingle, 7, nullptr},
        {"packet_last_o", kSingle, 7, nullptr},
        {"packet_data_o[31:0]", kHex, 7, nullptr},
        {"packet_valid_i", kSingle, 7, nullptr},
        {"packet_first_i", kSingle, 7, nullptr},
        {"packet_data_i[31:0]", kHex, 7, nullptr}}},
      {"exceptions",
       {{"exception_o", kSingle, 1, nullptr},
        {"observe_o.exception[3:0]", kHex, 1, "causes"},
        {"idle_o", kSingle, 0, nullptr}}},
  };
  return made;
}

std::string scope(unsigned tile) { return fmt::format("tile{}", tile); }

}  // namespace

std::string save_file(const SaveFileRequest& request) {
  std::string text =
      fmt::format("[*] Tessera\n[dumpfile] \"{}\"\n[size] 1600 1000\n[pos] -1 -1\n*-6.0 0\n", request.waves);
  text += "[sst_width] 200\n[signals_width] 320\n";
  // Filters are numbered in the order of their first use.
  std::vector<std::string> filters;
  for (unsigned tile : request.tiles) {
    text += fmt::format("@{:x}\n-tile {}\n", kOpen, tile);
    for (const auto& group : groups()) {
      const bool closed = std::string_view(group.name) == "packets";
      text += fmt::format("@{:x}\n-{}\n", closed ? kOpenClosed : kOpen, group.name);
      for (const auto& signal : group.signals) {
        const bool process = signal.names && std::string_view(signal.names) == "disassembly";
        const bool file = signal.names && !process;
        const bool translated = file || (process && !request.disassembler.empty());
        text += fmt::format(
            "@{:x}\n", signal.flags | (translated && file ? kByFile : 0) | (translated && process ? kByProcess : 0));
        if (translated) {
          const std::string path =
              process ? request.disassembler : fmt::format("{}/{}.txt", request.filter_folder, signal.names);
          text += process ? fmt::format("^>1 {}\n", path) : fmt::format("^1 {}\n", path);
        }
        if (signal.color != 0) text += fmt::format("[color] {}\n", signal.color);
        text += fmt::format("{}.{}\n", scope(tile), signal.name);
      }
      text += fmt::format("@{:x}\n-{}\n", kClose, group.name);
    }
    text += fmt::format("@{:x}\n-tile {}\n", kClose, tile);
  }
  return text + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

std::vector<std::string> shown_signals(const std::vector<unsigned>& tiles) {
  std::vector<std::string> names;
  for (unsigned tile : tiles)
    for (const auto& group : groups())
      for (const auto& signal : group.signals) names.push_back(scope(tile) + "." + signal.name);
  return names;
}

void write_value_names(const std::string& folder) {
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream out(folder + "/" + name + ".txt");
    out << text;
    out.close();
    if (!out) throw std::runtime_error("waves: " + folder + "/" + name + ".txt cannot be written");
  };
  std::string contexts = "0 supervisor\n";
  for (unsigned worker = 0; worker < 6; ++worker) contexts += fmt::format("{} worker {}\n", worker + 1, worker);
  write("contexts", contexts);
  write("zones", "0 local\n1 exchange\n2 internal\n3 external\n4 host\n5 receive\n");
  std::string causes;
#define CAUSE(id, number, name, why) causes += fmt::format("{:X} {}\n", number, name);
#include "rtl/spec/causes.def"
#undef CAUSE
  write("causes", causes);
  std::string sources;
  for (unsigned tile = 0; tile < 2047; ++tile) sources += fmt::format("{} tile {}\n", tile, tile);
  write("sources", sources + "2047 none\n");
}

}  // namespace tessera::waves
