// A graph written out.
#include <nlohmann/json.hpp>

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;
using detail::Access;
using Json = nlohmann::ordered_json;

namespace {

// [begin, end, tile] of each run of elements.
Json tiles_of(const g::Variable& variable) {
  Json out = Json::array();
  for (const g::TileInterval& i : variable.mapping.intervals()) out.push_back({i.begin, i.end, i.tile});
  return out;
}

Json variables_of(const g::Graph& graph) {
  Json out = Json::array();
  for (const g::Variable& v : graph.variables)
    out.push_back({{"name", v.name},
                   {"type", g::name_of(v.type)},
                   {"elements", v.num_elements},
                   {"constant", v.constant},
                   {"tiles", tiles_of(v)}});
  return out;
}

// Elements as [variable, begin, end].
Json tensor_of(const g::TensorRef& tensor) {
  Json runs = Json::array();
  tensor.view.for_each_run([&](const g::VariableRun& run) { runs.push_back({run.variable, run.begin, run.end}); });
  return {{"type", g::name_of(tensor.type)},
          {"shape", std::vector<std::size_t>(tensor.view.shape().begin(), tensor.view.shape().end())},
          {"elements", std::move(runs)}};
}

Json vertices_of(const g::Graph& graph) {
  Json out = Json::array();
  for (const g::Vertex& v : graph.vertices) {
    const g::CodeletInfo& codelet = graph.codelets[v.codelet].info;
    Json fields = Json::array();
    for (const g::Connection& c : v.connections) {
      Json field = {{"name", codelet.fields[c.field].name}};
      if (c.index != g::kWholeField) field["entry"] = c.index;
      field["tensor"] = tensor_of(c.tensor);
      fields.push_back(std::move(field));
    }
    Json vertex = {{"type", codelet.name}, {"computeSet", v.compute_set}};
    if (v.tile != g::kNoTile) vertex["tile"] = v.tile;
    vertex["fields"] = std::move(fields);
    out.push_back(std::move(vertex));
  }
  return out;
}

Json streams_of(const g::Graph& graph) {
  Json out = Json::array();
  for (const g::Stream& s : graph.streams)
    out.push_back({{"handle", s.handle},
                   {"type", g::name_of(s.type)},
                   {"elements", s.num_elements},
                   {"direction", s.to_device ? "hostToDevice" : "deviceToHost"}});
  return out;
}

Json remote_buffers_of(const g::Graph& graph) {
  Json out = Json::array();
  for (const g::RemoteBuffer& b : graph.remote_buffers)
    out.push_back(
        {{"handle", b.handle}, {"type", g::name_of(b.type)}, {"elements", b.num_elements}, {"repeats", b.repeats}});
  return out;
}

Json arguments_of(const std::vector<g::HostFunctionArgument>& arguments) {
  Json out = Json::array();
  for (const g::HostFunctionArgument& a : arguments)
    out.push_back({{"type", g::name_of(a.type)}, {"elements", a.num_elements}});
  return out;
}

Json host_functions_of(const g::Graph& graph) {
  Json out = Json::array();
  for (const g::HostFunction& f : graph.host_functions)
    out.push_back({{"handle", f.handle}, {"inputs", arguments_of(f.inputs)}, {"outputs", arguments_of(f.outputs)}});
  return out;
}

Json handles_of(const std::vector<g::HostHandle>& handles) {
  Json out = Json::array();
  for (const g::HostHandle& h : handles) out.push_back({{"handle", h.name}, {"tensor", tensor_of(h.tensor)}});
  return out;
}

}  // namespace

void Graph::serialize(std::ostream& os, SerializationFormat format) const {
  const g::Graph& graph = Access::graph(*this);
  Json sets = Json::array();
  for (const g::ComputeSet& cs : graph.compute_sets) sets.push_back({{"name", cs.name}, {"vertices", cs.vertices}});
  const Json all = {{"tiles", graph.num_tiles},
                    {"variables", variables_of(graph)},
                    {"computeSets", std::move(sets)},
                    {"vertices", vertices_of(graph)},
                    {"streams", streams_of(graph)},
                    {"remoteBuffers", remote_buffers_of(graph)},
                    {"hostFunctions", host_functions_of(graph)},
                    {"hostWrites", handles_of(graph.host_writes)},
                    {"hostReads", handles_of(graph.host_reads)}};
  if (format == SerializationFormat::JSON) {
    os << all << '\n';
  } else {
    const std::vector<std::uint8_t> bytes = Json::to_cbor(all);
    os.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  os.flush();
  if (!os) throw poplar_error("Graph::serialize: the stream does not take the graph");
}

}  // namespace poplar
