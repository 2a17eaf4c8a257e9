// The packed types: float2, half4, ...
#pragma once

#include <ipudef.h>
