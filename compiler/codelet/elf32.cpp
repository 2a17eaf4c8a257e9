#include "compiler/codelet/elf32.h"

#include <algorithm>

#include "compiler/codelet/codelet_error.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kSymbolTable = 2, kRelocationsWithAddend = 4, kNoBits = 8;
constexpr unsigned kHeaderBytes = 52, kSectionBytes = 40, kSymbolBytes = 16, kRelocationBytes = 12;
constexpr unsigned kRiscv = 243;

class Reader {
 public:
  Reader(std::span<const std::uint8_t> bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  ElfFile read() {
    static constexpr std::uint8_t kMagic[] = {0x7f, 'E', 'L', 'F', 1, 1};
    if (bytes_.size() < kHeaderBytes || !std::equal(std::begin(kMagic), std::end(kMagic), bytes_.begin()) ||
        u16(18) != kRiscv) {
      fail("is not a 32-bit RISC-V ELF file");
    }
    const std::uint32_t table = u32(32);
    const unsigned count = u16(48), names = u16(50);
    for (unsigned i = 0; i < count; ++i) read_section(table + i * kSectionBytes);
    if (names >= count) fail("has no section names");
    for (unsigned i = 0; i < count; ++i) file_.sections[i].name = text(names, u32(table + i * kSectionBytes));
    for (const ElfSection& section : file_.sections) {
      if (section.type == kSymbolTable) read_symbols(section);
    }
    for (const ElfSection& section : file_.sections) {
      if (section.type == kRelocationsWithAddend) read_relocations(section);
    }
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw CodeletError(CodeletError::Kind::kFile, where_ + " " + what);
  }
  void need(std::uint64_t offset, std::uint64_t size) const {
    if (offset + size > bytes_.size()) fail("is cut short");
  }
  std::uint32_t u32(std::uint32_t offset) const {
    need(offset, 4);
    return load_u32(bytes_.data() + offset);
  }
  std::uint16_t u16(std::uint32_t offset) const {
    need(offset, 2);
    return static_cast<std::uint16_t>(bytes_[offset] | bytes_[offset + 1] << 8);
  }
  std::string_view text(unsigned section, std::uint32_t offset) const {
    if (section >= file_.sections.size() || offset >= file_.sections[section].data.size()) fail("has a bad name");
    const auto data = file_.sections[section].data.subspan(offset);
    const auto end = std::find(data.begin(), data.end(), std::uint8_t{0});
    return {reinterpret_cast<const char*>(data.data()), static_cast<std::size_t>(end - data.begin())};
  }

  void read_section(std::uint32_t at) {
    ElfSection section{};
    section.type = u32(at + 4);
    section.flags = u32(at + 8);
    section.address = u32(at + 12);
    section.size = u32(at + 20);
    section.link = u32(at + 24);
    section.info = u32(at + 28);
    section.alignment = u32(at + 32);
    if (section.type != kNoBits && section.type != 0) {
      need(u32(at + 16), section.size);
      section.data = bytes_.subspan(u32(at + 16), section.size);
    }
    file_.sections.push_back(section);
  }

  void read_symbols(const ElfSection& table) {
    for (std::size_t at = 0; at + kSymbolBytes <= table.data.size(); at += kSymbolBytes) {
      const std::uint8_t* p = table.data.data() + at;
      const auto section = static_cast<std::uint16_t>(p[14] | p[15] << 8);
      file_.symbols.push_back({text(table.link, load_u32(p)), load_u32(p + 4), load_u32(p + 8),
                               static_cast<std::uint8_t>(p[12] & 15), static_cast<std::uint8_t>(p[12] >> 4), section});
    }
  }

  void read_relocations(const ElfSection& table) {
    if (table.info >= file_.sections.size()) fail("has a bad relocation section");
    auto& relocations = file_.sections[table.info].relocations;
    for (std::size_t at = 0; at + kRelocationBytes <= table.data.size(); at += kRelocationBytes) {
      const std::uint8_t* p = table.data.data() + at;
      const std::uint32_t info = load_u32(p + 4);
      if ((info >> 8) >= file_.symbols.size()) fail("has a bad relocation");
      relocations.push_back({load_u32(p), info & 255, info >> 8, static_cast<std::int32_t>(load_u32(p + 8))});
    }
  }

  std::span<const std::uint8_t> bytes_;
  std::string where_;
  ElfFile file_;
};

}  // namespace

ElfFile read_elf(std::span<const std::uint8_t> bytes, const std::string& where) { return Reader(bytes, where).read(); }

}  // namespace tessera::compiler
