// What of the inspection options of a run is for one chip of its system.
#pragma once

#include <string>

#include "inspect/options.h"
#include "rtl/spec/tile_id.h"

namespace tessera::inspect {

// Options in text form. A system of one chip has all of them. Of several chips a file of waves or a trace is left by
// each whose tiles it shows, where these are several under names of their own (out.chip1.fst), and what a failure
// leaves lies in a folder chip<N>. Throws BadOption, one line naming what works with one chip only.
std::string of_chip(const std::string& options, const spec::ChipPlace& place);

}  // namespace tessera::inspect
