// Codelets from sources and containers into the graph.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "compiler/codelet/checked_library.h"
#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/codelet_library.h"
#include "compiler/codelet/compile.h"
#include "sw/card/environment.h"
#include "sw/poplar/card_errors.h"
#include "sw/poplar/codelet_sources.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/log.h"

namespace poplar {

namespace g = tessera::graph;
namespace c = tessera::compiler;
namespace log = tessera::log;

namespace {

[[noreturn]] void rethrow(const c::CodeletError& error, const std::string& source) {
  switch (error.kind()) {
    case c::CodeletError::Kind::kCompilation:
      throw graph_program_compilation_error(error.what());
    case c::CodeletError::Kind::kNoTool:
      throw no_environment(error.what());
    case c::CodeletError::Kind::kFile:
      throw graph_object_load_error(source, error.what());
    case c::CodeletError::Kind::kLink:
      throw link_error(error.what());
  }
  throw poplar_error(error.what());
}

// Words of a command line; quotes keep spaces.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (const char ch : text) {
    if (quote != '\0') {
      if (ch == quote) {
        quote = '\0';
      } else {
        word += ch;
      }
    } else if (ch == '"' || ch == '\'') {
      quote = ch;
      inside = true;
    } else if (ch == ' ' || ch == '\t' || ch == '\n') {
      if (inside) out.push_back(word);
      word.clear();
      inside = false;
    } else {
      word += ch;
      inside = true;
    }
  }
  if (inside) out.push_back(word);
  return out;
}

bool same_objects(const c::CodeletLibrary& a, const c::CodeletLibrary& b) {
  return std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(), b.objects.end(),
                    [](const c::CodeletObject& x, const c::CodeletObject& y) { return x.elf == y.elf; });
}

// Adding the same library again changes nothing.
void add_library(g::Graph& graph, c::CodeletLibrary library, const std::string& source, const log::Stopwatch& watch) {
  log::write(log::Module::kCodelets, log::Level::kInfo, [&] {
    return fmt::format("{} codelets of {} in {:.0f} ms", library.codelets.size(), source, watch.milliseconds());
  });
  for (const g::CodeletInfo& codelet : library.codelets)
    log::write(log::Module::kCodelets, log::Level::kDebug, [&] {
      return fmt::format("codelet {}: {} fields, {} bytes of state", codelet.name, codelet.fields.size(),
                         codelet.state_size);
    });
  for (const auto& known : graph.libraries) {
    if (same_objects(*known, library)) return;
  }
  for (const g::CodeletInfo& codelet : library.codelets) {
    if (graph.codelet_by_name.count(codelet.name) != 0) {
      throw graph_object_creation_error("Codelet '" + codelet.name + "' of " + source + " is already in the graph");
    }
  }
  const std::uint32_t index = static_cast<std::uint32_t>(graph.libraries.size());
  for (const g::CodeletInfo& codelet : library.codelets) {
    graph.codelet_by_name.emplace(codelet.name, static_cast<g::CodeletId>(graph.codelets.size()));
    graph.codelets.push_back({codelet, index});
  }
  graph.libraries.push_back(std::make_shared<const c::CodeletLibrary>(std::move(library)));
}

// Flags go to clang but for our own: --check, and --no-check against TESSERA_CHECK.
c::CompileOptions options(StringRef flags) {
  c::CompileOptions out;
  out.check = tessera::runtime::with_poplar_errors(tessera::card::check);
  for (const std::string& word : words(flags.cloneAsString())) {
    if (word == "--check" || word == "--no-check") {
      out.check = word == "--check";
    } else {
      out.flags.push_back(word);
    }
  }
  return out;
}

void say(const std::string& line) {
  if (!tessera::runtime::with_poplar_errors(tessera::card::quiet)) std::fprintf(stderr, "tessera: %s\n", line.c_str());
}

// Compiles by `make`; a user who has asked for checks is told what they cost.
template <class Make>
c::CodeletLibrary compiled(const c::CompileOptions& options, const std::string& source, Make make) {
  c::CodeletLibrary library = make(options);
  if (!options.check) return library;
  c::CompileOptions plain = options;
  plain.check = false;
  say("codelets of " + source + " are checked: " + c::cost_of_checks(library, make(plain)));
  return library;
}

c::CodeletLibrary loaded(const std::string& path) {
  c::CodeletLibrary library = c::load_gp(path);
  if (tessera::runtime::with_poplar_errors(tessera::card::check) && !c::is_checked(library))
    say("codelets of " + path + " are not checked: the library was made without popc --check");
  return library;
}

void check_readable(const std::string& path) {
  if (!std::ifstream(path).good()) throw file_load_error(path);
}

bool is_container(const std::string& path, CodeletFileType type) {
  return type == CodeletFileType::Object ||
         (type == CodeletFileType::Auto && std::filesystem::path(path).extension() == ".gp");
}

// What the compiler says goes to `said`, if the user has given one.
[[noreturn]] void rethrow(const c::CodeletError& error, const std::string& source, std::ostream* said) {
  if (said != nullptr && error.kind() == c::CodeletError::Kind::kCompilation) *said << error.what() << '\n';
  rethrow(error, source);
}

// Compiles by `make`, with warnings to `said`.
template <class Make>
c::CodeletLibrary library_of(StringRef flags, const std::string& source, std::ostream* said, Make make) {
  c::CompileOptions wanted = options(flags);
  std::string warnings;
  if (said != nullptr) wanted.warnings = &warnings;
  c::CodeletLibrary library = compiled(wanted, source, make);
  if (said != nullptr) *said << warnings;
  return library;
}

bool add_file(g::Graph& graph, const std::string& path, CodeletFileType type, StringRef flags, std::ostream* said) {
  check_readable(path);
  const log::Stopwatch watch;
  try {
    c::CodeletLibrary library =
        is_container(path, type) ? loaded(path) : library_of(flags, path, said, [&](const auto& wanted) {
          return tessera::runtime::compile_source(path, type, wanted);
        });
    add_library(graph, std::move(library), path, watch);
  } catch (const c::CodeletError& error) {
    rethrow(error, path, said);
  }
  return true;
}

bool add_files(g::Graph& graph, ArrayRef<std::string> sources, StringRef flags, std::ostream* said) {
  std::vector<std::string> files;
  for (const std::string& path : sources) {
    if (is_container(path, CodeletFileType::Auto)) {
      add_file(graph, path, CodeletFileType::Auto, "", said);
    } else {
      check_readable(path);
      files.push_back(path);
    }
  }
  if (files.empty()) return true;
  const log::Stopwatch watch;
  try {
    c::CodeletLibrary library =
        library_of(flags, files.front(), said, [&](const auto& wanted) { return c::compile_codelets(files, wanted); });
    add_library(graph, std::move(library), files.front(), watch);
  } catch (const c::CodeletError& error) {
    rethrow(error, files.front(), said);
  }
  return true;
}

bool add_text(g::Graph& graph, const std::string& text, CodeletFileType type, StringRef flags, std::ostream* said) {
  const std::string name = "codelet text";
  const log::Stopwatch watch;
  try {
    c::CodeletLibrary library = type == CodeletFileType::Object
                                    ? c::from_gp({text.begin(), text.end()}, name)
                                    : library_of(flags, name, said, [&](const auto& wanted) {
                                        return tessera::runtime::compile_source_text(text, name, type, wanted);
                                      });
    add_library(graph, std::move(library), name, watch);
  } catch (const c::CodeletError& error) {
    rethrow(error, name, said);
  }
  return true;
}

void check_target(const Target& target, const std::string& name) {
  const std::string arch = target.getTargetArchString(), system = target.getTargetSystemString();
  if (!name.empty() && name != arch && name != system)
    throw poplar_error("addCodelets: target '" + name + "' is none of the graph's: " + arch + ", " + system);
}

}  // namespace

bool Graph::addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, StringRef targetName) {
  check_target(getTarget(), targetName);
  return add_file(impl_->state->graph, src, type, compileFlags, nullptr);
}
bool Graph::addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, std::ostream& compileOutput,
                        StringRef targetName) {
  check_target(getTarget(), targetName);
  return add_file(impl_->state->graph, src, type, compileFlags, &compileOutput);
}

bool Graph::addCodelets(ArrayRef<std::string> sources, StringRef compileFlags, StringRef targetName) {
  check_target(getTarget(), targetName);
  return add_files(impl_->state->graph, sources, compileFlags, nullptr);
}
bool Graph::addCodelets(ArrayRef<std::string> sources, StringRef compileFlags, std::ostream& compileOutput,
                        StringRef targetName) {
  check_target(getTarget(), targetName);
  return add_files(impl_->state->graph, sources, compileFlags, &compileOutput);
}

bool Graph::addCodelets(std::stringstream& stream, StringRef compileFlags, CodeletFileType type, StringRef targetName) {
  check_target(getTarget(), targetName);
  return add_text(impl_->state->graph, stream.str(), type, compileFlags, nullptr);
}
bool Graph::addCodelets(std::stringstream& stream, StringRef compileFlags, std::ostream& compileOutput,
                        CodeletFileType type, StringRef targetName) {
  check_target(getTarget(), targetName);
  return add_text(impl_->state->graph, stream.str(), type, compileFlags, &compileOutput);
}

}  // namespace poplar
