#include "inspect/gdb/registers.h"

#include "rtl/spec/instructions.h"

namespace tessera::inspect::gdb {
namespace {

using chip::DebugSpace;
using Kind = Register::Kind;

constexpr const char* kCpuFeature = "org.gnu.gdb.riscv.cpu";
constexpr const char* kFpu = "org.gnu.gdb.riscv.fpu";
constexpr const char* kCsrs = "org.tessera.csr";
constexpr const char* kEngine = "org.tessera.engine";

void add_engine(std::vector<Register>& all) {
  const auto add = [&](std::string name, unsigned number, unsigned bytes, const char* type) {
    all.push_back({std::move(name), Kind::kVector, number, bytes, type, "engine", kEngine, false, true});
  };
  using spec::DebugVector;
  for (unsigned n = 0; n < 16; ++n) add("acc" + std::to_string(n), DebugVector::kAccumulator + n, 4, "ieee_single");
  for (unsigned n = 0; n < 16; ++n) add("sum" + std::to_string(n), DebugVector::kSum + n, 4, "ieee_single");
  add("latch_x", DebugVector::kLatchX, 8, "packed");
  add("latch_p", DebugVector::kLatchP, 8, "packed");
  add("latch_r", DebugVector::kLatchR, 8, "packed");
  add("repeat_first", DebugVector::kRepeatFirst, 4, "code_ptr");
  add("repeat_last", DebugVector::kRepeatLast, 4, "code_ptr");
  add("repeat_left", DebugVector::kRepeatLeft, 4, "int");
}

std::vector<Register> make() {
  std::vector<Register> all;
  for (unsigned n = 0; n < 32; ++n)
    all.push_back({"x" + std::to_string(n), Kind::kInteger, n, 4, n == 2 ? "data_ptr" : "int", "general", kCpuFeature});
  all.push_back({"pc", Kind::kPc, 0, 4, "code_ptr", "general", kCpuFeature});
  for (unsigned n = 0; n < 32; ++n)
    all.push_back({"f" + std::to_string(n), Kind::kFloat, n, 8, "packed", "float", kFpu, false, true});
  // gdb looks for the float status beside the float registers.
  for (const bool status : {true, false}) {
#define CSR(id, csr, text, who, access, effect)                                                      \
  if (status == ((csr) < 4))                                                                         \
    all.push_back({text, Kind::kCsr, csr, 4, "int", status ? "float" : "csr", status ? kFpu : kCsrs, \
                   spec::Who::who != spec::Who::Worker, spec::Who::who != spec::Who::Supervisor});
#include "rtl/spec/csrs.def"
#undef CSR
  }
  add_engine(all);
  return all;
}

}  // namespace

const std::vector<Register>& registers() {
  static const std::vector<Register> all = make();
  return all;
}

std::string target_description() {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
      "<target version=\"1.0\">\n<architecture>riscv:rv32</architecture>\n<osabi>none</osabi>\n";
  std::string feature;
  for (unsigned n = 0; n < registers().size(); ++n) {
    const Register& r = registers()[n];
    if (r.feature != feature) {
      if (!feature.empty()) xml += "</feature>\n";
      feature = r.feature;
      xml += "<feature name=\"" + feature + "\">\n";
      if (feature == kFpu || feature == kEngine)
        xml +=
            "<vector id=\"v2f32\" type=\"ieee_single\" count=\"2\"/>\n"
            "<vector id=\"v4f16\" type=\"ieee_half\" count=\"4\"/>\n"
            "<union id=\"packed\"><field name=\"f32\" type=\"ieee_single\"/><field name=\"f16\" type=\"ieee_half\"/>"
            "<field name=\"v2f32\" type=\"v2f32\"/><field name=\"v4f16\" type=\"v4f16\"/>"
            "<field name=\"bits\" type=\"uint64\"/></union>\n";
    }
    xml += "<reg name=\"" + r.name + "\" bitsize=\"" + std::to_string(8 * r.bytes) + "\" type=\"" + r.type +
           "\" regnum=\"" + std::to_string(n) + "\" group=\"" + r.group + "\"/>\n";
  }
  return xml + "</feature>\n</target>\n";
}

std::optional<uint64_t> read_register(View& view, const Register& r, Thread at) {
  if (!(at.context == 0 ? r.supervisor : r.worker)) return std::nullopt;
  switch (r.kind) {
    case Kind::kInteger:
      return view.x(at.tile, at.context, r.number);
    case Kind::kPc:
      return view.pc(at.tile, at.context);
    case Kind::kFloat:
      return view.f(at.tile, at.context, r.number);
    case Kind::kCsr:
      return view.csr(at.tile, at.context, r.number);
    case Kind::kVector: {
      const uint64_t low = view.vector(at.tile, at.context, r.number);
      return r.bytes == 4 ? low : low | uint64_t{view.vector(at.tile, at.context, r.number + 1)} << 32;
    }
  }
  return std::nullopt;
}

std::vector<TileWrite> write_register(const Register& r, Thread at, uint64_t value) {
  if (!(at.context == 0 ? r.supervisor : r.worker)) return {};
  const auto low = static_cast<uint32_t>(value), high = static_cast<uint32_t>(value >> 32);
  switch (r.kind) {
    case Kind::kInteger:
      return {{DebugSpace::kInteger, at.context, r.number, low}};
    case Kind::kPc:
      return {{DebugSpace::kControl, at.context, spec::DebugControl::kPc, low}};
    case Kind::kFloat:
      return {{DebugSpace::kFloat, at.context, 2 * r.number, low},
              {DebugSpace::kFloat, at.context, 2 * r.number + 1, high}};
    case Kind::kCsr:
      if (spec::csr_info(static_cast<uint16_t>(r.number))->read_only) return {};
      return {{DebugSpace::kCsr, at.context, r.number, low}};
    case Kind::kVector: {
      std::vector<TileWrite> writes{{DebugSpace::kVector, at.context, r.number, low}};
      if (r.bytes == 8) writes.push_back({DebugSpace::kVector, at.context, r.number + 1, high});
      return writes;
    }
  }
  return {};
}

}  // namespace tessera::inspect::gdb
