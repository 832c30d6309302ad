// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <span>

#include "devices/emulator/insns/warp_product.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/fragment.h"
#include "devices/emulator/tensor/smem_operand.h"
#include "devices/emulator/tensor/steps.h"

// wgmma.mma_async, dense and sparse, with wgmma.fence, commit_group and wait_group (ptx, Asynchronous
// warpgroup-level matrix instructions). Four warps meet at an instruction; then it is one asynchronous
// operation, which reads A and B, wherever they are, and C, and writes D when the schedule says so. Those of
// a warpgroup take effect in the order in which they were issued.
namespace assay::emulator {

using spec::Format;

constexpr uint32_t warpgroup_warps = 4;

/// Operands of the instruction: a vector of D; a descriptor or a vector of A; a descriptor of B; of a sparse
/// one a register of metadata and a selector; a predicate or 0 or 1; constants.
struct WgmmaOperation {
  WgmmaForm form;
  const Instruction* instruction;
  Cta* cta;
  Warp* warps[warpgroup_warps];
  std::shared_ptr<AsyncGroup> groups[warpgroup_warps];
  uint64_t a_desc, b_desc;
  bool reads_c;

  void run() const;
  std::vector<SharedRange> shared_reads() const;

 private:
  WgmmaOperand operand(bool is_a) const;
  void read_registers(std::vector<uint32_t>& codes, std::vector<uint8_t>& is_unwritten) const;
  void multiply_sparse(TileProduct product, std::span<uint32_t> a, std::span<const uint32_t> b,
                       std::span<uint32_t> d, std::vector<uint8_t>& a_unwritten) const;
  template <typename F>
  void for_accumulators(const TensorSteps& steps, F f) const;
};

namespace {

using Kind = Diagnostic::Kind;

constexpr uint32_t warpgroup_rows = 64, warp_rows = 16, row_bytes = 32;

}  // namespace

WgmmaOperand WgmmaOperation::operand(bool is_a) const {
  const TensorSteps& steps = tensor_steps_for(cta->cluster->settings());
  WgmmaOperand made;
  made.descriptor = decode_wgmma_descriptor(is_a ? a_desc : b_desc);
  if (steps.descriptor != nullptr) steps.descriptor(made.descriptor);
  made.format = is_a ? form.a : form.b;
  made.rows = is_a ? warpgroup_rows : form.n;
  made.k = is_a ? form.k : form.b_k();
  made.is_mn_major = is_a ? form.transpose_a : form.transpose_b;
  constexpr uint32_t narrow = 32;
  if (form.wide_32B_goes_on && !made.is_mn_major && made.descriptor.width == narrow)
    made.descriptor.leading = narrow;
  return made;
}

/// Each warp reads B, and of A the rows that it has of D.
std::vector<SharedRange> WgmmaOperation::shared_reads() const {
  std::vector<SharedRange> made = operand(false).ranges(*cta, 0, form.n, 0xf);
  for (uint32_t w = 0; w < warpgroup_warps && !form.a_in_registers; ++w) {
    const auto rows = operand(true).ranges(*cta, w * warp_rows, (w + 1) * warp_rows, uint8_t(1u << w));
    made.insert(made.end(), rows.begin(), rows.end());
  }
  return made;
}

void WgmmaOperation::read_registers(std::vector<uint32_t>& codes, std::vector<uint8_t>& is_unwritten) const {
  const auto bits = static_cast<uint32_t>(form.a->storage_bits);
  uint8_t bytes[warpgroup_rows][row_bytes];
  is_unwritten.assign(warpgroup_rows, 0);
  for (uint32_t w = 0; w < warpgroup_warps; ++w)
    for (uint32_t i = 0; i < 4; ++i) {
      const Column column = instruction->operands[1].items[i].column;
      const uint64_t* values = warps[w]->column(column);
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
        const FragmentCell at = a_bytes(lane, i);
        const auto word = static_cast<uint32_t>(values[lane]);
        std::memcpy(&bytes[w * warp_rows + at.row][at.column], &word, 4);
        is_unwritten[w * warp_rows + at.row] |= warps[w]->is_tainted(column, static_cast<int>(lane));
      }
    }
  codes.resize(static_cast<size_t>(warpgroup_rows) * form.k);
  for (uint32_t row = 0; row < warpgroup_rows; ++row)
    for (uint32_t k = 0; k < form.k; ++k) codes[row * form.k + k] = row_element(bytes[row], bits, k);
}

/// Row by row: each meets elements of B of its own. The rows of unwritten metadata are marked.
void WgmmaOperation::multiply_sparse(TileProduct product, std::span<uint32_t> a, std::span<const uint32_t> b,
                                     std::span<uint32_t> d, std::vector<uint8_t>& a_unwritten) const {
  const Settings& settings = cta->cluster->settings();
  const TensorSteps& steps = tensor_steps_for(settings);
  const Column column = instruction->operands[WgmmaForm::metadata_at].column;
  const uint32_t groups = form.k / kept_of_code(*form.a);
  std::vector<uint32_t> codes(groups), met(size_t{form.n} * form.k);
  product.m = 1;
  for (uint32_t row = 0; row < warpgroup_rows; ++row) {
    Warp& warp = *warps[row / warp_rows];
    read_codes(steps, {form.a, groups, form.selector, row % warp_rows, 0, true}, codes, [&](int lane) {
      a_unwritten[row] |= warp.is_tainted(column, lane);
      return static_cast<uint32_t>(warp.column(column)[lane]);
    });
    meet_row(*form.a, form.k, codes.data(), b.data(), form.n, met.data());
    product.a = a.subspan(size_t{row} * form.k, form.k);
    product.b = met;
    product.d = d.subspan(size_t{row} * form.n, form.n);
    multiply_tile(product, settings);
  }
}

/// f(warp, register's column, lane, half, row, column) for every element of C and D.
template <typename F>
void WgmmaOperation::for_accumulators(const TensorSteps& steps, F f) const {
  const auto& items = instruction->operands[0].items;
  const bool is_half = form.d->storage_bits == 16;
  for (uint32_t w = 0; w < warpgroup_warps; ++w)
    for (uint32_t i = 0; i < items.size(); ++i)
      for (uint32_t lane = 0; lane < warp_lanes; ++lane)
        for (uint32_t half = 0; half < (is_half ? 2u : 1u); ++half) {
          const FragmentCell at = is_half ? half_accumulator_cell(lane, i, half) : accumulator_cell(lane, i);
          const uint32_t row = steps.fragment_row == nullptr ? at.row : steps.fragment_row(at.row);
          f(*warps[w], items[i].column, static_cast<int>(lane), half, w * warp_rows + row, at.column);
        }
}

void WgmmaOperation::run() const {
  const Settings& settings = cta->cluster->settings();
  const TensorSteps& steps = tensor_steps_for(settings);
  std::vector<uint32_t> a, b, d(static_cast<size_t>(warpgroup_rows) * form.n);
  std::vector<uint8_t> a_unwritten, b_unwritten;
  if (form.a_in_registers)
    read_registers(a, a_unwritten);
  else
    operand(true).read(*cta, 'A', a, a_unwritten);
  operand(false).read(*cta, 'B', b, b_unwritten);
  const bool is_half = form.d->storage_bits == 16;
  if (reads_c)
    for_accumulators(steps,
                     [&](Warp& warp, Column column, int lane, uint32_t half, uint32_t row, uint32_t at) {
                       d[row * form.n + at] = static_cast<uint32_t>(warp.column(column)[lane]) >> (16 * half);
                     });
  TileProduct product{};
  product.adder = Adder::wgmma, product.target = settings.target;
  product.sm = cta->cluster->launch.multiprocessor(*cta);
  product.a_format = form.a, product.b_format = form.b, product.d_format = form.d;
  product.m = warpgroup_rows, product.n = form.n, product.k = form.k;
  product.negate_a = form.negate_a, product.negate_b = form.negate_b;
  product.reads_c = reads_c, product.saturates = form.saturates;
  if (form.is_sparse) {
    multiply_sparse(product, a, b, d, a_unwritten);
  } else {
    product.a = a, product.b = b, product.d = d;
    multiply_tile(product, settings);
  }
  for_accumulators(steps, [&](Warp& warp, Column column, int lane, uint32_t half, uint32_t row, uint32_t at) {
    const uint32_t code = d[row * form.n + at];
    uint64_t& value = warp.column(column)[lane];
    const bool was_tainted = warp.is_tainted(column, lane);
    if (is_half)
      value = half == 0 ? code & 0xffff : (value & 0xffff) | static_cast<uint64_t>(code & 0xffff) << 16;
    else
      value = code;
    // C, or the other half of the register, may bring what was never written.
    const bool is_tainted = a_unwritten[row] || b_unwritten[at] || (was_tainted && (reads_c || half == 1));
    if (is_tainted || was_tainted) warp.mark_taint(column, lane, is_tainted, false);
  });
}

namespace {

std::vector<uint32_t> columns_of(const Operand& vector) {
  std::vector<uint32_t> made;
  for (const Operand& item : vector.items) made.push_back(item.column.index);
  return made;
}

/// Registers that the operation reads beside C.
std::vector<uint32_t> columns_of_a(const Step& step) {
  const auto& form = step.data<WgmmaForm>();
  std::vector<uint32_t> made = columns_of(step.operand(1));
  if (form.is_sparse) made.push_back(step.operand(WgmmaForm::metadata_at).column.index);
  return made;
}

/// Those of the warp's lanes where the operand is not what lane 0 has.
void check_equal(const Step& step, const Operand& operand, std::string_view what) {
  for (int lane = 1; lane < warp_lanes; ++lane)
    if (step.value(operand, lane) != step.value(operand, 0))
      step.fail(
          Kind::illegal_instruction, lane,
          "wgmma.mma_async: the thread's " + std::string(what) +
              " differs from that of the first thread of its warp; all threads of a warpgroup give the same");
}

void group_of(const Step& step, Warp* (&warps)[warpgroup_warps]) {
  const uint32_t first = step.warp.index / warpgroup_warps * warpgroup_warps;
  if (step.cta.warps.size() < first + warpgroup_warps)
    step.fail(Kind::illegal_instruction, 0,
              "wgmma.mma_async needs a warpgroup of four warps, and the CTA has only " +
                  std::to_string(step.cta.warps.size() - first) + " from warp " + std::to_string(first) +
                  " on");
  for (uint32_t w = 0; w < warpgroup_warps; ++w) {
    warps[w] = step.cta.warps[first + w].get();
    if (warps[w]->live != ~0u)
      step.fail(Kind::illegal_instruction, __builtin_ctz(step.mask),
                "wgmma.mma_async needs all 128 threads of its warpgroup, and thread " +
                    std::to_string(warps[w]->thread(__builtin_ctz(~warps[w]->live))) +
                    " has exited or was never started");
  }
}

void issue(Step& step, Warpgroup& group, Warp* const* warps) {
  auto operation = std::make_shared<WgmmaOperation>();
  operation->form = step.data<WgmmaForm>();
  const TensorSteps& steps = tensor_steps_for(step.cluster.settings());
  if (steps.wgmma != nullptr) steps.wgmma(operation->form);
  operation->instruction = &step.instruction;
  operation->cta = &step.cta;
  operation->a_desc = group.a_desc, operation->b_desc = group.b_desc;
  operation->reads_c = group.scale_d != 0 || operation->form.ignores_scale_d;
  for (uint32_t w = 0; w < warpgroup_warps; ++w) {
    operation->warps[w] = warps[w];
    operation->groups[w] = warps[w]->wgmma_groups.open();
    if (warps[w]->watch)
      warps[w]->watch->issued(columns_of(step.operand(0)), columns_of_a(step), step.instruction.line);
    // The queue counts for the first warp.
    if (w != 0) ++operation->groups[w]->unread, ++operation->groups[w]->unwritten;
  }
  AsyncOperation queued;
  queued.issuer = {step.cta.rank, warps[0]->thread(0), step.instruction.line};
  queued.group = operation->groups[0];
  queued.is_wgmma = true;
  if (step.cluster.strict) queued.shared_reads = operation->shared_reads();
  group.pending.push_back(std::move(operation));
  queued.write = [&group, &cluster = step.cluster] {
    const auto oldest = std::move(group.pending.front());
    group.pending.pop_front();
    oldest->run();
    for (uint32_t w = 1; w < warpgroup_warps; ++w)
      --oldest->groups[w]->unread, --oldest->groups[w]->unwritten;
    cluster.moved();
  };
  step.cluster.async.issue(std::move(queued));
}

uint32_t execute_mma(Step& step) {
  Warpgroup& group = step.cta.warpgroups[step.warp.index / warpgroup_warps];
  LaneState& state = step.warp.lane_state[0];
  if (state.has_arrived && state.token != group.generation) {
    state = {};
    return step.mask;
  }
  // Who waits looks again when something has moved: others may have exited.
  Warp* warps[warpgroup_warps];
  group_of(step, warps);
  if (step.mask != ~0u) return 0;
  if (!state.has_arrived) {
    const WgmmaForm& form = step.data<WgmmaForm>();
    if (group.arrived != 0 && group.instruction != &step.instruction)
      step.fail(Kind::illegal_instruction, 0,
                "the warps of a warpgroup execute different wgmma.mma_async: another one is at PTX line " +
                    std::to_string(group.instruction->line));
    if (!form.a_in_registers) check_equal(step, step.operand(1), "descriptor of A");
    check_equal(step, step.operand(2), "descriptor of B");
    check_equal(step, step.operand(form.scale_d_at()), "scale-d");
    const uint64_t a_desc = form.a_in_registers ? 0 : step.value(step.operand(1), 0);
    const uint64_t b_desc = step.value(step.operand(2), 0),
                   scale_d = step.value(step.operand(form.scale_d_at()), 0);
    if (group.arrived == 0) {
      group.instruction = &step.instruction;
      group.a_desc = a_desc, group.b_desc = b_desc, group.scale_d = scale_d;
    } else if (group.a_desc != a_desc || group.b_desc != b_desc || group.scale_d != scale_d) {
      step.fail(
          Kind::illegal_instruction, 0,
          "wgmma.mma_async: a descriptor or scale-d differs from those of the other warps of the warpgroup");
    }
    ++group.arrived;
    state = {true, group.generation};
    if (group.arrived == warpgroup_warps) {
      group.arrived = 0;
      ++group.generation;
      ++step.cluster.progress;
      issue(step, group, warps);
    }
  }
  if (state.token == group.generation) return 0;
  state = {};
  return step.mask;
}

uint32_t execute_wgmma_fence(Step& step) {
  if (!is_whole_warp(step)) return 0;
  if (step.warp.watch) step.warp.watch->fence();
  return step.mask;
}

uint32_t execute_commit(Step& step) {
  if (!is_whole_warp(step)) return 0;
  step.warp.wgmma_groups.commit();
  if (step.cluster.strict) step.cluster.strict->races.wgmma_committed(step.issuer(0));
  if (step.warp.watch) step.warp.watch->committed();
  return step.mask;
}

uint32_t execute_wait(Step& step) {
  if (!is_whole_warp(step)) return 0;
  const uint64_t n = step.operand(0).immediate;
  AsyncGroups& groups = step.warp.wgmma_groups;
  if (!groups.at_most(n, false)) return 0;
  if (step.cluster.strict) step.cluster.strict->wgmma_waited(n, step.issuer(0), groups);
  if (step.warp.watch) step.warp.watch->waited(n);
  groups.trim();
  return step.mask;
}

std::optional<LoweringError> lower_sync(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!facts_of(target).has_warpgroups) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (opcode.text == "wgmma.wait_group.sync.aligned") {
    // (ptx, wgmma.wait_group) N is a constant.
    if (operands.size() != 1 || !operands[0].is_immediate)
      return wrong_operands(opcode, "a number of groups");
    instruction.execute = execute_wait;
    return std::nullopt;
  }
  if (opcode.text != "wgmma.fence.sync.aligned" && opcode.text != "wgmma.commit_group.sync.aligned")
    return unknown_opcode(opcode);
  if (!operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = opcode.text == "wgmma.fence.sync.aligned" ? execute_wgmma_fence : execute_commit;
  return std::nullopt;
}

/// "m64n128k16" -> 64, 128, 16; zeros if it is no shape.
void read_shape(const std::string& text, uint32_t& m, uint32_t& n, uint32_t& k) {
  m = n = k = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "m%3un%3uk%3u%c", &m, &n, &k, &rest) != 3) m = n = k = 0;
}

/// Types and shapes that exist (ptxas: section 7 of the descriptor's measurements).
bool is_legal(const WgmmaForm& form) {
  const std::string_view a = form.a->name, b = form.b->name, d = form.d->name;
  if (form.n < 8 || form.n > 256 || form.n % 8 != 0 ||
      form.k * static_cast<uint32_t>(form.a->storage_bits) != 256)
    return false;
  if (a == "f16") return b == a && (d == "f32" || d == "f16");
  if (a == "bf16" || a == "tf32") return b == a && d == "f32";
  if (a == "e4m3" || a == "e5m2") return (b == "e4m3" || b == "e5m2") && (d == "f32" || d == "f16");
  if (a == "s8" || a == "u8")
    return (b == "s8" || b == "u8") && d == "s32" && (form.n <= 32 || form.n % 16 == 0);
  return false;
}

bool is_registers(const Operand& operand, size_t count) {
  if (operand.kind != Operand::Kind::vector || operand.items.size() != count) return false;
  return std::all_of(operand.items.begin(), operand.items.end(), [](const Operand& item) {
    return item.kind == Operand::Kind::value && item.is_register && item.bits == 32;
  });
}
/// The immediates after scale-d. False where their number or values are not legal.
bool read_modifiers(const std::vector<Operand>& operands, WgmmaForm& form) {
  const bool is_half = form.a->storage_bits == 16;
  const size_t scales = form.a->is_integer() ? 0 : 2;
  const size_t transposes = !is_half ? 0 : form.a_in_registers ? 1 : 2;
  const size_t first = form.scale_d_at() + 1;
  if (operands.size() != first + scales + transposes) return false;
  for (size_t i = first; i < operands.size(); ++i)
    if (!operands[i].is_immediate) return false;
  const auto scale = [&](size_t i, bool& negates) {
    const auto value = static_cast<int64_t>(operands[i].immediate);
    negates = value == -1;
    return negates || value == 1;
  };
  if (scales != 0 && (!scale(first, form.negate_a) || !scale(first + 1, form.negate_b))) return false;
  const auto transpose = [&](size_t i, bool& transposes) {
    transposes = operands[i].immediate == 1;
    return operands[i].immediate <= 1;
  };
  if (transposes == 1) return transpose(first + 2, form.transpose_b);
  return transposes == 0 ||
         (transpose(first + 2, form.transpose_a) && transpose(first + 3, form.transpose_b));
}

std::optional<LoweringError> lower(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!facts_of(target).has_warpgroups) return unknown_opcode(opcode);
  if (opcode.has("b1")) return unsupported(opcode, "matrices of single bits");
  // mma_async[.sp].sync.aligned.SHAPE.D.A.B[.satfinite]
  WgmmaForm form;
  std::vector<std::string> words = opcode.qualifiers;
  if (words.size() > 1 && words[1] == "sp") {
    form.is_sparse = true;
    words.erase(words.begin() + 1);
  }
  if (words.size() < 7 || words.size() > 8 || words[1] != "sync" || words[2] != "aligned")
    return unknown_opcode(opcode);
  uint32_t m;
  read_shape(words[3], m, form.n, form.k);
  if (form.is_sparse) {
    if (form.k % 2 != 0) return unknown_opcode(opcode);
    form.k /= 2;
  }
  form.d = spec::find_format(words[4]), form.a = spec::find_format(words[5]),
  form.b = spec::find_format(words[6]);
  if (m != warpgroup_rows || form.a == nullptr || form.b == nullptr || form.d == nullptr || !is_legal(form))
    return unknown_opcode(opcode);
  form.saturates = words.size() == 8;
  if (form.saturates && (words[7] != "satfinite" || !form.a->is_integer())) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const size_t d_registers = form.n * static_cast<uint32_t>(form.d->storage_bits) / 64;
  form.a_in_registers = operands.size() > 1 && operands[1].kind == Operand::Kind::vector;
  // Of 16 and 32 bits two of the four lanes of a row have its metadata, of 8 bits all.
  const uint64_t selectors = form.a->storage_bits == 8 ? 1 : 2;
  const size_t scale_d = form.scale_d_at();
  const bool has_scale_d =
      operands.size() > scale_d && operands[scale_d].kind == Operand::Kind::value &&
      ((operands[scale_d].is_immediate && operands[scale_d].immediate <= 1) || operands[scale_d].bits == 1);
  const bool has_metadata =
      !form.is_sparse || (has_scale_d && operands[WgmmaForm::metadata_at].is_register_of(32) &&
                          operands[WgmmaForm::metadata_at + 1].is_immediate &&
                          operands[WgmmaForm::metadata_at + 1].immediate < selectors);
  if (!has_scale_d || !has_metadata || !is_registers(operands[0], d_registers) ||
      (form.a_in_registers ? !is_registers(operands[1], 4) : !operands[1].is_register_of(64)) ||
      !operands[2].is_register_of(64) || !read_modifiers(operands, form))
    return wrong_operands(
        opcode,
        std::to_string(d_registers) +
            " accumulators, four registers or a descriptor of A, a descriptor of B, " +
            (form.is_sparse ? "a register of metadata, a selector below " + std::to_string(selectors) + ", "
                            : "") +
            "scale-d, and of floating-point types -1 or 1 for A and B, of 16-bit types 0 or 1 for "
            "every transpose");
  if (form.is_sparse) form.selector = static_cast<uint32_t>(operands[WgmmaForm::metadata_at + 1].immediate);
  instruction.data = std::make_shared<const WgmmaForm>(form);
  instruction.execute = execute_mma;
  return std::nullopt;
}

const RegisteredFamily mma_async("wgmma.mma_async", lower);
const RegisteredFamily synchronisation("wgmma", lower_sync);

}  // namespace
}  // namespace assay::emulator
