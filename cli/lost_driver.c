// SPDX-License-Identifier: Apache-2.0
// A driver whose GPU falls off the bus, for tests of the program: the emulated one, until there are more than
// ASSAY_LOST_AFTER launches, counted by the bytes of the file ASSAY_LOST_FILE (every launch of every process
// adds one). From then on a launch gives ASSAY_LOST_CODE, as does every other call that reaches the GPU, and
// a process that starts finds no GPU. Entry points that are not here are found in libassay_emulator.so, which
// this library is linked to.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { no_device = 100 };

static long number(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : 0;
}

/// Whether a launch too many was asked for; `adds`: one more is.
static int is_lost(int adds) {
  const int file = open(getenv("ASSAY_LOST_FILE"), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) abort();
  struct stat state;
  if ((adds && write(file, "l", 1) != 1) || fstat(file, &state) != 0) abort();
  close(file);
  const long most = number("ASSAY_LOST_AFTER");
  return state.st_size > most;
}

int cuInit(unsigned flags) {
  if (is_lost(0)) return no_device;
  int (*next)(unsigned) = (int (*)(unsigned))dlsym(RTLD_NEXT, "cuInit");
  return next ? next(flags) : no_device;
}

int cuLaunchKernelEx(const void* config, void* function, void** parameters, void** extra) {
  if (is_lost(1)) return (int)number("ASSAY_LOST_CODE");
  int (*next)(const void*, void*, void**, void**) =
      (int (*)(const void*, void*, void**, void**))dlsym(RTLD_NEXT, "cuLaunchKernelEx");
  return next ? next(config, function, parameters, extra) : no_device;
}

#define LOST_CALL(name, type, arguments)                    \
  int name type {                                           \
    if (is_lost(0)) return (int)number("ASSAY_LOST_CODE");  \
    int(*next) type = (int(*) type)dlsym(RTLD_NEXT, #name); \
    return next ? next arguments : no_device;               \
  }
LOST_CALL(cuStreamSynchronize, (void* stream), (stream))
LOST_CALL(cuEventSynchronize, (void* event), (event))
LOST_CALL(cuMemAlloc_v2, (unsigned long long* to, size_t bytes), (to, bytes))
LOST_CALL(cuMemcpyHtoDAsync_v2, (unsigned long long to, const void* from, size_t bytes, void* stream),
          (to, from, bytes, stream))
LOST_CALL(cuMemcpyDtoHAsync_v2, (void* to, unsigned long long from, size_t bytes, void* stream),
          (to, from, bytes, stream))
