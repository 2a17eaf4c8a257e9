#include "kernel_run.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "compiler/codelet/compile.h"
#include "rtl/spec/causes.h"

namespace tessera::bench {
namespace {

constexpr uint32_t kText = 0x4c000, kData = 0x78000;
constexpr uint64_t kLimit = 10'000'000;

compiler::LinkedText link() {
  const auto library =
      compiler::compile_codelets({KERNEL_FOLDER "/matmul.S", KERNEL_FOLDER "/streams.S", KERNEL_FOLDER "/loops.S"});
  std::vector<std::string> entries = {"matmul_supervisor", "streams_supervisor", "read_128",     "copy_64",
                                      "add_f16",           "loop_supervisor",    "integer_loop", "fma_loop",
                                      "packed_fma_loop"};
  for (const char* type : {"f16", "f8", "f32"})
    for (const char* part : {"begin", "panel", "last", "first", "end"})
      entries.push_back(fmt::format("matmul_{}_{}", type, part));
  return compiler::link_tile_text({&library}, entries, {kText, kData});
}

}  // namespace

void Image::bytes(uint32_t address, const void* data, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 4) {
    uint32_t value = 0;
    std::memcpy(&value, static_cast<const char*>(data) + i, std::min<std::size_t>(4, size - i));
    word(address + static_cast<uint32_t>(i), value);
  }
}

void Image::triple(uint32_t address, uint32_t a0, uint32_t a1, uint32_t a2) {
  const uint64_t packed = uint64_t{a0 / 8} | uint64_t{a1 / 8} << 21 | uint64_t{a2 / 8} << 42;
  bytes(address, &packed, 8);
}

KernelRun::KernelRun(std::unique_ptr<chip::Chip> chip, unsigned tile)
    : text_(link()), chip_(std::move(chip)), tile_(tile) {}

void KernelRun::load(const Image& image) {
  chip_->reset();
  const auto load = [&](uint32_t address, const std::vector<uint8_t>& bytes) {
    std::vector<uint32_t> words((bytes.size() + 3) / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    chip_->load(tile_, address, words);
  };
  load(text_.text_base, text_.text);
  load(text_.rodata_base, text_.rodata);
  load(text_.data_base, text_.data);
  // Runs of neighbouring words in one call.
  std::vector<uint32_t> run;
  uint32_t begin = 0;
  for (const auto& [address, value] : image.words()) {
    if (!run.empty() && address != begin + 4 * run.size()) {
      chip_->load(tile_, begin, run);
      run.clear();
    }
    if (run.empty()) begin = address;
    run.push_back(value);
  }
  if (!run.empty()) chip_->load(tile_, begin, run);
}

void KernelRun::start(const std::string& supervisor, const Image& image) {
  load(image);
  chip_->debug_write(tile_, chip::DebugSpace::kControl, 0, 0, entry(supervisor));
}

uint64_t KernelRun::run(const std::string& supervisor, const Image& image) {
  load(image);
  return run_again(supervisor);
}

uint64_t KernelRun::run_again(const std::string& supervisor) {
  chip_->debug_write(tile_, chip::DebugSpace::kControl, 0, 0, entry(supervisor));
  chip_->run(chip_->cycle() + kLimit, 0);
  const chip::ExceptionStatus stopped = chip_->exception(0);
  if (stopped.cause != static_cast<unsigned>(spec::Cause::Break) || stopped.context != 0)
    throw std::runtime_error(fmt::format("{} stopped with cause {} in context {} at pc {:#x}, value {:#x}", supervisor,
                                         stopped.cause, stopped.context, stopped.pc, stopped.value));
  const auto x = [&](unsigned n) { return chip_->debug_read(0, chip::DebugSpace::kInteger, 0, n); };
  return x(27) - x(26);
}

uint64_t KernelRun::float_register(unsigned context, unsigned number) {
  const auto half = [&](unsigned n) { return chip_->debug_read(0, chip::DebugSpace::kFloat, context, n); };
  return half(2 * number) | uint64_t{half(2 * number + 1)} << 32;
}

}  // namespace tessera::bench
