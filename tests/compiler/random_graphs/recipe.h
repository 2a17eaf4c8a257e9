// A program as plain data: everything that is needed to build it with Poplar's API, to print it as C++, and to work out
// by hand what it leaves. Numbers name things by their place in the lists of the recipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/compiler/random_graphs/element_kind.h"

namespace tessera::test {

using Shape = std::vector<std::size_t>;

struct View;

// A call of one of Tensor's operations, with its numbers in the order of the call.
struct ViewOp {
  enum class Is : std::uint8_t {
    kSlice,        // begin, end, dimension
    kIndex,        // entry of dimension 0
    kReshape,      // the shape
    kFlatten,      //
    kDimShuffle,   // the permutation
    kBroadcast,    // times, dimension
    kUpsample,     // times, dimension
    kSubSample,    // stride, dimension
    kReverse,      // dimension
    kExpand,       // before which dimension
    kSqueeze,      // dimension
    kConcat,       // dimension; with `other`
    kReinterpret,  // kind
  } is;
  std::vector<std::size_t> at;
  std::vector<View> other;  // one for kConcat, else none
};

struct View {
  unsigned variable = 0;
  std::vector<ViewOp> ops;
};

struct Piece {
  std::size_t elements;
  unsigned tile;
};

struct Variable {
  Kind kind;
  Shape shape;
  std::vector<Piece> mapping;  // of the elements in order
  bool constant = false;
  Values values;             // one for every element, or as many as elements; none: undefined
  bool read_at_end = false;  // the host looks at it after everything
};

// Values of a part of a variable, over those before.
struct Initial {
  View view;
  Values values;
};

struct Vertex {
  std::string codelet;  // in the table of codelets.h
  Kind kind;            // its template argument
  unsigned tile = 0;
  std::vector<std::vector<View>> edges;  // of each field; one unless the field is a list
  Values state;                          // of the state field, if it has one
};

struct ComputeSet {
  std::vector<Vertex> vertices;
};

struct Stream {
  bool to_device;
  Kind kind;
  std::size_t elements;  // of a transfer
  Values values;         // to the device: of some transfers, again and again
};

struct Step;
using Body = std::vector<Step>;

struct Step {
  enum class Is : std::uint8_t {
    kCopy,        // views: source, destination
    kExecute,     // number: compute set; views: none or a predicate to write
    kFromStream,  // number: stream; views: destination
    kToStream,    // number: stream; views: source
    kWriteUndef,  // views: what
    kSync,        // number: SyncType
    kAbortIf,     // views: predicate, which is never true
    kCall,        // number: function
    kRepeat,      // number: times; bodies: one
    kWhileTrue,   // views: predicate; bodies: condition, body
    kWhileFalse,  //
    kIf,          // views: predicate; bodies: true, false
    kSwitch,      // views: selector; bodies: one for each of cases, default
    kSequence,    // bodies: one
  } is;
  unsigned number = 0;
  std::vector<View> views;
  std::vector<Body> bodies;
  std::vector<std::int32_t> cases;
};

struct Handle {
  bool write;
  View view;
};

// What the host does with the engine, after it is loaded.
struct HostAction {
  enum class Is : std::uint8_t { kRun, kWrite, kRead, kLoad } is;
  unsigned number;  // program, handle; kLoad: 0
  Values values;    // kWrite
};

struct Recipe {
  std::string machine = "mk2-4";
  unsigned tiles = 4;  // of it
  std::vector<Variable> variables;
  std::vector<Initial> initials;
  std::vector<ComputeSet> compute_sets;
  std::vector<Stream> streams;
  std::vector<Handle> handles;
  std::vector<Body> functions;  // each calls only those before it
  std::vector<Body> programs;
  std::vector<HostAction> actions;
};

// The recipe is no legal program, or nobody can say what it leaves.
struct Invalid : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::size_t count(const Shape& shape) {
  std::size_t n = 1;
  for (const std::size_t size : shape) n *= size;
  return n;
}

// Every body of steps, the outer before those inside.
std::vector<Body*> bodies(Recipe& recipe);
// Every view, those inside of concatenations included.
std::vector<View*> views(Recipe& recipe);

}  // namespace tessera::test
