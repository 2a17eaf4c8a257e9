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

  // The next transfers of a handle take turns in the range, element after element, from its start: the first of each
  // replica, in their order, then the second of each, however often one has come to it; of a broadcast one of all.
  // Throws stream_connection_error for an unknown handle, or a range that is smaller than a transfer of every replica
  // or holds part of an element.
  void connect(const std::string& handle, void* begin, void* end);
  void connect(const std::string& handle, void* begin);  // a range of one transfer of every replica
  // Called for each replica in turn, or as they come; of a broadcast once for all.
  void connect(const std::string& handle, std::unique_ptr<poplar::StreamCallback> callback);
  // Of one replica; of a broadcast that is 0. Throws stream_connection_error for one that there is not.
  void connect(const std::string& handle, uint32_t replica, std::unique_ptr<poplar::StreamCallback> callback);

  bool connected(const std::string& handle) const;
  std::vector<std::string> handles() const;  // FIFO streams, in order

  // One transfer of an entry of the layout with use kToDevice / kFromDevice, of a replica. Exceptions of
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
    size_t size = 0;                // of the ring
    std::vector<uint64_t> moved{};  // transfers of each replica; of a broadcast: in this run
    bool broadcast = false;
    bool shared = false;                // the first callback is all replicas'
    std::deque<CallbackEnd> callbacks;  // of the replicas, or one of a broadcast
    // Of a broadcast: where the next transfer is in the ring, and those from number `kept_from` on that some replica
    // has yet to take.
    size_t position = 0;
    std::deque<std::vector<std::byte>> kept{};
    uint64_t kept_from = 0;

    CallbackEnd& callback(uint32_t replica) { return callbacks[shared || broadcast ? 0 : replica]; }
    size_t next_place(uint32_t replica);  // in the ring
    void restart();
    void level();  // the replicas of a broadcast go on together
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
