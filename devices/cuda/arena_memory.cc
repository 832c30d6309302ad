// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/arena_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "devices/device.h"
#include "kernels/params/arena_image.h"

namespace assay::cuda {
namespace {

[[noreturn]] void fail(const char* what) {
  throw DeviceError(std::string(what) + ": " + std::strerror(errno));
}

int written_file() {
  const int fd = memfd_create("assay-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) fail("cannot create the memory that loads read from");
  void* at = MAP_FAILED;
  if (ftruncate(fd, params::arena_bytes) == 0)
    at = mmap(nullptr, params::arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) fail("cannot map the memory that loads read from");
  // Its pages at once, not by a fault each; a refusal costs time alone.
  madvise(at, params::arena_bytes, MADV_POPULATE_WRITE);
  params::write_arena(static_cast<std::byte*>(at));
  munmap(at, params::arena_bytes);
  // What a device's process does cannot change what predictions are made from.
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0)
    fail("cannot protect the memory that loads read from");
  return fd;
}

}  // namespace

const ArenaMemory& ArenaMemory::of_process() {
  static const ArenaMemory memory(written_file());
  return memory;
}

ArenaMemory::ArenaMemory(int fd) : fd_(fd) {
  struct stat info;
  if (fstat(fd, &info) != 0 || info.st_size != params::arena_bytes)
    throw DeviceError("the memory that loads read from has another size than this program expects");
  void* at = mmap(nullptr, params::arena_bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (at == MAP_FAILED) fail("cannot map the memory that loads read from");
  begin_ = static_cast<const std::byte*>(at);
}

}  // namespace assay::cuda
