// Poplar's header of printf in codelets; what it can print says tessera/print.h, where it goes
// Engine::setPrintStream().
#pragma once

#include <tessera/print.h>
