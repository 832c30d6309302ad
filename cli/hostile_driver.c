// SPDX-License-Identifier: Apache-2.0
// Drivers whose GPU is not what it says, for tests of the program: the emulated one behind a lie, chosen by
// ASSAY_HOSTILE. Entry points that are not here are found in libassay_emulator.so, which this library is
// linked to.
//   idle          launches succeed and write nothing
//   polite        launches say that every record is done, and write nothing else
//   error:CODE    launches answer CODE
//   rare:N:CODE   one launch of N in a process answers CODE
//   resets:N      after N launches of a process every further one answers 719, as after a reset of the GPU
//   echo          outputs are those of the launch before
//   late          outputs are written when the next launch begins
//   arch:MAJOR    the GPU says that it has this compute capability
//   memory:N      there is no memory left after N allocations
//   cramped       there is no room for any cluster
//   owner         the encoders know a process that did not open them itself
//   module:CODE:NAME  PTX with this entry is refused with CODE
//   kernel:CODE:NAME  launches of this kernel answer CODE
//   hangs:CALL    launch, synchronise or encode: such calls never come back
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  out_of_memory = 2,
  not_initialized = 3,
  launch_failed = 719,
  most_blocks = 64,
  most_functions = 64,
  map_bytes = 128
};

// kernels/params/batch.h: what every batched probe is given.
struct batch_args {
  const void *records, *maps, *arena;
  void* output;
  void* ends;
  const unsigned* indexes;
  unsigned *queue, *notes;
  unsigned count, first_note;
};

#define NEXT(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static struct {
  unsigned long long address;
  size_t bytes;
} blocks[most_blocks];
static int block_count;
static void* plain[most_functions];  // kernels that are given other things
static int plain_count;
static void* refused;  // the kernel whose launches are
static unsigned char* held;  // of the launch before, or of the one that is late
static size_t held_bytes;
static unsigned long long held_for;
static long launches;

static int is(const char* mode) {
  const char* text = getenv("ASSAY_HOSTILE");
  return text && strncmp(text, mode, strlen(mode)) == 0;
}

static long number(int which) {
  const char* text = getenv("ASSAY_HOSTILE");
  for (; text && which > 0; --which) {
    text = strchr(text, ':');
    if (text) ++text;
  }
  return text ? atol(text) : 0;
}

/// An emulated device is timed by the core that it uses.
static void hang(void) {
  for (volatile int i = 0;; ++i) {
  }
}

static int hangs_in(const char* call) {
  const char* text = getenv("ASSAY_HOSTILE");
  return is("hangs:") && strcmp(text + strlen("hangs:"), call) == 0;
}

int cuStreamSynchronize(void* stream) {
  if (hangs_in("synchronise") && launches != 0) hang();
  return NEXT(int, "cuStreamSynchronize", void*)(stream);
}

int cuMemAlloc_v2(unsigned long long* address, size_t bytes) {
  static long allocations;
  if (is("memory") && ++allocations > number(1)) return out_of_memory;
  const int result = NEXT(int, "cuMemAlloc_v2", unsigned long long*, size_t)(address, bytes);
  if (result == 0 && block_count < most_blocks) {
    blocks[block_count].address = *address;
    blocks[block_count++].bytes = bytes;
  }
  return result;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  const int result = NEXT(int, "cuDeviceGetAttribute", int*, int, int)(value, attribute, device);
  if (is("arch") && result == 0 && attribute == 75) *value = (int)number(1);
  return result;
}

int cuOccupancyMaxActiveClusters(int* clusters, void* function, const void* config) {
  if (!is("cramped"))
    return NEXT(int, "cuOccupancyMaxActiveClusters", int*, void*, const void*)(clusters, function, config);
  *clusters = 0;
  return 0;
}

/// Whether the mode's last word is this name.
static int is_named(const char* name) {
  const char* text = getenv("ASSAY_HOSTILE");
  return text && strcmp(strrchr(text, ':') + 1, name) == 0;
}

/// Machine code goes to the emulator, which answers that it wants text.
int cuModuleLoadData(void** module, const void* image) {
  if (is("module") && memcmp(image, "\177ELF", 4) != 0) {
    char entry[128];
    snprintf(entry, sizeof entry, ".entry %s(", strrchr(getenv("ASSAY_HOSTILE"), ':') + 1);
    if (strstr(image, entry)) return (int)number(1);
  }
  return NEXT(int, "cuModuleLoadData", void**, const void*)(module, image);
}

int cuModuleGetFunction(void** function, void* module, const char* name) {
  const int result = NEXT(int, "cuModuleGetFunction", void**, void*, const char*)(function, module, name);
  if (result == 0 && strcmp(name, "arena") == 0 && plain_count < most_functions)
    plain[plain_count++] = *function;
  if (result == 0 && is("kernel") && is_named(name)) refused = *function;
  return result;
}

static size_t bytes_at(unsigned long long address) {
  for (int i = 0; i < block_count; ++i)
    if (blocks[i].address == address) return blocks[i].bytes;
  return 0;
}

static void read_device(void* to, unsigned long long from, size_t bytes) {
  if (NEXT(int, "cuMemcpyDtoH_v2", void*, unsigned long long, size_t)(to, from, bytes) != 0) abort();
}

static void write_device(unsigned long long to, const void* from, size_t bytes) {
  if (NEXT(int, "cuMemcpyHtoD_v2", unsigned long long, const void*, size_t)(to, from, bytes) != 0) abort();
}

int cuLaunchKernelEx(const void* config, void* function, void** parameters, void** extra) {
  int (*launch)(const void*, void*, void**, void**) =
      (int (*)(const void*, void*, void**, void**))dlsym(RTLD_NEXT, "cuLaunchKernelEx");
  for (int i = 0; i < plain_count; ++i)
    if (plain[i] == function) return launch(config, function, parameters, extra);
  ++launches;
  if (hangs_in("launch")) hang();
  if (refused && function == refused) return (int)number(1);
  if (is("idle")) return 0;
  if (is("error")) return (int)number(1);
  if (is("resets") && launches > number(1)) return launch_failed;
  if (is("rare") && launches % number(1) == 0) return (int)number(2);
  const struct batch_args* args = parameters[0];
  const unsigned long long output = (unsigned long long)args->output;
  if (is("polite")) {
    const unsigned char done[16] = {0};
    for (unsigned k = 0; k < args->count; ++k) {
      unsigned index = 0;
      read_device(&index, (unsigned long long)(args->indexes + k), sizeof index);
      write_device((unsigned long long)args->ends + 16ull * index, done, sizeof done);
    }
    return 0;
  }
  if (!is("echo") && !is("late")) return launch(config, function, parameters, extra);
  const size_t bytes = bytes_at(output);
  if (held && is("late")) write_device(held_for, held, held_bytes);
  unsigned char* before = calloc(1, bytes);
  unsigned char* after = malloc(bytes);
  if (!before || !after) abort();
  if (is("late"))
    read_device(before, output, bytes);
  else if (held)
    memcpy(before, held, held_bytes < bytes ? held_bytes : bytes);
  const int result = launch(config, function, parameters, extra);
  if (result == 0) {
    read_device(after, output, bytes);
    write_device(output, before, bytes);
    free(held);
    held = after, held_bytes = bytes, held_for = output;
  } else {
    free(after);
  }
  free(before);
  return result;
}

// The encoders lie as the launches do: they succeed and write nothing, or write the map of the call before;
// or hang.
static int opened_by;

int cuInit(unsigned flags) {
  opened_by = getpid();
  return NEXT(int, "cuInit", unsigned)(flags);
}

static int is_copy(void) {
  return is("owner") && getpid() != opened_by;
}

static int encoders_do_nothing(void) {
  if (hangs_in("encode")) hang();
  return is("idle") || is("polite");
}

static _Thread_local unsigned char made[map_bytes] __attribute__((aligned(64)));

static void* map_to_write(void* map) {
  return map && (is("echo") || is("late")) ? made : map;
}

static int after_encoding(int result, void* map) {
  static unsigned char last[map_bytes];
  if (result == 0 && map && map_to_write(map) == made) {
    memcpy(map, last, map_bytes);
    memcpy(last, made, map_bytes);
  }
  return result;
}

int cuTensorMapEncodeTiled(void* map, int type, unsigned rank, void* address, const void* dims,
                           const void* strides, const void* box, const void* steps, int interleave,
                           int swizzle, int promotion, int fill) {
  if (is_copy()) return not_initialized;
  if (encoders_do_nothing()) return 0;
  int (*encode)(void*, int, unsigned, void*, const void*, const void*, const void*, const void*, int, int,
                int, int) =
      (int (*)(void*, int, unsigned, void*, const void*, const void*, const void*, const void*, int, int, int,
               int))dlsym(RTLD_NEXT, "cuTensorMapEncodeTiled");
  return after_encoding(encode(map_to_write(map), type, rank, address, dims, strides, box, steps, interleave,
                               swizzle, promotion, fill),
                        map);
}

int cuTensorMapEncodeIm2col(void* map, int type, unsigned rank, void* address, const void* dims,
                            const void* strides, const void* lower, const void* upper, unsigned channels,
                            unsigned pixels, const void* steps, int interleave, int swizzle, int promotion,
                            int fill) {
  if (is_copy()) return not_initialized;
  if (encoders_do_nothing()) return 0;
  int (*encode)(void*, int, unsigned, void*, const void*, const void*, const void*, const void*, unsigned,
                unsigned, const void*, int, int, int, int) =
      (int (*)(void*, int, unsigned, void*, const void*, const void*, const void*, const void*, unsigned,
               unsigned, const void*, int, int, int, int))dlsym(RTLD_NEXT, "cuTensorMapEncodeIm2col");
  return after_encoding(encode(map_to_write(map), type, rank, address, dims, strides, lower, upper, channels,
                               pixels, steps, interleave, swizzle, promotion, fill),
                        map);
}

int cuTensorMapEncodeIm2colWide(void* map, int type, unsigned rank, void* address, const void* dims,
                                const void* strides, int lower, int upper, unsigned channels, unsigned pixels,
                                const void* steps, int interleave, int mode, int swizzle, int promotion,
                                int fill) {
  if (is_copy()) return not_initialized;
  if (encoders_do_nothing()) return 0;
  int (*encode)(void*, int, unsigned, void*, const void*, const void*, int, int, unsigned, unsigned,
                const void*, int, int, int, int, int) =
      (int (*)(void*, int, unsigned, void*, const void*, const void*, int, int, unsigned, unsigned,
               const void*, int, int, int, int, int))dlsym(RTLD_NEXT, "cuTensorMapEncodeIm2colWide");
  return after_encoding(encode(map_to_write(map), type, rank, address, dims, strides, lower, upper, channels,
                               pixels, steps, interleave, mode, swizzle, promotion, fill),
                        map);
}
