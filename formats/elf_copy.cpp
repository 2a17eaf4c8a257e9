#include "formats/elf_copy.h"

#include <elf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <memory>

#include "formats/elf_handle.h"

namespace tessera::formats {
struct ElfCopy::Impl {
  // A table of the copy: what the original has, and what comes behind it.
  struct Table {
    Elf_Scn* section = nullptr;
    size_t old_bytes = 0;
    std::string added;

    uint32_t add(const std::string& bytes) {
      const size_t at = old_bytes + added.size();
      added += bytes;
      return static_cast<uint32_t>(at);
    }
    uint32_t add_text(const std::string& text) { return add(text + '\0'); }
  };

  // libelf writes to files only.
  int file = memfd_create("elf", MFD_CLOEXEC);
  ElfHandle out;
  Table section_names, strings, symbols;
  std::map<std::string, Table> plain;  // sections of bytes, by name

  explicit Impl(std::span<const uint8_t> original) {
    elf_version(EV_CURRENT);
    if (!begin() || !copy(original)) {
      begin();
      make_empty();
    }
    if (symbols.section == nullptr) add_tables();
  }
  ~Impl() {
    out.reset();
    if (file >= 0) close(file);
  }

  bool begin() {
    section_names = strings = symbols = {};
    plain.clear();
    out.reset();
    if (file >= 0 && ftruncate(file, 0) == 0) out.reset(elf_begin(file, ELF_C_WRITE, nullptr));
    if (out == nullptr || elf32_newehdr(out.get()) == nullptr)
      throw BadElf(std::string("cannot be written: ") + elf_errmsg(-1));
    return true;
  }

  bool copy(std::span<const uint8_t> original) {
    if (elf_kind(original) != ElfKind::kTile) return false;
    // libelf writes to no memory that it was given to read.
    in.reset(elf_memory(const_cast<char*>(reinterpret_cast<const char*>(original.data())), original.size()));
    const Elf32_Ehdr* header = in == nullptr ? nullptr : elf32_getehdr(in.get());
    size_t count = 0, names = 0;
    if (header == nullptr || header->e_shoff % 4 != 0 || elf_getshdrnum(in.get(), &count) != 0 ||
        count < header->e_shnum || elf_getshdrstrndx(in.get(), &names) != 0 || names == SHN_UNDEF || names >= count)
      return false;
    Elf32_Ehdr* own = elf32_getehdr(out.get());
    *own = *header;
    own->e_phoff = own->e_phnum = 0;  // a debugger goes by sections
    size_t symbol_names = 0;
    for (size_t i = 1; i < count; ++i) {
      Elf_Scn* from = elf_getscn(in.get(), i);
      const Elf32_Shdr* section = from == nullptr ? nullptr : elf32_getshdr(from);
      Elf_Data* bytes = section == nullptr ? nullptr : elf_rawdata(from, nullptr);
      if (bytes == nullptr) return false;
      Elf_Scn* to = elf_newscn(out.get());
      *elf32_getshdr(to) = *section;
      *elf_newdata(to) = *bytes;
      if (i == names) section_names = {to, section->sh_size, {}};
      if (const char* text = elf_strptr(in.get(), names, section->sh_name);
          text != nullptr && section->sh_type == SHT_PROGBITS && (section->sh_flags & SHF_ALLOC) == 0)
        plain[text] = {to, section->sh_size, {}};
      if (section->sh_type == SHT_SYMTAB) {
        symbols = {to, section->sh_size, {}};
        symbol_names = section->sh_link;
      }
    }
    if (symbols.section == nullptr) return true;
    strings.section = elf_getscn(out.get(), symbol_names);
    if (symbol_names == 0 || strings.section == nullptr) return false;
    strings.old_bytes = elf32_getshdr(strings.section)->sh_size;
    return true;
  }

  void make_empty() {
    Elf32_Ehdr* header = elf32_getehdr(out.get());
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_type = ET_EXEC;
    header->e_machine = EM_RISCV;
    header->e_flags = EF_RISCV_FLOAT_ABI_DOUBLE;
    section_names.section = elf_newscn(out.get());
    section_names.add_text("");
    name(section_names.section, ".shstrtab", SHT_STRTAB);
    header->e_shstrndx = static_cast<uint16_t>(elf_ndxscn(section_names.section));
  }

  void add_tables() {
    if (strings.section == nullptr) {
      strings.section = elf_newscn(out.get());
      strings.add_text("");
      name(strings.section, ".strtab", SHT_STRTAB);
    }
    symbols.section = elf_newscn(out.get());
    symbols.add(std::string(sizeof(Elf32_Sym), '\0'));
    Elf32_Shdr* section = name(symbols.section, ".symtab", SHT_SYMTAB);
    section->sh_link = static_cast<uint32_t>(elf_ndxscn(strings.section));
    section->sh_info = 1;
    section->sh_entsize = sizeof(Elf32_Sym);
  }

  Elf32_Shdr* name(Elf_Scn* section, const std::string& text, uint32_t type) {
    Elf32_Shdr* header = elf32_getshdr(section);
    header->sh_name = section_names.add_text(text);
    header->sh_type = type;
    return header;
  }

  static void append(const Table& table, Elf_Type type, size_t align) {
    Elf_Data* data = elf_newdata(table.section);
    data->d_buf = const_cast<char*>(table.added.data());
    data->d_size = table.added.size();
    data->d_type = type;
    data->d_align = align;
    data->d_version = EV_CURRENT;
  }

  std::string write() {
    append(section_names, ELF_T_BYTE, 1);
    append(strings, ELF_T_BYTE, 1);
    append(symbols, ELF_T_SYM, 4);
    for (const auto& [name, table] : plain)
      if (!table.added.empty()) append(table, ELF_T_BYTE, 1);
    const off_t size = elf_update(out.get(), ELF_C_WRITE);
    std::string bytes(size < 0 ? 0 : static_cast<size_t>(size), '\0');
    if (size < 0 || pread(file, bytes.data(), bytes.size(), 0) != size)
      throw BadElf(std::string("cannot be written: ") + elf_errmsg(-1));
    return bytes;
  }

  ElfHandle in;
};

ElfCopy::ElfCopy(std::span<const uint8_t> original) : impl_(new Impl(original)) {}
ElfCopy::~ElfCopy() { delete impl_; }

uint16_t ElfCopy::add_code_section(const std::string& name, uint32_t address, uint32_t bytes) {
  Elf_Scn* section = elf_newscn(impl_->out.get());
  Elf32_Shdr* header = impl_->name(section, name, SHT_NOBITS);
  header->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  header->sh_addr = address;
  Elf_Data* data = elf_newdata(section);
  data->d_type = ELF_T_BYTE;
  data->d_size = bytes;
  data->d_align = 4;
  data->d_version = EV_CURRENT;
  return static_cast<uint16_t>(elf_ndxscn(section));
}

void ElfCopy::add_symbol(const std::string& name, uint32_t address, uint32_t bytes, ElfSymbol::Type type,
                         uint16_t section) {
  Elf32_Sym symbol{};
  symbol.st_name = impl_->strings.add_text(name);
  symbol.st_value = address;
  symbol.st_size = bytes;
  symbol.st_info = static_cast<uint8_t>(ELF32_ST_INFO(STB_GLOBAL, type));
  symbol.st_shndx = section;
  impl_->symbols.add({reinterpret_cast<const char*>(&symbol), sizeof symbol});
}

uint32_t ElfCopy::section_bytes(const std::string& name) const {
  const auto at = impl_->plain.find(name);
  return at == impl_->plain.end() ? 0 : static_cast<uint32_t>(at->second.old_bytes + at->second.added.size());
}

void ElfCopy::append(const std::string& name, const std::string& bytes) {
  Impl::Table& table = impl_->plain[name];
  if (table.section == nullptr) {
    table.section = elf_newscn(impl_->out.get());
    impl_->name(table.section, name, SHT_PROGBITS);
  }
  if (elf32_getshdr(table.section)->sh_flags & SHF_COMPRESSED) throw BadElf(name + " is compressed");
  table.add(bytes);
}

std::string ElfCopy::finish() { return impl_->write(); }

}  // namespace tessera::formats
