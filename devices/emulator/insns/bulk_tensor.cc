// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor, cp.async.bulk.prefetch.tensor and cp.reduce.async.bulk.tensor in all modes (ptx, Data
// Movement and Conversion Instructions: Tensor copy).
#include <algorithm>
#include <cstring>

#include "devices/emulator/insns/bulk_copy.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tma/engine.h"
#include "devices/emulator/tma/laying.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator {
namespace {

using BulkTensorKind = Diagnostic::Kind;

struct BulkTensorForm {
  TensorCopyKind kind = TensorCopyKind::load;
  TensorCopyMode mode = TensorCopyMode::tile;
  int rank = 0;
  bool is_pair = false;  ///< .cta_group::2
  std::optional<ReduceOp> reduction;
  // operand numbers, -1: absent
  int map = -1, shared = -1, barrier = -1, offsets = -1, mask = -1;
  int mask_bits = 0;  ///< 0: no multicast
};

/// All but the modes, which tensor_modes() spells.
constexpr std::string_view words_of_copies =
    "async bulk tensor prefetch L2 1d 2d 3d 4d 5d shared::cluster shared::cta global "
    "mbarrier::complete_tx::bytes cta_group::1 cta_group::2 bulk_group L2::cache_hint";
std::string_view bulk_tensor_qualifiers() {
  static const std::string all = [] {
    std::string words = std::string(words_of_copies) + std::string(multicast_words);
    for (const TensorMode& row : tensor_modes()) words += " " + std::string(row.word);
    return words;
  }();
  return all;
}

bool is_plain_address(const Operand& operand) {
  return operand.kind == Operand::Kind::address && operand.items.empty();
}
bool is_map_address(const Operand& operand, int coordinates) {
  return operand.kind == Operand::Kind::address && operand.items.size() == 1 &&
         operand.items[0].kind == Operand::Kind::vector &&
         operand.items[0].items.size() == static_cast<size_t>(coordinates);
}
bool are_coordinates(const Operand& operand) {
  for (const Operand& item : operand.items[0].items)
    if (item.kind != Operand::Kind::value || (item.is_register && item.bits != 32)) return false;
  return true;
}
bool is_value_of_bulk_tensor(const Operand& operand, uint16_t bits) {
  return operand.kind == Operand::Kind::value && (!operand.is_register || operand.bits == bits);
}
/// (ptxas) one for each spatial dimension, or wHalo and wOffset, neither more nor fewer.
bool are_offsets(const Operand& operand, int count) {
  if (operand.kind != Operand::Kind::vector || operand.items.size() != static_cast<size_t>(count))
    return false;
  return std::all_of(operand.items.begin(), operand.items.end(),
                     [](const Operand& item) { return is_value_of_bulk_tensor(item, 16); });
}

/// The qualifiers as a set: the load mode and .cta_group stand before or after the state spaces in public
/// code.
std::optional<LoweringError> decode_bulk_tensor(const Opcode& opcode, Target target, BulkTensorForm& form) {
  const std::optional<int> mask_bits = multicast_bits(opcode, target);
  if (!mask_bits || !only_known_qualifiers(opcode, bulk_tensor_qualifiers())) return unknown_opcode(opcode);
  form.mask_bits = *mask_bits;
  for (int rank = 1; rank <= 5; ++rank)
    if (opcode.has(std::to_string(rank) + "d")) {
      if (form.rank != 0) return unknown_opcode(opcode);
      form.rank = rank;
    }
  const bool to_cluster = opcode.has("shared::cluster"), cta = opcode.has("shared::cta");
  const bool signals = opcode.has("mbarrier::complete_tx::bytes"), groups = opcode.has("bulk_group");
  const bool prefetch = opcode.has("prefetch"), multicast = form.mask_bits != 0;
  const bool grouped = opcode.has("cta_group::1") || opcode.has("cta_group::2");
  if (form.rank == 0 || !opcode.has("global")) return unknown_opcode(opcode);
  form.is_pair = opcode.has("cta_group::2");
  if (prefetch) {
    form.kind = TensorCopyKind::prefetch;
    if (!opcode.has("L2") || to_cluster || cta || signals || groups || multicast || grouped)
      return unknown_opcode(opcode);
  } else if (signals) {
    form.kind = TensorCopyKind::load;
    if (groups || to_cluster == cta || opcode.has("L2") || (multicast && !to_cluster))
      return unknown_opcode(opcode);
  } else {
    form.kind = TensorCopyKind::store;
    if (!groups || !cta || to_cluster || opcode.has("L2") || multicast || grouped)
      return unknown_opcode(opcode);
  }
  int modes = 0;
  for (const TensorMode& row : tensor_modes()) {
    if (!opcode.has(row.word)) continue;
    const bool stores = form.kind == TensorCopyKind::store;
    if (++modes > 1 || form.rank < row.least_rank || form.rank > row.most_rank ||
        !(stores ? row.stores : row.loads))
      return unknown_opcode(opcode);
    const bool is_on_sm_120 =
        is_from_sm_100(target) && form.kind == TensorCopyKind::load && cta && row.is_on_sm_120;
    if (row.is_of_sm_100 && !has_tensor_memory(target) && !is_on_sm_120)
      return LoweringError{BulkTensorKind::unknown_instruction,
                           "'" + opcode.text + "': ." + std::string(row.word) + " does not exist on " +
                               std::string(target_name(target))};
    form.mode = row.mode;
  }
  // (ptxas) not even .cta_group::1 assembles for sm_90a and sm_120a.
  if (grouped && !has_tensor_memory(target))
    return LoweringError{
        BulkTensorKind::unknown_instruction,
        "'" + opcode.text + "': .cta_group does not exist on " + std::string(target_name(target))};
  return std::nullopt;
}

std::optional<LoweringError> place_bulk_tensor_operands(const Opcode& opcode,
                                                        const std::vector<Operand>& operands,
                                                        BulkTensorForm& form) {
  const bool hint = opcode.has("L2::cache_hint"), multicast = form.mask_bits != 0;
  const bool load = form.kind == TensorCopyKind::load;
  const TensorMode& mode = tensor_mode(form.mode);
  const int coordinates = mode.coordinates_of(form.rank),
            entries = form.kind == TensorCopyKind::store ? 0 : mode.offsets_of(form.rank);
  const bool has_offsets = entries != 0;
  size_t at = 0;
  if (load) form.shared = static_cast<int>(at++);
  form.map = static_cast<int>(at++);
  if (form.kind == TensorCopyKind::store) form.shared = static_cast<int>(at++);
  if (load) form.barrier = static_cast<int>(at++);
  if (has_offsets) form.offsets = static_cast<int>(at++);
  if (multicast) form.mask = static_cast<int>(at++);
  const std::string usage = load ? "[destination], [map, {" + std::to_string(coordinates) +
                                       " coordinates}], [mbarrier], " +
                                       (has_offsets ? "{" + std::to_string(entries) + " offsets}, " : "") +
                                       "and a mask of " + std::to_string(multicast ? form.mask_bits : 16) +
                                       " bits and a cache policy where they are named"
                            : form.kind == TensorCopyKind::store
                                ? "[map, {coordinates}], [source], and a cache policy where it is named"
                                : "[map, {coordinates}], " + std::string(has_offsets ? "{offsets}, " : "") +
                                      "and a cache policy where it is named";
  if (operands.size() != at + hint) return wrong_operands(opcode, usage);
  if (hint && !is_value_of_bulk_tensor(operands[at], 64)) return wrong_operands(opcode, usage);
  const Operand& map = operands[static_cast<size_t>(form.map)];
  if (!is_map_address(map, coordinates) || !are_coordinates(map)) return wrong_operands(opcode, usage);
  for (const int address : {form.shared, form.barrier})
    if (address >= 0 && !is_plain_address(operands[static_cast<size_t>(address)]))
      return wrong_operands(opcode, usage);
  if (form.offsets >= 0 && !are_offsets(operands[static_cast<size_t>(form.offsets)], entries))
    return wrong_operands(opcode, usage);
  if (form.mask >= 0 && !is_value_of_bulk_tensor(operands[static_cast<size_t>(form.mask)],
                                                 static_cast<uint16_t>(form.mask_bits)))
    return wrong_operands(opcode, usage);
  return std::nullopt;
}

/// Memory of one CTA of a cluster, as a tensor copy sees it.
class ClusterMemory final : public CopyMemory {
 public:
  ClusterMemory(Cluster& cluster, uint32_t rank, const Issuer& issuer)
      : cluster_(cluster), base_(rank << shared_rank_shift), issuer_(issuer) {}
  std::byte* global(uint64_t address, size_t bytes) override { return cluster_.global(address, bytes); }
  std::byte* shared_for_write(uint32_t address, size_t bytes) override {
    return cluster_.async_write(base_ | address, bytes, issuer_);
  }
  const std::byte* shared_for_read(uint32_t address, size_t bytes) override {
    return cluster_.async_read(base_ | address, bytes, issuer_, true);
  }

 private:
  Cluster& cluster_;
  uint32_t base_;
  Issuer issuer_;
};

/// A plan, where it touches shared memory, and what a store has read of it.
struct Copy {
  TensorCopyPlan plan;
  uint32_t begin = 0, end = 0;
  std::vector<std::byte> source;
  std::vector<std::vector<std::byte>> targets;  ///< by piece, where a reduction has read them early
};

std::shared_ptr<Copy> make_copy(TensorCopyPlan plan) {
  auto copy = std::make_shared<Copy>();
  copy->plan = std::move(plan);
  copy->begin = copy->plan.pieces.empty() ? 0 : ~0u;
  for (const TensorCopyPiece& piece : copy->plan.pieces) {
    copy->begin = std::min(copy->begin, piece.shared_address);
    copy->end = std::max(copy->end, piece.shared_address + piece.bytes);
  }
  return copy;
}

/// The bytes of shared memory that a copy touches, rows of narrow boxes apart; only the strict mode asks.
std::vector<SharedRange> touched(const Cluster& cluster, const TensorCopyPlan& plan) {
  std::vector<SharedRange> ranges;
  if (!cluster.strict) return ranges;
  for (const TensorCopyPiece& piece : plan.pieces)
    ranges.push_back({piece.shared_address, piece.bytes, plan.swizzle});
  std::sort(ranges.begin(), ranges.end(),
            [](const SharedRange& a, const SharedRange& b) { return a.address < b.address; });
  size_t kept = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[kept].address + ranges[kept].bytes == ranges[i].address)
      ranges[kept].bytes += ranges[i].bytes;
    else
      ranges[++kept] = ranges[i];
  }
  if (!ranges.empty()) ranges.resize(kept + 1);
  return ranges;
}

/// The bytes of global memory that a copy accesses, by rising address; only the strict mode asks. Overlapping
/// strides can make two pieces meet: one range then, and `repeated` is how many bytes are accessed again.
std::vector<GlobalRange> global_ranges(const Cluster& cluster, const TensorCopyPlan& plan,
                                       uint64_t* repeated = nullptr) {
  std::vector<GlobalRange> ranges;
  if (!cluster.strict || plan.packs_6bit) return ranges;
  for (const TensorCopyPiece& piece : plan.pieces)
    if (!piece.is_fill) ranges.push_back({piece.global_address, piece.bytes});
  std::sort(ranges.begin(), ranges.end(),
            [](const GlobalRange& a, const GlobalRange& b) { return a.address < b.address; });
  size_t kept = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    GlobalRange& last = ranges[kept];
    const uint64_t end = last.address + last.bytes;
    if (repeated != nullptr && end > ranges[i].address)
      *repeated += std::min(end - ranges[i].address, ranges[i].bytes);
    if (end >= ranges[i].address)
      last.bytes = std::max(last.bytes, ranges[i].address + ranges[i].bytes - last.address);
    else
      ranges[++kept] = ranges[i];
  }
  if (!ranges.empty()) ranges.resize(kept + 1);
  return ranges;
}

/// What a store wrote to global memory comes from what it read earlier.
class StagedMemory final : public CopyMemory {
 public:
  StagedMemory(Cluster& cluster, Copy& copy, const Issuer& issuer)
      : cluster_(cluster), copy_(copy), issuer_(issuer) {}
  std::byte* global(uint64_t address, size_t bytes) override {
    if (cluster_.strict) cluster_.strict->global_write(address, bytes, issuer_);
    return cluster_.global(address, bytes);
  }
  std::byte* shared_for_write(uint32_t, size_t) override { return nullptr; }
  const std::byte* shared_for_read(uint32_t address, size_t) override {
    return copy_.source.data() + (address - copy_.begin);
  }

 private:
  Cluster& cluster_;
  Copy& copy_;
  Issuer issuer_;
};

void read_source(Copy& copy, CopyMemory& memory) {
  copy.source.resize(copy.end - copy.begin);
  for (const TensorCopyPiece& piece : copy.plan.pieces) {
    const std::byte* from = memory.shared_for_read(piece.shared_address, piece.bytes);
    if (from == nullptr)
      trap(BulkTensorKind::illegal_address, "a tensor store reads shared memory that the CTA does not have");
    std::memcpy(copy.source.data() + (piece.shared_address - copy.begin), from, piece.bytes);
  }
}

/// What a reduction will change, as it is now.
void read_targets(Copy& copy, CopyMemory& memory) {
  for (const TensorCopyPiece& piece : copy.plan.pieces)
    if (const std::byte* at = memory.global(piece.global_address, piece.bytes); at != nullptr)
      copy.targets.emplace_back(at, at + piece.bytes);
}
/// Puts it back, whatever has changed it since.
void restore_targets(const Copy& copy, CopyMemory& memory) {
  for (size_t i = 0; i < copy.targets.size(); ++i)
    if (std::byte* to = memory.global(copy.plan.pieces[i].global_address, copy.targets[i].size());
        to != nullptr)
      std::copy(copy.targets[i].begin(), copy.targets[i].end(), to);
}

uint64_t map_address(const Step& step, const BulkTensorForm& form, int lane) {
  return step.address(step.operand(static_cast<size_t>(form.map)), lane);
}

TensorCopyPlan plan(Step& step, const BulkTensorForm& form, int lane) {
  const Operand& map = step.operand(static_cast<size_t>(form.map));
  const int first = __builtin_ctz(step.mask);
  const uint64_t address = map_address(step, form, steps_for(step.cluster.settings()).map_of(lane, first));
  const uint32_t unit =
      DeviceReadings(step.cluster.settings()).is({"TMA-AMB-22", "aligned_to_128"}) ? 128 : 64;
  if (address % unit != 0)
    step.fail(BulkTensorKind::misaligned_address, lane,
              "the tensor map is not " + std::to_string(unit) + "-byte aligned (AMB-22)");
  if (step.warp.is_generic_local(address))
    step.fail(BulkTensorKind::illegal_address, lane,
              "the tensor map lies in local memory, where no copy finds it; a parameter that holds a map is "
              "const __grid_constant__");
  const std::byte* bytes = step.cluster.tensor_map(address, step.issuer(lane));
  if (bytes == nullptr)
    step.fail(BulkTensorKind::illegal_address, lane,
              "the tensor map lies " + step.cluster.launch.memory.where(address, sizeof(TensorMapBytes)));
  TensorCopyRequest request{{}, form.kind, form.rank, {}, 0, step.cluster.settings().target};
  std::memcpy(request.map.data(), bytes, request.map.size());
  steps_for(step.cluster.settings()).map_fetched(request.map, address, form.kind);
  const int of = steps_for(step.cluster.settings()).coordinates_of(form.mode, lane, first);
  const int coordinates = tensor_mode(form.mode).coordinates_of(form.rank);
  for (int d = 0; d < coordinates; ++d)
    request.coord[static_cast<size_t>(d)] =
        static_cast<int32_t>(step.value(map.items[0].items[static_cast<size_t>(d)], of));
  if (form.shared >= 0)
    request.shared_address =
        static_cast<uint32_t>(step.address(step.operand(static_cast<size_t>(form.shared)), lane)) &
        shared_offset_mask;
  request.mode = form.mode;
  if (form.offsets >= 0) {
    const Operand& offsets = step.operand(static_cast<size_t>(form.offsets));
    for (size_t k = 0; k < offsets.items.size(); ++k)
      request.offset[k] = static_cast<uint16_t>(step.value(offsets.items[k], lane));
  }
  request.reduction = form.reduction;
  request.sm = step.cluster.launch.multiprocessor(step.cta);
  TensorCopyPlan made = plan_tensor_copy(request, step.cluster.settings());
  if (made.fault) step.fail(made.fault->kind, lane, made.fault->message);
  if (StrictMode* const strict = step.cluster.strict.get(); strict != nullptr && strict->begins_early)
    for (const GlobalRange& range : global_ranges(step.cluster, made))
      strict->grid_access(range.address, range.bytes, step.issuer(lane));
  return made;
}

void issue_load(Step& step, const BulkTensorForm& form, int lane) {
  const auto copy = make_copy(plan(step, form, lane));
  const auto target =
      static_cast<uint32_t>(step.address(step.operand(static_cast<size_t>(form.shared)), lane));
  Delivery delivery;
  delivery.is_multicast = form.mask >= 0;
  delivery.ranks =
      form.mask >= 0 ? static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.mask)), lane) &
                                             ((uint64_t{1} << form.mask_bits) - 1))
                     : 1u << (steps_for(step.cluster.settings())
                                  .load_rank(target >> shared_rank_shift, step.cta.rank, /*is_tensor=*/true) &
                              31);
  delivery.is_pair = form.is_pair;
  delivery.barrier =
      static_cast<uint32_t>(step.address(step.operand(static_cast<size_t>(form.barrier)), lane));
  delivery.writes = touched(step.cluster, copy->plan);
  delivery.global_reads = global_ranges(step.cluster, copy->plan);
  delivery.tensor_map = map_address(step, form, lane);
  delivery.transaction_bytes = copy->plan.transaction_bytes;
  delivery.write = [copy, &cluster = step.cluster, issuer = step.issuer(lane)](uint32_t rank) {
    ClusterMemory memory(cluster, rank, issuer);
    if (const auto fault = apply_tensor_copy(copy->plan, memory, cluster.settings()))
      trap(fault->kind, fault->message);
  };
  deliver(step, lane, delivery);
}

void issue_bulk_tensor_store(Step& step, const BulkTensorForm& form, int lane) {
  const auto source =
      static_cast<uint32_t>(step.address(step.operand(static_cast<size_t>(form.shared)), lane));
  if (source >> shared_rank_shift != step.cta.rank)
    step.fail(BulkTensorKind::illegal_address, lane,
              "a tensor store reads the executing CTA's own shared memory");
  const auto copy = make_copy(plan(step, form, lane));
  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  operation.group = step.warp.bulk_groups[static_cast<size_t>(lane)].open();
  operation.shared_reads = touched(step.cluster, copy->plan);
  for (SharedRange& range : operation.shared_reads) range.address |= step.cta.rank << shared_rank_shift;
  uint64_t repeated = 0;
  operation.global_writes = global_ranges(step.cluster, copy->plan, &repeated);
  operation.is_reduction = form.reduction.has_value();
  if (repeated != 0 && !operation.is_reduction) step.cluster.strict->rows_overlap(repeated, operation.issuer);
  operation.tensor_map = map_address(step, form, lane);
  Cluster& cluster = step.cluster;
  const std::shared_ptr<AsyncGroup> group = operation.group;
  const Steps& steps = steps_for(cluster.settings());
  const bool is_awaited = steps.awaits_tensor_reads,
             is_late = form.reduction && steps.reduces_late(/*is_tensor=*/true),
             is_early = form.reduction && steps.reads_targets_early;
  const auto read = [copy, &cluster, rank = step.cta.rank, issuer = operation.issuer, is_early] {
    ClusterMemory memory(cluster, rank, issuer);
    read_source(*copy, memory);
    if (is_early) read_targets(*copy, memory);
  };
  operation.read = [read, group, is_awaited, is_late] {
    if (!is_late) read();
    if (!is_awaited) ++group->unread;
  };
  operation.write = [copy, &cluster, issuer = operation.issuer, read, is_late] {
    if (is_late) read();
    StagedMemory memory(cluster, *copy, issuer);
    restore_targets(*copy, memory);
    if (const auto fault = apply_tensor_copy(copy->plan, memory, cluster.settings()))
      trap(fault->kind, fault->message);
    cluster.moved();
  };
  // What is not awaited is left out of the count until the queue takes it off.
  if (!is_awaited) --group->unread;
  cluster.async.issue(std::move(operation));
}

uint32_t execute_bulk_tensor(Step& step) {
  const BulkTensorForm& form = step.data<BulkTensorForm>();
  for_lanes(step.mask, [&](int lane) {
    switch (form.kind) {
      case TensorCopyKind::load:
        return issue_load(step, form, lane);
      case TensorCopyKind::store:
        return issue_bulk_tensor_store(step, form, lane);
      case TensorCopyKind::prefetch:
        plan(step, form, lane);  // has no effect but its faults (H200: K-06, K-07)
    }
  });
  return step.mask;
}

std::optional<LoweringError> lower_bulk_tensor(const Opcode& opcode, Target target,
                                               Instruction& instruction) {
  BulkTensorForm form;
  if (auto error = decode_bulk_tensor(opcode, target, form)) return error;
  if (auto error = place_bulk_tensor_operands(opcode, instruction.operands, form)) return error;
  instruction.data = std::make_shared<const BulkTensorForm>(form);
  instruction.execute = execute_bulk_tensor;
  return std::nullopt;
}

/// The element type is that of the map: no word of the instruction says it.
std::optional<LoweringError> lower_bulk_tensor_reduction(const Opcode& opcode, Target target,
                                                         Instruction& instruction) {
  Opcode store = opcode;
  BulkTensorForm form;
  for (const std::string& word : opcode.qualifiers)
    if (const auto op = find_reduce_op(word)) {
      if (form.reduction) return unknown_opcode(opcode);
      form.reduction = op;
    }
  std::erase_if(store.qualifiers,
                [](const std::string& word) { return word == "reduce" || find_reduce_op(word); });
  if (!form.reduction) return unknown_opcode(opcode);
  if (auto error = decode_bulk_tensor(store, target, form)) return error;
  if (form.kind != TensorCopyKind::store) return unknown_opcode(opcode);
  if (form.mode == TensorCopyMode::scatter4)
    return LoweringError{BulkTensorKind::unknown_instruction,
                         "'" + opcode.text + "': no document has reductions of scattered rows"};
  if (auto error = place_bulk_tensor_operands(store, instruction.operands, form)) return error;
  instruction.data = std::make_shared<const BulkTensorForm>(form);
  instruction.execute = execute_bulk_tensor;
  return std::nullopt;
}

const RegisteredFamily bulk_tensor_copies("cp.async.bulk.tensor", lower_bulk_tensor);
const RegisteredFamily prefetches("cp.async.bulk.prefetch.tensor", lower_bulk_tensor);
const RegisteredFamily bulk_tensor_reductions("cp.reduce.async.bulk.tensor", lower_bulk_tensor_reduction);

}  // namespace
}  // namespace assay::emulator
