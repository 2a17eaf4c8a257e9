#include "sw/firmware/host/elf_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace tessera::firmware {
namespace {

constexpr uint16_t kRiscV = 243;
constexpr uint32_t kMostMemory = 1u << 20;  // of a segment: larger than any tile

class Reader {
 public:
  explicit Reader(const ElfImage& image) : path_(image.path), file_(image.file) {}

  template <class T>
  T at(uint64_t offset) const {
    T value;
    need(offset, sizeof value);
    std::memcpy(&value, file_.data() + offset, sizeof value);
    return value;
  }
  std::vector<uint8_t> bytes(uint64_t offset, uint64_t count) const {
    need(offset, count);
    return {file_.begin() + static_cast<std::ptrdiff_t>(offset),
            file_.begin() + static_cast<std::ptrdiff_t>(offset + count)};
  }
  std::string text(uint64_t offset) const {
    std::string result;
    for (char c; (c = at<char>(offset)) != '\0'; ++offset) result += c;
    return result;
  }
  [[noreturn]] void damaged() const { throw BadFirmware(path_ + " is damaged: a part of it lies outside the file"); }

 private:
  void need(uint64_t offset, uint64_t count) const {
    if (offset > file_.size() || count > file_.size() - offset) damaged();
  }

  const std::string& path_;
  const std::vector<uint8_t>& file_;
};

std::vector<uint8_t> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw BadFirmware("there is no file " + path);
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, error)) throw BadFirmware(path + " cannot be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void read_segments(const Reader& reader, const Elf32_Ehdr& header, ElfImage& image) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto p = reader.at<Elf32_Phdr>(header.e_phoff + uint64_t{i} * header.e_phentsize);
    if (p.p_type != PT_LOAD || p.p_memsz == 0) continue;
    if (p.p_memsz > kMostMemory || p.p_filesz > p.p_memsz)
      throw BadFirmware(fmt::format("{}: the segment at {:#x} has {} bytes, more than a tile has memory", image.path,
                                    p.p_vaddr, p.p_memsz));
    if (p.p_vaddr % 4 != 0)
      throw BadFirmware(fmt::format("{}: the segment at {:#x} does not begin at a word", image.path, p.p_vaddr));
    std::vector<uint8_t> bytes = reader.bytes(p.p_offset, p.p_filesz);
    bytes.resize((bytes.size() + 3) / 4 * 4);
    Segment segment{p.p_vaddr, p.p_memsz, std::vector<uint32_t>(bytes.size() / 4), (p.p_flags & PF_X) != 0};
    if (!bytes.empty()) std::memcpy(segment.words.data(), bytes.data(), bytes.size());
    image.segments.push_back(std::move(segment));
  }
}

void read_sections(const Reader& reader, const Elf32_Ehdr& header, ElfImage& image) {
  if (header.e_shoff == 0) return;
  std::vector<Elf32_Shdr> raw;
  for (unsigned i = 0; i < header.e_shnum; ++i)
    raw.push_back(reader.at<Elf32_Shdr>(header.e_shoff + uint64_t{i} * header.e_shentsize));
  if (header.e_shstrndx >= raw.size()) reader.damaged();
  const uint64_t names = raw[header.e_shstrndx].sh_offset;
  for (const Elf32_Shdr& s : raw) {
    Section section{reader.text(names + s.sh_name),
                    s.sh_addr,
                    s.sh_size,
                    (s.sh_flags & SHF_ALLOC) != 0,
                    (s.sh_flags & SHF_EXECINSTR) != 0,
                    (s.sh_flags & SHF_WRITE) != 0,
                    s.sh_type == SHT_NOBITS,
                    {}};
    if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL) section.data = reader.bytes(s.sh_offset, s.sh_size);
    image.sections.push_back(std::move(section));
    if (s.sh_type != SHT_SYMTAB) continue;
    if (s.sh_link >= raw.size()) reader.damaged();
    for (uint32_t at = 0; at + sizeof(Elf32_Sym) <= s.sh_size; at += sizeof(Elf32_Sym)) {
      const auto symbol = reader.at<Elf32_Sym>(uint64_t{s.sh_offset} + at);
      const unsigned type = ELF32_ST_TYPE(symbol.st_info);
      if (symbol.st_name == 0 || symbol.st_shndx == SHN_UNDEF || type == STT_SECTION || type == STT_FILE) continue;
      // What is not loaded has no address.
      if (symbol.st_shndx < raw.size() && (raw[symbol.st_shndx].sh_flags & SHF_ALLOC) == 0) continue;
      image.symbols.push_back({reader.text(uint64_t{raw[s.sh_link].sh_offset} + symbol.st_name), symbol.st_value,
                               symbol.st_size, type == STT_FUNC, type == STT_OBJECT});
    }
  }
  std::stable_sort(image.symbols.begin(), image.symbols.end(),
                   [](const ElfSymbol& a, const ElfSymbol& b) { return a.address < b.address; });
}

std::string place(const Segment& segment) {
  return fmt::format("{:#x}..{:#x}", segment.address, segment.address + segment.memory_bytes - 1);
}

}  // namespace

FileKind kind_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char bytes[20] = {};
  if (!in || !std::filesystem::is_regular_file(path)) return FileKind::kMissing;
  in.read(bytes, sizeof bytes);
  if (in.gcount() < static_cast<std::streamsize>(sizeof bytes) || std::memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return FileKind::kOther;
  uint16_t machine;
  std::memcpy(&machine, bytes + 18, sizeof machine);
  return bytes[EI_CLASS] == ELFCLASS32 && machine == kRiscV ? FileKind::kTileElf : FileKind::kOtherElf;
}

ElfImage read_elf_image(const std::string& path) {
  ElfImage image;
  image.path = path;
  image.file = read_file(path);
  const Reader reader(image);
  if (image.file.size() < sizeof(Elf32_Ehdr) || std::memcmp(image.file.data(), ELFMAG, SELFMAG) != 0)
    throw BadFirmware(path + " is not an ELF file");
  const auto header = reader.at<Elf32_Ehdr>(0);
  if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != kRiscV)
    throw BadFirmware(path + " is an ELF file, but not for a tile (32-bit RISC-V)");
  if (header.e_type != ET_EXEC)
    throw BadFirmware(path + " is not linked to run at a fixed place; link it with the linker script of the firmware");
  image.entry = header.e_entry;
  read_segments(reader, header, image);
  read_sections(reader, header, image);
  if (const Section* note = image.section(".tessera.machine"); note != nullptr && note->data.size() > 8) {
    std::memcpy(&image.machine_hash, note->data.data(), 8);
    image.machine.assign(note->data.begin() + 8, std::find(note->data.begin() + 8, note->data.end(), 0));
  }
  return image;
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
