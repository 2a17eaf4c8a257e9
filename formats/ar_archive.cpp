#include "formats/ar_archive.h"

#include <ar.h>
#include <fmt/format.h>

#include "formats/elf_handle.h"

namespace tessera::formats {
namespace {

constexpr std::string_view kMagic = ARMAG;

}  // namespace

std::string ar_member(const std::string& name, std::string_view data) {
  // Time, owner and mode are constant: the same content always gives the same bytes.
  std::string bytes = fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name + "/", 0, 0, 0, 644, data.size());
  bytes += data;
  if (data.size() % 2 != 0) bytes += '\n';
  return bytes;
}

std::optional<std::vector<ArMember>> read_ar(std::string_view bytes) {
  elf_version(EV_CURRENT);
  // libelf writes to no memory that it was given to read.
  const ElfHandle archive(elf_memory(const_cast<char*>(bytes.data()), bytes.size()));
  if (archive == nullptr || elf_kind(archive.get()) != ELF_K_AR) return std::nullopt;
  std::vector<ArMember> members;
  size_t end = kMagic.size();
  while (const ElfHandle member{elf_begin(-1, ELF_C_READ_MMAP, archive.get())}) {
    const Elf_Arhdr* header = elf_getarhdr(member.get());
    const int64_t at = elf_getbase(member.get());
    if (header == nullptr || at < 0) return std::nullopt;
    const auto begin = static_cast<size_t>(at), size = static_cast<size_t>(header->ar_size);
    if (begin > bytes.size() || size > bytes.size() - begin) return std::nullopt;
    members.push_back({header->ar_name, bytes.substr(begin, size)});
    end = begin + size + size % 2;
    if (elf_next(member.get()) == ELF_C_NULL) break;
  }
  if (end < bytes.size()) return std::nullopt;
  return members;
}

}  // namespace tessera::formats
