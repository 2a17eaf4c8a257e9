#include "sw/poplar/stream_table.h"

#include <algorithm>
#include <cstring>
#include <poplar/exceptions.hpp>

#include "compiler/graph/types.h"

namespace tessera::runtime {

void scatter(const image::Stream& stream, const std::byte* from, std::span<std::byte> window) {
  for (const image::HostPiece& piece : stream.pieces)
    std::memcpy(window.data() + piece.host_offset, from + piece.stream_offset, piece.bytes);
}

void gather(const image::Stream& stream, std::span<const std::byte> window, std::byte* to) {
  for (const image::HostPiece& piece : stream.pieces)
    std::memcpy(to + piece.stream_offset, window.data() + piece.host_offset, piece.bytes);
}

StreamTable::StreamTable(const image::HostLayout& layout, uint32_t ahead) {
  for (const image::Stream& stream : layout.streams) {
    if (stream.use != image::StreamUse::kToDevice && stream.use != image::StreamUse::kFromDevice) continue;
    End& end = ends_[stream.handle];
    end.transfer_bytes = stream.bytes;
    end.element_bytes = graph::size_of(stream.type);
    end.ahead = ahead;
  }
}

void StreamTable::ask_ahead(const std::string& handle, uint32_t transfers) {
  if (const auto found = ends_.find(handle); found != ends_.end()) found->second.ahead = transfers;
}

StreamTable::End& StreamTable::end_of(const std::string& handle) {
  const auto found = ends_.find(handle);
  if (found != ends_.end()) return found->second;
  std::string known;
  for (const auto& [name, end] : ends_) known += (known.empty() ? "'" : ", '") + name + "'";
  throw poplar::stream_connection_error("no program copies from or to a stream named '" + handle +
                                        "'; the streams are " + (known.empty() ? "none" : known));
}

void StreamTable::drop(End& end) {
  if (!end.prefetched.empty()) end.callback->invalidatePrefetched();
  end.prefetched.clear();
}

void StreamTable::connect(const std::string& handle, void* begin, void* end) {
  End& mine = end_of(handle);
  const auto size = static_cast<size_t>(static_cast<std::byte*>(end) - static_cast<std::byte*>(begin));
  if (static_cast<std::byte*>(end) < static_cast<std::byte*>(begin) || size < mine.transfer_bytes)
    throw poplar::stream_connection_error("stream '" + handle + "' moves " + std::to_string(mine.transfer_bytes) +
                                          " bytes at a time; the buffer to connect is smaller");
  if (size % mine.element_bytes != 0)
    throw poplar::stream_connection_error("stream '" + handle + "' has elements of " +
                                          std::to_string(mine.element_bytes) + " bytes; a buffer of " +
                                          std::to_string(size) + " bytes holds part of one");
  drop(mine);
  mine.callback.reset();
  mine.begin = static_cast<std::byte*>(begin);
  mine.size = size;
  mine.position = 0;
}

void StreamTable::connect(const std::string& handle, void* begin) {
  connect(handle, begin, static_cast<std::byte*>(begin) + end_of(handle).transfer_bytes);
}

void StreamTable::connect(const std::string& handle, std::unique_ptr<poplar::StreamCallback> callback) {
  End& mine = end_of(handle);
  drop(mine);
  mine.begin = nullptr;
  mine.callback = std::move(callback);
  mine.buffer.assign(mine.transfer_bytes, std::byte{0});
}

bool StreamTable::connected(const std::string& handle) const {
  const auto found = ends_.find(handle);
  return found != ends_.end() && (found->second.begin != nullptr || found->second.callback != nullptr);
}

std::vector<std::string> StreamTable::handles() const {
  std::vector<std::string> names;
  for (const auto& [name, end] : ends_) names.push_back(name);
  return names;
}

void StreamTable::fill(const image::Stream& stream, std::span<std::byte> window) {
  End& end = end_of(stream.handle);
  if (end.callback != nullptr) {
    using Result = poplar::StreamCallback::Result;
    if (!end.prefetched.empty()) {
      end.buffer = std::move(end.prefetched.front());
      end.prefetched.pop_front();
    } else if (!at_need_ || end.callback->prefetch(end.buffer.data()) != Result::Success) {
      end.callback->fetch(end.buffer.data());
    }
    scatter(stream, end.buffer.data(), window);
    end.callback->complete();
    while (end.prefetched.size() < end.ahead) {
      std::vector<std::byte> next(end.transfer_bytes);
      if (end.callback->prefetch(next.data()) != Result::Success) break;
      end.prefetched.push_back(std::move(next));
    }
    return;
  }
  if (end.begin == nullptr) throw poplar::stream_connection_error("stream '" + stream.handle + "' is not connected");
  if (end.position + stream.bytes <= end.size) {
    scatter(stream, end.begin + end.position, window);
  } else {
    std::vector<std::byte> joined(stream.bytes);
    const size_t first = end.size - end.position;
    std::memcpy(joined.data(), end.begin + end.position, first);
    std::memcpy(joined.data() + first, end.begin, stream.bytes - first);
    scatter(stream, joined.data(), window);
  }
  end.position = (end.position + stream.bytes) % end.size;
}

void StreamTable::drain(const image::Stream& stream, std::span<const std::byte> window) {
  End& end = end_of(stream.handle);
  if (end.callback != nullptr) {
    gather(stream, window, end.buffer.data());
    end.callback->fetch(end.buffer.data());
    end.callback->complete();
    return;
  }
  if (end.begin == nullptr) throw poplar::stream_connection_error("stream '" + stream.handle + "' is not connected");
  if (end.position + stream.bytes <= end.size) {
    gather(stream, window, end.begin + end.position);
  } else {
    std::vector<std::byte> joined(stream.bytes);
    gather(stream, window, joined.data());
    const size_t first = end.size - end.position;
    std::memcpy(end.begin + end.position, joined.data(), first);
    std::memcpy(end.begin, joined.data() + first, stream.bytes - first);
  }
  end.position = (end.position + stream.bytes) % end.size;
}

void StreamTable::invalidate() {
  for (auto& [name, end] : ends_) drop(end);
}

}  // namespace tessera::runtime
