#include "inspect/gdb/served_files.h"

#include "inspect/gdb/rsp.h"
#include "inspect/gdb/tile_elf.h"

namespace tessera::inspect::gdb {
namespace {

// Error numbers are the protocol's own (File-I/O).
constexpr const char* kNoEntry = "F-1,2";
constexpr const char* kBadDescriptor = "F-1,9";
constexpr const char* kReadOnly = "F-1,1e";
constexpr const char* kInvalid = "F-1,16";

std::string with_data(std::string_view data) { return "F" + hex_text(data.size()) + ";" + escaped(data); }

}  // namespace

std::string ServedFiles::path(unsigned tile) const {
  const unsigned chip = tile / tiles_of_chip_, programs = programs_.at(chip);
  const std::string of_chip = programs_.size() < 2 ? "" : "chip" + std::to_string(chip) + "/";
  const std::string of_program = programs < 2 ? "" : "program" + std::to_string(programs) + "/";
  return "/tessera/" + of_chip + of_program + "tile" + std::to_string(tile % tiles_of_chip_) + ".elf";
}

std::optional<std::string> ServedFiles::answer(std::string_view request, Target& target) {
  const std::string_view name = cut(request, ':');
  if (name == "setfs") return "F0";
  if (name == "unlink" || name == "pwrite") return kReadOnly;
  if (name == "readlink") return kNoEntry;
  if (name == "open") {
    const auto path = from_hex(cut(request, ','));
    const auto flags = hex_number(cut(request, ','));
    if (!path || !flags) return kInvalid;
    if ((*flags & 3) != 0) return kReadOnly;
    for (unsigned tile = 0; tile < target.tiles(); ++tile)
      if (*path == this->path(tile)) {
        const Target::OnChip at = target.of(tile);
        if (!files_.contains(tile)) files_[tile] = tile_elf(at.run.program(), at.tile);
        return "F" + hex_text(tile);
      }
    return kNoEntry;
  }
  if (name != "close" && name != "pread") return std::nullopt;
  const auto descriptor = hex_number(cut(request, ','));
  const auto file = descriptor ? files_.find(static_cast<unsigned>(*descriptor)) : files_.end();
  if (file == files_.end()) return kBadDescriptor;
  if (name == "close") return "F0";
  const auto count = hex_number(cut(request, ',')), offset = hex_number(request);
  if (!count || !offset) return kInvalid;
  if (*offset >= file->second.size()) return "F0;";
  return with_data(std::string_view(file->second).substr(*offset, std::min<uint64_t>(*count, kPacketBytes / 2 - 64)));
}

}  // namespace tessera::inspect::gdb
