// How program::PrintTensor writes a tensor.
#pragma once

namespace poplar {

class PrintTensorFmt {
 public:
  enum class FloatFormat { Auto, Fixed, Scientific, None };

  // summariseThreshold: tensors with more elements show only edgeItems at both ends of each dimension.
  explicit PrintTensorFmt(unsigned summariseThreshold = 1000, unsigned edgeItems = 3, unsigned maxLineWidth = 75,
                          unsigned digits = 7, FloatFormat floatFormat = FloatFormat::Auto, char separator = ' ',
                          char openBracket = '[', char closeBracket = ']')
      : summariseThreshold(summariseThreshold),
        edgeItems(edgeItems),
        maxLineWidth(maxLineWidth),
        digits(digits),
        floatFormat(floatFormat),
        separator(separator),
        openBracket(openBracket),
        closeBracket(closeBracket) {}

  unsigned summariseThreshold;
  unsigned edgeItems;
  unsigned maxLineWidth;
  unsigned digits;  // after the point
  FloatFormat floatFormat;
  char separator;
  char openBracket;
  char closeBracket;
};

}  // namespace poplar
