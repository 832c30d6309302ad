// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
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

namespace {

constexpr uint64_t page = 4096;
constexpr uint64_t pages(uint64_t bytes) {
  return (bytes + page - 1) / page * page;
}

/// Smallest record of any family.
constexpr uint64_t smallest_record = 16;

struct Offsets {
  uint64_t control, records, ends, device_ends, maps, group, launch_lists, notes, text, output, end;
};

Offsets offsets_of(const RegionShape& shape) {
  Offsets o{};
  uint64_t at = 0;
  const auto place = [&](uint64_t bytes) {
    const uint64_t here = at;
    at += pages(bytes);
    return here;
  };
  o.control = place(sizeof(BatchControl));
  o.records = place(shape.records_bytes);
  o.ends = place(shape.capacity * sizeof(params::ProbeEnd));
  o.device_ends = place(shape.capacity * sizeof(params::ProbeEnd));
  o.maps = place(shape.maps_bytes());
  o.group = place(shape.capacity * sizeof(uint32_t));
  o.launch_lists = place(shape.capacity * sizeof(uint32_t));
  o.notes = place(params::batch_notes * sizeof(uint32_t));
  o.text = place(Region::text_bytes);
  o.output = place(shape.output_bytes);
  o.end = at;
  return o;
}

uint64_t batches_begin(const RegionShape& shape) {
  return page + shape.processes * pages(Region::text_bytes);
}

/// Behind the shape, in the first page.
std::atomic_ref<uint32_t> filled(std::byte* base) {
  static_assert(sizeof(RegionShape) % sizeof(uint32_t) == 0 && sizeof(RegionShape) < page);
  return std::atomic_ref(*reinterpret_cast<uint32_t*>(base + sizeof(RegionShape)));
}

[[noreturn]] void fail(const std::string& what) {
  throw DeviceError(what + ": " + std::strerror(errno));
}

}  // namespace

uint64_t RegionShape::bytes() const {
  return batches_begin(*this) + batches * offsets_of(*this).end;
}

Region Region::create(const DeviceLimits& limits, bool with_arena, int processes) {
  RegionShape shape;
  shape.batches = static_cast<uint32_t>(limits.batches);
  shape.processes = static_cast<uint32_t>(processes);
  shape.records_bytes = limits.records_bytes;
  shape.output_bytes = limits.output_bytes;
  shape.capacity = static_cast<uint32_t>(limits.records_bytes / smallest_record);
  const int fd = memfd_create("assay-batches", MFD_CLOEXEC);
  if (fd < 0) fail("cannot create memory shared with the device's process");
  void* base = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(shape.bytes())) == 0)
    base = mmap(nullptr, shape.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) {
    const int error = errno;
    close(fd);
    errno = error;
    fail("cannot map " + std::to_string(shape.bytes() >> 20) + " MiB shared with the device's process");
  }
  std::memcpy(base, &shape, sizeof shape);
  std::optional<ArenaMemory> arena;
  if (with_arena) arena = ArenaMemory::of_process();
  return Region(fd, static_cast<std::byte*>(base), shape.bytes(), arena);
}

Region Region::attach(int fd, int arena_fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) fail("the worker's shared memory is missing");
  void* base = mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) fail("the worker cannot map its shared memory");
  std::optional<ArenaMemory> arena;
  if (arena_fd >= 0) arena.emplace(arena_fd);
  Region region(fd, static_cast<std::byte*>(base), static_cast<size_t>(info.st_size), arena);
  if (region.shape().bytes() != static_cast<uint64_t>(info.st_size))
    throw DeviceError("the worker's shared memory has another layout than this program writes");
  return region;
}

Region::~Region() {
  if (base_) munmap(base_, bytes_);
  if (fd_ >= 0) close(fd_);
}

Region::Region(Region&& other) noexcept
    : fd_(other.fd_), base_(other.base_), bytes_(other.bytes_), arena_(other.arena_) {
  other.fd_ = -1;
  other.base_ = nullptr;
}

char* Region::identity(uint32_t process) const {
  return reinterpret_cast<char*>(base_ + page + process * pages(text_bytes));
}

bool Region::was_filled() const {
  return filled(base_).load() != 0;
}
void Region::note_filled() const {
  filled(base_).store(1);
}

size_t Region::batch_bytes() const {
  return offsets_of(shape()).end;
}

Region::BatchMemory Region::batch(uint32_t index) const {
  const Offsets o = offsets_of(shape());
  std::byte* at = base_ + batches_begin(shape()) + index * o.end;
  const auto words = [&](uint64_t offset) { return reinterpret_cast<uint32_t*>(at + offset); };
  const auto ends = [&](uint64_t offset) { return reinterpret_cast<params::ProbeEnd*>(at + offset); };
  return {reinterpret_cast<BatchControl*>(at + o.control),
          at + o.records,
          ends(o.ends),
          ends(o.device_ends),
          at + o.maps,
          words(o.group),
          words(o.launch_lists),
          words(o.notes),
          reinterpret_cast<char*>(at + o.text),
          at + o.output};
}

}  // namespace assay::cuda
