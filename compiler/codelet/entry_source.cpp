#include "compiler/codelet/entry_source.h"

#include <fmt/format.h>

#include <cctype>

namespace tessera::compiler {
namespace {

constexpr int kDescriptionWords = 8;  // of tessera::abi::Description

// FNV-1a: tells apart names whose readable parts are equal once other characters became underscores.
std::uint32_t fnv(const std::string& text) {
  std::uint32_t hash = 2166136261u;
  for (unsigned char c : text) hash = (hash ^ c) * 16777619u;
  return hash;
}

std::string c_string(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string entry_symbol(const std::string& vertex_name) {
  std::string symbol;
  bool changed = false;
  for (char c : vertex_name) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    symbol += kept ? c : '_';
    changed |= !kept;
  }
  return "__vertex_" + symbol + (changed ? fmt::format("_{:08x}", fnv(vertex_name)) : "");
}

std::string explicit_stack_symbol(const std::string& entry) { return "__stack_size" + entry; }

std::string entry_source(const std::string& file, const std::vector<FoundVertex>& vertices) {
  // The source's macros may be of any name: what is written behind it is keywords and names that are ours to use.
  std::string text = "#include <tessera/vertex_abi.h>\n#include " + c_string(file) + "\n";
  text += "#pragma clang diagnostic ignored \"-Winvalid-offsetof\"\n";
  std::string rows;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const FoundVertex& vertex = vertices[i];
    const std::string symbol = entry_symbol(vertex.name);
    const std::string type = fmt::format("__tessera_vertex_{}", i);
    text += fmt::format("using {} = {};\n", type, vertex.cxx);
    // Weak: the same codelet may be in two libraries of one program.
    text += fmt::format(
        "extern \"C\" __attribute__((__used__, __weak__, __section__(\".text.vertex.{0}\"))) unsigned {0}(void "
        "*__state, unsigned __worker) {{\n  return __tessera_enter<{1}>(__state, __worker);\n}}\n",
        symbol, type);
    if (vertex.explicit_stack != 0) {
      const std::string stack = explicit_stack_symbol(symbol);
      text += fmt::format("asm(\".weak {0}\\n.set {0}, {1}\");\n", stack, vertex.explicit_stack);
    }
    rows += fmt::format("  sizeof({0}), alignof({0}), __tessera_kind<{0}>, __tessera_returns_value<{0}>, {1},\n", type,
                        vertex.fields.size());
    for (const FoundField& field : vertex.fields) {
      rows += fmt::format("  __builtin_offsetof({}, {})", type, field.name);
      for (int word = 0; word < kDescriptionWords; ++word)
        rows += fmt::format(", __tessera_field<{}, decltype({}::{})>", word, type, field.name);
      rows += ",\n";
    }
  }
  text += fmt::format(
      "static __attribute__((__used__, __section__(\".tessera.codelets\"))) constexpr unsigned __tessera_codelets[] = "
      "{{\n  {},\n{}}};\n",
      vertices.size(), rows);
  return text;
}

}  // namespace tessera::compiler
