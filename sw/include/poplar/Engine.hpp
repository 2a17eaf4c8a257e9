// Compiles a graph with its programs, loads it on a device and runs it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Program.hpp>
#include <poplar/RuntimeOptions.hpp>
#include <poplar/StreamCallback.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/exceptions.hpp>
#include <poplar/version.hpp>

namespace poplar {

namespace detail {
struct EngineImpl;
}

class Engine {
 public:
  // A moment, by the clock of the host and by the cycles of the device.
  class TimerTimePoint {
    friend class Engine;
    std::chrono::steady_clock::time_point host_;
    bool loaded_ = false;  // there are cycles
    std::uint64_t cycles_ = 0;
  };

  Engine();  // runs nothing until an engine is moved to it: everything else throws poplar_error
  // Exceptions as compileGraph.
  Engine(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(const Graph& graph, program::Program program, const OptionFlags& options = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(Graph&& graph, ArrayRef<program::Program> programs, const OptionFlags& options = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(Graph&& graph, program::Program program, const OptionFlags& options = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  explicit Engine(const Executable& executable, const OptionFlags& options = {});
  explicit Engine(Executable&& executable, const OptionFlags& options = {});
  Engine(Engine&& other) noexcept;
  Engine& operator=(Engine&& other) noexcept;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  // Binds to an attached device, and puts the program there with all initial values.
  void prepare(const Device& device);
  // With these options instead of the engine's, until the next prepare or load.
  void prepare(const Device& device, const RuntimeOptions& options);
  void deploy();
  void load(const Device& device);  // prepare and deploy
  // Runs a program to its end. Throws stream_connection_error, application_runtime_error (tile exception, cycle budget,
  // abort) or system_runtime_error.
  void run(unsigned prog = 0, const std::string& debugName = "");
  // With these options for this run only. Throws invalid_option for one that is read when a program is loaded, as
  // prng.seed: that is for prepare.
  void run(unsigned prog, const std::string& debugName, const RuntimeOptions& options);
  void loadAndRun(const Device& device, unsigned prog = 0);
  // From a callback or another thread: the run in progress ends at its next exchange with the host, with an
  // application_runtime_error; then the engine is to be loaded again. Does nothing without a run.
  void stop();

  // Byte ranges must have the size of the tensor, of all replicas one after the other; elements are in row-major order
  // of the view.
  void readTensor(StringRef handle, void* begin, void* end);
  void readTensor(StringRef handle, void* begin);
  template <class T>
  void readTensor(StringRef handle, ArrayRef<T> buffer) {
    readTensor(handle, const_cast<T*>(buffer.begin()), const_cast<T*>(buffer.end()));
  }
  void writeTensor(StringRef handle, const void* begin, const void* end);
  void writeTensor(StringRef handle, const void* begin);
  template <class T>
  void writeTensor(StringRef handle, ArrayRef<T> buffer) {
    writeTensor(handle, buffer.begin(), buffer.end());
  }

  // A range is used as a ring: each transfer takes the next elements and wraps at its end. Transfers of replicas follow
  // each other in their order; of a stream with ReplicatedStreamMode::BROADCAST there is one for all.
  void connectStream(StringRef handle, void* begin, void* end);
  // A buffer of the size of one transfer, of all replicas.
  void connectStream(StringRef handle, void* begin);
  template <class T>
  void connectStream(StringRef handle, ArrayRef<T> buffer) {
    connectStream(handle, const_cast<T*>(buffer.begin()), const_cast<T*>(buffer.end()));
  }
  void connectStream(const DataStream& stream, void* begin, void* end) { connectStream(stream.handle(), begin, end); }
  void connectStream(const DataStream& stream, void* begin) { connectStream(stream.handle(), begin); }
  template <class T>
  void connectStream(const DataStream& stream, ArrayRef<T> buffer) {
    connectStream(stream.handle(), buffer);
  }
  void connectStreamToCallback(StringRef handle, StreamCallbackHandle callback);
  void connectStreamToCallback(const DataStream& stream, StreamCallbackHandle callback) {
    connectStreamToCallback(stream.handle(), std::move(callback));
  }
  void connectStreamToCallback(const DataStream& stream, unsigned index, StreamCallbackHandle callback) {
    connectStreamToCallback(stream.handle(), index, std::move(callback));
  }
  // index: of the replica. Without, it is called for each replica in turn. Throws stream_connection_error for a replica
  // that there is not.
  void connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle callback);

  // Each replica has a function of its own. Throws stream_connection_error for an unknown handle, or a replica that
  // there is not.
  void connectHostFunction(StringRef handle, unsigned replica, HostCallbackHandle callback);

  // One row of a remote buffer of a replica, whose content stays as long as the engine, from load to load; in the
  // memory of a gateway, as long as no other program is loaded onto the device, which is not reset or detached either.
  // What is written before the first load is there then. Throws poplar_error for an unknown handle, a row that it does
  // not have, a replica that there is not, an array of another size than a row, and where the content is lost until the
  // next load.
  void copyToRemoteBuffer(const void* row, const std::string& handle, std::uint64_t repeatIndex, unsigned replica = 0);
  void copyFromRemoteBuffer(const std::string& handle, void* row, std::uint64_t repeatIndex, unsigned replica = 0);
  template <class T>
  void copyToRemoteBuffer(ArrayRef<T> row, const std::string& handle, std::uint64_t repeatIndex, unsigned replica = 0) {
    checkRemoteRow(handle, row.size() * sizeof(T));
    copyToRemoteBuffer(static_cast<const void*>(row.data()), handle, repeatIndex, replica);
  }
  template <class T>
  void copyFromRemoteBuffer(const std::string& handle, ArrayRef<T> row, std::uint64_t repeatIndex,
                            unsigned replica = 0) {
    checkRemoteRow(handle, row.size() * sizeof(T));
    copyFromRemoteBuffer(handle, static_cast<void*>(const_cast<T*>(row.data())), repeatIndex, replica);
  }

  TimerTimePoint getTimeStamp() const;
  // From one to another: milliseconds of the host, and cycles of the device if a program was loaded at both.
  std::string reportTiming(const TimerTimePoint& start, const TimerTimePoint& end) const;

  std::vector<std::string> listStreams() const;
  OptionFlags getEngineOptions() const;
  // Where codelets' printf goes, and where PrintTensor goes (standard error at first).
  void setPrintStream(std::ostream& stream);
  void setPrintTensorStream(std::ostream& stream);
  // Memory and cycles.
  void printProfileSummary(std::ostream& os, const OptionFlags& options = {});
  // Cycles are counted from a reset on as they are from a load; while profiling is disabled, none are.
  void resetExecutionProfile();
  void disableExecutionProfiling();
  void enableExecutionProfiling();
  // The same as values: memory by tile, and, once a program is loaded, cycles by phase since the load.
  ProfileValue getGraphProfile() const;
  ProfileValue getExecutionProfile() const;
  ProfileValue getProfile() const;  // {"graphProfile": ..., "executionProfile": ...}

 private:
  friend struct detail::Access;
  void checkRemoteRow(const std::string& handle, std::size_t bytes) const;
  detail::EngineImpl& impl() const;  // throws poplar_error if there is none
  std::unique_ptr<detail::EngineImpl> impl_;
};

// Memory by what it holds and, with showPerTileMemoryUsage, by tile, from the file graph_profile.json that
// autoReport.outputGraphProfile leaves. Throws file_load_error, parse_error for a file that is no JSON,
// missing_graph_profile for one of something else, missing_profile_data for options that ask for what a graph profile
// does not hold.
void printGraphSummary(std::ostream& os, StringRef path, const OptionFlags& options = {});

}  // namespace poplar
