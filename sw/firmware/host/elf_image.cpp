#include "sw/firmware/host/elf_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "formats/bytes.h"
#include "formats/elf.h"
#include "formats/elf_seal.h"
#include "sw/firmware/host/file_text.h"

namespace tessera::firmware {
namespace {

constexpr uint32_t kMostMemory = 1u << 20;  // of a segment: larger than any tile

std::vector<uint8_t> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw BadFirmware("there is no file " + path);
  std::ifstream in(path, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(path, error))
    throw BadFirmware(path + " is " + file_text(path) + ", not firmware");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void take_segments(const formats::ElfFile& elf, ElfImage& image) {
  for (const formats::ElfSegment& from : elf.segments) {
    if (from.memory_bytes > kMostMemory)
      throw BadFirmware(fmt::format("{}: the segment at {:#x} has {} bytes, more than a tile has memory", image.path,
                                    from.address, from.memory_bytes));
    if (from.address % 4 != 0)
      throw BadFirmware(fmt::format("{}: the segment at {:#x} does not begin at a word", image.path, from.address));
    Segment segment{from.address, from.memory_bytes, std::vector<uint32_t>((from.data.size() + 3) / 4),
                    from.executable};
    if (!from.data.empty()) std::memcpy(segment.words.data(), from.data.data(), from.data.size());
    image.segments.push_back(std::move(segment));
  }
}

void take_sections(const formats::ElfFile& elf, ElfImage& image) {
  for (const formats::ElfSection& s : elf.sections)
    image.sections.push_back({std::string(s.name),
                              s.address,
                              s.size,
                              s.is_loaded(),
                              s.is_code(),
                              s.is_writable(),
                              s.is_zeroed(),
                              {s.data.begin(), s.data.end()}});
}

void take_symbols(const formats::ElfFile& elf, ElfImage& image) {
  using Symbol = formats::ElfSymbol;
  for (const Symbol& s : elf.symbols) {
    if (s.name.empty() || s.section == Symbol::kUndefined || s.type == Symbol::kSection || s.type == Symbol::kFile)
      continue;
    // What is not loaded has no address.
    if (s.section < elf.sections.size() && !elf.sections[s.section].is_loaded()) continue;
    image.symbols.push_back(
        {std::string(s.name), s.value, s.size, s.type == Symbol::kFunction, s.type == Symbol::kObject});
  }
  std::stable_sort(image.symbols.begin(), image.symbols.end(),
                   [](const ElfSymbol& a, const ElfSymbol& b) { return a.address < b.address; });
}

std::string place(const Segment& segment) {
  return fmt::format("{:#x}..{:#x}", segment.address, segment.address + segment.memory_bytes - 1);
}

}  // namespace

FileKind kind_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return FileKind::kMissing;
  if (!std::filesystem::is_regular_file(path, error)) return FileKind::kOther;  // a pipe would not open
  std::ifstream in(path, std::ios::binary);
  uint8_t bytes[formats::kElfHeaderBytes];
  in.read(reinterpret_cast<char*>(bytes), sizeof bytes);
  switch (formats::elf_kind({bytes, static_cast<size_t>(in.gcount())})) {
    case formats::ElfKind::kTile:
      return FileKind::kTileElf;
    case formats::ElfKind::kOther:
      return FileKind::kOtherElf;
    case formats::ElfKind::kNone:
      break;
  }
  return FileKind::kOther;
}

ElfImage read_elf_image(const std::string& path) try {
  ElfImage image;
  image.path = path;
  image.file = read_file(path);
  const auto kind = formats::elf_kind(image.file);
  if (kind != formats::ElfKind::kTile)
    throw BadFirmware(path + " is " + file_text(path) + ", not firmware: an ELF file for tiles (32-bit RISC-V)");
  if (!formats::elf_is_whole(image.file)) throw BadFirmware(path + " is damaged: its digest does not fit");
  const formats::ElfFile elf = formats::read_elf(image.file);
  if (!elf.linked)
    throw BadFirmware(path + " is not linked to run at a fixed place; link it with the linker script of the firmware");
  image.entry = elf.entry;
  take_segments(elf, image);
  take_sections(elf, image);
  take_symbols(elf, image);
  if (const Section* note = image.section(".tessera.machine"); note != nullptr && note->data.size() > 8) {
    image.machine_hash = formats::number_at<uint64_t>(note->data.data());
    image.machine.assign(note->data.begin() + 8, std::find(note->data.begin() + 8, note->data.end(), 0));
  }
  return image;
} catch (const formats::BadElf& error) {
  throw BadFirmware(path + " is damaged: it " + error.what());
}

const ElfSymbol* ElfImage::symbol(const std::string& name) const {
  const auto found = std::find_if(symbols.begin(), symbols.end(), [&](const ElfSymbol& s) { return s.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

const Section* ElfImage::section(const std::string& name) const {
  const auto found = std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

const ElfSymbol* ElfImage::symbol_at(uint32_t address) const {
  const ElfSymbol* found = nullptr;
  for (const ElfSymbol& s : symbols)
    if ((s.function || s.object) && s.address <= address && address - s.address < std::max(s.bytes, 1u)) found = &s;
  return found;
}

std::optional<std::string> ElfImage::constant_text(uint32_t address) const {
  for (const Section& s : sections) {
    if (!s.loaded || s.writable || s.executable || s.data.empty() || address < s.address ||
        address - s.address >= s.data.size())
      continue;
    const auto begin = s.data.begin() + (address - s.address);
    return std::string(begin, std::find(begin, s.data.end(), 0));
  }
  return std::nullopt;
}

void check_fits(const ElfImage& image, const spec::Machine& machine) {
  if (!image.machine.empty() && image.machine_hash != machine.hash())
    throw BadFirmware(
        image.machine == machine.name
            ? fmt::format("{} was built for another version of {}; build it again", image.path, machine.name)
            : fmt::format("{} was built for {}, and this is {}; give --machine {}, or build it with "
                          "tessera_firmware(... MACHINE {})",
                          image.path, image.machine, machine.name, image.machine, machine.name));
  bool entry_found = false;
  std::map<unsigned, const Segment*> text;  // by element
  for (const Segment& segment : image.segments) {
    const uint64_t end = uint64_t{segment.address} + segment.memory_bytes;
    if (segment.address < machine.memory_base || end > machine.memory_end())
      throw BadFirmware(fmt::format("{}: the segment at {} lies outside a tile's memory, {:#x}..{:#x}", image.path,
                                    place(segment), machine.memory_base, machine.memory_end() - 1));
    if (!segment.executable) continue;
    if (end > machine.region1_base)
      throw BadFirmware(fmt::format("{}: the text at {} reaches beyond {:#x}, where nothing can be executed",
                                    image.path, place(segment), machine.region1_base));
    entry_found = entry_found || (image.entry >= segment.address && image.entry < end);
    for (uint32_t at = segment.address; at < end; at += 8) text[machine.element_of(at)] = &segment;
  }
  if (!entry_found)
    throw BadFirmware(fmt::format("{}: its entry {:#x} lies outside its text", image.path, image.entry));
  for (const Segment& segment : image.segments) {
    if (segment.executable) continue;
    for (uint32_t at = segment.address; at < segment.address + segment.memory_bytes; at += 8)
      if (const auto found = text.find(machine.element_of(at)); found != text.end())
        throw BadFirmware(fmt::format(
            "{}: data at {} share memory element {} with text at {}; a fetch and a data access in one element clash",
            image.path, place(segment), found->first, place(*found->second)));
  }
}

}  // namespace tessera::firmware
