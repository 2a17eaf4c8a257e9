#include "compiler/codelet/codelet_library.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/read_whole_file.h"
#include "compiler/codelet/sha256.h"
#include "formats/ar_archive.h"
#include "formats/whole_file.h"
#include "rtl/spec/instructions.h"

namespace tessera::compiler {
namespace {

// Bumped when the manifest, the vertex ABI or the runtime library's contract changes.
constexpr int kFormat = 2;
constexpr const char* kManifest = "manifest.json";
constexpr const char* kDigest = "sha256";

using nlohmann::json;

[[noreturn]] void fail(const std::string& message) { throw CodeletError(CodeletError::Kind::kFile, message); }

json to_json(const graph::CodeletField& f) {
  return {{"name", f.name},
          {"kind", static_cast<int>(f.kind)},
          {"shape", static_cast<int>(f.shape)},
          {"layout", static_cast<int>(f.layout)},
          {"inner_layout", static_cast<int>(f.inner_layout)},
          {"type", std::string(graph::name_of(f.type))},
          {"offset", f.offset},
          {"min_align", f.min_align},
          {"interleaved", f.interleaved},
          {"const", f.is_const}};
}

json to_json(const graph::CodeletInfo& c) {
  json fields = json::array();
  for (const auto& field : c.fields) fields.push_back(to_json(field));
  json constraints = json::array();
  for (const auto& k : c.constraints)
    constraints.push_back({{"part", static_cast<int>(k.part)}, {"a", k.a}, {"b", k.b}});
  return {{"name", c.name},
          {"kind", static_cast<int>(c.kind)},
          {"entry", c.entry_symbol},
          {"returns_bool", c.returns_bool},
          {"state_size", c.state_size},
          {"state_align", c.state_align},
          {"fields", fields},
          {"constraints", constraints}};
}

// An enumerator by number, refused beyond the last one.
template <class Enum>
Enum enumerator(const json& value, Enum last) {
  const int number = value.get<int>();
  if (number < 0 || number > static_cast<int>(last)) throw std::out_of_range("enumerator out of range");
  return static_cast<Enum>(number);
}

graph::CodeletField field_from(const json& j) {
  graph::CodeletField f;
  f.name = j.at("name");
  f.kind = enumerator(j.at("kind"), graph::FieldKind::kState);
  f.shape = enumerator(j.at("shape"), graph::FieldShape::kScalarList);
  f.layout = enumerator(j.at("layout"), graph::VectorLayout::kOnePtr);
  f.inner_layout = enumerator(j.at("inner_layout"), graph::VectorLayout::kOnePtr);
  f.type = graph::element_type_named(j.at("type").get<std::string>()).value();
  f.offset = j.at("offset");
  f.min_align = j.at("min_align");
  f.interleaved = j.at("interleaved");
  f.is_const = j.at("const");
  return f;
}

graph::CodeletInfo codelet_from(const json& j) {
  graph::CodeletInfo c;
  c.name = j.at("name");
  c.kind = enumerator(j.at("kind"), graph::CodeletKind::kSupervisor);
  c.entry_symbol = j.at("entry");
  c.returns_bool = j.at("returns_bool");
  c.state_size = j.at("state_size");
  c.state_align = j.at("state_align");
  for (const json& field : j.at("fields")) c.fields.push_back(field_from(field));
  for (const json& k : j.at("constraints")) {
    const auto field = [&](const char* side) {
      const std::uint32_t index = k.at(side);
      return index < c.fields.size() ? index : throw std::out_of_range("constraint of no field");
    };
    c.constraints.push_back({enumerator(k.at("part"), graph::MemoryPart::kRegion), field("a"), field("b")});
  }
  return c;
}

// What every library begins with.
std::string begin_of_archive() { return formats::ArWriter().bytes() + kManifest; }

}  // namespace

const graph::CodeletInfo* find_codelet(const CodeletLibrary& library, const std::string& name) {
  for (const auto& codelet : library.codelets) {
    if (codelet.name == name) return &codelet;
  }
  return nullptr;
}

void append(CodeletLibrary& library, CodeletLibrary more) {
  for (auto& codelet : more.codelets) {
    if (find_codelet(library, codelet.name) == nullptr) library.codelets.push_back(std::move(codelet));
  }
  for (auto& object : more.objects) library.objects.push_back(std::move(object));
  for (auto& line : more.provenance) library.provenance.push_back(std::move(line));
}

std::vector<const CodeletObject*> distinct_objects(const std::vector<const CodeletLibrary*>& libraries) {
  std::vector<const CodeletObject*> objects;
  std::set<std::string> seen;
  for (const CodeletLibrary* library : libraries) {
    for (const CodeletObject& object : library->objects) {
      const std::string_view bytes(reinterpret_cast<const char*>(object.elf.data()), object.elf.size());
      if (seen.insert(sha256(bytes)).second) objects.push_back(&object);
    }
  }
  return objects;
}

std::vector<std::uint8_t> to_gp(const CodeletLibrary& library) {
  json codelets = json::array();
  for (const auto& codelet : library.codelets) codelets.push_back(to_json(codelet));
  json objects = json::array();
  for (const auto& object : library.objects) objects.push_back(object.name);
  const json manifest = {{"format", kFormat},
                         {"instructions", spec::instruction_table_hash()},
                         {"codelets", codelets},
                         {"objects", objects},
                         {"provenance", library.provenance}};
  formats::ArWriter archive;
  archive.add(kManifest, manifest.dump(1));
  for (std::size_t i = 0; i < library.objects.size(); ++i) {
    const auto& elf = library.objects[i].elf;
    archive.add("object" + std::to_string(i) + ".o", {reinterpret_cast<const char*>(elf.data()), elf.size()});
  }
  archive.add(kDigest, sha256(archive.bytes()));
  return {archive.bytes().begin(), archive.bytes().end()};
}

CodeletLibrary from_gp(const std::vector<std::uint8_t>& bytes, const std::string& where) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // As to_gp() begins; the digest, its last member, covers all before it.
  if (!text.starts_with(begin_of_archive())) fail(where + " is not a codelet library");
  const std::size_t digest_bytes = formats::ar_member(kDigest, sha256("")).size();
  const std::size_t covered = text.size() - std::min(text.size(), digest_bytes);
  if (text.substr(covered) != formats::ar_member(kDigest, sha256(text.substr(0, covered)))) {
    fail(where + " is damaged; compile it again with popc");
  }
  const auto members = formats::read_ar(text);
  if (!members) fail(where + " is not a codelet library");
  CodeletLibrary library;
  try {
    const json manifest = json::parse(members->front().data);
    if (manifest.at("format") != kFormat) {
      fail(where + " has format " + manifest.at("format").dump() + ", this is " + std::to_string(kFormat) +
           "; compile it again with popc");
    }
    if (manifest.at("instructions") != spec::instruction_table_hash()) {
      fail(where + " was made for another instruction set; compile it again with popc");
    }
    for (const json& codelet : manifest.at("codelets")) library.codelets.push_back(codelet_from(codelet));
    library.provenance = manifest.at("provenance").get<std::vector<std::string>>();
    const auto names = manifest.at("objects").get<std::vector<std::string>>();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string_view data = members->at(i + 1).data;
      library.objects.push_back({names[i], {data.begin(), data.end()}});
    }
  } catch (const CodeletError&) {
    throw;
  } catch (const std::exception& error) {
    fail(where + " has a bad manifest: " + error.what());
  }
  return library;
}

void save_gp(const CodeletLibrary& library, const std::string& path) {
  const auto bytes = to_gp(library);
  try {
    formats::write_whole_file(path, bytes);
  } catch (const formats::CannotWrite& error) {
    fail(error.what());
  }
}

CodeletLibrary load_gp(const std::string& path) {
  const auto bytes = read_whole_file(path);
  if (!bytes) fail("cannot read " + path);
  return from_gp({bytes->begin(), bytes->end()}, path);
}

}  // namespace tessera::compiler
