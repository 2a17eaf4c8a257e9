// rptsize_t, the type of a count that fits the repeat instruction.
#pragma once

#include <ipudef.h>
