#include "compiler/codelet/layout_table.h"

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/entry_source.h"
#include "formats/bytes.h"

namespace tessera::compiler {
namespace {

// Those before kQuarterMetadata, of which no field is declared.
constexpr std::uint32_t kFieldTypes = static_cast<std::uint32_t>(graph::ElementType::kQuarterMetadata);

class Words {
 public:
  explicit Words(std::span<const std::uint8_t> data) : reader_(data) {}

  std::uint32_t next() {
    if (reader_.left() < 4) throw CodeletError(CodeletError::Kind::kFile, "the codelet layout table is cut short");
    return reader_.number<std::uint32_t>();
  }

  // The next word as an enumerator; device header and reader number them alike.
  template <class Enum>
  Enum next_enum(Enum last) {
    const std::uint32_t word = next();
    if (word > static_cast<std::uint32_t>(last)) {
      throw CodeletError(CodeletError::Kind::kFile, "the codelet layout table does not fit this version");
    }
    return static_cast<Enum>(word);
  }

 private:
  formats::ByteReader reader_;
};

graph::CodeletField read_field(Words& words, const FoundVertex& vertex, const FoundField& found) {
  graph::CodeletField field;
  field.name = found.name;
  field.offset = words.next();
  field.kind = words.next_enum(graph::FieldKind::kState);
  field.shape = words.next_enum(graph::FieldShape::kScalarList);
  field.layout = words.next_enum(graph::VectorLayout::kOnePtr);
  field.inner_layout = words.next_enum(graph::VectorLayout::kOnePtr);
  const std::uint32_t element = words.next();
  const bool known = element != 0 && element <= kFieldTypes;
  if (known) field.type = static_cast<graph::ElementType>(element - 1);
  // State has no metadata by which a quarter could be read.
  if (!known || (field.type == graph::ElementType::kQuarter && !field.is_edge())) {
    throw CodeletError(CodeletError::Kind::kCompilation, "Field '" + vertex.name + "." + found.name +
                                                             "' has unsupported field type '" + found.type + "'");
  }
  field.min_align = words.next();
  field.interleaved = words.next() != 0;
  field.is_const = words.next() != 0;
  return field;
}

}  // namespace

std::vector<graph::CodeletInfo> read_layout_table(const formats::ElfFile& object,
                                                  const std::vector<FoundVertex>& vertices) {
  const formats::ElfSection* table = object.section(".tessera.codelets");
  if (table == nullptr) throw CodeletError(CodeletError::Kind::kFile, "the object has no layout table");
  Words words(table->data);
  if (words.next() != vertices.size()) {
    throw CodeletError(CodeletError::Kind::kFile, "the codelet layout table does not fit its source");
  }
  std::vector<graph::CodeletInfo> codelets;
  for (const FoundVertex& vertex : vertices) {
    graph::CodeletInfo info;
    info.name = vertex.name;
    info.entry_symbol = entry_symbol(vertex.name);
    info.state_size = words.next();
    info.state_align = words.next();
    info.kind = words.next_enum(graph::CodeletKind::kSupervisor);
    info.returns_bool = words.next() != 0;
    words.next();  // number of fields, known from discovery
    for (const FoundField& found : vertex.fields) {
      const graph::CodeletField field = read_field(words, vertex, found);
      info.fields.push_back(field);
      if (field.type == graph::ElementType::kQuarter) info.fields.push_back(graph::metadata_field(field));
    }
    codelets.push_back(std::move(info));
  }
  return codelets;
}

}  // namespace tessera::compiler
