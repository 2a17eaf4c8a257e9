#include "qemu_machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "qemu_monitor_code.h"
#include "rtl/spec/instructions.h"

namespace tessera::test {
namespace {

// Physical memory: code, table, then for each memory two page tables and its bytes at their tile addresses.
constexpr uint32_t kRam = 0x80000000, kTable = 0x10000, kMemories = 0x200000;
constexpr uint32_t kPage = 0x1000, kMemoryBytes = 0x100000, kTablesBytes = 2 * kPage;
constexpr uint32_t kStep = kMemoryBytes + kTablesBytes;
constexpr uint32_t kMappedPages = kMemoryBytes / kPage;
// Page table entries: valid pointer; valid leaf, read, write, execute, accessed, dirty.
constexpr uint32_t kPointer = 0x01, kLeaf = 0xcf, kSv32 = 0x80000000;

// A file in the temporary folder that is QEMU's memory; goes with the object.
class RamFile {
 public:
  explicit RamFile(size_t bytes) : bytes_(bytes) {
    path_ = (std::filesystem::temp_directory_path() / "tessera-qemu-XXXXXX").string();
    const int fd = mkstemp(path_.data());
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("cannot make " + path_);
    data_ = static_cast<uint8_t*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    close(fd);
    if (data_ == MAP_FAILED) throw std::runtime_error("cannot map " + path_);
  }
  RamFile(const RamFile&) = delete;
  ~RamFile() {
    munmap(data_, bytes_);
    unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }
  void put(uint32_t offset, uint32_t word) { std::memcpy(data_ + offset, &word, 4); }
  uint32_t get(uint32_t offset) const {
    uint32_t word;
    std::memcpy(&word, data_ + offset, 4);
    return word;
  }

 private:
  size_t bytes_;
  std::string path_;
  uint8_t* data_;
};

// QEMU 9 and later spell the extension in small letters.
int start_qemu(const RamFile& ram, size_t megabytes, const char* half) {
  const auto cpu = fmt::format("rv32,{}=true,zba=true,zbb=true", half);
  const auto object = fmt::format("memory-backend-file,id=ram,size={}M,mem-path={},share=on", megabytes, ram.path());
  const auto size = fmt::format("{}M", megabytes);
  const char* arguments[] = {"qemu-system-riscv32",
                             "-machine",
                             "virt,memory-backend=ram",
                             "-cpu",
                             cpu.c_str(),
                             "-m",
                             size.c_str(),
                             "-object",
                             object.c_str(),
                             "-bios",
                             "none",
                             "-display",
                             "none",
                             "-serial",
                             "none",
                             "-monitor",
                             "none",
                             "-no-reboot",
                             nullptr};
  const pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], const_cast<char**>(arguments));
    _exit(127);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) < 0) throw std::runtime_error("cannot start qemu-system-riscv32");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

uint32_t memory_of(size_t program) { return kMemories + static_cast<uint32_t>(program / kProgramsInMemory) * kStep; }
uint32_t entry_of(size_t program) { return kTable + static_cast<uint32_t>(program) * qemu_table::kStride; }

void map_memory(RamFile& ram, uint32_t memory) {
  const uint32_t root = memory, leaves = memory + kPage, bytes = memory + kTablesBytes;
  ram.put(root, ((kRam + leaves) >> 12) << 10 | kPointer);
  for (uint32_t page = 0; page < kMappedPages; ++page)
    ram.put(leaves + 4 * page, ((kRam + bytes) / kPage + page) << 10 | kLeaf);
}

void place(RamFile& ram, const std::vector<BaseProgram>& programs) {
  const auto code = qemu_monitor_code(kRam, kRam + kTable);
  for (size_t n = 0; n < code.size(); ++n) ram.put(static_cast<uint32_t>(4 * n), code[n]);
  const uint32_t ecall = spec::encode(spec::Opcode::Ecall, {});
  for (size_t n = 0; n < programs.size(); ++n) {
    const uint32_t memory = memory_of(n), bytes = memory + kTablesBytes;
    if (n % kProgramsInMemory == 0) map_memory(ram, memory);
    ram.put(entry_of(n) + qemu_table::kSatp, kSv32 | (kRam + memory) >> 12);
    ram.put(entry_of(n) + qemu_table::kEntry, programs[n].entry);
    for (const auto& image : programs[n].images)
      for (size_t w = 0; w < image.words.size(); ++w)
        ram.put(bytes + image.address + static_cast<uint32_t>(4 * w), image.words[w]);
    ram.put(bytes + programs[n].end, ecall);
  }
}

QemuResult take(const RamFile& ram, const BaseProgram& program, size_t n) {
  const uint32_t entry = entry_of(n), bytes = memory_of(n) + kTablesBytes;
  QemuResult result;
  for (uint32_t r = 1; r < 32; ++r) result.registers.x[r] = ram.get(entry + qemu_table::kIntegers + 4 * r);
  for (uint32_t r = 0; r < 32; ++r) {
    const uint32_t at = entry + qemu_table::kFloats + 8 * r;
    result.registers.f[r] = ram.get(at) | uint64_t{ram.get(at + 4)} << 32;
  }
  result.registers.fcsr = ram.get(entry + qemu_table::kFcsr);
  result.cause = ram.get(entry + qemu_table::kCause);
  result.pc = ram.get(entry + qemu_table::kPc);
  for (const uint32_t area : program.data)
    for (uint32_t a = 0; a < BaseProgram::kDataBytes; a += 4) result.data.push_back(ram.get(bytes + area + a));
  return result;
}

}  // namespace

std::vector<QemuResult> run_on_qemu(const std::vector<BaseProgram>& programs) {
  const size_t megabytes = (memory_of(programs.size()) + kStep + 0xfffff) >> 20;
  RamFile ram(megabytes << 20);
  place(ram, programs);
  int status = start_qemu(ram, megabytes, "Zfh");
  if (status == 1) status = start_qemu(ram, megabytes, "zfh");
  if (status != 0) throw std::runtime_error(fmt::format("qemu-system-riscv32 ended with status {}", status));
  std::vector<QemuResult> results;
  for (size_t n = 0; n < programs.size(); ++n) results.push_back(take(ram, programs[n], n));
  return results;
}

}  // namespace tessera::test
