// Vertices of a compute set: each one's connections, then whether any two get in each other's way.
#include <algorithm>
#include <optional>
#include <span>

#include "compiler/graph/validate.h"
#include "compiler/parallel/parallel.h"

namespace tessera::graph {
namespace {

[[noreturn]] void fail(const std::string& message) { throw GraphError(GraphErrorKind::kConnection, message); }

// Elements of a variable that a vertex touches.
struct Access {
  std::size_t begin, end;
  VariableId variable;
  VertexId vertex;
  bool write;
};

class VertexCheck {
 public:
  VertexCheck(const Graph& graph, VertexId id, std::uint32_t tiles_of_chip)
      : graph_(graph),
        id_(id),
        tiles_of_chip_(tiles_of_chip),
        vertex_(graph.vertices[id]),
        codelet_(graph.codelets[vertex_.codelet].info) {}

  void run() {
    if (vertex_.tile == kNoTile) {
      throw GraphError(GraphErrorKind::kTileMapping, "Not mapped to a tile: " + describe_vertex(graph_, id_));
    }
    for (std::uint32_t f = 0; f < codelet_.fields.size(); ++f) {
      // Metadata is connected with its field, unless that is an empty list.
      if (codelet_.fields[f].is_edge() && !codelet_.fields[f].is_metadata()) check_connected(f);
    }
    for (const Connection& c : vertex_.connections) check_connection(c);
    if (tiles_of_chip_ != kNoTile)
      for (std::uint32_t f = 0; f < codelet_.fields.size(); ++f) check_chip(f);
  }

 private:
  std::string field_of_vertex(std::uint32_t f) const {
    return "field '" + codelet_.fields[f].name + "' of " + describe_vertex(graph_, id_);
  }

  void check_connected(std::uint32_t f) const {
    const bool list = codelet_.fields[f].is_list();
    std::size_t size = 0;
    std::size_t found = 0;
    for (const Connection& c : vertex_.connections) {
      if (c.field != f) continue;
      ++found;
      size = std::max<std::size_t>(size, c.index + std::size_t{1});
    }
    if (!list) {
      if (found == 0) fail("Not connected: " + field_of_vertex(f));
      if (found > 1) fail("Connected " + std::to_string(found) + " times: " + field_of_vertex(f));
      return;
    }
    bool sized = false;
    for (const FieldSize& s : vertex_.sizes) {
      if (s.field != f) continue;
      sized = true;
      if (size > s.size) {
        fail("Entry " + std::to_string(size - 1) + " connected, but the size is " + std::to_string(s.size) + ": " +
             field_of_vertex(f));
      }
      size = s.size;
    }
    if (found == 0 && !sized) fail("Not connected: " + field_of_vertex(f));
    std::vector<unsigned> times(size);
    for (const Connection& c : vertex_.connections) {
      if (c.field == f && ++times[c.index] > 1) {
        fail("Entry " + std::to_string(c.index) + " connected more than once: " + field_of_vertex(f));
      }
    }
    const auto missing = std::find(times.begin(), times.end(), 0U);
    if (missing != times.end()) {
      fail("Entry " + std::to_string(missing - times.begin()) + " not connected: " + field_of_vertex(f));
    }
  }

  void check_connection(const Connection& c) const {
    const CodeletField& field = codelet_.fields[c.field];
    const TensorView& view = c.tensor.view;
    const bool scalar = field.shape == FieldShape::kScalar || field.shape == FieldShape::kScalarList;
    if (scalar && view.num_elements() != 1) {
      fail("Tensor of " + std::to_string(view.num_elements()) + " elements (" + describe_view(graph_, view) +
           ") connected to scalar " + field_of_vertex(c.field));
    }
    if (!scalar && view.rank() > 1) {
      fail("Tensor of rank " + std::to_string(view.rank()) + " (" + describe_view(graph_, view) +
           ") connected to vector " + field_of_vertex(c.field));
    }
    if (field.kind != FieldKind::kInput) {
      view.for_each_variable([&](VariableId id) {
        if (graph_.variables[id].constant) {
          fail(describe_variable(graph_, id) + " connected to written " + field_of_vertex(c.field));
        }
      });
      if (view.contains_aliases()) {
        fail("Tensor with repeated elements (" + describe_view(graph_, view) + ") connected to written " +
             field_of_vertex(c.field));
      }
    }
    validate_mapping(graph_, view, [&] { return describe_vertex(graph_, id_); });
  }

  // All of a field is on one chip, which need not be the vertex's.
  void check_chip(std::uint32_t f) const {
    std::optional<std::uint32_t> chip;
    for (const Connection& c : vertex_.connections) {
      if (c.field != f) continue;
      c.tensor.view.for_each_covering_run([&](const VariableRun& run) {
        const TileMap& mapping = graph_.variables[run.variable].mapping;
        const auto& intervals = mapping.intervals();
        for (std::size_t i = mapping.find(run.begin); i < intervals.size() && intervals[i].begin < run.end; ++i) {
          const std::uint32_t other = intervals[i].tile / tiles_of_chip_;
          if (chip && *chip != other)
            fail("Tensor on chips " + std::to_string(std::min(*chip, other)) + " and " +
                 std::to_string(std::max(*chip, other)) + " (" + describe_view(graph_, c.tensor.view) +
                 ") connected to " + field_of_vertex(f) + "; copy it to tiles of one chip first");
          chip = other;
        }
      });
    }
  }

  const Graph& graph_;
  VertexId id_;
  std::uint32_t tiles_of_chip_;
  const Vertex& vertex_;
  const CodeletInfo& codelet_;
};

// The furthest end of the runs seen so far, of two different vertices.
class FurthestEnds {
 public:
  void add(std::size_t end, VertexId vertex) {
    if (vertex == vertex_) {
      end_ = std::max(end_, end);
    } else if (end > end_) {
      second_end_ = end_;
      second_vertex_ = vertex_;
      end_ = end;
      vertex_ = vertex;
    } else if (end > second_end_) {
      second_end_ = end;
      second_vertex_ = vertex;
    }
  }
  // Another vertex with a run that goes beyond begin; itself if there is none.
  VertexId other_beyond(std::size_t begin, VertexId vertex) const {
    if (vertex_ != vertex) return end_ > begin ? vertex_ : vertex;
    return second_end_ > begin ? second_vertex_ : vertex;
  }

 private:
  std::size_t end_ = 0;
  std::size_t second_end_ = 0;
  VertexId vertex_ = ~VertexId{0};
  VertexId second_vertex_ = ~VertexId{0};
};

// All accesses to one variable.
void check_accesses(const Graph& graph, std::vector<Access>& accesses) {
  const auto before = [](const Access& a, const Access& b) { return a.begin < b.begin; };
  if (!std::is_sorted(accesses.begin(), accesses.end(), before))
    std::stable_sort(accesses.begin(), accesses.end(), before);
  FurthestEnds reads;
  FurthestEnds writes;
  for (const Access& a : accesses) {
    VertexId other = writes.other_beyond(a.begin, a.vertex);
    bool both_write = a.write;
    if (other == a.vertex && a.write) {
      other = reads.other_beyond(a.begin, a.vertex);
      both_write = false;
    }
    if (other != a.vertex) {
      fail("Element " + std::to_string(a.begin) + " of " + describe_variable(graph, a.variable) +
           (both_write ? " is written by " : " is read and written by ") + describe_vertex(graph, other) + " and " +
           describe_vertex(graph, a.vertex));
    }
    (a.write ? writes : reads).add(a.end, a.vertex);
  }
}

// Whether each list ends before the next begins, so that no access of one meets any of another.
bool apart(const std::vector<std::vector<Access>>& lists) {
  std::size_t end = 0;
  for (const std::vector<Access>& list : lists) {
    const std::size_t before = end;
    for (const Access& access : list) {
      if (access.begin < before) return false;
      end = std::max(end, access.end);
    }
  }
  return true;
}

std::vector<Access> joined(const std::vector<std::vector<Access>>& lists) {
  std::vector<Access> all;
  for (const std::vector<Access>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// Checks the vertices, and gives what they access.
std::vector<Access> check_vertices(const Graph& graph, std::span<const VertexId> vertices,
                                   std::uint32_t tiles_of_chip) {
  std::vector<Access> accesses;
  for (const VertexId v : vertices) {
    VertexCheck(graph, v, tiles_of_chip).run();
    const Vertex& vertex = graph.vertices[v];
    const CodeletInfo& codelet = graph.codelets[vertex.codelet].info;
    for (const Connection& c : vertex.connections) {
      const bool writes = codelet.fields[c.field].kind != FieldKind::kInput;
      c.tensor.view.for_each_covering_run([&](const VariableRun& run) {
        if (!graph.variables[run.variable].constant) accesses.push_back({run.begin, run.end, run.variable, v, writes});
      });
    }
  }
  return accesses;
}

// The variables that are written, ascending.
std::vector<VariableId> find_written(const std::vector<Access>& accesses) {
  std::vector<VariableId> written;
  for (const Access& access : accesses)
    if (access.write && (written.empty() || written.back() != access.variable)) written.push_back(access.variable);
  std::sort(written.begin(), written.end());
  written.erase(std::unique(written.begin(), written.end()), written.end());
  return written;
}

// Accesses to each of some variables; what is done to others is left out.
std::vector<std::vector<Access>> by_variable(const std::vector<Access>& accesses,
                                             const std::vector<VariableId>& variables) {
  std::vector<std::vector<Access>> lists(variables.size());
  for (const Access& access : accesses) {
    const auto found = std::lower_bound(variables.begin(), variables.end(), access.variable);
    if (found != variables.end() && *found == access.variable)
      lists[static_cast<std::size_t>(found - variables.begin())].push_back(access);
  }
  return lists;
}

}  // namespace

void validate_compute_set(const Graph& graph, ComputeSetId id, unsigned threads, std::uint32_t tiles_of_chip) {
  const std::span<const VertexId> vertices = graph.compute_sets[id].vertices;
  const compiler::Parts parts{vertices.size(), 4096};
  std::vector<std::vector<Access>> accesses(parts.count());
  std::vector<std::vector<VariableId>> written_by(parts.count());
  compiler::parallel(threads, parts.count(), [&](std::size_t part) {
    const std::size_t begin = parts.begin(part);
    accesses[part] = check_vertices(graph, vertices.subspan(begin, parts.end(part) - begin), tiles_of_chip);
    written_by[part] = find_written(accesses[part]);
  });
  // Of variables that nobody writes nothing is to be said.
  std::vector<VariableId> written;
  for (const std::vector<VariableId>& some : written_by) written.insert(written.end(), some.begin(), some.end());
  std::sort(written.begin(), written.end());
  written.erase(std::unique(written.begin(), written.end()), written.end());
  std::vector<std::vector<std::vector<Access>>> lists(parts.count());  // by part and variable
  compiler::parallel(threads, parts.count(), [&](std::size_t part) {
    lists[part] = by_variable(accesses[part], written);
    accesses[part] = {};
  });
  // By variable: what its accesses are checked in, lists that do not touch each other.
  std::vector<std::vector<std::vector<Access>>> checks(written.size());
  compiler::parallel(threads, written.size(), [&](std::size_t i) {
    for (auto& of_part : lists)
      if (!of_part[i].empty()) checks[i].push_back(std::move(of_part[i]));
    if (!apart(checks[i])) checks[i] = {joined(checks[i])};
  });
  std::vector<std::vector<Access>*> all;
  for (auto& of_variable : checks)
    for (auto& list : of_variable) all.push_back(&list);
  compiler::parallel(threads, all.size(), [&](std::size_t i) { check_accesses(graph, *all[i]); });
}

}  // namespace tessera::graph
