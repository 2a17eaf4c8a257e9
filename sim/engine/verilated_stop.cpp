// What a broken promise of verilated RTL does: Verilator has printed which assertion failed, and where in the
// hierarchy; the run ends with std::logic_error, as it does for any other error of ours. Takes the place of Verilator's
// own vl_stop (VL_USER_STOP), which ends the process.
#include <verilated.h>

#include <stdexcept>
#include <string>

void vl_stop(const char* filename, int line, const char*) VL_MT_UNSAFE {
  throw std::logic_error("an assertion of the RTL failed, " + std::string(filename) + ":" + std::to_string(line));
}
