// The host ends of an executable's streams: what the program has connected, and the moving of one transfer between it
// and the window.
#pragma once

#include <poplar/StreamCallback.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/image/executable.h"

namespace tessera::runtime {

// One transfer between host bytes in row-major order and where its parts stand in the window. Sizes are those of
// `stream`.
void scatter(const image::Stream& stream, const std::byte* from, std::span<std::byte> window);
void gather(const image::Stream& stream, std::span<const std::byte> window, std::byte* to);

class StreamTable {
 public:
  // ahead: transfers for which host-to-device callbacks are asked before they are wanted.
  StreamTable(const image::HostLayout& layout, uint32_t ahead);
  void ask_ahead(const std::string& handle, uint32_t transfers);  // of one handle; nothing if it is not used
  // Whether a callback that has not prefetched the transfer that is wanted is asked to, before it is to fetch it.
  void ask_at_need(bool on) { at_need_ = on; }

  // The next transfers of a handle take turns in the range, element after element, from its start. Throws
  // stream_connection_error for an unknown handle, or a range that is smaller than a transfer or holds part of an
  // element.
  void connect(const std::string& handle, void* begin, void* end);
  void connect(const std::string& handle, void* begin);  // a range of one transfer
  void connect(const std::string& handle, std::unique_ptr<poplar::StreamCallback> callback);

  bool connected(const std::string& handle) const;
  std::vector<std::string> handles() const;  // FIFO streams, in order

  // One transfer of an entry of the layout with use kToDevice / kFromDevice. Exceptions of callbacks pass through.
  void fill(const image::Stream& stream, std::span<std::byte> window);
  void drain(const image::Stream& stream, std::span<const std::byte> window);
  // The program has ended: what callbacks prefetched is dropped.
  void invalidate();

 private:
  struct End {
    size_t transfer_bytes = 0, element_bytes = 0;
    std::byte* begin = nullptr;
    size_t size = 0, position = 0;  // of the ring
    std::unique_ptr<poplar::StreamCallback> callback;
    uint32_t ahead = 0;
    std::deque<std::vector<std::byte>> prefetched;  // transfers that the callback has given ahead
    std::vector<std::byte> buffer;                  // one transfer; for callbacks
  };
  End& end_of(const std::string& handle);
  static void drop(End& end);

  std::map<std::string, End> ends_;
  bool at_need_ = false;
};

}  // namespace tessera::runtime
