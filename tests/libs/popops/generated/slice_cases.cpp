// Slices at offsets that the program holds.
#include <algorithm>
#include <popops/DynamicSlice.hpp>

#include "tests/libs/popops/generated/element_wise_reference.h"
#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

const std::vector<Type> kTypes = {FLOAT, HALF,           INT,        UNSIGNED_CHAR, UNSIGNED_INT, BOOL,
                                  SHORT, UNSIGNED_SHORT, SIGNED_CHAR};

Type some_type(Draft& draft) { return kTypes[draft.choices.below(draft.full() ? kTypes.size() : 4)]; }

// Mostly in the dimension.
Data offsets_in(std::size_t size) { return whole(0, static_cast<double>(size) + 1); }

void draw_meaning(Draft& draft) {
  draft.set("remap", draft.choices.one_in(3));
  draft.set("padding", draft.choices.one_in(3));
}

// How offsets outside of their dimension are meant.
poplar::OptionFlags options_of(Call& call) {
  const bool remap = call.c.number("remap") != 0, padding = call.c.number("padding") != 0;
  call.text +=
      "const OptionFlags options = {{\"remapOutOfBoundIndices\", remap ? \"true\" : \"false\"},\n"
      "                             {\"paddingIndexUsed\", padding ? \"true\" : \"false\"}};\n";
  return {{"remapOutOfBoundIndices", remap ? "true" : "false"}, {"paddingIndexUsed", padding ? "true" : "false"}};
}
// The offset that counts, below 0 for none.
double meant(const Case& c, double offset, std::size_t size) {
  if (offset >= 0 && offset < static_cast<double>(size)) return offset;
  const bool padding = c.number("padding") != 0 && offset == static_cast<double>(size);
  return c.number("remap") != 0 && !padding ? 0 : -1;
}

template <class F>
void for_each(const Shape& shape, F f) {
  for (std::size_t i = 0; i < elements_of(shape); ++i) f(coordinates(shape, i));
}

Type type_of_offsets(Draft& draft) { return draft.choices.pick({UNSIGNED_INT, INT}); }

// Tensors: a is what is sliced, b the offsets, c the slice.
void draw_dynamic(Draft& draft, bool update, bool with_output) {
  draft.way(1);
  draw_meaning(draft);
  const Type type = some_type(draft);
  const Shape shape = draft.shape(0, 4);
  Shape dims;
  for (const std::size_t d : draft.some_of(shape.size()))
    if (shape[d] != 0) dims.push_back(d);
  Shape sizes, slice = shape;
  std::size_t most = 1;
  for (const std::size_t d : dims) {
    sizes.push_back(1 + draft.choices.below(shape[d]));
    slice[d] = sizes.back();
    most = std::max(most, shape[d]);
  }
  draft.set("dims", dims);
  draft.set("sizes", sizes);
  draft.tensor(type, shape, any_values(type), update ? Use::kWritten : Use::kRead);
  draft.tensor(type_of_offsets(draft), {dims.size()}, offsets_in(most));
  if (update || with_output) draft.tensor(type, slice, any_values(type), update ? Use::kRead : Use::kWritten);
}

Expectation dynamic_reference(const Case& c, bool update, bool with_output) {
  Elements a = elements(c, 0);
  const Elements offsets = elements(c, 1), s = update ? elements(c, 2) : a;
  const Shape &dims = c.list("dims"), &sizes = c.list("sizes");
  Elements out{a.type, a.shape, {}};
  for (std::size_t i = 0; i < dims.size(); ++i) out.shape[dims[i]] = sizes[i];
  std::size_t next = 0;
  for_each(out.shape, [&](Shape at) {
    bool there = true;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::size_t size = a.shape[dims[i]];
      const double offset = meant(c, offsets.values[i], size);
      there &= offset >= 0;
      at[dims[i]] = (at[dims[i]] + static_cast<std::size_t>(std::max(0.0, offset))) % size;
    }
    const std::size_t place = index_of(a.shape, at);
    if (update && there) a.values[place] = s.values[next];
    out.values.push_back(there ? a.values[place] : 0);
    ++next;
  });
  if (update) return {{}, {{0, exactly(a)}}};
  if (with_output) return {{}, {{2, exactly(out)}}};
  return {{exactly(out)}, {}};
}

Operator dynamic(const std::string& name, bool update, bool with_output) {
  const auto call = [=](Call& call) {
    POPOPS_NAMES;
    const Shape dims = c_.list("dims"), sizes = c_.list("sizes");
    const poplar::OptionFlags options = options_of(call);
    if (update)
      POPOPS_CALL(popops::dynamicUpdate(graph, a, c, b, dims, sizes, prog, "", options));
    else if (with_output)
      POPOPS_CALL(popops::dynamicSliceWithOutput(graph, c, a, b, dims, sizes, prog, "", options));
    else
      POPOPS_CALL(out = popops::dynamicSlice(graph, a, b, dims, sizes, prog, "", options));
  };
  return {name, [=](Draft& draft) { draw_dynamic(draft, update, with_output); }, call,
          [=](const Case& c) { return dynamic_reference(c, update, with_output); }};
}

// Many slices of each group. Tensors: a is what is sliced, b the offsets, c the slices, d a scale.
enum class How { kSlice, kReplace, kAdd, kMax, kMul };

void draw_multi(Draft& draft, How how, bool grouped) {
  draft.way(how == How::kSlice && !grouped ? 2 : 1);
  draw_meaning(draft);
  const bool arithmetic = how != How::kSlice && how != How::kReplace;
  const Type type = !arithmetic        ? some_type(draft)
                    : how == How::kAdd ? draft.choices.pick({FLOAT, HALF, INT, UNSIGNED_INT})
                                       : draft.choices.pick({FLOAT, HALF, INT});
  Shape shape = draft.shape(1, 3), dims, sizes;
  if (draft.choices.one_in(3)) dims = draft.some_of(shape.size());
  if (dims.empty()) dims = {draft.choices.below(shape.size())};
  std::size_t most = 1;
  for (const std::size_t dim : dims) {
    if (shape[dim] == 0) shape[dim] = 1;
    sizes.push_back(draft.choices.below(3) != 2 ? 1 : 1 + draft.choices.below(shape[dim]));
    most = std::max(most, shape[dim]);
  }
  const std::size_t n = draft.choices.between(1, 6), groups = grouped ? draft.choices.between(1, 3) : 1;
  draft.set("dims", dims);
  draft.set("sizes", sizes);
  draft.set("grouped", grouped);
  Shape slices = shape, offsets = {n, dims.size()};
  for (std::size_t k = 0; k < dims.size(); ++k) slices[dims[k]] = sizes[k];
  slices.insert(slices.begin(), n);
  if (grouped) {
    for (Shape* each : {&shape, &slices, &offsets}) each->insert(each->begin(), groups);
  }
  // Products of some of them are exact in every type.
  const Data values = arithmetic ? whole(type == UNSIGNED_INT ? 0 : -2, 2) : any_values(type);
  draft.tensor(type, shape, values, how == How::kSlice ? Use::kRead : Use::kWritten);
  draft.tensor(type_of_offsets(draft), offsets, offsets_in(most));
  if (how == How::kSlice) return;
  draft.tensor(type, slices, values);
  if (how == How::kAdd) draft.tensor(type, {}, whole(1, 2));
}

void call_multi(Call& call, How how, bool grouped) {
  POPOPS_NAMES;
  const Shape dims = c_.list("dims"), sizes = c_.list("sizes");
  const poplar::OptionFlags options = options_of(call);
  call.text += "const popops::SlicePlan plan;\n";
  const popops::SlicePlan plan;
  if (grouped) {
    if (how == How::kSlice) POPOPS_CALL(out = popops::groupedMultiSlice(graph, a, b, dims, sizes, prog, plan, options));
    if (how == How::kReplace) POPOPS_CALL(popops::groupedMultiUpdate(graph, a, c, b, dims, sizes, prog, plan, options));
    if (how == How::kAdd)
      POPOPS_CALL(popops::groupedMultiUpdateAdd(graph, a, c, b, d, dims, sizes, prog, plan, options));
    if (how == How::kMax) POPOPS_CALL(popops::groupedMultiUpdateMax(graph, a, c, b, dims, sizes, prog, plan, options));
    if (how == How::kMul) POPOPS_CALL(popops::groupedMultiUpdateMul(graph, a, c, b, dims, sizes, prog, plan, options));
    return;
  }
  if (how == How::kSlice && way == 0)
    POPOPS_CALL(out = popops::multiSlice(graph, a, b, dims, sizes, prog, plan, options));
  if (how == How::kSlice && way == 1)
    POPOPS_CALL(out = popops::multiSlice(graph, a, std::vector<unsigned>({0, unsigned(a.dim(dims[0]) - 1), 0}), dims[0],
                                         prog, "", options));
  if (how == How::kReplace) POPOPS_CALL(popops::multiUpdate(graph, a, c, b, dims, sizes, prog, plan, options));
  if (how == How::kAdd) POPOPS_CALL(popops::multiUpdateAdd(graph, a, c, b, d, dims, sizes, prog, plan, options));
  if (how == How::kMax) POPOPS_CALL(popops::multiUpdateMax(graph, a, c, b, dims, sizes, prog, plan, options));
  if (how == How::kMul) POPOPS_CALL(popops::multiUpdateMul(graph, a, c, b, dims, sizes, prog, plan, options));
}

Expectation multi_reference(const Case& c, How how, bool grouped) {
  Elements a = elements(c, 0), offsets = elements(c, 1);
  Shape dims = c.list("dims"), sizes = c.list("sizes");
  Elements s = how == How::kSlice ? a : elements(c, 2);
  const double scale = how == How::kAdd ? elements(c, 3).values[0] : 1;
  // Everything in one group, if there are none.
  Shape table = a.shape;
  if (!grouped) table.insert(table.begin(), 1);
  if (how == How::kSlice && c.number("way") == 1) {
    dims.resize(1);
    sizes = {1};
    offsets.values = {0, static_cast<double>(table[dims[0] + 1]) - 1, 0};
    offsets.shape = {3, 1};
  }
  const std::size_t groups = table[0], n = offsets.values.size() / groups / dims.size();
  Shape slices(table.begin() + 1, table.end());
  for (std::size_t k = 0; k < dims.size(); ++k) slices[dims[k]] = sizes[k];
  slices.insert(slices.begin(), {groups, n});
  Elements out{a.type, slices, {}};
  if (!grouped) out.shape.erase(out.shape.begin());
  std::size_t next = 0;
  for_each(slices, [&](const Shape& at) {
    Shape in(at.begin() + 2, at.end());
    bool there = true;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      const std::size_t dim = dims[k], rows = table[dim + 1];
      const double offset = meant(c, offsets.values[(at[0] * n + at[1]) * dims.size() + k], rows);
      there &= offset >= 0;
      in[dim] = (in[dim] + static_cast<std::size_t>(std::max(0.0, offset))) % rows;
    }
    in.insert(in.begin(), at[0]);
    double& value = a.values[index_of(table, in)];
    const double other = how == How::kSlice ? 0 : s.values[next];
    ++next;
    if (how == How::kSlice) out.values.push_back(there ? value : 0);
    if (!there) return;
    if (how == How::kReplace) value = other;
    if (how == How::kAdd) value += scale * other;
    if (how == How::kMax) value = larger(value, other);
    if (how == How::kMul) value *= other;
    if (!is_float(a.type)) value = wrapped(a.type, static_cast<__int128>(value));
  });
  if (how == How::kSlice) return {{exactly(out)}, {}};
  return {{}, {{0, exactly(a)}}};
}

Operator multi(const std::string& name, How how, bool grouped) {
  return {name, [=](Draft& draft) { draw_multi(draft, how, grouped); },
          [=](Call& call) { call_multi(call, how, grouped); },
          [=](const Case& c) { return multi_reference(c, how, grouped); }};
}

}  // namespace

std::vector<Operator> slice_operators() {
  std::vector<Operator> out = {dynamic("dynamicSlice", false, false), dynamic("dynamicSliceWithOutput", false, true),
                               dynamic("dynamicUpdate", true, false)};
  const std::pair<const char*, How> all[] = {{"Slice", How::kSlice},
                                             {"Update", How::kReplace},
                                             {"UpdateAdd", How::kAdd},
                                             {"UpdateMax", How::kMax},
                                             {"UpdateMul", How::kMul}};
  for (const auto& [name, how] : all) {
    out.push_back(multi(std::string("multi") + name, how, false));
    out.push_back(multi(std::string("groupedMulti") + name, how, true));
  }
  return out;
}

}  // namespace popops_test
