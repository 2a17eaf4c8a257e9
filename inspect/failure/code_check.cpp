#include "inspect/failure/code_check.h"

#include <fmt/format.h>

#include "program/check_trap.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/register_names.h"

namespace tessera::inspect::failure {
namespace {

using names::CheckKind;

constexpr size_t kLongestText = 400;
constexpr uint32_t kLocationBytes = 12;  // file, line, column: what clang's data about a place begin with

class Test {
 public:
  Test(const Words& words, StoppedChip& chip, unsigned tile, unsigned context, const names::Vertex* vertex)
      : words_(words), chip_(chip), tile_(tile), vertex_(vertex) {
    for (unsigned n = 0; n < 4; ++n) a_[n] = chip.x(tile, context, spec::kFirstArgument + n);
  }

  std::string what(CheckKind kind) {
    switch (kind) {
      case CheckKind::kIndex:
        return index();
      case CheckKind::kAssert:
        return fmt::format("assertion `{}` of {}:{}", text(a_[0]), text(a_[1]), a_[2]);
      case CheckKind::kLibraryAssert:
        return fmt::format("assertion `{}` of the C++ library, in {}", text(a_[3]), text(a_[2]));
      case CheckKind::kArrayIndex:
        return fmt::format("index {} of an array of type {}", signed_text(a_[1]), type(word(a_[0] + kLocationBytes)));
      case CheckKind::kPointer:
        return pointer();
      case CheckKind::kDivision:
        return a_[2] == 0
                   ? fmt::format("division of {} by zero", signed_text(a_[1]))
                   : fmt::format("division of {} by {}, which has no result", signed_text(a_[1]), signed_text(a_[2]));
      case CheckKind::kUnreachable:
        return "a place that the program says is never reached";
      case CheckKind::kNoReturn:
        return "the end of a function that returns a value, without a return";
      case CheckKind::kInvalidValue:
        return fmt::format("value {} of type {}, which has no such value", a_[1], type(word(a_[0] + kLocationBytes)));
      case CheckKind::kNone:
        break;
    }
    return "";
  }

 private:
  std::string index() {
    const uint32_t first = word(a_[0]);
    const std::string elements = counted(a_[2], "element");
    for (uint32_t i = 0; vertex_ != nullptr && i < vertex_->fields; ++i) {
      const names::Field& f = words_.program().fields[vertex_->first_field + i];
      // Rows of a list and copies of a vector stand elsewhere: they are told by what they point at.
      const bool is_it = f.pointer == a_[0] || (f.address == first && a_[2] * f.element_bytes == f.bytes);
      if (is_it) return fmt::format("index {} of {}, which has {}", signed_text(a_[1]), words_.field(f), elements);
    }
    if (const std::string list = list_name(first); !list.empty())
      return fmt::format("index {} of {}, which has {}", signed_text(a_[1]), list, counted(a_[2], "vector"));
    const std::string place = words_.address(tile_, first, vertex_);
    return fmt::format("index {} of a vector of {} at {:#x}{}", signed_text(a_[1]), elements, first,
                       place.empty() ? "" : ", " + place);
  }

  // A list points at its rows, and the first row at element 0 of field "name[0]".
  std::string list_name(uint32_t rows) {
    const uint32_t first = word(rows);
    for (uint32_t i = 0; vertex_ != nullptr && i < vertex_->fields; ++i) {
      const names::Field& f = words_.program().fields[vertex_->first_field + i];
      const std::string& name = words_.program().name(f.name);
      if (f.address == first && f.pointer == 0 && name.ends_with("[0]"))
        return "list '" + name.substr(0, name.size() - 3) + "'";
    }
    return "";
  }

  // The data are followed by the type, the logarithm of its alignment, and what the program was about to do.
  std::string pointer() {
    static constexpr const char* kDoings[] = {"a load",
                                              "a store",
                                              "a reference",
                                              "a member access",
                                              "a member call",
                                              "a constructor call",
                                              "a downcast",
                                              "a downcast",
                                              "an upcast",
                                              "an upcast to a virtual base",
                                              "a use as not null",
                                              "a dynamic operation"};
    const uint32_t rest = word(a_[0] + kLocationBytes + 4);
    const uint32_t align = 1u << (rest & 31), doing = rest >> 8 & 255;
    const std::string of = type(word(a_[0] + kLocationBytes));
    const std::string made = doing < std::size(kDoings) ? kDoings[doing] : "an access";
    if (a_[1] == 0) return fmt::format("null pointer: {} of type {}", made, of);
    const std::string place = words_.address(tile_, a_[1], vertex_);
    return fmt::format("misaligned pointer {:#x}{}: {} of type {} needs a multiple of {}", a_[1],
                       place.empty() ? "" : ", " + place, made, of, align);
  }

  // A descriptor: two halves, then the name.
  std::string type(uint32_t descriptor) { return text(descriptor + 4); }

  std::string text(uint32_t address) {
    std::string text;
    for (; text.size() < kLongestText; ++address) {
      const char c = static_cast<char>(word(address & ~3u) >> 8 * (address & 3));
      if (c == '\0') break;
      text += c;
    }
    return text;
  }

  uint32_t word(uint32_t address) {
    const spec::Machine& m = words_.machine();
    return address % 4 == 0 && address >= m.memory_base && address < m.memory_end() ? chip_.word(tile_, address) : 0;
  }

  static std::string signed_text(uint32_t value) { return std::to_string(static_cast<int32_t>(value)); }

  const Words& words_;
  StoppedChip& chip_;
  const unsigned tile_;
  const names::Vertex* const vertex_;
  uint32_t a_[4];
};

}  // namespace

std::optional<CodeCheck> explain_code_check(const Words& words, StoppedChip& chip, unsigned tile,
                                            const chip::ExceptionStatus& status, const names::Vertex* vertex) {
  const CheckKind kind = names::check_kind(status.value);
  if (kind == CheckKind::kNone) return std::nullopt;
  CodeCheck check{Test(words, chip, tile, status.context, vertex).what(kind), status.pc};
  if (kind == CheckKind::kIndex || kind == CheckKind::kArrayIndex || kind == CheckKind::kPointer ||
      kind == CheckKind::kInvalidValue)
    check.value = spec::kFirstArgument + 1;
  if (kind == CheckKind::kDivision) check.value = spec::kFirstArgument + 2;
  // All others are functions that the tested code calls.
  if (kind != CheckKind::kIndex) check.pc = chip.x(tile, status.context, spec::kReturnAddress) - 4;
  return check;
}

}  // namespace tessera::inspect::failure
