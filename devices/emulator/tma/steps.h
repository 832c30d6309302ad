// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/tma/engine.h"
#include "devices/emulator/tma/shape.h"
#include "reference/spec/field.h"

namespace assay::emulator {

struct AsyncGroup;
struct EncodeTiledArguments;
struct EncodeIm2colArguments;

/// How words become tf32 on a device with these readings.
Tf32Rounding tf32_rounding(const DeviceReadings&);

/// Where a byte of the tile lies before swizzling.
struct SwizzleQuery {
  SwizzleKind kind;
  uint32_t address;  ///< absolute in the CTA's shared window
  uint32_t operand;  ///< the instruction's shared-memory operand; the pattern does not depend on it
  bool flips_even_lines;
};

/// What the transaction count could be made of.
struct TransactionQuery {
  uint32_t box_bytes;        ///< payload of the whole box, of all rows and halos
  uint32_t in_bounds_bytes;  ///< part of it that lies in the tensor
  uint32_t image_bytes;      ///< with the gaps between narrow rows
  uint32_t padded_bytes;     ///< with the padding of packed types, without those gaps
  TensorCopyMode mode = TensorCopyMode::tile;
  uint32_t halo_bytes = 0;  ///< part of the payload that halo pixels are
};

/// What wOffset moves.
enum class WideEnd : uint8_t { lower, upper, start };

/// A plain bulk copy or reduction, as far as its size and its barrier go.
struct BulkQuery {
  uint32_t size;   ///< the operand
  uint32_t moved;  ///< bytes that it makes of that
  bool is_multicast, is_reduction;
};

/// One element of a reduction.
struct ReductionQuery {
  Reduction reduction;
  uint64_t old, operand;
  uint32_t at;  ///< bytes from the first of the copy (plain) or of the piece (tensor)
  bool is_tensor;
};

/// One tensormap.replace.
struct MapReplacement {
  enum class Field : uint8_t {
    address,
    rank,
    box,
    dim,
    stride,
    traversal,
    type,
    interleave,
    swizzle,
    atomicity,
    fill
  } field = Field::address;
  uint32_t ordinal = 0;
  uint64_t value = 0;  ///< the operand
  bool is_shared = false;
  uint32_t thread = 0;  ///< of its CTA
};

/// What an mbarrier instruction does.
struct BarrierChange {
  /// track: cp.async.mbarrier.arrive, before the arrival that is to come.
  enum class Kind : uint8_t { init, expect, complete, arrive, track } kind;
  uint64_t arrivals = 0, bytes = 0;     ///< of init: the count
  bool drops = false, expects = false;  ///< an arrival: .arrive_drop, .expect_tx
  bool no_complete = false, is_remote = false;
  bool adds_itself = false;  ///< track: without .noinc
  bool is_generic = false;   ///< the instruction has no state space
  int lane = 0;
  bool is_apart = false;  ///< another lane of the instruction names another barrier
  Mbarrier before;        ///< init: what lay there before, dead or alive
};

/// What a request of clusterlaunchcontrol came to. CTAs by the %ctaid of the first of their cluster.
struct Cancellation {
  std::array<uint32_t, 3> requester, cluster_shape;
  bool is_cancelled = false;
  std::array<uint32_t, 3> cancelled{};
  bool starts_anyway = false;  ///< a cluster that was cancelled runs all the same
};

/// The single steps of tensor copies and of the tensor-map encoder. A fault of devices/faults is this table
/// with one entry replaced; everything else works from here on without knowing about it.
struct Steps {
  // tensor copies
  uint32_t (*swizzle)(const SwizzleQuery&);
  uint64_t (*fill)(const TiledShape&);  ///< eight bytes of what lies outside the tensor
  int64_t (*coordinate)(int dimension, int32_t operand);
  uint32_t (*count)(const TiledShape&, int dimension);  ///< elements of the box that are visited
  int64_t (*index)(const TiledShape&, int dimension, int64_t start, uint32_t visit);
  bool (*inside)(const TiledShape&, int dimension, int64_t index);
  uint64_t (*source)(const TiledShape&, const std::array<int64_t, 5>& index);  ///< global address
  uint32_t (*row_pitch)(const TiledShape&, uint32_t row_bytes);
  uint32_t (*cell_pitch)(const TiledShape&);  ///< shared bytes from a cell to the next
  uint32_t (*stored_bytes)(const TiledShape&, uint32_t in_bounds_bytes);  ///< of a piece of at most 16 bytes
  bool (*stores_row)(bool inside);  ///< inside: every dimension but 0 is
  uint32_t (*transaction_bytes)(const TiledShape&, const TransactionQuery&);
  // im2col alone
  int32_t (*corner)(const TiledShape&, int axis, bool upper, int32_t corner);
  uint32_t (*im2col_offset)(const Im2colShape&, const std::array<uint16_t, 3>& operand, int axis);
  void (*advance)(const Im2colShape&, Im2colPosition&);  ///< to the next pixel of the column
  uint32_t (*column_pixels)(const Im2colShape&);
  // im2col::w and im2col::w::128
  uint32_t (*halo)(const TiledShape&, bool is_128, uint16_t operand);
  int64_t (*wide_offset)(const TiledShape&, WideEnd, uint16_t operand);
  uint32_t (*wide_pixels)(const WideShape&);              ///< without halos
  void (*wide_advance)(const WideShape&, WidePosition&);  ///< to the next pixel
  /// Row in shared memory of pixel `pixel` of a group, of 32 pixels or of the whole column, and its halo
  /// behind.
  uint32_t (*wide_row)(const WideShape&, uint32_t group, uint32_t group_pixels, uint32_t pixel);
  bool (*halo_moves)(const WideShape&);  ///< the next group begins behind the halo
  // gather4 and scatter4
  int64_t (*picked)(const TiledShape&, const std::array<int32_t, 5>& operands, uint32_t row, int dimension);
  uint32_t (*picked_row)(uint32_t row);  ///< in shared memory
  /// The lane whose coordinates that of a lane acts by; `first`: of those that execute the instruction.
  int (*coordinates_of)(TensorCopyMode, int lane, int first);
  /// The same of maps, of copies and of acquires.
  int (*map_of)(int lane, int first);
  int (*acquired_map_of)(int lane, int first);
  uint32_t (*convert)(const WordConversion&, uint32_t word);
  void (*pack_6bit)(const std::byte* shared_16_bytes, std::byte* global_12_bytes);
  void (*finish)(TensorCopyPlan&, const TensorCopyRequest&);
  // plain bulk copies and reductions
  uint32_t (*bulk_bytes)(uint32_t size);      ///< bytes that a size operand stands for
  uint32_t (*bulk_signal)(const BulkQuery&);  ///< bytes that each barrier is told
  /// The rank whose barrier a copy to `destination` signals; `named`: that of the barrier's address.
  uint32_t (*bulk_signalled)(uint32_t destination, uint32_t named);
  uint64_t (*reduce)(const ReductionQuery&);
  // completion
  uint32_t (*data_ranks)(uint32_t mask, uint32_t issuer);    ///< cluster ranks that receive data
  uint32_t (*signal_ranks)(uint32_t mask, uint32_t issuer);  ///< cluster ranks whose mbarrier is signalled
  /// The rank that a load without a mask goes to; `named`: that of its destination.
  uint32_t (*load_rank)(uint32_t named, uint32_t issuer, bool is_tensor);
  bool signals_before_data;
  /// How many groups cp.async.bulk.wait_group with `pending` leaves at most.
  uint64_t (*groups_left)(uint64_t pending);
  /// Whether it finds a group done, or done reading.
  bool (*group_done)(const AsyncGroup&, bool is_read);
  bool keeps_open_group;     ///< what is not committed yet is of a group all the same, once that has waited
  bool awaits_tensor_reads;  ///< .read waits for the sources of tensor stores
  /// Whether a reduction of global memory reads its source only when it writes, which nobody waits for.
  bool (*reduces_late)(bool is_tensor);
  bool reads_targets_early;  ///< a tensor reduction reads what it changes together with its source
  /// The rank whose mbarrier a load with .cta_group::2 to `rank` signals; `named`: that of the operand.
  uint32_t (*pair_owner)(uint32_t rank, uint32_t named);
  // legality, of copies and of encoder arguments: `id` names a row of the fact sheets (V-16, W-05), of a
  // store's start with its dimension behind (S-04.2)
  bool (*rule)(std::string_view id, bool holds);
  // encoder: value of a field in its own units
  uint64_t (*encoded)(const spec::Field&, uint64_t value);
  /// Of a call that all rules allow: false refuses it all the same.
  bool (*accepts)(const EncodeTiledArguments&);
  bool (*accepts_im2col)(const EncodeIm2colArguments&);
  /// The whole map, before the caller gets it.
  void (*map_written)(TensorMapBytes&, const EncodeTiledArguments&);
  void (*im2col_map_written)(TensorMapBytes&, const EncodeIm2colArguments&);
  /// After cuTensorMapReplaceAddress.
  void (*address_replaced)(TensorMapBytes&, const TensorMapBytes& before);
  /// The same of a call that is refused; `before`: what the map held.
  void (*map_refused)(TensorMapBytes&, const TensorMapBytes& before);
  // maps that a kernel edits
  uint64_t (*replacement)(const MapReplacement&);  ///< the value that is written
  /// The object after one tensormap.replace.
  void (*map_replaced)(TensorMapBytes&, const TensorMapBytes& before, const MapReplacement&);
  /// What tensormap.cp_fenceproxy leaves; `before`: what lay at its destination.
  void (*map_copied)(TensorMapBytes&, const TensorMapBytes& before);
  /// Whether fence.proxy.tensormap acquire of an address makes a multiprocessor forget the map at another;
  /// `is_last`: the one that it fetched last.
  bool (*acquires)(uint64_t acquired, uint64_t map, bool is_last);
  /// The map that a copy acts by, and where it lies.
  void (*map_fetched)(TensorMapBytes&, uint64_t address, TensorCopyKind);
  // mbarrier instructions: the object after each of them and what it answers; whether a wait that gives up or
  // finds the phase complete succeeds
  void (*barrier)(const BarrierChange&, Mbarrier& after, uint64_t& token);
  bool (*barrier_waited)(bool is_complete, bool has_limit);
  /// The object after bytes of an asynchronous operation are complete.
  void (*bytes_arrived)(const Mbarrier& before, Mbarrier& after);
  /// The rank whose barrier an instruction changes, if one is live there; `named`: that of its address,
  /// `expects`: it expects bytes.
  uint32_t (*barrier_rank)(uint32_t named, uint32_t own, bool expects);
  /// Whether a thread without copies under way arrives by cp.async.mbarrier.arrive.
  bool (*arrives_without_copies)(bool adds_itself);
  /// What is answered to a request of clusterlaunchcontrol.
  void (*cancelled)(Cancellation&);
  bool answers_each_lane;  ///< that asks at once with others; else all by what the first is answered
};

/// Every step as the hardware does it.
extern const Steps honest_steps;

/// Reduces elements that lie together by those of `from`, one after the other; what is left behind the last
/// whole one stays.
void reduce_elements(const Steps&, const Reduction&, std::byte* to, const std::byte* from, uint32_t bytes,
                     bool is_tensor);

/// The steps for the fault that the settings name; honest_steps if they name none or one that does not exist.
const Steps& steps_for(const Settings&);

}  // namespace assay::emulator
