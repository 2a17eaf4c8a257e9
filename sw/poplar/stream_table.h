// The host ends of an executable's streams: what the program has connected, and the moving of one transfer between it
// and the window.
#pragma once

#include <poplar/StreamCallback.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "sw/poplar/callback_end.h"
#include "sw/poplar/callback_threads.h"

namespace tessera::runtime {

// One transfer between host bytes in row-major order and where its parts stand in the window. Sizes are those of
// `stream`.
void scatter(const image::Stream& stream, const std::byte* from, std::span<std::byte> window);
void gather(const image::Stream& stream, std::span<const std::byte> window, std::byte* to);

class StreamTable {
 public:
  // ahead: transfers for which host-to-device callbacks are asked before they are wanted. broadcasts: handles of which
  // all replicas get the same transfer.
  StreamTable(const image::HostLayout& layout, uint32_t ahead, uint32_t replicas = 1,
              const std::vector<std::string>& broadcasts = {});
  // Waits for calls of callbacks to return.
  ~StreamTable();
  void ask_ahead(const std::string& handle, uint32_t transfers);  // of one handle; nothing if it is not used
  // Whether a callback that has not prefetched the transfer that is wanted is asked to, before it is to fetch it.
  void ask_at_need(bool on) { at_need_ = on; }
  // Which threads call callbacks: at first that of the run. With other modes `workers` threads ask ahead, one for each
  // stream to the device but no more than there are cores if none are given; what the run waits for is called by its
  // own thread, or by one more with kDedicated, so that no prefetch holds it up.
  void call_on(CallbackMode mode, std::optional<unsigned> workers = {});

  // The next transfers of a handle take turns in the range, element after element, from its start: one of each replica,
  // in their order, or of a broadcast one of all. Throws stream_connection_error for an unknown handle, or a range that
  // is smaller than a transfer of every replica or holds part of an element.
  void connect(const std::string& handle, void* begin, void* end);
  void connect(const std::string& handle, void* begin);  // a range of one transfer of every replica
  // Called for each replica in turn; of a broadcast once for all.
  void connect(const std::string& handle, std::unique_ptr<poplar::StreamCallback> callback);
  // Of one replica; of a broadcast that is 0. Throws stream_connection_error for one that there is not.
  void connect(const std::string& handle, uint32_t replica, std::unique_ptr<poplar::StreamCallback> callback);

  bool connected(const std::string& handle) const;
  std::vector<std::string> handles() const;  // FIFO streams, in order

  // One transfer of an entry of the layout with use kToDevice / kFromDevice, for each replica in turn. Exceptions of
  // callbacks pass through, on whatever thread they are thrown.
  void fill(const image::Stream& stream, std::span<std::byte> window, uint32_t replica = 0);
  void drain(const image::Stream& stream, std::span<const std::byte> window, uint32_t replica = 0);
  // The program has ended: what callbacks prefetched is dropped. Waits for no prefetch that is under way.
  void invalidate();

 private:
  struct End {
    size_t transfer_bytes = 0, element_bytes = 0;
    bool to_device = false;
    std::byte* begin = nullptr;
    size_t size = 0, position = 0;  // of the ring
    bool broadcast = false;
    bool shared = false;                // the first callback is all replicas'
    std::deque<CallbackEnd> callbacks;  // of the replicas, or one of a broadcast
    std::vector<std::byte> last{};      // transfer of a broadcast, for the replicas behind the first

    CallbackEnd& callback(uint32_t replica) { return callbacks[shared ? 0 : replica]; }
  };
  End& end_of(const std::string& handle);
  void take(End& end, const std::string& handle, size_t bytes, uint32_t replica,
            const std::function<void(const std::byte*)>& use);
  void call(const std::function<void()>& callbacks);
  CallbackThreads* ahead() { return mode_ == CallbackMode::kSingleThread ? nullptr : &ahead_; }

  std::map<std::string, End> ends_;
  bool at_need_ = false;
  CallbackMode mode_ = CallbackMode::kSingleThread;
  CallbackThreads wanted_, ahead_;
};

}  // namespace tessera::runtime
