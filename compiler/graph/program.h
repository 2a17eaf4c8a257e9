// Control programs as an immutable tree; subtrees are shared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/graph/tensor_view.h"

namespace tessera::graph {

using ComputeSetId = std::uint32_t;
using StreamId = std::uint32_t;
using FunctionId = std::uint32_t;
using RemoteBufferId = std::uint32_t;
using HostFunctionId = std::uint32_t;

struct Program;
using ProgramRef = std::shared_ptr<const Program>;  // never null inside a tree

struct Sequence {
  std::vector<ProgramRef> steps;
};

struct Execute {
  ComputeSetId compute_set;
  std::optional<TensorRef> predicate;  // one element, set to whether every compute() returned true
};

// Elements in flattened order; source and destination share no element.
struct Copy {
  TensorRef source;
  TensorRef destination;
};

// Copies between replicas that happen together: none reads or writes what another writes.
struct CrossReplicaCopy {
  // As Copy: in replica r the destination gets the source of replica `from[r]`, which may be r itself. Tensors are one,
  // the same in all replicas, or as many as replicas, each of the replica that has it: these lie on the same tiles, and
  // each of their pieces whole words from that of replica 0. Then none gets from itself, or all do, inside their tiles.
  struct Part {
    std::vector<TensorRef> sources;
    std::vector<TensorRef> destinations;
    std::vector<std::uint32_t> from;  // one for each replica of the graph
  };
  std::vector<Part> parts;

  explicit CrossReplicaCopy(std::vector<Part> all) : parts(std::move(all)) {}
  CrossReplicaCopy(const TensorRef& source, const TensorRef& destination, std::vector<std::uint32_t> from)
      : parts{{{source}, {destination}, std::move(from)}} {}
};

struct CopyFromStream {
  StreamId stream;
  TensorRef destination;
};

struct CopyToStream {
  TensorRef source;
  StreamId stream;
};

// Rows of a remote buffer, of the numbers in `rows` (int or unsigned int), one after the other in the tensor; without:
// row 0.
struct CopyFromRemote {
  RemoteBufferId buffer;
  TensorRef destination;
  std::optional<TensorRef> rows;
};

struct CopyToRemote {
  TensorRef source;
  RemoteBufferId buffer;
  std::optional<TensorRef> rows;
};

struct Repeat {
  std::uint32_t count;
  ProgramRef body;
};

// condition; while predicate == while_value: body, condition.
struct RepeatWhile {
  ProgramRef condition;
  TensorRef predicate;  // one element of bool or an integer type; not zero is true
  bool while_value;
  ProgramRef body;
};

struct If {
  TensorRef predicate;
  ProgramRef then_body;
  ProgramRef else_body;
};

struct Switch {
  TensorRef selector;  // one element of int or unsigned int
  std::vector<std::pair<std::int32_t, ProgramRef>> cases;
  ProgramRef otherwise;
};

struct Call {
  FunctionId function;
};

// A function of the host's gets the inputs and gives the outputs, which may be the same elements.
struct CallHost {
  HostFunctionId function;
  std::vector<TensorRef> inputs, outputs;
};

struct PrintFormat {
  std::uint32_t summarise_threshold = 1000;  // elements
  std::uint32_t edge_items = 3;
  std::uint32_t max_line_width = 75;  // characters
  std::uint32_t digits = 7;           // after the point
  enum class Float : std::uint8_t { kAuto, kFixed, kScientific, kNone } floats = Float::kAuto;
  char separator = ' ';
  char open = '[';
  char close = ']';
};

struct PrintTensor {
  std::string title;
  TensorRef tensor;
  PrintFormat format;
};

struct WriteUndef {
  TensorRef tensor;
};

struct Sync {
  enum class Span : std::uint8_t { kInternal, kExternal, kGlobal } span;
};

struct Abort {
  std::string message;
};

struct AbortOnCondition {
  TensorRef predicate;
  std::string message;
};

struct Program {
  std::string name;  // debug path, may be empty
  std::variant<Sequence, Execute, Copy, CopyFromStream, CopyToStream, Repeat, RepeatWhile, If, Switch, Call,
               PrintTensor, WriteUndef, Sync, Abort, AbortOnCondition, CopyFromRemote, CopyToRemote, CallHost,
               CrossReplicaCopy>
      op;
};

// Programs directly inside, in order of execution; a called function's program is not among them.
std::vector<ProgramRef> children(const Program& program);
// Tensors that the program itself names, its children's not included.
std::vector<const TensorRef*> tensors(const Program& program);

}  // namespace tessera::graph
