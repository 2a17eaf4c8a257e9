// Failure replay, as a part of a run: when the chip stops with an exception, a deadlock or a phase that does not end,
// the last supersteps are replayed and told in the words of the user's program. With the option on-failure the same
// supersteps leave waves and trace of the tiles involved, and the text, in a folder.
#pragma once

#include <memory>

#include "inspect/options.h"
#include "inspect/run.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {

std::unique_ptr<Part> make_part(const Options&, const spec::Machine&, const spec::ChipPlace& = {});

}  // namespace tessera::inspect::failure
