// popc: compiles codelets to a `.gp` library, or lists what such a library holds.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "compiler/codelet/checked_library.h"
#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/codelet_library.h"
#include "compiler/codelet/compile.h"
#include "compiler/codelet/toolchain.h"

namespace {

namespace compiler = tessera::compiler;
namespace graph = tessera::graph;

const char* name_of(graph::FieldKind kind) {
  switch (kind) {
    case graph::FieldKind::kInput:
      return "Input";
    case graph::FieldKind::kOutput:
      return "Output";
    case graph::FieldKind::kInOut:
      return "InOut";
    case graph::FieldKind::kState:
      return "state";
  }
  return "";
}

const char* name_of(graph::FieldShape shape) {
  switch (shape) {
    case graph::FieldShape::kScalar:
      return "scalar";
    case graph::FieldShape::kVector:
      return "vector";
    case graph::FieldShape::kList:
      return "list of vectors";
    case graph::FieldShape::kScalarList:
      return "list of scalars";
  }
  return "";
}

const char* name_of(graph::CodeletKind kind) {
  switch (kind) {
    case graph::CodeletKind::kVertex:
      return "Vertex";
    case graph::CodeletKind::kMultiVertex:
      return "MultiVertex";
    case graph::CodeletKind::kSupervisor:
      return "SupervisorVertex";
  }
  return "";
}

void list(const compiler::CodeletLibrary& library) {
  for (const auto& codelet : library.codelets) {
    std::printf("%s %s (%u bytes, %s)\n", name_of(codelet.kind), codelet.name.c_str(), codelet.state_size,
                codelet.returns_bool ? "bool" : "void");
    for (const auto& field : codelet.fields) {
      std::printf("  %4u %-6s %-15s %s %s\n", field.offset, name_of(field.kind), name_of(field.shape),
                  std::string(graph::name_of(field.type)).c_str(), field.name.c_str());
    }
  }
  for (const std::string& line : library.provenance) std::printf("from %s\n", line.c_str());
}

void tell_cost(const std::string& input, const compiler::CodeletLibrary& checked, compiler::CompileOptions options) {
  options.check = false;
  options.warnings = nullptr;
  const compiler::CodeletLibrary plain = compiler::compile_codelets({input}, options);
  std::fprintf(stderr, "popc: %s: %s\n", input.c_str(), compiler::cost_of_checks(checked, plain).c_str());
}

// Arguments in the order that CLI11 takes, last first. Options with one dash and a long name are spelt with two.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = argc; i-- > 1;) {
    std::string argument = argv[i];
    if (argument.starts_with("-target") || argument == "-include") argument.insert(0, "-");
    out.push_back(std::move(argument));
  }
  return out;
}

std::string version() { return "popc of Tessera " TESSERA_VERSION ", with " + compiler::find_clang().version; }

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Compiles codelets for Tessera tiles. Options it does not know (-I, -D, -O, -std, ...) go to clang."};
  std::vector<std::string> inputs, directories, defines, headers;
  std::string output;
  std::vector<std::string> targets;
  bool listing = false, no_cache = false, check = false;
  app.add_option("inputs", inputs, "codelet sources (.cpp, .c, .S), or .gp libraries to join or list")->required();
  app.add_option("-o,--output", output, "the library to write");
  app.add_option("-I", directories, "a directory to look for headers in")->allow_extra_args(false);
  app.add_option("-D", defines, "a macro to define: NAME or NAME=VALUE")->allow_extra_args(false);
  app.add_option("--include", headers, "a file to include before each source; -include too")->allow_extra_args(false);
  app.add_option("--target", targets, "ipu1, ipu2, ipu21, cpu, some of them with commas: one code serves them all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"ipu1", "ipu2", "ipu21", "cpu"}));
  app.add_flag("--list", listing, "print the codelets with their fields");
  app.add_flag("--check", check, "bounds, assertions and the like are tested at run time; what that costs is printed");
  app.add_flag("--no-cache", no_cache, "neither read nor write the cache of compiled codelets");
  app.allow_extras();
  app.set_version_flag("--version", version);
  try {
    app.parse(arguments_of(argc, argv));
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }

  try {
    compiler::CompileOptions options;
    for (const std::string& directory : directories) options.flags.push_back("-I" + directory);
    for (const std::string& define : defines) options.flags.push_back("-D" + define);
    for (const std::string& header : headers) options.flags.insert(options.flags.end(), {"-include", header});
    for (const std::string& flag : app.remaining()) options.flags.push_back(flag);
    if (no_cache) options.cache = compiler::Cache("");
    std::string warnings;
    options.warnings = &warnings;

    compiler::CodeletLibrary library;
    options.check = check;
    for (const std::string& input : inputs) {
      const bool compiled = input.ends_with(".gp");
      compiler::CodeletLibrary one = compiled ? compiler::load_gp(input) : compiler::compile_codelets({input}, options);
      if (check && !compiled) tell_cost(input, one, options);
      if (check && compiled && !compiler::is_checked(one))
        throw compiler::CodeletError(compiler::CodeletError::Kind::kFile,
                                     input + " was compiled without --check; compile its sources again");
      compiler::append(library, std::move(one));
    }
    if (!warnings.empty()) std::fprintf(stderr, "%s\n", warnings.c_str());
    if (listing) list(library);
    if (!output.empty()) {
      compiler::save_gp(library, output);
    } else if (!listing) {
      std::fprintf(stderr, "popc: nothing to do: give -o FILE.gp or --list\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "popc: %s\n", error.what());
    return 1;
  }
  return 0;
}
