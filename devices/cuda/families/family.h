// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/cuda/opened_device.h"
#include "devices/cuda/region.h"
#include "devices/device.h"
#include "kernels/forms/launch.h"
#include "reference/spec/arch.h"

namespace assay::cuda {

/// The group of a batch that the worker is running.
struct Job {
  uint32_t batch;
  Region::BatchMemory memory;
  std::span<const uint32_t> group;  ///< record indexes, ascending
  bool whole;                       ///< the group is the whole batch
  uint32_t launches = 0;
  double start = 0, end = 0;  ///< when the device was busy, seconds of CLOCK_MONOTONIC
  std::vector<std::string> notes;

  template <typename Record>
  const Record& record(uint32_t index) const {
    return reinterpret_cast<const Record*>(memory.records)[index];
  }
  /// Names the record that the host is about to hand to the driver, so that a crash in the call is blamed on
  /// it.
  void note_call(uint32_t index) const { *host_note() = index + 1; }
  void clear_call() const { *host_note() = 0; }

 private:
  volatile uint32_t* host_note() const { return &memory.notes[params::batch_notes - 1]; }
};

/// What the Device knows of a batch when it checks it.
struct BatchView {
  const std::byte* records;
  uint32_t count;
  uint64_t output_bytes;
  std::string_view architecture;
  bool lacks(spec::Mechanism mechanism) const {
    return !spec::has(spec::parse_arch(architecture), mechanism);
  }
  bool is_before_sm_100() const {
    const std::optional<spec::Arch> arch = spec::parse_arch(architecture);
    return arch && spec::capability(*arch) < 100;
  }
};

/// What is wrong with a batch: with one of its records, or with all of it.
struct WrongBatch {
  std::string what;
  std::optional<uint32_t> record;
};

/// Whether [offset, offset + bytes) is a 256-byte aligned slot of the batch's output.
bool is_output_slot(const BatchView&, uint64_t offset, uint64_t bytes);

/// A Family's check for records with output_offset and output_bytes: `wrong(record, first of the batch,
/// batch)` says in one sentence what is wrong with a record but for its slot, or nothing (null).
template <typename Record>
std::optional<WrongBatch> check_records(const BatchView& batch,
                                        const char* (*wrong)(const Record&, const Record&,
                                                             const BatchView&)) {
  const auto* records = reinterpret_cast<const Record*>(batch.records);
  for (uint32_t i = 0; i < batch.count; ++i) {
    if (const char* what = wrong(records[i], records[0], batch)) return WrongBatch{what, i};
    if (!is_output_slot(batch, records[i].output_offset, records[i].output_bytes))
      return WrongBatch{"the output slot must be 256-byte aligned inside the batch's output", i};
  }
  return std::nullopt;
}

/// Whether a batch of a family may have clusters of so many CTAs: 1, 2, 4 or 8, and of one that is for them
/// 16.
constexpr bool is_cluster_size(uint32_t ctas, uint32_t most = params::portable_cluster) {
  return ctas != 0 && ctas <= most && (ctas & (ctas - 1)) == 0;
}

/// Why the device cannot run clusters of 16 CTAs, or nothing.
std::optional<std::string> declines_largest_cluster(const OpenedDriver&);
/// Family::declines of one that runs what another family does in clusters of 16.
template <std::optional<std::string> (*declines)(const OpenedDriver&, bool emulator)>
std::optional<std::string> declines_in_largest_cluster(const OpenedDriver& opened, bool emulator) {
  if (auto why = declines(opened, emulator)) return why;
  return declines_largest_cluster(opened);
}

/// "<what> (device: 9.0)", of the device's compute capability.
std::string but_has(const OpenedDriver&, const std::string& what);
/// Nothing where the device has the mechanism, else "requires compute capability 10.0 or 10.3 (device: 9.0)".
std::optional<std::string> declines_without(const OpenedDriver&, spec::Mechanism);
/// The same of any architecture that kernels are built for.
std::optional<std::string> declines_unknown(const OpenedDriver&);
/// Family::declines of what compute capability 9.0 and later have, and of what some architectures have.
std::optional<std::string> declines_before_9_0(const OpenedDriver&, bool emulator);
template <spec::Mechanism mechanism>
std::optional<std::string> declines_where_absent(const OpenedDriver& opened, bool) {
  return declines_without(opened, mechanism);
}

/// What people call parts of a kernel, for reports of one that stands still.
struct KernelNames {
  /// Of the mbarrier at a byte of the CTA's own shared memory, which begins behind what the system reserves:
  /// "full[2]". Empty: it has no name.
  std::string (*barrier)(uint32_t byte);
  std::string (*role)(uint32_t warp);  ///< of a warp of a CTA: "load warp"
  /// Which warps stand at which wait, by the notes of a batch that survived the process; a line each.
  std::vector<std::string> (*waits)(std::span<const uint32_t> notes) = nullptr;
};

/// A kind of record and how it is run. One file in this folder each; it registers itself.
struct Family {
  std::string_view name;
  size_t record_bytes;
  /// In the Device's process, before a batch is taken: the first thing wrong with it that would break the
  /// rig, or nothing. A case that is illegal for the device is not wrong here.
  std::optional<WrongBatch> (*check)(const BatchView&);
  /// In the worker, once: why the device cannot run it, or nothing.
  std::optional<std::string> (*declines)(const OpenedDriver&, bool emulator);
  /// In the worker: runs the group and writes memory.ends and memory.output of its records. Throws
  /// DriverFailure.
  void (*run)(OpenedDevice&, Job&);
  const KernelNames* names = nullptr;
  /// Its records are calls that the driver computes by itself, without the GPU.
  bool is_calls = false;
  /// In the Device's process, when somebody first asks about the family, since it may start programs: what
  /// the host lacks to run it on that architecture ("sm_100"), or nothing.
  std::optional<std::string> (*host_declines)(std::string_view architecture) = nullptr;
  const char* module = nullptr;  ///< kernels/MODULE.cu; null: no kernel is launched
};

const Family* find_family(std::string_view name);
std::vector<const Family*> all_families();

/// Keeps a Family among those that are found.
class RegisterFamily {
 public:
  explicit RegisterFamily(const Family&);
  RegisterFamily(const RegisterFamily&) = delete;
  RegisterFamily& operator=(const RegisterFamily&) = delete;

 private:
  const Family family_;
};

template <typename Record>
using WrongRecord = const char* (*)(const Record&, const Record&, const BatchView&);
/// The Family of records whose check is check_records() with `wrong`.
template <typename Record, WrongRecord<Record> wrong>
Family family_of(std::string_view name, decltype(Family::declines) declines, decltype(Family::run) run,
                 const KernelNames* names = nullptr) {
  Family made{name,
              sizeof(Record),
              [](const BatchView& batch) { return check_records<Record>(batch, wrong); },
              declines,
              run,
              names};
  if constexpr (requires { forms::launch_of(Record{}); }) made.module = forms::launch_of(Record{}).module;
  return made;
}

}  // namespace assay::cuda
