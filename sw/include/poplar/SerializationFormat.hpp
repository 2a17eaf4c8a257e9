#pragma once

namespace poplar {

enum class SerializationFormat { Binary, JSON };  // binary: CBOR of the same

}  // namespace poplar
