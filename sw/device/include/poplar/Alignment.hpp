// WORKER_ALIGN and the base classes.
#pragma once

#include <poplar/Vertex.hpp>
