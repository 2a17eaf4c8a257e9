// The part of libclang's C interface that vertex discovery uses, loaded at run time, so that everything but compiling
// new codelets works where clang is not installed. Structures and numbers are those of libclang 19's stable C ABI.
#pragma once

#include <string>

namespace tessera::compiler::libclang {

struct Cursor {
  int kind;
  int data_int;
  const void* data[3];
};
struct Type {
  int kind;
  void* data[2];
};
struct String {
  const void* data;
  unsigned flags;
};
struct Location {
  const void* data[2];
  unsigned offset;
};
using Index = void*;
using Unit = void*;
using Visitor = int (*)(Cursor cursor, Cursor parent, void* client);

enum CursorKind {
  kStruct = 2,
  kClass = 4,
  kField = 6,
  kEnumerator = 7,
  kMethod = 21,
  kNamespace = 22,
  kLinkage = 23,
  kTypeParameter = 27,
  kValueParameter = 28,
  kTemplateParameter = 29,
  kFunctionTemplate = 30,
  kClassTemplate = 31,
  kPartialSpecialization = 32,
  kBase = 44,
  kAnnotation = 406,
};
enum TypeKind { kBool = 3, kEnum = 106 };
enum ArgumentKind { kTypeArgument = 1, kIntegralArgument = 4 };
enum Visit { kStop = 0, kContinue = 1, kRecurse = 2 };
enum ParseOption { kSkipFunctionBodies = 0x40 };
enum Severity { kError = 3 };

struct Api {
  Index (*create_index)(int exclude_pch, int show_diagnostics);
  void (*dispose_index)(Index);
  int (*parse)(Index, const char* file, const char* const* arguments, int count, void* unsaved, unsigned n_unsaved,
               unsigned options, Unit* out);
  void (*dispose_unit)(Unit);
  unsigned (*num_diagnostics)(Unit);
  void* (*get_diagnostic)(Unit, unsigned index);
  int (*diagnostic_severity)(void* diagnostic);
  void (*dispose_diagnostic)(void* diagnostic);
  Cursor (*unit_cursor)(Unit);
  unsigned (*visit_children)(Cursor, Visitor, void* client);
  String (*cursor_spelling)(Cursor);
  String (*type_spelling)(Type);
  const char* (*c_string)(String);
  void (*dispose_string)(String);
  Type (*cursor_type)(Cursor);
  Type (*canonical_type)(Type);
  Cursor (*type_declaration)(Type);
  Cursor (*semantic_parent)(Cursor);
  Cursor (*template_of)(Cursor);
  Cursor (*definition_of)(Cursor);
  unsigned (*is_null)(Cursor);  // nonzero for the null cursor
  unsigned (*equal)(Cursor, Cursor);
  unsigned (*is_definition)(Cursor);
  unsigned (*is_anonymous)(Cursor);
  Location (*location)(Cursor);
  int (*in_system_header)(Location);
  int (*num_template_arguments)(Cursor);
  int (*template_argument_kind)(Cursor, unsigned index);
  Type (*template_argument_type)(Cursor, unsigned index);
  long long (*template_argument_value)(Cursor, unsigned index);
  long long (*enumerator_value)(Cursor);
  long long (*size_of)(Type);
};

// Loads libclang once per process. `near` is a directory of the clang installation, searched after the usual ones.
// Throws CodeletError (kNoTool).
const Api& load(const std::string& near);

std::string text(const Api& api, String string);

}  // namespace tessera::compiler::libclang
