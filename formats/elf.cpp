#include "formats/elf.h"

#include <elf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>

namespace tessera::formats {
namespace {

[[noreturn]] void cut_short() { throw BadElf("is cut short"); }

std::span<const uint8_t> bytes_of(const Elf_Data* data) {
  if (data == nullptr) cut_short();
  return {static_cast<const uint8_t*>(data->d_buf), data->d_buf == nullptr ? 0 : data->d_size};
}

template <class Entry>
std::span<const Entry> entries_of(const Elf_Data* data) {
  const auto bytes = bytes_of(data);
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(Entry) != 0) throw BadElf("has a table at an odd place");
  return {reinterpret_cast<const Entry*>(bytes.data()), bytes.size() / sizeof(Entry)};
}

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {
    elf_version(EV_CURRENT);
    // libelf writes to no memory that it was given to read.
    elf_ = elf_memory(const_cast<char*>(reinterpret_cast<const char*>(bytes.data())), bytes.size());
    if (elf_ == nullptr) cut_short();
    file_.handle = std::shared_ptr<void>(elf_, [](void* elf) { elf_end(static_cast<Elf*>(elf)); });
  }

  ElfFile read() {
    const Elf32_Ehdr* header = elf32_getehdr(elf_);
    if (header == nullptr) cut_short();
    if (header->e_phoff % 4 != 0 || header->e_shoff % 4 != 0) throw BadElf("has a table at an odd place");
    file_.linked = header->e_type == ET_EXEC;
    file_.entry = header->e_entry;
    read_segments(*header);
    read_sections(*header);
    for (const Section& section : raw_)
      if (section.header->sh_type == SHT_SYMTAB) read_symbols(section);
    for (const Section& section : raw_)
      if (section.header->sh_type == SHT_RELA) read_relocations(section);
    return std::move(file_);
  }

 private:
  struct Section {
    Elf_Scn* handle;
    const Elf32_Shdr* header;
  };

  std::string_view text(size_t table, size_t offset) const {
    const char* text = elf_strptr(elf_, table, offset);
    if (text == nullptr) throw BadElf("has a bad name");
    return text;
  }

  void read_segments(const Elf32_Ehdr& header) {
    const Elf32_Phdr* segment = elf32_getphdr(elf_);
    if (segment == nullptr && header.e_phnum != 0) cut_short();
    for (unsigned i = 0; i < header.e_phnum; ++i, ++segment) {
      if (segment->p_type != PT_LOAD || segment->p_memsz == 0) continue;
      if (segment->p_offset > bytes_.size() || segment->p_filesz > bytes_.size() - segment->p_offset) cut_short();
      if (segment->p_filesz > segment->p_memsz) throw BadElf("has a segment of more bytes than memory");
      file_.segments.push_back({segment->p_vaddr, segment->p_memsz, (segment->p_flags & PF_X) != 0,
                                bytes_.subspan(segment->p_offset, segment->p_filesz)});
    }
  }

  void read_sections(const Elf32_Ehdr& header) {
    size_t count = 0;
    if (elf_getshdrnum(elf_, &count) != 0 || count < header.e_shnum) cut_short();
    for (size_t i = 0; i < count; ++i) {
      Elf_Scn* handle = elf_getscn(elf_, i);
      const Elf32_Shdr* section = handle == nullptr ? nullptr : elf32_getshdr(handle);
      if (section == nullptr) cut_short();
      raw_.push_back({handle, section});
      const bool has_bytes = section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL;
      file_.sections.push_back({i == 0 ? "" : text(header.e_shstrndx, section->sh_name),
                                section->sh_type,
                                section->sh_flags,
                                section->sh_addr,
                                section->sh_size,
                                has_bytes ? bytes_of(elf_rawdata(handle, nullptr)) : std::span<const uint8_t>{},
                                {}});
    }
  }

  void read_symbols(const Section& table) {
    for (const auto& s : entries_of<Elf32_Sym>(elf_getdata(table.handle, nullptr)))
      file_.symbols.push_back({text(table.header->sh_link, s.st_name), s.st_value, s.st_size,
                               static_cast<uint8_t>(ELF32_ST_TYPE(s.st_info)),
                               static_cast<uint8_t>(ELF32_ST_BIND(s.st_info)), s.st_shndx});
  }

  void read_relocations(const Section& table) {
    if (table.header->sh_info >= file_.sections.size()) throw BadElf("has a bad relocation section");
    auto& relocations = file_.sections[table.header->sh_info].relocations;
    for (const auto& r : entries_of<Elf32_Rela>(elf_getdata(table.handle, nullptr))) {
      if (ELF32_R_SYM(r.r_info) >= file_.symbols.size()) throw BadElf("has a bad relocation");
      relocations.push_back({r.r_offset, ELF32_R_TYPE(r.r_info), ELF32_R_SYM(r.r_info), r.r_addend});
    }
  }

  std::span<const uint8_t> bytes_;
  Elf* elf_;
  std::vector<Section> raw_;
  ElfFile file_{};
};

}  // namespace

bool ElfSection::is_loaded() const { return (flags & SHF_ALLOC) != 0; }
bool ElfSection::is_code() const { return (flags & SHF_EXECINSTR) != 0; }
bool ElfSection::is_writable() const { return (flags & SHF_WRITE) != 0; }
bool ElfSection::is_zeroed() const { return type == SHT_NOBITS; }

const ElfSection* ElfFile::section(std::string_view name) const {
  const auto found =
      std::find_if(sections.begin(), sections.end(), [&](const ElfSection& s) { return s.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

ElfKind elf_kind(std::span<const uint8_t> bytes) {
  Elf32_Ehdr header;
  if (bytes.size() < EI_NIDENT || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return ElfKind::kNone;
  if (bytes.size() < sizeof header) return ElfKind::kOther;
  std::memcpy(&header, bytes.data(), sizeof header);
  const bool tile =
      header.e_ident[EI_CLASS] == ELFCLASS32 && header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == EM_RISCV;
  return tile ? ElfKind::kTile : ElfKind::kOther;
}

ElfFile read_elf(std::span<const uint8_t> bytes) {
  if (elf_kind(bytes) != ElfKind::kTile) throw BadElf("is not a 32-bit RISC-V ELF file");
  return Reader(bytes).read();
}

}  // namespace tessera::formats
