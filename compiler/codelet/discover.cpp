#include "compiler/codelet/discover.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <set>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/constraints.h"
#include "compiler/codelet/libclang.h"

namespace tessera::compiler {
namespace {

using libclang::Api;
using Cursor = CXCursor;

constexpr std::string_view kStackAnnotation = "tessera.stack_size=";

class Discoverer {
 public:
  Discoverer(const Api& api, CXTranslationUnit unit) : api_(api), unit_(unit) {}

  void scan(Cursor scope) {
    for_children(scope, [&](Cursor c) {
      if (api_.Location_isInSystemHeader(api_.getCursorLocation(c)) != 0) return;
      if (c.kind == CXCursor_Namespace) {
        if (!spelling(c).empty() && api_.Cursor_isAnonymous(c) == 0) scan(c);
      } else if (c.kind == CXCursor_LinkageSpec) {
        scan(c);
      } else if (c.kind == CXCursor_ClassDecl || c.kind == CXCursor_StructDecl) {
        consider(c);
      }
    });
  }

  std::vector<FoundVertex> vertices;

 private:
  void for_children(Cursor cursor, const std::function<void(Cursor)>& action) {
    api_.visitChildren(
        cursor,
        [](Cursor child, Cursor, void* client) -> CXChildVisitResult {
          (*static_cast<const std::function<void(Cursor)>*>(client))(child);
          return CXChildVisit_Continue;
        },
        const_cast<std::function<void(Cursor)>*>(&action));
  }

  std::string spelling(Cursor cursor) { return libclang::text(api_, api_.getCursorSpelling(cursor)); }
  std::string spelling(CXType type) { return libclang::text(api_, api_.getTypeSpelling(type)); }

  // Where the members are written: the template for an instantiation, else the definition of the class itself.
  Cursor written(Cursor cls) {
    const Cursor pattern = api_.getSpecializedCursorTemplate(cls);
    bool has_own_members = false;
    for_children(cls,
                 [&](Cursor c) { has_own_members |= c.kind == CXCursor_FieldDecl || c.kind == CXCursor_CXXMethod; });
    const Cursor source = api_.Cursor_isNull(pattern) != 0 || has_own_members ? cls : pattern;
    const Cursor definition = api_.getCursorDefinition(source);
    return api_.Cursor_isNull(definition) != 0 ? source : definition;
  }

  std::vector<Cursor> bases(Cursor source) {
    std::vector<Cursor> result;
    for_children(source, [&](Cursor c) {
      if (c.kind != CXCursor_CXXBaseSpecifier) return;
      result.push_back(api_.getTypeDeclaration(api_.getCanonicalType(api_.getCursorType(c))));
    });
    return result;
  }

  bool is_poplar_vertex(Cursor cls) {
    const std::string name = spelling(cls);
    return (name == "Vertex" || name == "MultiVertex" || name == "SupervisorVertex") &&
           spelling(api_.getCursorSemanticParent(cls)) == "poplar";
  }

  // A base that a template argument chooses is not known here: the compiler says what it is (entry_source).
  bool may_derive_from_vertex(Cursor cls) {
    if (api_.Cursor_isNull(cls) != 0) return false;
    for (Cursor base : bases(written(cls))) {
      if (base.kind == CXCursor_NoDeclFound || is_poplar_vertex(base) || may_derive_from_vertex(base)) return true;
    }
    return false;
  }

  // Fields of bases, then own ones; notes whether there is a compute() and what its annotation says.
  void collect(Cursor cls, FoundVertex& vertex, bool& has_compute) {
    if (api_.Cursor_isNull(cls) != 0 || is_poplar_vertex(cls)) return;
    const Cursor source = written(cls);
    for (Cursor base : bases(source)) collect(base, vertex, has_compute);
    for_children(source, [&](Cursor member) {
      if (member.kind == CXCursor_FieldDecl) {
        vertex.fields.push_back({spelling(member), spelling(api_.getCursorType(member))});
      } else if (member.kind == CXCursor_CXXMethod && spelling(member) == "compute") {
        has_compute = true;
        for_children(member, [&](Cursor attribute) {
          if (attribute.kind == CXCursor_AnnotateAttr) read_annotation(spelling(attribute), vertex);
        });
      }
    });
  }

  static void read_annotation(const std::string& text, FoundVertex& vertex) {
    if (!text.starts_with(kStackAnnotation)) return;
    const char* digits = text.c_str() + kStackAnnotation.size();
    std::from_chars(digits, text.c_str() + text.size(), vertex.explicit_stack);
  }

  void consider(Cursor cls) {
    const bool instantiated = api_.Cursor_isNull(api_.getSpecializedCursorTemplate(cls)) == 0;
    if (!instantiated && api_.isCursorDefinition(cls) == 0) return;
    if (api_.Type_getSizeOf(api_.getCursorType(cls)) < 0) return;  // incomplete: declared, or an extern template
    if (!may_derive_from_vertex(cls)) return;
    FoundVertex vertex;
    bool has_compute = false;
    collect(cls, vertex, has_compute);
    if (!has_compute) return;
    const std::string scope = scope_of(cls);
    vertex.name = scope + spelling(cls);
    vertex.cxx = "::" + vertex.name;
    add_arguments(cls, vertex);
    vertex.constraints = find_constraints(head(written(cls)));
    if (seen_.insert(vertex.name).second) vertices.push_back(std::move(vertex));
  }

  std::string scope_of(Cursor declaration) {
    const Cursor parent = api_.getCursorSemanticParent(declaration);
    if (api_.Cursor_isNull(parent) != 0) return "";
    const bool names = parent.kind == CXCursor_Namespace || parent.kind == CXCursor_ClassDecl ||
                       parent.kind == CXCursor_StructDecl || parent.kind == CXCursor_EnumConstantDecl;
    return names ? scope_of(parent) + spelling(parent) + "::" : "";
  }

  void add_arguments(Cursor cls, FoundVertex& vertex) {
    const int count = api_.Cursor_getNumTemplateArguments(cls);
    if (count < 0) return;
    // The arguments are those of the primary template; a partial specialisation has other parameters.
    Cursor primary = api_.getSpecializedCursorTemplate(cls);
    for (Cursor next = primary; api_.Cursor_isNull(next) == 0; next = api_.getSpecializedCursorTemplate(primary))
      primary = next;
    std::vector<Cursor> parameters;
    for_children(primary, [&](Cursor c) {
      if (c.kind == CXCursor_TemplateTypeParameter || c.kind == CXCursor_NonTypeTemplateParameter ||
          c.kind == CXCursor_TemplateTemplateParameter) {
        parameters.push_back(c);
      }
    });
    std::string name, cxx;
    for (int i = 0; i < count; ++i) {
      const auto index = static_cast<unsigned>(i);
      std::string poplar_text, cxx_text;
      if (api_.Cursor_getTemplateArgumentKind(cls, index) == CXTemplateArgumentKind_Type) {
        cxx_text = spelling(api_.getCanonicalType(api_.Cursor_getTemplateArgumentType(cls, index)));
        poplar_text = poplar_type(cxx_text);
      } else if (index < parameters.size()) {
        value_argument(api_.Cursor_getTemplateArgumentValue(cls, index),
                       api_.getCanonicalType(api_.getCursorType(parameters[index])), poplar_text, cxx_text);
      }
      name += (i == 0 ? "" : ",") + poplar_text;
      cxx += (i == 0 ? "" : ", ") + cxx_text;
    }
    vertex.name += "<" + name + ">";
    vertex.cxx += "<" + cxx + ">";
  }

  // Poplar's spelling of a type argument: half by its name, no spaces after commas.
  static std::string poplar_type(std::string type) {
    for (std::size_t at; (at = type.find("_Float16")) != std::string::npos;) type.replace(at, 8, "half");
    for (std::size_t at; (at = type.find(", ")) != std::string::npos;) type.erase(at + 1, 1);
    return type;
  }

  void value_argument(long long value, CXType type, std::string& name, std::string& cxx) {
    if (type.kind == CXType_Bool) {
      name = cxx = value != 0 ? "true" : "false";
      return;
    }
    name = cxx = std::to_string(value);
    if (type.kind != CXType_Enum) return;
    const std::string enumeration = spelling(type);
    cxx = "static_cast<" + enumeration + ">(" + cxx + ")";
    for_children(api_.getTypeDeclaration(type), [&](Cursor c) {
      if (c.kind == CXCursor_EnumConstantDecl && api_.getEnumConstantDeclValue(c) == value) {
        name = enumeration + "::" + spelling(c);
      }
    });
  }

  // The words of a class before its body.
  std::vector<std::string> head(Cursor cls) {
    CXToken* tokens = nullptr;
    unsigned count = 0;
    api_.tokenize(unit_, api_.getCursorExtent(cls), &tokens, &count);
    std::vector<std::string> words;
    for (unsigned i = 0; i < count && (words.empty() || words.back() != "{"); ++i)
      words.push_back(libclang::text(api_, api_.getTokenSpelling(unit_, tokens[i])));
    api_.disposeTokens(unit_, tokens, count);
    return words;
  }

  const Api& api_;
  CXTranslationUnit unit_;
  std::set<std::string> seen_;
};

}  // namespace

Discovery discover_vertices(const std::string& file, const std::vector<std::string>& flags, const Clang& clang) {
  const Api& api = libclang::load(clang.builtin_include);
  std::vector<std::string> all = flags;
  all.insert(all.end(), {"-x", "c++", "-isystem", clang.builtin_include, "-w"});
  std::vector<const char*> arguments;
  for (const std::string& flag : all) arguments.push_back(flag.c_str());

  const std::unique_ptr<void, void (*)(void*)> index(api.createIndex(0, 0), api.disposeIndex);
  CXTranslationUnit parsed = nullptr;
  const int status =
      api.parseTranslationUnit2(index.get(), file.c_str(), arguments.data(), static_cast<int>(arguments.size()),
                                nullptr, 0, CXTranslationUnit_SkipFunctionBodies, &parsed);
  if (status != 0 || parsed == nullptr) return {false, {}};
  const std::unique_ptr<CXTranslationUnitImpl, void (*)(CXTranslationUnit)> unit(parsed, api.disposeTranslationUnit);
  for (unsigned i = 0; i < api.getNumDiagnostics(parsed); ++i) {
    void* diagnostic = api.getDiagnostic(parsed, i);
    const bool error = api.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    api.disposeDiagnostic(diagnostic);
    if (error) return {false, {}};
  }
  Discoverer discoverer(api, parsed);
  discoverer.scan(api.getTranslationUnitCursor(parsed));
  return {true, std::move(discoverer.vertices)};
}

}  // namespace tessera::compiler
