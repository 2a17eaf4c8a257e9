#include "sw/poplar/stream_table.h"

#include <algorithm>
#include <cstring>
#include <poplar/exceptions.hpp>
#include <thread>
#include <utility>

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

StreamTable::StreamTable(const image::HostLayout& layout, uint32_t ahead, uint32_t replicas,
                         const std::vector<std::string>& broadcasts) {
  for (const image::Stream& stream : layout.streams) {
    if (stream.use != image::StreamUse::kToDevice && stream.use != image::StreamUse::kFromDevice) continue;
    End& end = ends_[stream.handle];
    if (!end.callbacks.empty()) continue;
    end.transfer_bytes = stream.bytes;
    end.element_bytes = graph::size_of(stream.type);
    end.to_device = stream.use == image::StreamUse::kToDevice;
    end.broadcast = std::find(broadcasts.begin(), broadcasts.end(), stream.handle) != broadcasts.end();
    end.callbacks.resize(end.broadcast ? 1 : replicas);
    end.moved.resize(replicas);
    for (CallbackEnd& callback : end.callbacks) callback.ask_ahead(ahead);
  }
}

StreamTable::~StreamTable() {
  ahead_.close();
  wanted_.close();
  for (auto& [name, end] : ends_)
    for (CallbackEnd& callback : end.callbacks) try {
        callback.connect(nullptr, 0);
      } catch (...) {
        // There is no run left to tell that a callback minds what it prefetched being dropped.
      }
}

void StreamTable::ask_ahead(const std::string& handle, uint32_t transfers) {
  if (const auto found = ends_.find(handle); found != ends_.end())
    for (CallbackEnd& callback : found->second.callbacks) callback.ask_ahead(transfers);
}

void StreamTable::call_on(CallbackMode mode, std::optional<unsigned> workers) {
  mode_ = mode;
  if (mode == CallbackMode::kSingleThread) return;
  if (!workers) {
    static const unsigned cores = std::thread::hardware_concurrency();  // the system is asked once: it reads files
    size_t streams = 0;
    for (const auto& [name, end] : ends_)
      if (end.to_device) streams += end.callbacks.size();
    workers = std::min(static_cast<unsigned>(streams), std::max(cores, 1U));
  }
  ahead_.at_most(*workers);
  wanted_.at_most(1);
}

// Calls of callbacks that the run waits for.
void StreamTable::call(const std::function<void()>& callbacks) {
  if (mode_ == CallbackMode::kDedicated)
    wanted_.call(callbacks);
  else
    callbacks();
}

size_t StreamTable::End::next_place(uint32_t replica) {
  return (moved[replica]++ * moved.size() + replica) * transfer_bytes % size;
}

void StreamTable::End::restart() {
  level();
  position = 0;
  std::ranges::fill(moved, 0);
}

void StreamTable::End::level() {
  if (!broadcast) return;
  std::ranges::fill(moved, 0);
  kept.clear();
  kept_from = 0;
}

StreamTable::End& StreamTable::end_of(const std::string& handle) {
  const auto found = ends_.find(handle);
  if (found != ends_.end()) return found->second;
  std::string known;
  for (const auto& [name, end] : ends_) known += (known.empty() ? "'" : ", '") + name + "'";
  throw poplar::stream_connection_error("no program copies from or to a stream named '" + handle +
                                        "'; the streams are " + (known.empty() ? "none" : known));
}

void StreamTable::connect(const std::string& handle, void* begin, void* end) {
  End& mine = end_of(handle);
  const size_t replicas = mine.callbacks.size();
  const auto size = static_cast<size_t>(static_cast<std::byte*>(end) - static_cast<std::byte*>(begin));
  if (static_cast<std::byte*>(end) < static_cast<std::byte*>(begin) || size < replicas * mine.transfer_bytes)
    throw poplar::stream_connection_error(
        "stream '" + handle + "' moves " + std::to_string(mine.transfer_bytes) + " bytes at a time" +
        (replicas == 1 ? "" : ", for each of " + std::to_string(replicas) + " replicas") +
        "; the buffer to connect is smaller");
  if (size % mine.element_bytes != 0)
    throw poplar::stream_connection_error("stream '" + handle + "' has elements of " +
                                          std::to_string(mine.element_bytes) + " bytes; a buffer of " +
                                          std::to_string(size) + " bytes holds part of one");
  for (CallbackEnd& callback : mine.callbacks) callback.connect(nullptr, 0);
  mine.begin = static_cast<std::byte*>(begin);
  mine.size = size;
  mine.restart();
}

void StreamTable::connect(const std::string& handle, void* begin) {
  const End& mine = end_of(handle);
  connect(handle, begin, static_cast<std::byte*>(begin) + mine.callbacks.size() * mine.transfer_bytes);
}

void StreamTable::connect(const std::string& handle, std::unique_ptr<poplar::StreamCallback> callback) {
  End& mine = end_of(handle);
  mine.shared = true;
  mine.restart();
  mine.callbacks.front().connect(std::move(callback), mine.transfer_bytes);
  for (size_t i = 1; i < mine.callbacks.size(); ++i) mine.callbacks[i].connect(nullptr, 0);
  mine.begin = nullptr;
}

void StreamTable::connect(const std::string& handle, uint32_t replica,
                          std::unique_ptr<poplar::StreamCallback> callback) {
  End& mine = end_of(handle);
  if (replica >= mine.callbacks.size())
    throw poplar::stream_connection_error("stream '" + handle + "' has no replica " + std::to_string(replica) +
                                          (mine.broadcast ? ": all get what is connected for replica 0" : ""));
  if (std::exchange(mine.shared, false) && replica != 0) mine.callbacks.front().connect(nullptr, 0);
  mine.callbacks[replica].connect(std::move(callback), mine.transfer_bytes);
  mine.begin = nullptr;
}

bool StreamTable::connected(const std::string& handle) const {
  const auto found = ends_.find(handle);
  if (found == ends_.end()) return false;
  const End& end = found->second;
  return end.begin != nullptr || (end.shared && end.callbacks.front().connected()) ||
         std::all_of(end.callbacks.begin(), end.callbacks.end(),
                     [](const CallbackEnd& callback) { return callback.connected(); });
}

std::vector<std::string> StreamTable::handles() const {
  std::vector<std::string> names;
  for (const auto& [name, end] : ends_) names.push_back(name);
  return names;
}

// Gives `use` the next transfer of an end to the device.
void StreamTable::take(End& end, const std::string& handle, size_t bytes, uint32_t replica,
                       const std::function<void(const std::byte*)>& use) {
  if (CallbackEnd& callback = end.callback(replica); callback.connected()) {
    call([&] {
      use(callback.take(at_need_));
      callback.taken(ahead());
    });
    return;
  }
  if (end.begin == nullptr) throw poplar::stream_connection_error("stream '" + handle + "' is not connected");
  const size_t place =
      end.broadcast ? std::exchange(end.position, (end.position + bytes) % end.size) : end.next_place(replica);
  if (place + bytes <= end.size) {
    use(end.begin + place);
  } else {
    std::vector<std::byte> joined(bytes);
    const size_t first = end.size - place;
    std::memcpy(joined.data(), end.begin + place, first);
    std::memcpy(joined.data() + first, end.begin, bytes - first);
    use(joined.data());
  }
}

void StreamTable::fill(const image::Stream& stream, std::span<std::byte> window, uint32_t replica) {
  End& end = end_of(stream.handle);
  if (!end.broadcast) {
    take(end, stream.handle, stream.bytes, replica,
         [&](const std::byte* transfer) { scatter(stream, transfer, window); });
    return;
  }
  const uint64_t wanted = end.moved[replica];
  if (wanted == end.kept_from + end.kept.size())
    take(end, stream.handle, stream.bytes, 0,
         [&](const std::byte* transfer) { end.kept.emplace_back(transfer, transfer + stream.bytes); });
  scatter(stream, end.kept[wanted - end.kept_from].data(), window);
  ++end.moved[replica];
  if (std::ranges::all_of(end.moved, [&](uint64_t moved) { return moved > end.kept_from; })) {
    end.kept.pop_front();
    ++end.kept_from;
  }
}

void StreamTable::drain(const image::Stream& stream, std::span<const std::byte> window, uint32_t replica) {
  End& end = end_of(stream.handle);
  if (CallbackEnd& callback = end.callback(replica); callback.connected()) {
    gather(stream, window, callback.place());
    call([&] { callback.give(); });
    return;
  }
  if (end.begin == nullptr) throw poplar::stream_connection_error("stream '" + stream.handle + "' is not connected");
  const size_t place = end.next_place(replica);
  if (place + stream.bytes <= end.size) {
    gather(stream, window, end.begin + place);
  } else {
    std::vector<std::byte> joined(stream.bytes);
    gather(stream, window, joined.data());
    const size_t first = end.size - place;
    std::memcpy(end.begin + place, joined.data(), first);
    std::memcpy(end.begin, joined.data() + first, stream.bytes - first);
  }
}

void StreamTable::invalidate() {
  call([this] {
    for (auto& [name, end] : ends_) {
      end.level();
      for (CallbackEnd& callback : end.callbacks) callback.invalidate(ahead());
    }
  });
}

}  // namespace tessera::runtime
