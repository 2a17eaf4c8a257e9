#include "compiler/codelet/libclang.h"

#include <dlfcn.h>

#include <filesystem>

#include "compiler/codelet/codelet_error.h"

namespace tessera::compiler::libclang {
namespace {

template <class Function>
void bind(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw CodeletError(CodeletError::Kind::kNoTool,
                       std::string("libclang has no ") + name + ": apt install libclang1-19");
  }
}

Api bind_all(const std::string& near) {
  void* library = dlopen("libclang-19.so.1", RTLD_NOW | RTLD_LOCAL);
  for (std::filesystem::path d = near; library == nullptr && d.has_relative_path(); d = d.parent_path()) {
    library = dlopen((d / "libclang-19.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    throw CodeletError(CodeletError::Kind::kNoTool,
                       "libclang-19.so.1 is needed to compile codelets and not installed: apt install libclang1-19");
  }
  Api api{};
  bind(library, api.create_index, "clang_createIndex");
  bind(library, api.dispose_index, "clang_disposeIndex");
  bind(library, api.parse, "clang_parseTranslationUnit2");
  bind(library, api.dispose_unit, "clang_disposeTranslationUnit");
  bind(library, api.num_diagnostics, "clang_getNumDiagnostics");
  bind(library, api.get_diagnostic, "clang_getDiagnostic");
  bind(library, api.diagnostic_severity, "clang_getDiagnosticSeverity");
  bind(library, api.dispose_diagnostic, "clang_disposeDiagnostic");
  bind(library, api.unit_cursor, "clang_getTranslationUnitCursor");
  bind(library, api.visit_children, "clang_visitChildren");
  bind(library, api.cursor_spelling, "clang_getCursorSpelling");
  bind(library, api.type_spelling, "clang_getTypeSpelling");
  bind(library, api.c_string, "clang_getCString");
  bind(library, api.dispose_string, "clang_disposeString");
  bind(library, api.cursor_type, "clang_getCursorType");
  bind(library, api.canonical_type, "clang_getCanonicalType");
  bind(library, api.type_declaration, "clang_getTypeDeclaration");
  bind(library, api.semantic_parent, "clang_getCursorSemanticParent");
  bind(library, api.template_of, "clang_getSpecializedCursorTemplate");
  bind(library, api.definition_of, "clang_getCursorDefinition");
  bind(library, api.is_null, "clang_Cursor_isNull");
  bind(library, api.equal, "clang_equalCursors");
  bind(library, api.is_definition, "clang_isCursorDefinition");
  bind(library, api.is_anonymous, "clang_Cursor_isAnonymous");
  bind(library, api.location, "clang_getCursorLocation");
  bind(library, api.in_system_header, "clang_Location_isInSystemHeader");
  bind(library, api.num_template_arguments, "clang_Cursor_getNumTemplateArguments");
  bind(library, api.template_argument_kind, "clang_Cursor_getTemplateArgumentKind");
  bind(library, api.template_argument_type, "clang_Cursor_getTemplateArgumentType");
  bind(library, api.template_argument_value, "clang_Cursor_getTemplateArgumentValue");
  bind(library, api.enumerator_value, "clang_getEnumConstantDeclValue");
  bind(library, api.size_of, "clang_Type_getSizeOf");
  return api;
}

}  // namespace

const Api& load(const std::string& near) {
  static const Api api = bind_all(near);
  return api;
}

std::string text(const Api& api, String string) {
  const char* characters = api.c_string(string);
  std::string result = characters == nullptr ? "" : characters;
  api.dispose_string(string);
  return result;
}

}  // namespace tessera::compiler::libclang
