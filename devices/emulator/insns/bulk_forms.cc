// SPDX-License-Identifier: Apache-2.0
// The forms of cp.async.bulk, its prefetch and cp.reduce.async.bulk (ptx, Data Movement and Conversion
// Instructions: Non-tensor copy).

#include "devices/emulator/insns/bulk_copy.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator {
namespace {

constexpr std::string_view bulk_qualifiers =
    "async bulk prefetch L2 shared::cluster shared::cta global mbarrier::complete_tx::bytes "
    "bulk_group L2::cache_hint cp_mask ignore_oob";
constexpr std::string_view reduction_qualifiers =
    "reduce async bulk shared::cluster shared::cta global mbarrier::complete_tx::bytes bulk_group "
    "L2::cache_hint add min max inc dec and or xor noftz";

bool fits_bulk(const Operand& operand, int bits) {
  if (bits == 0) return operand.kind == Operand::Kind::address && operand.items.empty();
  return operand.kind == Operand::Kind::value && (!operand.is_register || operand.bits == bits);
}

/// Position of a word in the opcode: destination and source are told apart by their order alone when both are
/// shared.
size_t position(const Opcode& opcode, std::string_view word) {
  for (size_t i = 0; i < opcode.qualifiers.size(); ++i)
    if (opcode.qualifiers[i] == word) return i;
  return opcode.qualifiers.size();
}

std::optional<BulkDirection> direction_of(const Opcode& opcode, Target target, bool multicast) {
  const bool to_cluster = opcode.has("shared::cluster"), cta = opcode.has("shared::cta");
  const bool global = opcode.has("global"), signals = opcode.has("mbarrier::complete_tx::bytes");
  const bool groups = opcode.has("bulk_group");
  const bool masked = opcode.has("cp_mask");
  if (masked && !is_from_sm_100(target)) return std::nullopt;
  if (opcode.has("ignore_oob") && (!global || !cta || !signals)) return std::nullopt;
  if (opcode.has("prefetch"))
    return opcode.has("L2") && global && !to_cluster && !cta && !signals && !groups && !multicast && !masked
               ? std::optional(BulkDirection::prefetch)
               : std::nullopt;
  if (opcode.has("L2") || signals == groups || (multicast && !to_cluster)) return std::nullopt;
  if (groups) {
    const bool ordered = position(opcode, "global") < position(opcode, "shared::cta");
    return global && cta && !to_cluster && ordered ? std::optional(BulkDirection::shared_to_global)
                                                   : std::nullopt;
  }
  if (masked) return std::nullopt;
  if (global) {
    const std::string_view shared = to_cluster ? "shared::cluster" : "shared::cta";
    return to_cluster != cta && position(opcode, shared) < position(opcode, "global")
               ? std::optional(BulkDirection::global_to_shared)
               : std::nullopt;
  }
  const bool ordered = position(opcode, "shared::cluster") < position(opcode, "shared::cta");
  return to_cluster && cta && ordered && !multicast && !opcode.has("L2::cache_hint")
             ? std::optional(BulkDirection::shared_to_cluster)
             : std::nullopt;
}

std::optional<LoweringError> place_bulk_operands(const Opcode& opcode, const std::vector<Operand>& operands,
                                                 BulkForm& form) {
  struct Slot {
    int* number;
    int bits;  ///< 0: an address
  };
  const bool prefetch = form.direction == BulkDirection::prefetch;
  const bool signals =
      form.direction == BulkDirection::global_to_shared || form.direction == BulkDirection::shared_to_cluster;
  int policy = -1;
  std::vector<Slot> slots;
  if (!prefetch) slots.push_back({&form.destination, 0});
  slots.push_back({&form.source, 0});
  slots.push_back({&form.size, 32});
  if (opcode.has("ignore_oob")) {
    slots.push_back({&form.ignored_left, 32});
    slots.push_back({&form.ignored_right, 32});
  }
  if (signals) slots.push_back({&form.barrier, 0});
  if (form.mask_bits != 0) slots.push_back({&form.cta_mask, form.mask_bits});
  if (opcode.has("L2::cache_hint")) slots.push_back({&policy, 64});
  if (opcode.has("cp_mask")) slots.push_back({&form.byte_mask, 16});
  bool good = operands.size() == slots.size();
  for (size_t i = 0; good && i < slots.size(); ++i) {
    good = fits_bulk(operands[i], slots[i].bits);
    *slots[i].number = static_cast<int>(i);
  }
  for (const int ignored : {form.ignored_left, form.ignored_right})
    if (good && ignored >= 0 && operands[static_cast<size_t>(ignored)].is_immediate &&
        operands[static_cast<size_t>(ignored)].immediate > 15)
      return wrong_operands(opcode, "0 to 15 bytes to ignore at each end");
  if (good) return std::nullopt;
  return wrong_operands(
      opcode, prefetch ? "[source], size, and a cache policy where it is named"
                       : "[destination], [source], size, and what its qualifiers name: bytes to ignore "
                         "at each end, [mbarrier], a mask of " +
                             std::to_string(form.mask_bits == 0 ? 16 : form.mask_bits) +
                             " bits, a cache policy, a byte mask");
}

std::optional<LoweringError> lower_bulk(const Opcode& opcode, Target target, Instruction& instruction) {
  const std::optional<int> mask_bits = multicast_bits(opcode, target);
  if (!mask_bits ||
      !only_known_qualifiers(opcode, std::string(bulk_qualifiers) + std::string(multicast_words)))
    return unknown_opcode(opcode);
  BulkForm form;
  form.mask_bits = *mask_bits;
  const auto direction = direction_of(opcode, target, form.mask_bits != 0);
  if (!direction) return unknown_opcode(opcode);
  form.direction = *direction;
  if (auto error = place_bulk_operands(opcode, instruction.operands, form)) return error;
  instruction.data = std::make_shared<const BulkForm>(form);
  instruction.execute = execute_bulk;
  return std::nullopt;
}

/// Whether the words say a reduction that ptxas takes: the operation, .noftz for the additions of 16-bit
/// floats and for nothing else, the type last.
bool read_reduction(const Opcode& opcode, bool to_shared, BulkForm& form) {
  const auto type = find_reduce_type(opcode.qualifiers.back());
  std::optional<ReduceOp> op;
  for (const std::string& word : opcode.qualifiers)
    if (const auto found = find_reduce_op(word)) {
      if (op) return false;
      op = found;
    }
  if (!type || !op) return false;
  const bool is_half = *type == ReduceType::f16 || *type == ReduceType::bf16;
  if (opcode.has("noftz") != (is_half && *op == ReduceOp::add)) return false;
  form.reduction = Reduction{*op, *type};
  return is_bulk_reduction(*form.reduction, to_shared);
}

std::optional<LoweringError> lower_bulk_reduction(const Opcode& opcode, Target, Instruction& instruction) {
  const bool to_cluster = opcode.has("shared::cluster"), signals = opcode.has("mbarrier::complete_tx::bytes");
  BulkForm form;
  form.direction = to_cluster ? BulkDirection::shared_to_cluster : BulkDirection::shared_to_global;
  const std::string_view destination = to_cluster ? "shared::cluster" : "global";
  if (opcode.qualifiers.empty() ||
      !only_known_qualifiers(opcode, std::string(reduction_qualifiers) + " " + opcode.qualifiers.back()) ||
      !opcode.has("shared::cta") || to_cluster == opcode.has("global") || signals != to_cluster ||
      opcode.has("bulk_group") == to_cluster || (to_cluster && opcode.has("L2::cache_hint")) ||
      position(opcode, destination) > position(opcode, "shared::cta") ||
      !read_reduction(opcode, to_cluster, form))
    return unknown_opcode(opcode);
  if (auto error = place_bulk_operands(opcode, instruction.operands, form)) return error;
  instruction.data = std::make_shared<const BulkForm>(form);
  instruction.execute = execute_bulk;
  return std::nullopt;
}

const RegisteredFamily bulk_copies("cp.async.bulk", lower_bulk);
const RegisteredFamily bulk_reductions("cp.reduce.async.bulk", lower_bulk_reduction);

// cp.async.bulk.commit_group and wait_group (ptx, Data Movement and Conversion Instructions: completion
// mechanisms of asynchronous copies).

std::optional<LoweringError> lower_bulk_groups_commit(const Opcode& opcode, Target,
                                                      Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "async bulk commit_group")) return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = [](Step& step) -> uint32_t {
    for_lanes(step.mask, [&](int lane) { step.warp.bulk_groups[static_cast<size_t>(lane)].commit(); });
    return step.mask;
  };
  return std::nullopt;
}

struct BulkGroupsWaitForm {
  uint64_t pending = 0;  ///< groups that may be unfinished
  bool is_read = false;
};

uint32_t execute_bulk_groups_wait(Step& step) {
  const BulkGroupsWaitForm& form = step.data<BulkGroupsWaitForm>();
  const Steps& steps = steps_for(step.cluster.settings());
  const uint64_t left = steps.groups_left(form.pending);
  uint32_t done = 0;
  for_lanes(step.mask, [&](int lane) {
    AsyncGroups& groups = step.warp.bulk_groups[static_cast<size_t>(lane)];
    if (!groups.at_most(left, form.is_read, steps.group_done)) return;
    done |= 1u << lane;
    if (step.cluster.strict)
      step.cluster.strict->groups_waited(form.pending, step.issuer(lane), groups, form.is_read);
    groups.trim();
    if (!steps.keeps_open_group) groups.forget_open();
  });
  return done;
}

std::optional<LoweringError> lower_bulk_groups_wait(const Opcode& opcode, Target, Instruction& instruction) {
  // (ptxas 13.5) No document says what .sync_restrict::proxy::async does not wait for: here it waits for all.
  const bool is_of_proxy = opcode.has("sync_restrict::proxy::async");
  if (!only_known_qualifiers(opcode, "async bulk wait_group read sync_restrict::proxy::async") ||
      (is_of_proxy && opcode.has("read")))
    return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !instruction.operands[0].is_immediate)
    return wrong_operands(opcode, "an immediate number of groups");
  instruction.data = std::make_shared<const BulkGroupsWaitForm>(
      BulkGroupsWaitForm{instruction.operands[0].immediate, opcode.has("read")});
  instruction.execute = execute_bulk_groups_wait;
  return std::nullopt;
}

const RegisteredFamily commits("cp.async.bulk.commit_group", lower_bulk_groups_commit);
const RegisteredFamily waits("cp.async.bulk.wait_group", lower_bulk_groups_wait);

}  // namespace
}  // namespace assay::emulator
