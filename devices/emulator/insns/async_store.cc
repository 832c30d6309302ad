// SPDX-License-Identifier: Apache-2.0
// st.async, red.async (ptx, Data Movement and Conversion Instructions: st.async; Parallel Synchronization and
// Communication Instructions: red.async), st.bulk (ptx, st.bulk).
#include <array>
#include <cstring>

#include "devices/emulator/insns/atomic.h"
#include "devices/emulator/insns/bulk_copy.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"

namespace assay::emulator {
namespace {

using Kind = Diagnostic::Kind;

struct AsyncForm {
  Space space = Space::generic;
  uint32_t element_bytes = 0, count = 1;
  AtomicCombine combine = nullptr;  ///< of red.async
  bool signals = true;              ///< an mbarrier; the forms for global memory do not
  uint32_t bytes() const { return element_bytes * count; }
};

/// What is stored, taken when the instruction is executed.
struct Value {
  std::array<std::byte, 16> bytes{};
  bool is_tainted = false;
};

Value value_of_async(const Step& step, const AsyncForm& form, int lane) {
  Value made;
  const Operand& source = step.operand(1);
  for (uint32_t i = 0; i < form.count; ++i) {
    const Operand& one = source.kind == Operand::Kind::vector ? source.items[i] : source;
    const std::array<uint64_t, 2> words{step.value(one, lane),
                                        one.bits == 128 ? step.column({one.column.index + 1})[lane] : 0};
    std::memcpy(made.bytes.data() + i * form.element_bytes, words.data(), form.element_bytes);
    made.is_tainted |= step.tainted(one, lane);
  }
  return made;
}

/// Puts the value where it belongs, or combines what is there with it.
void put(const AsyncForm& form, const Value& value, std::byte* to) {
  if (form.combine == nullptr) {
    std::memcpy(to, value.bytes.data(), form.bytes());
    return;
  }
  uint64_t old = 0, operand = 0;
  std::memcpy(&old, to, form.element_bytes);
  std::memcpy(&operand, value.bytes.data(), form.element_bytes);
  const uint64_t fresh = form.combine(old, operand, 0);
  std::memcpy(to, &fresh, form.element_bytes);
}

void issue_to_shared(Step& step, const AsyncForm& form, int lane) {
  if (lacks_clusters(step))
    step.fail(Kind::illegal_instruction, lane,
              "'" + step.instruction.opcode->text + "' in a launch without clusters (BULK-AMB-03)");
  const Place to =
      resolve(step, lane, form.space, step.address(step.operand(0), lane), form.bytes(), form.bytes(), true);
  const Place barrier = resolve(step, lane, form.space, step.address(step.operand(2), lane), 8, 8, true);
  if (!to.is_shared() || !barrier.is_shared())
    step.fail(Kind::illegal_address, lane,
              "'" + step.instruction.opcode->text + "' takes addresses of shared memory only");
  if (to.shared_address >> shared_rank_shift != barrier.shared_address >> shared_rank_shift)
    step.fail(
        Kind::illegal_address, lane,
        "the mbarrier of '" + step.instruction.opcode->text + "' lies in another CTA than the destination");
  Cluster& cluster = step.cluster;
  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  operation.is_async_proxy = false;
  operation.shared_writes.push_back({to.shared_address, form.bytes()});
  operation.barriers.push_back(barrier.shared_address);
  operation.is_reduction = form.combine != nullptr;
  operation.write = [&cluster, form, value = value_of_async(step, form, lane), issuer = operation.issuer,
                     address = to.shared_address, signalled = barrier.shared_address] {
    uint8_t* written = cluster.cta_at(address)->written.data() + (address & shared_offset_mask);
    const bool stays_unwritten =
        value.is_tainted || (form.combine != nullptr && std::memchr(written, 0, form.bytes()) != nullptr);
    put(form, value, cluster.async_write(address, form.bytes(), issuer));
    if (stays_unwritten) std::memset(written, 0, form.bytes());
    cluster.complete_tx(signalled, form.bytes(), issuer);
  };
  cluster.async.issue(std::move(operation));
}

void issue_to_global(Step& step, const AsyncForm& form, int lane) {
  const Place to = resolve(step, lane, Space::global, step.address(step.operand(0), lane), form.bytes(),
                           form.bytes(), true);
  const Value value = value_of_async(step, form, lane);
  Cluster& cluster = step.cluster;
  if (value.is_tainted) stores_unwritten(step, lane);
  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  operation.is_async_proxy = false;
  operation.write = [&cluster, form, value, to = to.bytes] {
    put(form, value, to);
    cluster.moved();
  };
  if (cluster.strict)
    cluster.strict->global_store(reinterpret_cast<uint64_t>(to.bytes), form.bytes(), operation.issuer);
  cluster.async.issue(std::move(operation));
}

uint32_t execute_async(Step& step) {
  const AsyncForm& form = step.data<AsyncForm>();
  for_lanes(step.mask, [&](int lane) {
    form.signals ? issue_to_shared(step, form, lane) : issue_to_global(step, form, lane);
  });
  return step.mask;
}

bool is_value_of_async(const Operand& operand, uint32_t bytes) {
  if (operand.kind != Operand::Kind::value || operand.bits == 1) return false;
  if (bytes == 16 || operand.bits == 128) return bytes == 16 && operand.is_register && operand.bits == 128;
  return !operand.is_register || operand.bits >= bytes * 8;
}

std::optional<LoweringError> finish_async(const Opcode& opcode, const AsyncForm& form,
                                          Instruction& instruction) {
  const auto& operands = instruction.operands;
  const LoweringError wrong =
      wrong_operands(opcode, form.signals ? "[an address], a value of its type (or vector) and [an mbarrier]"
                                          : "[an address] and a value of its type");
  if (operands.size() != (form.signals ? 3u : 2u)) return wrong;
  for (size_t i = 0; i < operands.size(); i += 2)
    if (operands[i].kind != Operand::Kind::address || !operands[i].items.empty()) return wrong;
  if (form.count == 1) {
    if (!is_value_of_async(operands[1], form.element_bytes)) return wrong;
  } else {
    if (operands[1].kind != Operand::Kind::vector || operands[1].items.size() != form.count) return wrong;
    for (const Operand& one : operands[1].items)
      if (!is_value_of_async(one, form.element_bytes)) return wrong;
  }
  instruction.data = std::make_shared<const AsyncForm>(form);
  instruction.execute = execute_async;
  return std::nullopt;
}

/// Bytes of the one type among the qualifiers that `types` has too, else 0.
uint32_t bytes_of_type(const Opcode& opcode, std::string_view types) {
  uint32_t bytes = 0;
  for (const std::string& qualifier : opcode.qualifiers) {
    const uint32_t one = type_bytes(qualifier);
    if (one == 0) continue;
    if (bytes != 0 || (" " + std::string(types) + " ").find(" " + qualifier + " ") == std::string::npos)
      return 0;
    bytes = one;
  }
  return bytes;
}

std::optional<LoweringError> lower_async_store(const Opcode& opcode, Target target,
                                               Instruction& instruction) {
  AsyncForm form;
  form.signals = opcode.has("mbarrier::complete_tx::bytes");
  form.count = opcode.has("v4") ? 4 : opcode.has("v2") ? 2 : 1;
  constexpr std::string_view narrow = "b8 u8 s8 b16 u16 s16", wide = "b32 u32 s32 f32 b64 u64 s64 f64";
  if (form.signals) {
    if (!only_known_qualifiers(opcode, "async weak shared::cluster mbarrier::complete_tx::bytes v2 v4 b128 " +
                                           std::string(wide)))
      return unknown_opcode(opcode);
    form.element_bytes = bytes_of_type(opcode, std::string(wide) + " b128");
    form.space = opcode.has("shared::cluster") ? Space::shared_cluster : Space::generic;
  } else {
    // (ptx, st.async) the form without an mbarrier is of sm_100 and later.
    if (!is_from_sm_100(target) || !opcode.has("release") || form.count != 1 ||
        !only_known_qualifiers(
            opcode, "async mmio release gpu sys global " + std::string(narrow) + " " + std::string(wide)))
      return unknown_opcode(opcode);
    form.element_bytes = bytes_of_type(opcode, std::string(narrow) + " " + std::string(wide));
  }
  if (form.element_bytes == 0 || form.bytes() > 16) return unknown_opcode(opcode);
  return finish_async(opcode, form, instruction);
}

struct ReductionRow {
  std::string_view operation, types;
};
constexpr ReductionRow async_reductions[] = {{"inc", "u32"},     {"dec", "u32"},         {"min", "u32 s32"},
                                             {"max", "u32 s32"}, {"add", "u32 s32 u64"}, {"and", "b32"},
                                             {"or", "b32"},      {"xor", "b32"}};

std::optional<LoweringError> lower_async_reduction(const Opcode& opcode, Target target,
                                                   Instruction& instruction) {
  AsyncForm form;
  form.signals = opcode.has("mbarrier::complete_tx::bytes");
  const ReductionRow* row = nullptr;
  for (const ReductionRow& one : async_reductions)
    if (opcode.has(one.operation)) row = &one;
  if (row == nullptr) return unknown_opcode(opcode);
  std::string words = "async " + std::string(row->operation) + " ";
  if (form.signals) {
    words += "relaxed cluster shared::cluster mbarrier::complete_tx::bytes " + std::string(row->types);
    form.space = opcode.has("shared::cluster") ? Space::shared_cluster : Space::generic;
    form.element_bytes = bytes_of_type(opcode, row->types);
    if (!opcode.has("relaxed")) return unknown_opcode(opcode);
  } else {
    // (ptx, red.async) of sm_100 and later: .release additions to global memory.
    words += "mmio release gpu sys global u32 s32 u64";
    form.element_bytes = bytes_of_type(opcode, "u32 s32 u64");
    if (!is_from_sm_100(target) || row->operation != "add" || !opcode.has("release"))
      return unknown_opcode(opcode);
  }
  if (!only_known_qualifiers(opcode, words) || form.element_bytes == 0) return unknown_opcode(opcode);
  for (const std::string& qualifier : opcode.qualifiers)
    if (type_bytes(qualifier) != 0) form.combine = find_atomic(row->operation, qualifier, form.signals);
  if (form.combine == nullptr) return unknown_opcode(opcode);
  return finish_async(opcode, form, instruction);
}

/// Zeroes a range of the CTA's shared memory, at once.
uint32_t execute_bulk_store(Step& step) {
  const Space space = step.data<Space>();
  for_lanes(step.mask, [&](int lane) {
    const auto bytes = step.value(step.operand(1), lane);
    if (bytes % 8 != 0)
      step.fail(Kind::illegal_instruction, lane,
                "st.bulk of " + std::to_string(bytes) + " bytes, which is no multiple of 8");
    if (bytes == 0) return;
    if (bytes > facts_of(step.cluster.settings().target).shared_bytes)
      step.fail(Kind::illegal_address, lane,
                "st.bulk of " + std::to_string(bytes) + " bytes, more than a CTA's shared memory");
    const auto size = static_cast<uint32_t>(bytes);
    const Place to = resolve(step, lane, space, step.address(step.operand(0), lane), size, 8, true);
    if (!to.is_shared()) step.fail(Kind::illegal_address, lane, "st.bulk writes shared memory only");
    std::memset(to.bytes, 0, size);
    note_store(step, lane, to, size, false);
  });
  return step.mask;
}

std::optional<LoweringError> lower_bulk_store(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!is_from_sm_100(target) || !only_known_qualifiers(opcode, "bulk weak shared::cta"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 3 || operands[0].kind != Operand::Kind::address || !operands[0].items.empty() ||
      operands[1].kind != Operand::Kind::value || (operands[1].is_register && operands[1].bits != 64) ||
      !operands[2].is_immediate || operands[2].immediate != 0)
    return wrong_operands(opcode, "[an address], a size of 64 bits and the number 0");
  instruction.data = std::make_shared<const Space>(space_of(opcode));
  instruction.execute = execute_bulk_store;
  return std::nullopt;
}

const RegisteredFamily async_store("st.async", lower_async_store);
const RegisteredFamily reduction("red.async", lower_async_reduction);
const RegisteredFamily bulk_store("st.bulk", lower_bulk_store);

}  // namespace
}  // namespace assay::emulator
