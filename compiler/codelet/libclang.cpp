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
#define BIND(name) bind(library, api.name, "clang_" #name);
  TESSERA_LIBCLANG_FUNCTIONS(BIND)
#undef BIND
  return api;
}

}  // namespace

const Api& load(const std::string& near) {
  static const Api api = bind_all(near);
  return api;
}

std::string text(const Api& api, CXString string) {
  const char* characters = api.getCString(string);
  std::string result = characters == nullptr ? "" : characters;
  api.disposeString(string);
  return result;
}

}  // namespace tessera::compiler::libclang
