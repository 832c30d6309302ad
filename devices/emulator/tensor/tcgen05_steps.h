// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/gpu.h"
#include "devices/emulator/tensor/smem_operand.h"
#include "devices/emulator/tensor/tcgen05_desc.h"
#include "devices/emulator/tensor/tmem_copy.h"

namespace assay::emulator {

struct Mma;
struct MetadataCell;
struct MetadataRequest;
struct ScaleCell;
struct ScaleRequest;
struct Mbarrier;

/// The single steps of the tcgen05 instructions. A fault of devices/faults is this table with one entry
/// replaced; everything else works from here on without knowing about it.
struct Tcgen05Steps {
  // descriptors, as decoded
  void (*smem)(SmemDescriptor&);
  void (*instruction)(InstructionDescriptor&);
  void (*mask)(ColumnMask&);
  void (*decoded)(Mma&);  ///< all of a product, once nothing about it was refused
  // where things lie
  uint32_t (*lane_group)(const AccumulatorLayout&, uint32_t group);  ///< lanes that columns of a group lie in
  uint32_t (*half_of_b)(uint32_t rank);  ///< which half of N the CTA of this rank in its pair supplies
  uint32_t (*lane_word)(uint32_t word, uint32_t words);  ///< operand that disables lanes 32 * word and up
  /// First lane of a warp, where its address says `lane`.
  uint32_t (*window)(const TmemForm&, uint32_t warp, uint32_t lane);
  TmemCell (*cell)(const TmemForm&, uint32_t thread, uint32_t number);
  ScaleCell (*scale)(const ScaleRequest&);                            ///< the byte that a scale factor is
  uint8_t (*scale_code)(const InstructionDescriptor&, uint8_t code);  ///< a scale factor as it counts
  // the metadata of a sparse A: where a code lies, as it counts, and what it names
  MetadataCell (*metadata)(const MetadataRequest&);
  uint8_t (*metadata_code)(const InstructionDescriptor&, uint8_t code);
  uint32_t (*met)(const InstructionDescriptor&, uint32_t code, uint32_t number);
  uint32_t (*pack)(uint32_t first, uint32_t second);  ///< the register of two cells
  uint32_t (*unpack)(uint32_t word, uint32_t half);   ///< the 16 bits of cell 0 or 1
  uint32_t (*reduced)(const TmemReduction&, std::span<const uint32_t> words,
                      bool gives_nan);  ///< of tcgen05.ld.red
  // copies and shifts, as decoded and as they are done
  void (*copy)(TmemCopy&);
  void (*shift)(TmemShift&);
  int (*copied_row)(const CopyForm&, uint32_t lane, bool half_for_a_warp);
  uint32_t (*copied_word)(const TmemCopy&, uint32_t column);  ///< the word of its row that a column takes
  uint32_t (*copied)(const TmemCopy&, uint32_t lane, uint32_t column, uint32_t word);  ///< what arrives
  uint32_t (*copy_source)(uint32_t rank, const TmemCopy&);  ///< whose shared memory is read
  uint32_t (*decompressed)(CopyFormat, uint32_t code, bool is_in_middle);
  uint32_t (*shifted_lane)(uint32_t lane);
  bool (*shifts_partition)(uint32_t first_lane, const TmemShift&, bool shifts);
  // what happens
  bool (*keeps_lane)(bool is_disabled);  ///< true: the lane is not written
  bool (*reads_d)(bool enable_input_d);
  bool (*shifts_a)(uint32_t lane);  ///< .ashift brings a lane the row of the next one
  /// Whether work of a thread is done after what it issued before. `copies_between`: the tcgen05.cp that
  /// it issued between the two and that are not done.
  bool (*is_pipelined)(const IssuedWork& first, const IssuedWork& second, size_t copies_between);
  bool commit_waits;  ///< for what it tracks
  /// Whether it tracks work of its thread that is not done: `number` of `count`, the oldest first, of which
  /// an earlier commit tracks some.
  bool (*commit_tracks)(size_t number, size_t count, bool was_committed);
  /// The shared::cluster address of the barrier that it arrives at, where it names one.
  uint32_t (*committed_to)(uint32_t barrier, uint32_t issuer_rank, bool is_multicast, bool is_generic);
  bool (*commit_arrives)(const Mbarrier& before);  ///< whether its arrival counts
  /// Loads (or stores) of a warp that tcgen05.wait waits for, the oldest first, of `count` that are not done
  /// beside so many of the other kind.
  size_t (*awaited)(bool for_loads, size_t count, size_t others);
  /// Columns of a column shift where B is reused.
  uint32_t (*reused_shift)(uint32_t shift, uint32_t max_shift);
  bool alloc_waits;  ///< until its columns are free
  /// The column that tcgen05.alloc says it took; `is_odd`: to the odd CTA of a pair.
  uint32_t (*allocated)(uint32_t first, uint32_t count, bool is_odd);
  bool (*alloc_writes)(bool is_generic);                 ///< what it took; generic: without a state space
  uint32_t (*released)(uint32_t first, uint32_t count);  ///< the column whose allocation is given back
};

/// Every step as the documents say.
extern const Tcgen05Steps honest_tcgen05_steps;

/// The steps for the fault that the settings name; the honest ones if they name none or one of something
/// else.
const Tcgen05Steps& tcgen05_steps_for(const Settings&);

}  // namespace assay::emulator
