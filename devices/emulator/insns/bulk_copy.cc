// cp.async.bulk between global and shared memory, its prefetch, and the bulk async-groups (ptx, Data Movement
// and Conversion Instructions: Non-tensor copy, completion mechanisms).
#include <cstring>

#include "devices/emulator/insns/bulk_signal.h"
#include "devices/emulator/machine/strict.h"

namespace assay::emulator {
namespace {

using Kind = Diagnostic::Kind;

enum class Direction : uint8_t { global_to_shared, shared_to_cluster, shared_to_global, prefetch };

struct Form {
  Direction direction = Direction::prefetch;
  // operand numbers, -1: absent
  int destination = -1, source = -1, size = -1, barrier = -1, cta_mask = -1, byte_mask = -1;
};

constexpr std::string_view qualifiers =
    "async bulk prefetch L2 shared::cluster shared::cta global mbarrier::complete_tx::bytes "
    "multicast::cluster "
    "bulk_group L2::cache_hint cp_mask";

bool fits(const Operand& operand, int bits) {
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

std::optional<Direction> direction_of(const Opcode& opcode, Target target) {
  const bool to_cluster = opcode.has("shared::cluster"), cta = opcode.has("shared::cta");
  const bool global = opcode.has("global"), signals = opcode.has("mbarrier::complete_tx::bytes");
  const bool groups = opcode.has("bulk_group"), multicast = opcode.has("multicast::cluster");
  const bool masked = opcode.has("cp_mask");
  if (masked && target == Target::sm_90a) return std::nullopt;
  if (opcode.has("prefetch"))
    return opcode.has("L2") && global && !to_cluster && !cta && !signals && !groups && !multicast && !masked
               ? std::optional(Direction::prefetch)
               : std::nullopt;
  if (opcode.has("L2") || signals == groups || (multicast && !to_cluster)) return std::nullopt;
  if (groups) {
    const bool ordered = position(opcode, "global") < position(opcode, "shared::cta");
    return global && cta && !to_cluster && ordered ? std::optional(Direction::shared_to_global)
                                                   : std::nullopt;
  }
  if (masked) return std::nullopt;
  if (global) {
    const std::string_view shared = to_cluster ? "shared::cluster" : "shared::cta";
    return to_cluster != cta && position(opcode, shared) < position(opcode, "global")
               ? std::optional(Direction::global_to_shared)
               : std::nullopt;
  }
  const bool ordered = position(opcode, "shared::cluster") < position(opcode, "shared::cta");
  return to_cluster && cta && ordered && !multicast && !opcode.has("L2::cache_hint")
             ? std::optional(Direction::shared_to_cluster)
             : std::nullopt;
}

std::optional<LoweringError> place_operands(const Opcode& opcode, const std::vector<Operand>& operands,
                                            Form& form) {
  struct Slot {
    int* number;
    int bits;  ///< 0: an address
  };
  const bool prefetch = form.direction == Direction::prefetch;
  const bool signals =
      form.direction == Direction::global_to_shared || form.direction == Direction::shared_to_cluster;
  int policy = -1;
  std::vector<Slot> slots;
  if (!prefetch) slots.push_back({&form.destination, 0});
  slots.push_back({&form.source, 0});
  slots.push_back({&form.size, 32});
  if (signals) slots.push_back({&form.barrier, 0});
  if (opcode.has("multicast::cluster")) slots.push_back({&form.cta_mask, 16});
  if (opcode.has("L2::cache_hint")) slots.push_back({&policy, 64});
  if (opcode.has("cp_mask")) slots.push_back({&form.byte_mask, 16});
  bool good = operands.size() == slots.size();
  for (size_t i = 0; good && i < slots.size(); ++i) {
    good = fits(operands[i], slots[i].bits);
    *slots[i].number = static_cast<int>(i);
  }
  if (good) return std::nullopt;
  return wrong_operands(opcode,
                        prefetch ? "[source], size, and a cache policy where it is named"
                                 : "[destination], [source], size, and what its qualifiers name: [mbarrier], "
                                   "mask, cache policy, byte mask");
}

/// One copy of one lane, checked.
struct Range {
  uint64_t global = 0;
  uint32_t shared_from = 0, shared_to = 0;  ///< shared::cluster addresses
  uint32_t bytes = 0;
};

uint64_t address(const Step& step, int number, int lane) {
  return step.address(step.operand(static_cast<size_t>(number)), lane);
}

/// Addresses and size are multiples of 16 (ptx, cp.async.bulk); which error a GPU raises otherwise is not
/// documented.
Range read_range(const Step& step, const Form& form, int lane) {
  Range range;
  range.bytes = static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.size)), lane));
  if (range.bytes % 16 != 0)
    step.fail(Kind::illegal_instruction, lane,
              "a bulk copy of " + std::to_string(range.bytes) + " bytes; the size is a multiple of 16");
  for (const int number : {form.destination, form.source})
    if (number >= 0 && address(step, number, lane) % 16 != 0)
      step.fail(Kind::misaligned_address, lane, "an address of a bulk copy is not 16-byte aligned");
  const uint64_t source = address(step, form.source, lane);
  const uint64_t destination = form.destination < 0 ? 0 : address(step, form.destination, lane);
  switch (form.direction) {
    case Direction::global_to_shared:
      range.global = source, range.shared_to = static_cast<uint32_t>(destination);
      break;
    case Direction::shared_to_cluster:
      range.shared_from = static_cast<uint32_t>(source), range.shared_to = static_cast<uint32_t>(destination);
      break;
    case Direction::shared_to_global:
      range.shared_from = static_cast<uint32_t>(source), range.global = destination;
      break;
    case Direction::prefetch:
      break;
  }
  const bool reads_shared =
      form.direction == Direction::shared_to_cluster || form.direction == Direction::shared_to_global;
  if (reads_shared && range.shared_from >> shared_rank_shift != step.cta.rank)
    step.fail(Kind::illegal_address, lane, "a bulk copy reads the executing CTA's own shared memory");
  return range;
}

using Bytes = std::shared_ptr<std::vector<std::byte>>;

void read_shared(Cluster& cluster, const Range& range, const Issuer& issuer, bool reaches_output,
                 Bytes into) {
  const std::byte* from = cluster.async_read(range.shared_from, range.bytes, issuer, reaches_output);
  if (from == nullptr)
    trap(Kind::illegal_address, "a bulk copy reads shared memory that the CTA does not have");
  into->assign(from, from + range.bytes);
}
void write_shared(Cluster& cluster, uint32_t target, const Issuer& issuer,
                  const std::vector<std::byte>& bytes) {
  std::byte* to = cluster.async_write(target, bytes.size(), issuer);
  if (to == nullptr)
    trap(Kind::illegal_address, "a bulk copy writes shared memory that the CTA does not have");
  std::memcpy(to, bytes.data(), bytes.size());
}

void issue_delivery(Step& step, const Form& form, const Range& range, int lane) {
  Cluster& cluster = step.cluster;
  const Issuer issuer = step.issuer(lane);
  const auto bytes = std::make_shared<std::vector<std::byte>>();
  Delivery delivery;
  delivery.is_multicast = form.cta_mask >= 0;
  delivery.ranks =
      form.cta_mask >= 0
          ? static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.cta_mask)), lane)) & 0xffff
          : 1u << (range.shared_to >> shared_rank_shift & 31);
  delivery.uses_barrier_cta = true;
  delivery.barrier = static_cast<uint32_t>(address(step, form.barrier, lane));
  if (range.bytes != 0) delivery.writes.push_back({range.shared_to & shared_offset_mask, range.bytes});
  delivery.transaction_bytes = range.bytes;
  if (form.direction == Direction::global_to_shared)
    delivery.read = [&cluster, range, bytes] {
      const std::byte* from = cluster.global(range.global, range.bytes);
      if (from == nullptr) trap(Kind::illegal_address, "a bulk copy reads outside every allocation");
      bytes->assign(from, from + range.bytes);
    };
  else
    delivery.read = [&cluster, range, issuer, bytes] { read_shared(cluster, range, issuer, false, bytes); };
  delivery.write = [&cluster, range, issuer, bytes](uint32_t rank) {
    const uint32_t target = rank << shared_rank_shift | (range.shared_to & shared_offset_mask);
    write_shared(cluster, target, issuer, *bytes);
  };
  if (form.direction == Direction::shared_to_cluster)
    delivery.reads.push_back({range.shared_from, range.bytes});
  deliver(step, lane, delivery);
}

void issue_store(Step& step, const Form& form, const Range& range, int lane) {
  Cluster& cluster = step.cluster;
  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  operation.group = step.warp.bulk_groups[static_cast<size_t>(lane)].open();
  operation.shared_reads.push_back({range.shared_from, range.bytes});
  const auto bytes = std::make_shared<std::vector<std::byte>>();
  const uint32_t keep =
      form.byte_mask < 0
          ? 0xffff
          : static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.byte_mask)), lane));
  operation.read = [&cluster, range, issuer = operation.issuer, keep, bytes] {
    read_shared(cluster, range, issuer, keep == 0xffff, bytes);
    if (keep == 0xffff) return;
    for (uint32_t i = 0; i < range.bytes; ++i)
      if (keep >> (i % 16) & 1) cluster.async_read(range.shared_from + i, 1, issuer, true);
  };
  operation.write = [&cluster, range, keep, bytes] {
    std::byte* to = cluster.global(range.global, range.bytes);
    if (to == nullptr) trap(Kind::illegal_address, "a bulk copy writes outside every allocation");
    for (uint32_t i = 0; i < range.bytes; ++i)
      if (keep >> (i % 16) & 1) to[i] = (*bytes)[i];
    cluster.moved();
  };
  cluster.async.issue(std::move(operation));
}

uint32_t execute(Step& step) {
  const Form& form = step.data<Form>();
  for_lanes(step.mask, [&](int lane) {
    const Range range = read_range(step, form, lane);
    if (form.direction == Direction::shared_to_global) issue_store(step, form, range, lane);
    if (form.barrier >= 0) issue_delivery(step, form, range, lane);
  });
  return step.mask;
}

std::optional<LoweringError> lower(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, qualifiers)) return unknown_opcode(opcode);
  Form form;
  const auto direction = direction_of(opcode, target);
  if (!direction) return unknown_opcode(opcode);
  form.direction = *direction;
  if (auto error = place_operands(opcode, instruction.operands, form)) return error;
  instruction.data = std::make_shared<const Form>(form);
  instruction.execute = execute;
  return std::nullopt;
}

std::optional<LoweringError> lower_commit(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "async bulk commit_group")) return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = [](Step& step) -> uint32_t {
    for_lanes(step.mask, [&](int lane) { step.warp.bulk_groups[static_cast<size_t>(lane)].commit(); });
    return step.mask;
  };
  return std::nullopt;
}

struct WaitForm {
  uint64_t pending = 0;  ///< groups that may be unfinished
  bool is_read = false;
};

uint32_t execute_wait(Step& step) {
  const WaitForm& form = step.data<WaitForm>();
  uint32_t done = 0;
  for_lanes(step.mask, [&](int lane) {
    AsyncGroups& groups = step.warp.bulk_groups[static_cast<size_t>(lane)];
    if (!groups.at_most(form.pending, form.is_read)) return;
    done |= 1u << lane;
    if (step.cluster.strict) step.cluster.strict->groups_waited(form.pending, step.issuer(lane), groups);
    groups.trim();
  });
  return done;
}

std::optional<LoweringError> lower_wait(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "async bulk wait_group read")) return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !instruction.operands[0].is_immediate)
    return wrong_operands(opcode, "an immediate number of groups");
  instruction.data =
      std::make_shared<const WaitForm>(WaitForm{instruction.operands[0].immediate, opcode.has("read")});
  instruction.execute = execute_wait;
  return std::nullopt;
}

const RegisteredFamily copies("cp.async.bulk", lower);
const RegisteredFamily commits("cp.async.bulk.commit_group", lower_commit);
const RegisteredFamily waits("cp.async.bulk.wait_group", lower_wait);

}  // namespace
}  // namespace assay::emulator
