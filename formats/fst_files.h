/* Files for GTKWave's FST library, which asks the C library for them and never looks whether they could be written.
   Included before the library's sources (and nowhere else), it gives them files that remember what went wrong, keeps
   the library's scratch files in memory, where no full disk and no mapping of a file that did not grow can end the
   process, and lets it write into the file that is there already instead of unlinking it. */
#ifndef TESSERA_FORMATS_FST_FILES_H
#define TESSERA_FORMATS_FST_FILES_H

#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __cplusplus
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
extern "C" {
#endif

FILE* tessera_fst_open(const char* path, const char* mode);
FILE* tessera_fst_scratch(void);
size_t tessera_fst_write(const void* data, size_t size, size_t count, FILE* file);
int tessera_fst_flush(FILE* file);
int tessera_fst_close(FILE* file);
int tessera_fst_truncate(int descriptor, off_t length);
void* tessera_fst_map(void* address, size_t length, int protection, int flags, int descriptor, off_t offset);

#ifdef __cplusplus
}
#endif

#ifdef TESSERA_FST_LIBRARY
#define fopen(path, mode) tessera_fst_open(path, mode)
#define tmpfile() tessera_fst_scratch()
#define fwrite(data, size, count, file) tessera_fst_write(data, size, count, file)
#define fflush(file) tessera_fst_flush(file)
#define fclose(file) tessera_fst_close(file)
#define ftruncate(descriptor, length) tessera_fst_truncate(descriptor, length)
#define mmap(address, length, protection, flags, descriptor, offset) \
  tessera_fst_map(address, length, protection, flags, descriptor, offset)
#define unlink(path) ((void)(path), 0)
#endif

#endif
