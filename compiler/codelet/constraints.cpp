#include "compiler/codelet/constraints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "compiler/codelet/codelet_error.h"

namespace tessera::compiler {
namespace {

[[noreturn]] void refuse(const graph::CodeletInfo& codelet, const std::string& constraint, const std::string& why) {
  throw CodeletError(CodeletError::Kind::kCompilation,
                     "codelet '" + codelet.name + "': constraint '" + constraint + "' " + why);
}

struct Side {
  graph::MemoryPart part = graph::MemoryPart::kElement;
  std::string_view field;
};

// Takes parts of a text from its front.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool take(std::string_view what) {
    skip_blanks();
    if (!text_.starts_with(what)) return false;
    text_.remove_prefix(what.size());
    return true;
  }
  bool at_end() {
    skip_blanks();
    return text_.empty();
  }
  // "elem(*a)", "region(**a)": what a field points at, or the entries of a list do.
  std::optional<Side> side() {
    Side side;
    if (take("region"))
      side.part = graph::MemoryPart::kRegion;
    else if (!take("elem"))
      return std::nullopt;
    if (!take("(") || !take("*")) return std::nullopt;
    while (take("*")) {
    }
    skip_blanks();
    const auto end = std::find_if(text_.begin(), text_.end(),
                                  [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_'; });
    side.field = text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
    text_.remove_prefix(side.field.size());
    return !side.field.empty() && take(")") ? std::optional(side) : std::nullopt;
  }

 private:
  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size())); }

  std::string_view text_;
};

std::uint32_t field_of(std::string_view name, const graph::CodeletInfo& codelet, const std::string& constraint) {
  const int field = graph::find_field(codelet, std::string(name));
  if (field < 0) refuse(codelet, constraint, "names '" + std::string(name) + "', which is none of its fields");
  const auto index = static_cast<std::uint32_t>(field);
  if (!codelet.fields[index].is_edge())
    refuse(codelet, constraint, "names field '" + std::string(name) + "', which is no input or output");
  return index;
}

graph::FieldConstraint read_constraint(const std::string& constraint, const graph::CodeletInfo& codelet) {
  Reader reader(constraint);
  const std::optional<Side> a = reader.side();
  const bool unequal = a && reader.take("!=");
  const std::optional<Side> b = unequal ? reader.side() : std::nullopt;
  if (!b || a->part != b->part || !reader.at_end())
    refuse(codelet, constraint, "is neither elem(*a) != elem(*b) nor region(*a) != region(*b)");
  const graph::FieldConstraint read{a->part, field_of(a->field, codelet, constraint),
                                    field_of(b->field, codelet, constraint)};
  if (read.a == read.b) refuse(codelet, constraint, "names field '" + std::string(a->field) + "' twice");
  return read;
}

bool is_string(const std::string& word) { return word.size() >= 2 && word.front() == '"' && word.back() == '"'; }

}  // namespace

std::vector<std::string> find_constraints(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 4> kBegin{"poplar", "::", "constraint", "("};
  std::vector<std::string> constraints;
  for (auto at = words.begin();;) {
    at = std::search(at, words.end(), kBegin.begin(), kBegin.end());
    if (at == words.end()) return constraints;
    at += kBegin.size();
    std::string constraint;  // strings without a comma between them are one
    for (; at != words.end() && *at != ")"; ++at) {
      if (*at != ",") {
        constraint += is_string(*at) ? at->substr(1, at->size() - 2) : *at;
        continue;
      }
      constraints.push_back(constraint);
      constraint.clear();
    }
    constraints.push_back(constraint);
  }
}

std::vector<graph::FieldConstraint> read_constraints(const std::vector<std::string>& constraints,
                                                     const graph::CodeletInfo& codelet) {
  std::vector<graph::FieldConstraint> all;
  for (const std::string& constraint : constraints) all.push_back(read_constraint(constraint, codelet));
  return all;
}

}  // namespace tessera::compiler
