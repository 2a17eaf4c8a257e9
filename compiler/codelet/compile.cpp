#include "compiler/codelet/compile.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>

#include "compiler/codelet/checked_library.h"
#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/constraints.h"
#include "compiler/codelet/discover.h"
#include "compiler/codelet/entry_source.h"
#include "compiler/codelet/layout_table.h"
#include "compiler/codelet/object_file.h"
#include "compiler/codelet/read_whole_file.h"
#include "compiler/codelet/scratch_directory.h"
#include "compiler/codelet/sha256.h"
#include "compiler/codelet/subprocess.h"
#include "compiler/codelet/toolchain.h"
#include "rtl/spec/instructions.h"

namespace tessera::compiler {
namespace {

namespace fs = std::filesystem;

struct Source {
  std::string path;      // absolute
  std::string shown;     // as the user named it
  std::string identity;  // stands for the path in cache keys
  bool is_cxx;
  bool is_assembly = false;
  std::string scratch{};  // folder of `path`, if it goes away
};

Source source_of(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  if (!fs::is_regular_file(file)) throw CodeletError(CodeletError::Kind::kFile, "no such codelet file: " + file);
  const std::string path = fs::absolute(file).lexically_normal().string();
  const bool assembly = extension == ".S" || extension == ".s";
  return {path, file, path, extension != ".c" && !assembly, assembly};
}

// Debug information names the user's files where they are, whatever the current folder was, and no scratch file by a
// name that differs from one compile to the next. Flags of the user come later and win.
std::vector<std::string> debug_flags(const Source& source, const CompileOptions& options, const std::string& scratch) {
  std::vector<std::string> flags = {
      // Relative folders given with -I are found from here.
      "-fdebug-compilation-dir=" + (options.flags.empty() ? std::string(".") : fs::current_path().string()),
      "-fdebug-prefix-map=" + scratch + "=tessera"};
  if (!source.scratch.empty()) flags.push_back("-fdebug-prefix-map=" + source.scratch + "=tessera");
  return flags;
}

// Those say where the build stood, which is of no interest to whoever gets the library.
bool is_path_map(const std::string& flag) {
  return flag.starts_with("-fdebug-prefix-map=") || flag.starts_with("-ffile-prefix-map=") ||
         flag.starts_with("-fdebug-compilation-dir=");
}

// The files of a make rule as clang -MD writes it, without the target.
std::vector<std::string> files_of_rule(const std::string& rule) {
  std::vector<std::string> files;
  std::string word;
  std::size_t at = rule.find(": ");
  for (at = at == std::string::npos ? rule.size() : at + 2; at <= rule.size(); ++at) {
    const char c = at < rule.size() ? rule[at] : '\n';
    if (c == '\\' && at + 1 < rule.size() && rule[at + 1] != '\n') {
      word += rule[++at];
    } else if (c == ' ' || c == '\n' || c == '\\') {
      if (!word.empty()) files.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  return files;
}

// Digest of everything that is known before the headers are: source text, flags, compiler and our own headers' place.
std::string source_key(const Source& source, const std::string& text, const CompileOptions& options) {
  const std::vector<std::string>& user_flags = options.flags;
  Sha256 key;
  key.update_field("codelet 10");
  key.update_field(std::to_string(spec::instruction_table_hash()));
  key.update_field(file_identity(find_tool("clang++-19", "clang-19 lld-19")));
  key.update_field(device_root());
  key.update_field(source.identity);
  key.update_field(text);
  for (const std::string& flag : target_flags()) key.update_field(flag);
  for (const std::string& flag : language_flags()) key.update_field(flag);
  if (options.check) {
    key.update_field(kChecked);
    for (const std::string& flag : check_flags()) key.update_field(flag);
  }
  for (const std::string& flag : user_flags) key.update_field(flag);
  // Relative include directories mean different files elsewhere.
  if (!user_flags.empty()) key.update_field(fs::current_path().string());
  return key.hex();
}

// The result's digest, from that of the source and the content of every header; none if a header is gone.
std::optional<std::string> result_key(const std::string& source_key, const std::string& header_list) {
  Sha256 key;
  key.update_field(source_key);
  std::istringstream lines(header_list);
  for (std::string header; std::getline(lines, header);) {
    const auto text = read_whole_file(header);
    if (!text) return std::nullopt;
    key.update_field(header);
    key.update_field(*text);
  }
  return key.hex();
}

// Clang's text, with the scratch file's lines left out of "In file included from".
std::string clean(std::string output, const std::string& scratch_file) {
  std::istringstream lines(output);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("In file included from " + scratch_file) == std::string::npos) result += line + "\n";
  }
  while (!result.empty() && result.back() == '\n') result.pop_back();
  return result;
}

std::vector<std::uint8_t> bytes_of(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) throw CodeletError(CodeletError::Kind::kFile, "the compiler wrote no " + path);
  return {text->begin(), text->end()};
}

struct Compiled {
  CodeletLibrary library;
  std::string header_list;  // a path per line
  std::string warnings;
};

// What a source may need of the vendor's compiler that costs every other source something: clang's words tell, and the
// source is compiled once more with the flags, after those of the user.
struct Need {
  std::string_view told_by;
  std::vector<std::string> flags;
};
const std::vector<Need>& needs() {
  static const std::vector<Need> all = {
      // Names that the vendor's compiler knows without a header; ours takes a quarter of a second.
      {"undeclared identifier '__builtin_ipu_", {"-include", "ipu_builtins.h"}},
      // Poplar 1 gave pointers to elements of an input that were not const.
      {"casts away qualifiers", {"-DTESSERA_INPUT_ELEMENTS_NOT_CONST"}},
      {"with an rvalue of type 'const ", {"-DTESSERA_INPUT_ELEMENTS_NOT_CONST"}},
  };
  return all;
}

// Whether values are promoted, as -Wdouble-promotion says, and none of them to double: clang counts those from half to
// float, which cost nothing on a tile.
bool promotes_only_halves(const std::string& output) {
  bool some = false;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("-Wdouble-promotion]") == std::string::npos) continue;
    some = true;
    if (line.find("to 'float'") == std::string::npos) return false;
  }
  return some;
}

// The flags after `given` that clang's words ask for.
std::vector<std::string> needed_flags(std::vector<std::string> given, const std::string& output) {
  const std::string no_promotion = "-Wno-double-promotion";
  if (promotes_only_halves(output) && std::ranges::find(given, no_promotion) == given.end())
    given.push_back(no_promotion);
  for (const Need& need : needs())
    if (output.find(need.told_by) != std::string::npos && std::ranges::find(given, need.flags.back()) == given.end())
      given.insert(given.end(), need.flags.begin(), need.flags.end());
  return given;
}

// `needed`: flags that the source turned out to need.
Compiled compile_one(const Source& source, const CompileOptions& options, const std::vector<std::string>& needed = {}) {
  const Clang clang = find_clang();
  const ScratchDirectory scratch;
  std::vector<std::string> flags = source.is_cxx ? codelet_flags(clang) : target_flags();
  if (!source.is_cxx)
    flags.insert(flags.end(), {"-O3", "-isystem", device_root() + "/include", "-isystem", device_root() + "/generated",
                               "-isystem", device_root() + "/libc"});
  for (std::string& flag : debug_flags(source, options, scratch.path())) flags.push_back(std::move(flag));
  if (options.check && !source.is_assembly)
    for (std::string& flag : check_flags()) flags.push_back(std::move(flag));
  flags.insert(flags.end(), options.flags.begin(), options.flags.end());
  flags.insert(flags.end(), needed.begin(), needed.end());

  std::vector<FoundVertex> vertices;
  std::string input = source.path;
  if (source.is_cxx) {
    Discovery found = discover_vertices(source.path, flags, clang);
    vertices = std::move(found.vertices);
    if (found.compiles) {
      // Vertex fields may be private; the table and the entries are part of the class, so to speak.
      flags.push_back("-fno-access-control");
      input = scratch.write("entries.cpp", entry_source(source.path, vertices));
    }
  }
  const std::string object = scratch.file("object.o"), rule = scratch.file("headers.d");
  std::vector<std::string> command = {clang.path};
  if (!source.is_cxx) command = {find_tool("clang-19", "clang-19 lld-19")};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-MD", "-MF", rule, "-c", input, "-o", object});
  ToolResult result = run_tool(command);
  if (source.is_cxx && (result.status != 0 || promotes_only_halves(result.output))) {
    const auto more = needed_flags(needed, result.output);
    if (more.size() > needed.size()) return compile_one(source, options, more);
  }
  // Clang 19 makes no debug information of assembly with a section in which all instructions are .insn: do without.
  if (result.status != 0 && !source.is_cxx) {
    command.push_back("-g0");
    result = run_tool(command);
  }
  if (result.status != 0) scratch.check_room(result);
  if (result.status != 0) throw CodeletError(CodeletError::Kind::kCompilation, clean(result.output, input));

  Compiled compiled;
  compiled.warnings = clean(result.output, input);
  compiled.library.objects.push_back({fs::path(source.shown).filename().string(), bytes_of(object)});
  const formats::ElfFile elf = read_object(compiled.library.objects[0].elf, source.shown);
  if (source.is_cxx) compiled.library.codelets = read_layout_table(elf, vertices);
  for (std::size_t i = 0; i < vertices.size(); ++i)
    compiled.library.codelets[i].constraints = read_constraints(vertices[i].constraints, compiled.library.codelets[i]);
  std::string line = source.shown + ": " + clang.version;
  if (options.check) line += kChecked;
  for (const std::string& flag : options.flags)
    if (!is_path_map(flag)) line += " " + flag;
  compiled.library.provenance.push_back(line);
  const auto rule_text = read_whole_file(rule);
  for (const std::string& header : files_of_rule(rule_text.value_or(""))) {
    if (header != input && header != source.path) compiled.header_list += header + "\n";
  }
  return compiled;
}

CodeletLibrary compile_cached(const Source& source, const CompileOptions& options) {
  const std::string text = read_whole_file(source.path).value_or("");
  const std::string key = source_key(source, text, options);
  if (const auto headers = options.cache.find(key + ".headers")) {
    const auto name = result_key(key, *headers);
    const auto bytes = name ? options.cache.find(*name + ".gp") : std::nullopt;
    if (bytes) {
      try {
        CodeletLibrary library = from_gp({bytes->begin(), bytes->end()}, *name);
        if (options.warnings != nullptr) *options.warnings += options.cache.find(*name + ".warnings").value_or("");
        return library;
      } catch (const CodeletError&) {
        // A damaged entry is a miss; the store below replaces it.
      }
    }
  }
  Compiled compiled = compile_one(source, options);
  if (options.warnings != nullptr) *options.warnings += compiled.warnings;
  if (const auto name = result_key(key, compiled.header_list)) {
    const auto bytes = to_gp(compiled.library);
    // First, so that whoever finds the library finds them too.
    if (!compiled.warnings.empty()) options.cache.store(*name + ".warnings", compiled.warnings);
    options.cache.store(*name + ".gp", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    options.cache.store(key + ".headers", compiled.header_list);
  }
  return std::move(compiled.library);
}

}  // namespace

CodeletLibrary compile_codelets(const std::vector<std::string>& files, const CompileOptions& options) {
  CodeletLibrary all;
  for (const std::string& file : files) append(all, compile_cached(source_of(file), options));
  return all;
}

CodeletLibrary compile_codelet_text(std::string_view text, const std::string& name, const CompileOptions& options) {
  const ScratchDirectory scratch;
  // Messages name what the caller calls the text; its #include "..." are looked for in the current directory.
  const std::string path = scratch.write("codelets.cpp", "#line 1 \"" + name + "\"\n" + std::string(text));
  CompileOptions here = options;
  here.flags.insert(here.flags.end(), {"-iquote", fs::current_path().string()});
  return compile_cached({path, name, "text " + name, true, false, scratch.path()}, here);
}

}  // namespace tessera::compiler
