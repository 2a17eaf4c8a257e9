// What this library is.
#pragma once

#include <poplar/StringRef.hpp>

namespace poplar {

StringRef versionString();  // names Tessera and its version
StringRef packageHash();

}  // namespace poplar
