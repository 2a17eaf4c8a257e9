#include "sw/poplar/remote_memory.h"

#include <algorithm>
#include <cstring>
#include <poplar/exceptions.hpp>

#include "sw/poplar/gateway_rows.h"
#include "sw/poplar/stream_table.h"

namespace tessera::runtime {

RemoteMemory::RemoteMemory(const std::vector<image::RemoteBuffer>& buffers) {
  for (const image::RemoteBuffer& buffer : buffers) buffers_[buffer.handle] = {buffer.row_bytes, buffer.rows};
}

RemoteMemory::Buffer& RemoteMemory::buffer(const std::string& handle) {
  const auto found = buffers_.find(handle);
  if (found == buffers_.end()) throw poplar::poplar_error("there is no remote buffer '" + handle + "'");
  return found->second;
}

uint64_t RemoteMemory::row_bytes(const std::string& handle) const {
  return const_cast<RemoteMemory*>(this)->buffer(handle).row_bytes;
}

std::span<std::byte> RemoteMemory::bytes_of(Buffer& buffer, uint64_t row) {
  if (buffer.bytes.empty()) buffer.bytes.resize(buffer.rows * buffer.row_bytes);
  return std::span(buffer.bytes).subspan(row * buffer.row_bytes, buffer.row_bytes);
}

std::span<std::byte> RemoteMemory::row(const std::string& handle, uint64_t row, const char* function) {
  Buffer& found = buffer(handle);
  if (row >= found.rows)
    throw poplar::poplar_error(std::string(function) + ": " + no_row_text(handle, row, found.rows));
  return bytes_of(found, row);
}

void RemoteMemory::take_rows(const image::Stream& stream, std::span<const std::byte> window) {
  rows_.resize(stream.elements);
  gather(stream, window, reinterpret_cast<std::byte*>(rows_.data()));
  rows_given_ = true;
}

template <class Move>
void RemoteMemory::for_each_row(const image::Stream& stream, const Move& move) {
  Buffer& found = buffer(stream.handle);
  if (!rows_given_) rows_ = {0};
  rows_given_ = false;
  for (const uint32_t row : rows_)
    if (row >= found.rows) throw poplar::application_runtime_error(no_row_text(stream.handle, row, found.rows));
  for (size_t i = 0; i < rows_.size(); ++i) move(bytes_of(found, rows_[i]), i * found.row_bytes);
}

void RemoteMemory::fill(const image::Stream& stream, std::span<std::byte> window) {
  std::vector<std::byte> data(stream.bytes);
  for_each_row(stream, [&](std::span<std::byte> row, size_t at) { std::memcpy(&data[at], row.data(), row.size()); });
  scatter(stream, data.data(), window);
}

void RemoteMemory::drain(const image::Stream& stream, std::span<const std::byte> window) {
  std::vector<std::byte> data(stream.bytes);
  gather(stream, window, data.data());
  for_each_row(stream, [&](std::span<std::byte> row, size_t at) { std::memcpy(row.data(), &data[at], row.size()); });
}

}  // namespace tessera::runtime
