// How the vectors of vertex fields are laid out in the state of a vertex, as performance estimators see it.
#pragma once

#include <poplar/StandardHeaders.hpp>

namespace poplar {
namespace layout {

// On this machine a short span is a span, and a scaled pointer is a pointer: FieldData tells Span or OnePtr alone.
enum class Vector { NotAVector, Span, ShortSpan, OnePtr, ScaledPtr32, ScaledPtr64, ScaledPtr128 };

// FieldData tells DeltaNElements of a list whose entries know their lengths, and OnePtr of others.
enum class VectorList { NotAVector, OnePtr, ScaledPtr32, ScaledPtr64, ScaledPtr128, DeltaN, DeltaNElements };

}  // namespace layout
}  // namespace poplar
