#include "compiler/codelet/printing.h"

#include <algorithm>

#include "compiler/codelet/call_graph.h"
#include "compiler/codelet/object_file.h"

namespace tessera::compiler {
namespace {

bool names_it(const CodeletObject& object) {
  const formats::ElfFile elf = read_object(object.elf, object.name);
  return std::any_of(elf.symbols.begin(), elf.symbols.end(),
                     [](const formats::ElfSymbol& symbol) { return symbol.name == kPrintSymbol; });
}

}  // namespace

std::set<std::string> entries_that_print(const std::vector<const CodeletLibrary*>& libraries) {
  const std::vector<const CodeletObject*> objects = distinct_objects(libraries);
  std::set<std::string> entries;
  if (std::none_of(objects.begin(), objects.end(), [](const CodeletObject* object) { return names_it(*object); }))
    return entries;
  const CallGraph calls(objects);
  for (const CodeletLibrary* library : libraries)
    for (const graph::CodeletInfo& codelet : library->codelets)
      if (calls.names(codelet.entry_symbol, kPrintSymbol)) entries.insert(codelet.entry_symbol);
  return entries;
}

}  // namespace tessera::compiler
