// SPDX-License-Identifier: Apache-2.0
// tcgen05.alloc, dealloc, relinquish_alloc_permit (ptx, Tensor Memory Allocation and Management
// Instructions).
#include <cstring>

#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/tensor/tcgen05_steps.h"

namespace assay::emulator {
namespace {

struct TmemAllocForm {
  Space space = Space::generic;
  bool is_pair = false;
  bool is_exclusive = false;  ///< (PTX ISA 9.4) any multiple of 32 columns, and those above the 512th
};

constexpr uint32_t most_columns = 512;  ///< without .exclusive

uint32_t columns_for(const TmemAllocForm& form, Target target) {
  return form.is_exclusive ? facts_of(target).tensor_columns : most_columns;
}
/// Why no allocation has so many columns, or nothing.
std::string wrong_columns(const TmemAllocForm& form, Target target, uint64_t count) {
  const uint32_t most = columns_for(form, target);
  if (count >= 32 && count <= most && (form.is_exclusive ? count % 32 == 0 : (count & (count - 1)) == 0))
    return {};
  return form.is_exclusive ? "multiples of 32 up to " + std::to_string(most) : "32, 64, 128, 256 or 512";
}

constexpr auto illegal = Diagnostic::Kind::illegal_instruction;

/// One fully active warp executes them (ptx, .sync.aligned). False: some lanes are elsewhere.
bool is_whole_of_tmem_alloc(const Step& step, const char* name) {
  const int lane = __builtin_ctz(step.mask);
  if (step.warp.live != ~0u)
    step.fail(illegal, lane, std::string(name) + " needs all 32 threads of the warp; some have exited");
  return step.mask == ~0u;
}

/// The value of an operand, the same in every lane.
uint32_t uniform(const Step& step, const Operand& operand, const char* name) {
  const uint32_t first = static_cast<uint32_t>(step.value(operand, 0));
  for (int lane = 1; lane < warp_lanes; ++lane)
    if (static_cast<uint32_t>(step.value(operand, lane)) != first)
      step.fail(illegal, lane, std::string(name) + " differs between the threads of the warp");
  return first;
}

Cta& peer_of(const Step& step) {
  const uint32_t rank = step.cta.rank ^ 1;
  if (rank >= step.cluster.ctas.size())
    step.fail(illegal, __builtin_ctz(step.mask),
              ".cta_group::2 needs a CTA pair; CTA " + std::to_string(step.cta.rank) + " of a cluster of " +
                  std::to_string(step.cluster.ctas.size()) + " has no peer");
  return *step.cluster.ctas[rank];
}

/// Where columns go that could go to several places: lowest first, as published kernels have come to rely on,
/// or anywhere where that is asked for, since another CTA of the multiprocessor may have come before. CTAs of
/// one multiprocessor share its columns.
std::optional<uint32_t> choose_tmem_alloc(Step& step, uint32_t taken, uint32_t count) {
  const uint32_t among = columns_for(step.data<TmemAllocForm>(), step.cluster.settings().target);
  const std::vector<uint32_t> free = free_columns(taken, count, among);
  if (free.empty()) return std::nullopt;
  const bool moves = step.cluster.settings().moves_tensor_memory;
  return free[moves ? step.cluster.async.random() % free.size() : 0];
}

/// A pair allocates when both have come: the same columns in each.
bool allocate_pair(Step& step, uint32_t count) {
  Cta& peer = peer_of(step);
  TensorMemory& mine = tensor_memory(step.cta);
  TensorMemory& others = tensor_memory(peer);
  if (mine.pair.is_done) return true;
  mine.pair.is_asked = true;
  mine.pair.columns = count;
  if (!others.pair.is_asked || others.pair.is_done) return false;
  if (others.pair.columns != count)
    step.fail(illegal, 0,
              "the CTAs of a pair allocate " + std::to_string(count) + " and " +
                  std::to_string(others.pair.columns) + " columns");
  const Runner& runner = *step.cluster.runner;
  const uint32_t beside = runner.columns_taken_beside(step.cta) | runner.columns_taken_beside(peer);
  const std::optional<uint32_t> first =
      choose_tmem_alloc(step, mine.taken() | others.taken() | beside, count);
  if (!first) return false;
  for (TensorMemory* tensor : {&mine, &others}) {
    tensor->allocate(*first, count);
    tensor->pair.first = *first;
    tensor->pair.is_done = true;
    tensor->allocated_at = step.instruction.line;
  }
  ++step.cluster.progress;
  return true;
}

/// Who of the CTAs of a multiprocessor comes first.
void touch_columns(const Step& step) {
  if (!step.cluster.strict) return;
  const uint64_t place = step.cluster.launch.multiprocessor(step.cta);
  step.cluster.strict->races.order.touch(race::Touches::Object::columns, place, race::Touch::Kind::write);
}

uint32_t execute_alloc(Step& step) {
  if (!is_whole_of_tmem_alloc(step, "tcgen05.alloc")) return 0;
  const TmemAllocForm& form = step.data<TmemAllocForm>();
  TensorMemory& tensor = tensor_memory(step.cta);
  const uint32_t count = uniform(step, step.operand(1), "the number of columns");
  if (const std::string takes = wrong_columns(form, step.cluster.settings().target, count); !takes.empty())
    step.fail(illegal, 0, "tcgen05.alloc of " + std::to_string(count) + " columns; it takes " + takes);
  if (tensor.is_relinquished)
    step.fail(illegal, 0, "tcgen05.alloc after tcgen05.relinquish_alloc_permit in the same CTA");
  uint32_t first;
  if (form.is_pair) {
    if (!allocate_pair(step, count)) return 0;
    first = tensor.pair.first;
    tensor.pair = {};
  } else {
    const uint32_t beside = step.cluster.runner->columns_taken_beside(step.cta);
    const std::optional<uint32_t> chosen = choose_tmem_alloc(step, tensor.taken() | beside, count);
    if (!chosen && tcgen05_steps_for(step.cluster.settings()).alloc_waits) return 0;
    first = chosen.value_or(0);
    if (chosen) tensor.allocate(first, count), tensor.allocated_at = step.instruction.line;
  }
  touch_columns(step);
  const Place place = resolve(step, 0, form.space, step.address(step.operand(0), 0), 4, 4, true);
  if (!place.is_shared())
    step.fail(Diagnostic::Kind::illegal_address, 0, "tcgen05.alloc writes the address to shared memory only");
  if (!tcgen05_steps_for(step.cluster.settings()).alloc_writes(form.space == Space::generic))
    return step.mask;
  const uint32_t told = tcgen05_steps_for(step.cluster.settings())
                            .allocated(first, count, form.is_pair && step.cta.rank % 2 != 0);
  std::memcpy(place.bytes, &told, sizeof told);
  if (step.cluster.strict && step.cluster.strict->provenance)
    step.cluster.strict->provenance->overwritten(place.shared_address, 4, step.issuer(0));
  note_store(step, 0, place, 4, false);
  return step.mask;
}

uint32_t execute_dealloc(Step& step) {
  if (!is_whole_of_tmem_alloc(step, "tcgen05.dealloc")) return 0;
  uint32_t address = uniform(step, step.operand(0), "the tensor memory address");
  const uint32_t count = uniform(step, step.operand(1), "the number of columns");
  address = tcgen05_steps_for(step.cluster.settings()).released(address, count);
  if (step.data<TmemAllocForm>().is_pair) peer_of(step);
  TensorMemory& tensor = tensor_memory(step.cta);
  touch_columns(step);
  if (!tensor.release(address, count, step.issuer(0))) {
    const Issuer* const before = tensor.released_by(address, count);
    if (before == nullptr)
      step.fail(illegal, 0,
                "tcgen05.dealloc of " + std::to_string(count) + " columns at address " +
                    std::to_string(address) + ", which no tcgen05.alloc returned with that size");
    if (step.cluster.strict) step.cluster.strict->tensor_memory_freed_twice(step.issuer(0), *before);
    return step.mask;
  }
  if (step.cluster.strict) step.cluster.strict->tensor.frees(step.cta.rank, address, count, step.issuer(0));
  step.cluster.runner->columns_freed();
  return step.mask;
}

uint32_t execute_relinquish(Step& step) {
  if (!is_whole_of_tmem_alloc(step, "tcgen05.relinquish_alloc_permit")) return 0;
  if (step.data<TmemAllocForm>().is_pair) peer_of(step);
  tensor_memory(step.cta).is_relinquished = true;
  step.cluster.runner->columns_freed();
  return step.mask;
}

std::optional<LoweringError> lower_tmem_alloc(const Opcode& opcode, Target target, Instruction& instruction) {
  const std::string& verb = opcode.qualifiers[0];
  const bool is_alloc = verb == "alloc";
  const bool has_type = verb != "relinquish_alloc_permit";
  if (!has_tensor_memory(target)) return unknown_opcode(opcode);
  if (!only_known_qualifiers(opcode, verb + " cta_group::1 cta_group::2 sync aligned" +
                                         (is_alloc ? " shared::cta" : "") +
                                         (has_type ? " b32 exclusive" : "")) ||
      opcode.has("cta_group::1") == opcode.has("cta_group::2") || !opcode.has("sync") ||
      !opcode.has("aligned") || opcode.has("b32") != has_type)
    return unknown_opcode(opcode);
  const auto is_word = [](const Operand& operand) {
    return operand.kind == Operand::Kind::value && (operand.bits == 32 || operand.is_immediate);
  };
  const auto& operands = instruction.operands;
  const TmemAllocForm form{space_of(opcode), opcode.has("cta_group::2"), opcode.has("exclusive")};
  if (!has_type) {
    if (!operands.empty()) return wrong_operands(opcode, "no operands");
    instruction.execute = execute_relinquish;
  } else if (is_alloc) {
    if (operands.size() != 2 || operands[0].kind != Operand::Kind::address || !is_word(operands[1]))
      return wrong_operands(opcode, "an address in shared memory and a number of columns");
    instruction.execute = execute_alloc;
  } else {
    if (operands.size() != 2 || !is_word(operands[0]) || !is_word(operands[1]))
      return wrong_operands(opcode, "a tensor memory address and a number of columns");
    instruction.execute = execute_dealloc;
  }
  // (ptxas) a number that is written out is checked by the assembler; that of a dealloc without .exclusive is
  // not.
  if ((is_alloc || form.is_exclusive) && operands[1].is_immediate) {
    // Of .exclusive the multiple alone: a module may run on several targets.
    const uint64_t count = operands[1].immediate;
    const std::string takes = form.is_exclusive && count > most_columns && count % 32 == 0
                                  ? ""
                                  : wrong_columns(form, target, count);
    if (!takes.empty()) return wrong_operands(opcode, takes + " columns");
  }
  instruction.data = std::make_shared<const TmemAllocForm>(form);
  return std::nullopt;
}

const RegisteredFamily alloc("tcgen05.alloc", lower_tmem_alloc);
const RegisteredFamily dealloc("tcgen05.dealloc", lower_tmem_alloc);
const RegisteredFamily relinquish("tcgen05.relinquish_alloc_permit", lower_tmem_alloc);

}  // namespace
}  // namespace assay::emulator
