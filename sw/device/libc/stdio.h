// printf to the host (print.h). Files and the other functions of <stdio.h> are declared because C++ headers and
// programs name them; a tile has no files: a use fails to link.
#pragma once

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tessera_file FILE;
typedef long fpos_t;
#define EOF (-1)
#define BUFSIZ 512
#define FILENAME_MAX 256
#define FOPEN_MAX 8
#define L_tmpnam 32
#define TMP_MAX 1
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern FILE *stdin, *stdout, *stderr;

void clearerr(FILE* file);
int fclose(FILE* file);
int feof(FILE* file);
int ferror(FILE* file);
int fflush(FILE* file);
int fgetc(FILE* file);
int fgetpos(FILE* __restrict file, fpos_t* __restrict at);
char* fgets(char* __restrict to, int limit, FILE* __restrict file);
FILE* fopen(const char* __restrict name, const char* __restrict mode);
int fprintf(FILE* __restrict file, const char* __restrict format, ...) __attribute__((format(printf, 2, 3)));
int fputc(int c, FILE* file);
int fputs(const char* __restrict text, FILE* __restrict file);
size_t fread(void* __restrict to, size_t bytes, size_t count, FILE* __restrict file);
FILE* freopen(const char* __restrict name, const char* __restrict mode, FILE* __restrict file);
int fscanf(FILE* __restrict file, const char* __restrict format, ...);
int fseek(FILE* file, long offset, int whence);
int fsetpos(FILE* file, const fpos_t* at);
long ftell(FILE* file);
size_t fwrite(const void* __restrict from, size_t bytes, size_t count, FILE* __restrict file);
int getc(FILE* file);
int getchar(void);
void perror(const char* text);
int putc(int c, FILE* file);
int putchar(int c);
int puts(const char* text);
int remove(const char* name);
int rename(const char* from, const char* to);
void rewind(FILE* file);
int scanf(const char* __restrict format, ...);
void setbuf(FILE* __restrict file, char* __restrict buffer);
int setvbuf(FILE* __restrict file, char* __restrict buffer, int mode, size_t bytes);
int snprintf(char* __restrict to, size_t limit, const char* __restrict format, ...)
    __attribute__((format(printf, 3, 4)));
int sprintf(char* __restrict to, const char* __restrict format, ...) __attribute__((format(printf, 2, 3)));
int sscanf(const char* __restrict text, const char* __restrict format, ...);
FILE* tmpfile(void);
char* tmpnam(char* to);
int ungetc(int c, FILE* file);
int vfprintf(FILE* __restrict file, const char* __restrict format, va_list arguments);
int vfscanf(FILE* __restrict file, const char* __restrict format, va_list arguments);
int vprintf(const char* __restrict format, va_list arguments);
int vscanf(const char* __restrict format, va_list arguments);
int vsnprintf(char* __restrict to, size_t limit, const char* __restrict format, va_list arguments);
int vsprintf(char* __restrict to, const char* __restrict format, va_list arguments);
int vsscanf(const char* __restrict text, const char* __restrict format, va_list arguments);
#pragma push_macro("printf")
#undef printf
int printf(const char* __restrict format, ...);
#pragma pop_macro("printf")

#ifdef __cplusplus
}
#endif

#include <print.h>
