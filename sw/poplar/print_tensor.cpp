#include "sw/poplar/print_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <sstream>

#include "formats/half.h"

namespace tessera::runtime {
namespace {

using graph::ElementType;
using Float = graph::PrintFormat::Float;

// Where fixed notation stops being readable.
constexpr double kFixedMost = 1e8, kFixedLeast = 1e-4;

template <class T>
T value_at(const std::byte* data, size_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof value, sizeof value);
  return value;
}

double float_at(ElementType type, const std::byte* data, size_t index) {
  return type == ElementType::kHalf ? tessera::formats::half_to_float(value_at<uint16_t>(data, index))
                                    : value_at<float>(data, index);
}

std::string integer_at(ElementType type, const std::byte* data, size_t index) {
  switch (type) {
    case ElementType::kBool:
    case ElementType::kUnsignedChar:
    case ElementType::kQuarterMetadata:
      return std::to_string(value_at<uint8_t>(data, index));
    case ElementType::kChar:
    case ElementType::kSignedChar:
      return std::to_string(value_at<int8_t>(data, index));
    case ElementType::kShort:
      return std::to_string(value_at<int16_t>(data, index));
    case ElementType::kUnsignedShort:
      return std::to_string(value_at<uint16_t>(data, index));
    case ElementType::kInt:
    case ElementType::kLong:
      return std::to_string(value_at<int32_t>(data, index));
    case ElementType::kUnsignedInt:
    case ElementType::kUnsignedLong:
      return std::to_string(value_at<uint32_t>(data, index));
    case ElementType::kLongLong:
      return std::to_string(value_at<int64_t>(data, index));
    case ElementType::kUnsignedLongLong:
      return std::to_string(value_at<uint64_t>(data, index));
    case ElementType::kHalf:
    case ElementType::kFloat:
    case ElementType::kQuarter:
      break;
  }
  return {};
}

class Printer {
 public:
  Printer(std::ostream& os, ElementType type, const std::vector<uint64_t>& shape, const std::byte* data,
          const graph::PrintFormat& format)
      : os_(os), type_(type), shape_(shape), data_(data), format_(format) {
    strides_.assign(shape.size() + 1, 1);
    for (size_t d = shape.size(); d-- > 0;) strides_[d] = strides_[d + 1] * shape[d];
    summarise_ = strides_[0] > format.summarise_threshold;
    if (graph::is_floating_point(type)) choose_notation();
  }

  void print() {
    if (shape_.empty())
      os_ << element(0);
    else
      print_dimension(0, 0);
  }

 private:
  void choose_notation() {
    scientific_ = format_.floats == Float::kScientific;
    if (format_.floats != Float::kAuto) return;
    double most = 0, least = HUGE_VAL;
    for (size_t i = 0; i < strides_[0]; ++i) {
      const double size = std::fabs(float_at(type_, data_, i));
      if (!std::isfinite(size) || size == 0) continue;
      most = std::max(most, size);
      least = std::min(least, size);
    }
    scientific_ = most >= kFixedMost || (most > 0 && most < kFixedLeast);
  }

  std::string element(size_t index) const {
    if (!graph::is_floating_point(type_)) return integer_at(type_, data_, index);
    const double value = float_at(type_, data_, index);
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    std::ostringstream text;
    if (format_.floats != Float::kNone)
      text << (scientific_ ? std::scientific : std::fixed) << std::setprecision(static_cast<int>(format_.digits));
    text << value;
    return text.str();
  }

  // Calls visit(index) for every entry of a dimension, and gap() once where some are left out.
  template <class Visit, class Gap>
  void each(size_t dimension, const Visit& visit, const Gap& gap) const {
    const uint64_t count = shape_[dimension];
    const bool cut = summarise_ && count > 2 * uint64_t{format_.edge_items};
    for (uint64_t i = 0; i < count; ++i) {
      if (cut && i == format_.edge_items) {
        gap();
        i = count - format_.edge_items;
      }
      visit(i);
    }
  }

  void print_dimension(size_t dimension, size_t at) {
    const std::string indent(dimension + 1, ' ');
    os_ << format_.open;
    if (dimension + 1 < shape_.size()) {
      each(
          dimension,
          [&](uint64_t i) {
            os_ << '\n' << indent;
            print_dimension(dimension + 1, at + i * strides_[dimension + 1]);
          },
          [&] { os_ << '\n'
                    << indent << "..."; });
      os_ << '\n' << std::string(dimension, ' ');
    } else {
      size_t column = indent.size();
      const auto put = [&](const std::string& text) {
        const bool first = column == indent.size();
        if (!first && column + 1 + text.size() > format_.max_line_width) {
          os_ << '\n' << indent;
          column = indent.size();
        } else if (!first) {
          os_ << format_.separator;
          ++column;
        }
        os_ << text;
        column += text.size();
      };
      each(dimension, [&](uint64_t i) { put(element(at + i)); }, [&] { put("..."); });
    }
    os_ << format_.close;
  }

  std::ostream& os_;
  ElementType type_;
  const std::vector<uint64_t>& shape_;
  const std::byte* data_;
  const graph::PrintFormat& format_;
  std::vector<uint64_t> strides_;  // elements in one entry of dimension d - 1; strides_[0]: of all
  bool summarise_ = false, scientific_ = false;
};

}  // namespace

void print_tensor(std::ostream& os, const std::string& title, ElementType type, const std::vector<uint64_t>& shape,
                  const std::byte* data, const graph::PrintFormat& format) {
  if (!title.empty()) os << title << ": ";
  Printer(os, type, shape, data, format).print();
  os << '\n';
  os.flush();
}

}  // namespace tessera::runtime
