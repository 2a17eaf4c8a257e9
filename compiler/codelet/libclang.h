// The part of libclang that vertex discovery uses, loaded at run time, so that everything but compiling new codelets
// works where clang is not installed. Types and signatures are those of its own header.
#pragma once

#include <clang-c/Index.h>

#include <string>

namespace tessera::compiler::libclang {

#define TESSERA_LIBCLANG_FUNCTIONS(F) \
  F(createIndex)                      \
  F(disposeIndex)                     \
  F(parseTranslationUnit2)            \
  F(disposeTranslationUnit)           \
  F(getNumDiagnostics)                \
  F(getDiagnostic)                    \
  F(getDiagnosticSeverity)            \
  F(disposeDiagnostic)                \
  F(getTranslationUnitCursor)         \
  F(visitChildren)                    \
  F(getCursorSpelling)                \
  F(getTypeSpelling)                  \
  F(getCString)                       \
  F(disposeString)                    \
  F(getCursorType)                    \
  F(getCanonicalType)                 \
  F(getTypeDeclaration)               \
  F(getCursorSemanticParent)          \
  F(getSpecializedCursorTemplate)     \
  F(getCursorDefinition)              \
  F(Cursor_isNull)                    \
  F(isCursorDefinition)               \
  F(Cursor_isAnonymous)               \
  F(getCursorLocation)                \
  F(Location_isInSystemHeader)        \
  F(Cursor_getNumTemplateArguments)   \
  F(Cursor_getTemplateArgumentKind)   \
  F(Cursor_getTemplateArgumentType)   \
  F(Cursor_getTemplateArgumentValue)  \
  F(getEnumConstantDeclValue)         \
  F(Type_getSizeOf)                   \
  F(getCursorExtent)                  \
  F(tokenize)                         \
  F(getTokenSpelling)                 \
  F(disposeTokens)

// Each under its name without "clang_".
struct Api {
#define MEMBER(name) decltype(&clang_##name) name;
  TESSERA_LIBCLANG_FUNCTIONS(MEMBER)
#undef MEMBER
};

// Loads libclang once per process. `near` is a directory of the clang installation, searched after the usual ones.
// Throws CodeletError (kNoTool).
const Api& load(const std::string& near);

std::string text(const Api& api, CXString string);

}  // namespace tessera::compiler::libclang
