// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "devices/device.h"
#include "kernels/params/batch.h"

namespace assay::cuda {

/// The arena (kernels/params/arena.h) as memory that processes share: written once in a process that opens
/// devices, which all its devices, their processes and its predictions read and nobody writes.
class ArenaMemory {
 public:
  /// This process's, made when it is first asked for. Throws DeviceError.
  static const ArenaMemory& of_process();
  /// Of another process, by its descriptor. Throws DeviceError.
  explicit ArenaMemory(int fd);

  int fd() const { return fd_; }
  /// params::arena_bytes of them.
  const std::byte* begin() const { return begin_; }

 private:
  int fd_;
  const std::byte* begin_;
};

/// Sizes of the shared region, in its header so that the worker finds them.
struct RegionShape {
  uint32_t batches = 0;
  uint32_t processes = 0;  ///< that may own the device at a time
  uint32_t capacity =
      0;  ///< records of the smallest kind that fit a batch: entries of every per-record array
  uint64_t records_bytes = 0, output_bytes = 0;
  uint64_t bytes() const;
  uint64_t maps_bytes() const { return records_bytes; }  ///< two maps a record of 256 bytes or more
};

/// What parent and worker tell each other about one batch beside its records.
struct BatchControl {
  char family[48];
  uint32_t records;               ///< in the batch
  uint32_t group_count;           ///< entries of the group that runs now
  uint32_t whole;                 ///< the group is all of the batch
  uint32_t text_bytes;            ///< of the text area, written by the worker
  uint32_t arena_differences[2];  ///< words of the arena found changed, and one of them
  volatile uint32_t issued;       ///< nothing is set up or loaded any more: its kernels run or wait to
};

/// Memory shared by the Device and the process that owns the GPU: all batches, and the notes that outlive a
/// worker.
class Region {
 public:
  struct BatchMemory {
    BatchControl* control;
    std::byte* records;
    params::ProbeEnd* ends;         ///< as the worker leaves them
    params::ProbeEnd* device_ends;  ///< staging of what the kernel wrote
    std::byte* maps;                ///< as many bytes as RegionShape::maps_bytes
    uint32_t* group;                ///< record indexes that the worker is asked to run
    uint32_t* launch_lists;         ///< staging, worker only
    uint32_t* notes;  ///< params::batch_notes words; the last is the host's own, of driver calls
    char* text;       ///< text_bytes: JSON, the device's own words
    std::byte* output;
  };
  static constexpr size_t text_bytes = 64 * 1024;

  /// The parent's: anonymous shared memory. Throws DeviceError.
  static Region create(const DeviceLimits&, bool with_arena, int processes = 1);
  /// The worker's; `arena_fd`: of the arena, or -1 for none. Throws DeviceError.
  static Region attach(int fd, int arena_fd);
  ~Region();
  Region(Region&&) noexcept;
  Region& operator=(Region&&) = delete;

  int fd() const { return fd_; }
  /// -1: without an arena.
  int arena_fd() const { return arena_ ? arena_->fd() : -1; }
  const RegionShape& shape() const { return *reinterpret_cast<const RegionShape*>(base_); }
  std::byte* base() const { return base_; }
  /// text_bytes: JSON that a process writes when it starts, its own each.
  char* identity(uint32_t process) const;
  /// params::arena_bytes, or null without an arena.
  const std::byte* arena() const { return arena_ ? arena_->begin() : nullptr; }
  /// Whether the device of an earlier process filled its arena itself, which shows that it can: those that
  /// start after a fault copy the bytes.
  bool was_filled() const;
  void note_filled() const;
  BatchMemory batch(uint32_t index) const;
  /// Of one batch, from its control on; whole pages.
  size_t batch_bytes() const;

 private:
  Region(int fd, std::byte* base, size_t bytes, std::optional<ArenaMemory> arena)
      : fd_(fd), base_(base), bytes_(bytes), arena_(arena) {}
  int fd_;
  std::byte* base_;
  size_t bytes_;
  std::optional<ArenaMemory> arena_;
};

}  // namespace assay::cuda
