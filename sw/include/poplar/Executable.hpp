// A compiled graph with its programs.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>

namespace poplar {

namespace detail {
struct ExecutableImpl;
}

// Called with the number of steps done and the number of all steps.
using ProgressFunc = std::function<void(int, int)>;

class Executable {
 public:
  Executable();  // of nothing: its use throws poplar_error
  Executable(const Executable& other);
  Executable(Executable&& other) noexcept;
  Executable& operator=(const Executable& other);
  Executable& operator=(Executable&& other) noexcept;
  ~Executable();

  // Writes all that an Engine needs to `out`, opened as binary: no graph is needed to run it. Throws poplar_error when
  // the stream takes no more.
  void serialize(std::ostream& out) const;
  // The executable that stands next in `in`, which is left behind its last byte. Throws poplar_error for a damaged one
  // and for one of another version of Tessera, which is to be compiled again: it could not be read, whatever is asked
  // by checkPackageHash.
  static Executable deserialize(std::istream& in, bool checkPackageHash = true);
  static Executable deserialize(std::unique_ptr<std::istream> in, bool checkPackageHash = true);
  // Of all that serialize writes: equal for what runs in the same way.
  std::uint64_t getHash() const;

 private:
  explicit Executable(std::shared_ptr<const detail::ExecutableImpl> impl);
  friend struct detail::Access;
  std::shared_ptr<const detail::ExecutableImpl> impl_;
};

// Throws invalid_option, graph_connection_error, invalid_tile_mapping, control_program_error, link_error,
// graph_memory_allocation_error (of tiles) or stream_memory_allocation_error (of the host, for streams).
Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options = {},
                        ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
// checkOptionFlags false: options that no engine knows are left out, with a warning in the log; values of the others
// are checked as always.
Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs, bool checkOptionFlags,
                        const OptionFlags& options = {}, ProgressFunc progressCallBack = ProgressFunc(),
                        const DebugContext& debugContext = {});
Executable compileGraph(Graph&& graph, ArrayRef<program::Program> programs, const OptionFlags& options = {},
                        ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});

}  // namespace poplar
