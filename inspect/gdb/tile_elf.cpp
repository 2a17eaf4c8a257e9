#include "inspect/gdb/tile_elf.h"

#include <elf.h>

#include <cstring>
#include <vector>

namespace tessera::inspect::gdb {
namespace {

// Control code ends with its memory element (image.md).
constexpr uint32_t kElementBytes = 0x4000;

class Elf {
 public:
  explicit Elf(const std::vector<uint8_t>& bytes) : file_(bytes.begin(), bytes.end()) {
    if (!read_sections()) make_empty();
  }

  uint16_t add_code_section(const std::string& name, uint32_t address, uint32_t bytes) {
    Elf32_Shdr section{};
    section.sh_name = static_cast<uint32_t>(section_names_.size());
    section_names_ += name + '\0';
    section.sh_type = SHT_NOBITS;
    section.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    section.sh_addr = address;
    section.sh_size = bytes;
    section.sh_addralign = 4;
    sections_.push_back(section);
    return static_cast<uint16_t>(sections_.size() - 1);
  }

  void add_symbol(const std::string& name, uint32_t address, uint32_t bytes, unsigned type, uint16_t section) {
    Elf32_Sym symbol{};
    symbol.st_name = static_cast<uint32_t>(strings_.size());
    strings_ += name + '\0';
    symbol.st_value = address;
    symbol.st_size = bytes;
    symbol.st_info = static_cast<uint8_t>(ELF32_ST_INFO(STB_GLOBAL, type));
    symbol.st_shndx = section;
    symbols_.append(reinterpret_cast<const char*>(&symbol), sizeof symbol);
  }

  // The old contents stay in place; tables that have grown come behind them.
  std::string finish() {
    place(sections_[symtab_], symbols_);
    place(sections_[strtab_], strings_);
    place(sections_[header_.e_shstrndx], section_names_);
    file_.resize((file_.size() + 3) / 4 * 4);
    header_.e_shoff = static_cast<uint32_t>(file_.size());
    header_.e_shnum = static_cast<uint16_t>(sections_.size());
    file_.append(reinterpret_cast<const char*>(sections_.data()), sections_.size() * sizeof sections_[0]);
    std::memcpy(file_.data(), &header_, sizeof header_);
    return std::move(file_);
  }

 private:
  bool read_sections() {
    if (file_.size() < sizeof header_) return false;
    std::memcpy(&header_, file_.data(), sizeof header_);
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS32 ||
        header_.e_shentsize != sizeof(Elf32_Shdr) || header_.e_shnum == 0 || header_.e_shstrndx >= header_.e_shnum ||
        header_.e_shoff + uint64_t{header_.e_shnum} * sizeof(Elf32_Shdr) > file_.size())
      return false;
    sections_.resize(header_.e_shnum);
    std::memcpy(sections_.data(), file_.data() + header_.e_shoff, sections_.size() * sizeof sections_[0]);
    if (!contents(sections_[header_.e_shstrndx], section_names_)) return false;
    for (size_t n = 0; n < sections_.size(); ++n)
      if (sections_[n].sh_type == SHT_SYMTAB) {
        symtab_ = n;
        strtab_ = sections_[n].sh_link;
        return strtab_ < sections_.size() && contents(sections_[n], symbols_) && contents(sections_[strtab_], strings_);
      }
    return add_tables();
  }

  bool contents(const Elf32_Shdr& section, std::string& bytes) const {
    if (uint64_t{section.sh_offset} + section.sh_size > file_.size()) return false;
    bytes = file_.substr(section.sh_offset, section.sh_size);
    return true;
  }

  bool add_tables() {
    const auto add = [&](const char* name, uint32_t type, uint32_t align) {
      Elf32_Shdr section{};
      section.sh_name = static_cast<uint32_t>(section_names_.size());
      section_names_ += std::string(name) + '\0';
      section.sh_type = type;
      section.sh_addralign = align;
      sections_.push_back(section);
      return sections_.size() - 1;
    };
    strtab_ = add(".strtab", SHT_STRTAB, 1);
    strings_.assign(1, '\0');
    symtab_ = add(".symtab", SHT_SYMTAB, 4);
    sections_[symtab_].sh_link = static_cast<uint32_t>(strtab_);
    sections_[symtab_].sh_info = 1;
    sections_[symtab_].sh_entsize = sizeof(Elf32_Sym);
    symbols_.assign(sizeof(Elf32_Sym), '\0');
    return true;
  }

  void make_empty() {
    constexpr uint32_t kDoubleFloatAbi = 4;
    header_ = {};
    std::memcpy(header_.e_ident, ELFMAG, SELFMAG);
    header_.e_ident[EI_CLASS] = ELFCLASS32;
    header_.e_ident[EI_DATA] = ELFDATA2LSB;
    header_.e_ident[EI_VERSION] = EV_CURRENT;
    header_.e_type = ET_EXEC;
    header_.e_machine = EM_RISCV;
    header_.e_version = EV_CURRENT;
    header_.e_flags = kDoubleFloatAbi;
    header_.e_ehsize = sizeof header_;
    header_.e_shentsize = sizeof(Elf32_Shdr);
    file_.assign(sizeof header_, '\0');
    section_names_.assign(1, '\0');
    Elf32_Shdr names{};
    names.sh_name = 1;
    names.sh_type = SHT_STRTAB;
    names.sh_addralign = 1;
    section_names_ += std::string(".shstrtab") + '\0';
    sections_ = {Elf32_Shdr{}, names};
    header_.e_shstrndx = 1;
    add_tables();
  }

  void place(Elf32_Shdr& section, const std::string& bytes) {
    file_.resize((file_.size() + 3) / 4 * 4);
    section.sh_offset = static_cast<uint32_t>(file_.size());
    section.sh_size = static_cast<uint32_t>(bytes.size());
    file_ += bytes;
  }

  std::string file_, section_names_, strings_, symbols_;
  Elf32_Ehdr header_{};
  std::vector<Elf32_Shdr> sections_;
  size_t symtab_ = 0, strtab_ = 0;
};

}  // namespace

std::string tile_elf(const names::ProgramInfo& program, unsigned tile) {
  Elf elf(program.elf);
  std::vector<names::Step> steps;
  for (const names::Step& step : program.steps)
    if (step.tile == tile) steps.push_back(step);
  if (!steps.empty()) {
    const uint32_t begin = steps.front().pc, end = (steps.back().pc / kElementBytes + 1) * kElementBytes;
    const uint16_t section = elf.add_code_section(".control", begin, end - begin);
    for (size_t n = 0; n < steps.size(); ++n)
      elf.add_symbol(program.name(steps[n].what), steps[n].pc,
                     (n + 1 < steps.size() ? steps[n + 1].pc : end) - steps[n].pc, STT_FUNC, section);
  }
  for (const names::Variable& variable : program.variables)
    if (variable.tile == tile && variable.name != 0)
      elf.add_symbol(program.name(variable.name), variable.address, variable.bytes, STT_OBJECT, SHN_ABS);
  return elf.finish();
}

}  // namespace tessera::inspect::gdb
