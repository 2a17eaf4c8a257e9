// A codelet library: compiled codelets with what the graph compiler must know of them, and its file form, `.gp`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/codelet_info.h"

namespace tessera::compiler {

// One relocatable ELF file.
struct CodeletObject {
  std::string name;
  std::vector<std::uint8_t> elf;
};

struct CodeletLibrary {
  std::vector<graph::CodeletInfo> codelets;
  std::vector<CodeletObject> objects;
  std::vector<std::string> provenance;  // one line per source file: name, compiler, flags
};

// The codelet of that name, null if there is none.
const graph::CodeletInfo* find_codelet(const CodeletLibrary& library, const std::string& name);

// Adds what `more` holds; of codelets with one name the first stays.
void append(CodeletLibrary& library, CodeletLibrary more);

// The objects of all libraries, each content once: the same codelet file may have been added twice.
std::vector<const CodeletObject*> distinct_objects(const std::vector<const CodeletLibrary*>& libraries);

// The bytes of a `.gp` file: an `ar` archive of a manifest, the objects, and a digest over everything before it.
std::vector<std::uint8_t> to_gp(const CodeletLibrary& library);

// Throws CodeletError (kFile) with one line naming `where` if the bytes are damaged or of another format.
CodeletLibrary from_gp(const std::vector<std::uint8_t>& bytes, const std::string& where);

// The file appears whole or not at all. Throws CodeletError (kFile).
void save_gp(const CodeletLibrary& library, const std::string& path);
CodeletLibrary load_gp(const std::string& path);

}  // namespace tessera::compiler
