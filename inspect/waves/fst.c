/* GTKWave's FST library as Verilator ships it, under names of our own: verilated code with traces has it too.
   Without its thread: sections are small, and its hand-over to the thread is not safe when one follows soon upon another. */
#include "fst_names.h"

#define TESSERA_FST_LIBRARY
#include "formats/fst_files.h"

#define FST_CONFIG_INCLUDE "fst_config.h"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
