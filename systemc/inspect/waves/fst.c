/* GTKWave's FST library as Verilator ships it, under names of our own: verilated code with traces has it too. */
#include "fst_names.h"

#define HAVE_LIBPTHREAD
#define FST_WRITER_PARALLEL
#define FST_CONFIG_INCLUDE "fst_config.h"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
