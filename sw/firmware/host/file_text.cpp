#include "sw/firmware/host/file_text.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace tessera::firmware {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHead = 4096;  // bytes that tell text from data

std::string read_at(std::ifstream& in, uint64_t offset, size_t bytes) {
  std::string got(bytes, '\0');
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(got.data(), static_cast<std::streamsize>(bytes));
  got.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return got;
}

template <class T>
T as(const std::string& bytes, size_t at = 0) {
  T value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string machine_text(unsigned machine, bool wide) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "x86";
    case EM_AARCH64:
      return "AArch64";
    case EM_ARM:
      return "ARM";
    case EM_RISCV:
      return wide ? "64-bit RISC-V" : "32-bit RISC-V, as tiles are";
    case EM_PPC64:
      return "PowerPC";
    case EM_S390:
      return "S/390";
    case EM_MIPS:
      return "MIPS";
    case EM_BPF:
      return "BPF";
    case EM_AMDGPU:
      return "AMD's GPUs";
    case EM_CUDA:
      return "NVIDIA's GPUs";
    default:
      return fmt::format("ELF machine {}", machine);
  }
}

// What ELF calls dynamic is a program when it names its loader or says that it is one.
bool is_program(std::ifstream& in, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto part =
        as<Elf64_Phdr>(read_at(in, header.e_phoff + uint64_t{i} * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr)));
    if (part.p_type == PT_INTERP) return true;
    if (part.p_type != PT_DYNAMIC) continue;
    const std::string entries = read_at(in, part.p_offset, std::min<uint64_t>(part.p_filesz, 1 << 16));
    for (size_t at = 0; at + sizeof(Elf64_Dyn) <= entries.size(); at += sizeof(Elf64_Dyn)) {
      const auto entry = as<Elf64_Dyn>(entries, at);
      if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) return true;
    }
  }
  return false;
}

std::string elf_text(std::ifstream& in, const std::string& head) {
  const bool wide = head[EI_CLASS] == ELFCLASS64;
  const std::string machine = machine_text(as<uint16_t>(head, 18), wide);
  switch (as<uint16_t>(head, 16)) {
    case ET_REL:
      return "an object file, which is not linked, for " + machine;
    case ET_DYN:
      if (wide && !is_program(in, as<Elf64_Ehdr>(head))) return "a shared library for " + machine;
      return "a program for " + machine;
    case ET_CORE:
      return "a core dump for " + machine;
    default:
      return "a program for " + machine;
  }
}

bool is_text(const std::string& head) {
  return std::all_of(head.begin(), head.end(),
                     [](unsigned char c) { return c >= 0x80 || std::isprint(c) || std::isspace(c); });
}

}  // namespace

std::string file_text(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return "a directory";
  if (!fs::is_regular_file(status)) return "no regular file";
  std::ifstream in(path, std::ios::binary);
  if (!in) return "a file that may not be read";
  const std::string head = read_at(in, 0, kHead);
  if (head.empty()) return "an empty file";
  if (head.starts_with(ELFMAG) && head.size() > sizeof(Elf32_Ehdr)) return elf_text(in, head);
  if (head.starts_with("#!")) return "a script";
  return is_text(head) ? "a text" : "data";
}

bool is_shared_library(const std::string& path) { return file_text(path).starts_with("a shared library"); }

}  // namespace tessera::firmware
