#include "compiler/graph/graph_bytes.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>

#include "formats/bytes.h"

namespace tessera::graph {
namespace {

constexpr std::size_t kPiece = 1 << 20;

// Each structure is taken apart member by member, so that one which gets another member is no longer compiled until
// its place here is found.
class Writer {
 public:
  explicit Writer(const std::function<void(std::span<const std::uint8_t>)>& take) : take_(take) {}

  void write(const Graph& graph) {
    // By name: what is in `codelets`. Libraries: their owner's.
    const auto& [tiles, replicas, variables, vertices, estimates, sets, streams, remote_buffers, host_functions, writes,
                 reads, functions, codelets, by_name, libraries] = graph;
    all(tiles, replicas, variables, vertices, sets, streams, remote_buffers, host_functions, writes, reads, codelets);
    list(estimates);
    number(functions.size());
    for (const auto& [program] : functions) put(program);
  }
  void write(const std::vector<ProgramRef>& programs) { put(programs); }
  void end() {
    if (!bytes_.empty()) take_(bytes_);
    bytes_.clear();
  }

 private:
  template <class... T>
  void all(const T&... values) {
    (put(values), ...);
  }

  void number(std::uint64_t value) { formats::put_varint(bytes_, value); }
  template <formats::Number T>
  void put(T value) {
    formats::put_number(bytes_, value);
    if (bytes_.size() >= kPiece) end();
  }
  void put(const std::string& text) { formats::put_text(bytes_, text); }
  void put(const std::vector<std::uint8_t>& data) { formats::put_list(bytes_, std::span<const std::uint8_t>(data)); }
  template <class List>
  void list(const List& values) {
    number(values.size());
    for (const auto& value : values) put(value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    list(values);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& both) {
    all(both.first, both.second);
  }

  void put(const InitialData& d) {
    const auto& [begin, bytes, other_replicas] = d;
    all(begin, bytes, other_replicas);
  }
  void put(const TileInterval& i) {
    const auto& [begin, end, tile] = i;
    all(begin, end, tile);
  }
  void put(const Variable& v) {
    const auto& [name, type, elements, constant, constant_bytes, initial, mapping] = v;
    all(name, type, elements, constant, constant_bytes, initial, mapping.intervals());
  }
  void put(const BoxDim& d) {
    const auto& [axis, size, stride] = d;
    all(axis, size, stride);
  }
  void put(const Box& b) {
    const auto& [variable, offset, begin, dims] = b;
    all(variable, offset);
    list(begin);
    list(dims);
  }
  void put(const TensorRef& t) {
    const auto& [type, view] = t;
    put(type);
    list(view.shape());
    list(view.axes());
    list(view.boxes());
  }
  void put(const Connection& c) {
    const auto& [field, index, tensor] = c;
    all(field, index, tensor);
  }
  void put(const FieldValue& v) {
    const auto& [field, bytes] = v;
    all(field, bytes);
  }
  void put(const FieldSize& s) {
    const auto& [field, size] = s;
    all(field, size);
  }
  void put(const Vertex& v) {
    const auto& [codelet, set, tile, connections, values, sizes] = v;
    all(codelet, set, tile, connections, values, sizes);
  }
  void put(const PerfEstimate& e) {
    const auto& [cycles, flops] = e;
    all(cycles, flops);
  }
  void put(const ComputeSet& s) {
    const auto& [name, vertices] = s;
    all(name, vertices);
  }
  void put(const Stream& s) {
    const auto& [handle, type, elements, to_device, options] = s;
    all(handle, type, elements, to_device);
    list(options);
  }
  void put(const RemoteBuffer& b) {
    const auto& [handle, type, elements, repeats] = b;
    all(handle, type, elements, repeats);
  }
  void put(const HostFunctionArgument& a) {
    const auto& [type, elements] = a;
    all(type, elements);
  }
  void put(const HostFunction& f) {
    const auto& [handle, inputs, outputs] = f;
    all(handle, inputs, outputs);
  }
  void put(const HostHandle& h) {
    const auto& [name, tensor] = h;
    all(name, tensor);
  }
  void put(const CodeletField& f) {
    const auto& [name, kind, shape, layout, inner, type, offset, align, interleaved, is_const] = f;
    all(name, kind, shape, layout, inner, type, offset, align, interleaved, is_const);
  }
  void put(const FieldConstraint& c) {
    const auto& [part, a, b] = c;
    all(part, a, b);
  }
  void put(const Codelet& c) {
    const auto& [info, library] = c;
    const auto& [name, kind, entry, returns_bool, size, align, fields, constraints] = info;
    all(library, name, kind, entry, returns_bool, size, align, fields, constraints);
  }

  // --- programs: a tree that comes again is its number

  void put(const ProgramRef& program) {
    const auto [known, fresh] = programs_.try_emplace(program.get(), programs_.size());
    number(known->second);
    if (!fresh) return;
    const auto& [name, op] = *program;
    put(name);
    number(op.index());
    std::visit([&](const auto& one) { put_op(one); }, op);
  }
  void put_op(const Sequence& op) {
    const auto& [steps] = op;
    put(steps);
  }
  void put_op(const Execute& op) {
    const auto& [set, predicate] = op;
    all(set, predicate);
  }
  void put_op(const Copy& op) {
    const auto& [source, destination] = op;
    all(source, destination);
  }
  void put_op(const CrossReplicaCopy& op) {
    const auto& [parts] = op;
    put(parts);
  }
  void put(const CrossReplicaCopy::Part& part) {
    const auto& [sources, destinations, from] = part;
    all(sources, destinations, from);
  }
  void put_op(const CopyFromStream& op) {
    const auto& [stream, destination] = op;
    all(stream, destination);
  }
  void put_op(const CopyToStream& op) {
    const auto& [source, stream] = op;
    all(source, stream);
  }
  void put_op(const CopyFromRemote& op) {
    const auto& [buffer, destination, rows] = op;
    all(buffer, destination, rows);
  }
  void put_op(const CopyToRemote& op) {
    const auto& [source, buffer, rows] = op;
    all(source, buffer, rows);
  }
  void put_op(const CallHost& op) {
    const auto& [function, inputs, outputs] = op;
    all(function, inputs, outputs);
  }
  void put_op(const Repeat& op) {
    const auto& [count, body] = op;
    all(count, body);
  }
  void put_op(const RepeatWhile& op) {
    const auto& [condition, predicate, value, body] = op;
    all(condition, predicate, value, body);
  }
  void put_op(const If& op) {
    const auto& [predicate, then_body, else_body] = op;
    all(predicate, then_body, else_body);
  }
  void put_op(const Switch& op) {
    const auto& [selector, cases, otherwise] = op;
    all(selector, cases, otherwise);
  }
  void put_op(const Call& op) {
    const auto& [function] = op;
    put(function);
  }
  void put_op(const PrintTensor& op) {
    const auto& [title, tensor, format] = op;
    const auto& [threshold, edge, width, digits, floats, separator, open, close] = format;
    all(title, tensor, threshold, edge, width, digits, floats, separator, open, close);
  }
  void put_op(const WriteUndef& op) {
    const auto& [tensor] = op;
    put(tensor);
  }
  void put_op(const Sync& op) {
    const auto& [span] = op;
    put(span);
  }
  void put_op(const Abort& op) {
    const auto& [message] = op;
    put(message);
  }
  void put_op(const AbortOnCondition& op) {
    const auto& [predicate, message] = op;
    all(predicate, message);
  }

  const std::function<void(std::span<const std::uint8_t>)>& take_;
  formats::Bytes bytes_;
  std::unordered_map<const Program*, std::size_t> programs_;
};

}  // namespace

void for_each_piece(const Graph& graph, const std::vector<ProgramRef>& programs,
                    const std::function<void(std::span<const std::uint8_t>)>& take) {
  Writer writer(take);
  writer.write(graph);
  writer.write(programs);
  writer.end();
}

}  // namespace tessera::graph
