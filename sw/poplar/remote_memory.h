// The rows of an executable's remote buffers, and the host's part of the copies from and to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compiler/image/executable.h"

namespace tessera::runtime {

class RemoteMemory {
 public:
  explicit RemoteMemory(const std::vector<image::RemoteBuffer>& buffers);

  uint64_t row_bytes(const std::string& handle) const;  // throws poplar_error for an unknown handle
  // A row. Throws poplar_error naming `function` for one that the buffer does not have.
  std::span<std::byte> row(const std::string& handle, uint64_t row, const char* function);

  // Transfers with use kRemoteRows, then kRemoteRead or kRemoteWrite: what the rows before it number, else row 0.
  // Throws application_runtime_error for a row that the buffer does not have.
  void take_rows(const image::Stream& stream, std::span<const std::byte> window);
  void fill(const image::Stream& stream, std::span<std::byte> window);
  void drain(const image::Stream& stream, std::span<const std::byte> window);
  void begin_run() { rows_given_ = false; }  // rows of a copy that a failed run did not come to

 private:
  struct Buffer {
    uint64_t row_bytes = 0, rows = 0;
    std::vector<std::byte> bytes{};  // none until something is written or read
  };
  Buffer& buffer(const std::string& handle);
  std::span<std::byte> bytes_of(Buffer& buffer, uint64_t row);
  // Calls move(row's bytes, its place in the transfer).
  template <class Move>
  void for_each_row(const image::Stream& stream, const Move& move);

  std::map<std::string, Buffer> buffers_;
  std::vector<uint32_t> rows_;  // of the next copy
  bool rows_given_ = false;
};

}  // namespace tessera::runtime
