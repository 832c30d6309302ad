// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// Threads of every batched probe.
inline constexpr uint32_t probe_threads = 128;

/// How a record ended, as a probe writes it: the layout of assay::RecordEnd.
struct ProbeEnd {
  int32_t ended;  ///< 0 done, 1 timed out, 2 surplus; probe_not_reached before the probe writes it
  int32_t code;
  uint32_t sm;
  uint32_t note;
  uint8_t cluster_sms[16];  ///< of a record of a cluster: %smid of the CTA of each rank; 0xff: none
};
static_assert(sizeof(ProbeEnd) == 32);

inline constexpr int32_t probe_done = 0;
inline constexpr int32_t probe_timed_out = 1;
inline constexpr int32_t probe_surplus = 2;
inline constexpr int32_t probe_not_reached = -1;  ///< all bytes 0xff

/// What every batched probe is given, by value. CTAs (clusters) take positions of `indexes` from `queue`.
struct BatchArgs {
  const void* records;  ///< of the family, all of the batch
  const void* maps;     ///< tensor map of record i at maps + 128 * i, or null
  const void* arena;    ///< arena_bytes
  void* output;
  ProbeEnd* ends;           ///< one a record
  const uint32_t* indexes;  ///< records to run in this launch
  uint32_t* queue;          ///< next position of indexes, 0 at launch
  /// Host memory, one word a CTA (a cluster): index + 1 of the record it is at, 0 when it is at none.
  /// Survives the death of the process that launched.
  uint32_t* notes;
  uint32_t count;       ///< entries of indexes
  uint32_t first_note;  ///< CTA (cluster) i of this launch owns notes[first_note + i]
};

/// A flag of a record that says what a boolean of the case says, by that member's name in case files.
struct NamedFlag {
  const char* field;
  uint32_t flag;
};

/// CTAs of the largest cluster that every device with clusters places, and of the largest that some do where
/// a kernel says that it may be so large (CUDA programming guide, thread block clusters).
inline constexpr uint32_t portable_cluster = 8, largest_cluster = 16;

/// Words of the notes of a batch: more CTAs than a launch has.
inline constexpr uint32_t batch_notes = 4096;

}  // namespace assay::params
