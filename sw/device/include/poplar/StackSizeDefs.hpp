// What assembly says about its use of the stack. A worker of this tile has all of its stack region, whose size the
// compiler finds from the code that it compiled (TESSERA_STACK_SIZE in poplar/Vertex.hpp for what it cannot see).
#pragma once

#define DEF_STACK_USAGE(bytes, function)
#define DEF_STACK_SIZE_OWN(bytes, function)
