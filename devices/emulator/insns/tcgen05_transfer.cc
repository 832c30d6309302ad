// SPDX-License-Identifier: Apache-2.0
// tcgen05.ld, st and wait (ptx, Tensor Memory Data Movement Instructions). Both are asynchronous: a load
// brings its registers, and a store reaches tensor memory, at a moment between issue and wait.
#include <algorithm>
#include <array>
#include <cstring>

#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tensor/tcgen05_steps.h"
#include "devices/emulator/tensor/tmem_copy.h"

namespace assay::emulator {
namespace {

constexpr size_t most_registers = 128;

struct TransferInstruction {
  TmemForm tmem;
  size_t registers = 0;  ///< operand numbers
  size_t address = 0;
  std::optional<TmemReduction> reduction;  ///< of a load: into the operand behind the registers
};

bool is_whole_of_tmem(const Step& step) {
  return step.mask == step.warp.live;
}

/// The address, which all threads share and whose lanes are the warp's: warp i of each four has 32 lanes from
/// 32 * i on (ptx, tcgen05.ld: access restrictions). Published kernels that run on a B200 give lane 0 in all
/// warps, or lanes of 128 and more in the second CTA of a pair: hardware puts the warp's window in place of
/// the bits above the lower five (TMEM-AMB-01). The strict mode reports such an address.
TmemAddress read_address(const Step& step, const TransferInstruction& form) {
  const Operand& operand = step.operand(form.address);
  const int first_lane = __builtin_ctz(step.mask);
  const uint32_t word = static_cast<uint32_t>(step.address(operand, first_lane));
  for_lanes(step.mask, [&](int lane) {
    if (static_cast<uint32_t>(step.address(operand, lane)) != word)
      step.fail(Diagnostic::Kind::illegal_instruction, lane,
                "the tensor memory address differs between the threads of the warp");
  });
  TmemAddress address = TmemAddress::decode(word);
  const Settings& settings = step.cluster.settings();
  if (address.lane / 32 != step.warp.index % 4) {
    const DeviceReadings readings(settings);
    if (!readings.is({"TMEM-AMB-01", "own_lanes"}))
      step.fail(readings.is({"TMEM-AMB-01", "illegal_address"}) ? Diagnostic::Kind::illegal_address
                                                                : Diagnostic::Kind::illegal_instruction,
                first_lane,
                "lane " + std::to_string(address.lane) +
                    " of a tensor memory address is not among those of the warp");
    if (step.cluster.strict) step.cluster.strict->lane_outside_window(step.issuer(first_lane));
  }
  const uint32_t window = tcgen05_steps_for(settings).window(form.tmem, step.warp.index, address.lane);
  const uint32_t lanes = form.tmem.lanes();
  address.lane = window + address.lane % 32;
  if (address.lane + lanes > window + 32)
    step.fail(Diagnostic::Kind::illegal_address, first_lane,
              "lanes " + std::to_string(address.lane) + " to " + std::to_string(address.lane + lanes - 1) +
                  " of tensor memory are not among those of the warp, " + std::to_string(window) + " to " +
                  std::to_string(window + 31));
  if (address.lane % 16 != 0)
    step.fail(Diagnostic::Kind::misaligned_address, first_lane,
              "lane " + std::to_string(address.lane) + " of a tensor memory address is not a multiple of 16");
  return address;
}

/// A transfer of one warp: where each register of each thread lies.
struct Transfer {
  TmemForm form;
  TmemAddress address;
  uint32_t lanes = 0;  ///< of the warp
  Cta* cta = nullptr;
  const Tcgen05Steps* steps = nullptr;

  /// Calls f(lane of the warp, register, cells of the lane of tensor memory, whether they are written,
  /// column).
  template <typename F>
  void each(F f) const {
    TensorMemory& tensor = tensor_memory(*cta);
    const uint32_t registers = form.registers(), width = form.is_halved ? 2 : 1;
    for_lanes(lanes, [&](int thread) {
      for (uint32_t i = 0; i < registers; ++i) {
        const TmemCell cell = steps->cell(form, static_cast<uint32_t>(thread), i);
        const uint32_t lane = (address.lane + cell.lane) % TensorMemory::lanes;
        const uint32_t column = address.column + cell.column;
        // A device that takes other cells stays in its memory.
        if (column > TensorMemory::columns - width) continue;
        f(thread, i, tensor.cells(lane), tensor.written(lane), column);
      }
    });
  }
  /// The registers of a thread are cells of its lane, one after the other.
  bool is_straight() const {
    return form.shape == TmemShape::s32x32b && !form.is_halved && steps->cell == tmem_cell;
  }
  /// Traps where some column is not allocated.
  void check() const;
  /// Every cell, for the strict mode.
  std::vector<CellRange> ranges() const;
};

void Transfer::check() const {
  const TensorMemory& tensor = tensor_memory(*cta);
  const auto check_from = [&](uint32_t first) {
    if (tensor.is_allocated(first, form.columns())) return;
    trap(Diagnostic::Kind::illegal_address, tensor.not_allocated(first, form.columns(), " of tensor memory"));
  };
  check_from(address.column);
  if (form.shape == TmemShape::s16x32bx2) check_from(address.column + form.split);
}

std::vector<CellRange> Transfer::ranges() const {
  std::vector<CellRange> found;
  for_lanes(lanes, [&](int thread) {
    for (uint32_t i = 0; i < form.registers(); ++i) {
      const TmemCell cell = tmem_cell(form, static_cast<uint32_t>(thread), i);
      found.push_back(
          {cta->rank, address.lane + cell.lane, address.column + cell.column, form.is_halved ? 2u : 1u});
    }
  });
  return found;
}

Transfer transfer_of(Step& step, const TransferInstruction& form) {
  Transfer transfer;
  transfer.form = form.tmem;
  transfer.address = read_address(step, form);
  transfer.lanes = step.mask;
  transfer.cta = &step.cta;
  transfer.steps = &tcgen05_steps_for(step.cluster.settings());
  transfer.check();
  return transfer;
}

/// The last of the columns gets what the others are reduced to.
void reduce_registers(Warp& warp, const Transfer& transfer, const TmemReduction& reduction,
                      const std::vector<uint32_t>& columns) {
  const Settings& settings = warp.cta->cluster->settings();
  const bool gives_nan = DeviceReadings(settings).is({"AMB-49", "gives_nan"});
  for_lanes(transfer.lanes, [&](int thread) {
    std::vector<uint32_t> words;
    bool is_unknown = false;
    for (size_t i = 0; i + 1 < columns.size(); ++i) {
      words.push_back(static_cast<uint32_t>(warp.column({columns[i]})[thread]));
      is_unknown |= warp.is_tainted({columns[i]}, thread);
    }
    warp.column({columns.back()})[thread] = transfer.steps->reduced(reduction, words, gives_nan);
    if (is_unknown || warp.has_taint) warp.mark_taint({columns.back()}, thread, is_unknown, false);
  });
}

void bring_straight(Warp& warp, const Transfer& transfer, const std::vector<uint32_t>& columns) {
  TensorMemory& tensor = tensor_memory(*transfer.cta);
  const uint32_t count = transfer.form.registers();
  std::array<uint64_t*, most_registers> registers;
  for (uint32_t i = 0; i < count; ++i) registers[i] = warp.column({columns[i]});
  for_lanes(transfer.lanes, [&](int thread) {
    const uint32_t lane = transfer.address.lane + static_cast<uint32_t>(thread);
    const uint32_t* const cells = tensor.cells(lane) + transfer.address.column;
    const uint8_t* const written = tensor.written(lane) + transfer.address.column;
    for (uint32_t i = 0; i < count; ++i) registers[i][thread] = cells[i];
    if (!warp.has_taint && std::memchr(written, 0, count) == nullptr) return;
    for (uint32_t i = 0; i < count; ++i) warp.mark_taint({columns[i]}, thread, written[i] == 0, false);
  });
}

void bring(Warp& warp, const Transfer& transfer, const std::vector<uint32_t>& columns) {
  transfer.check();
  warp.accumulated =
      tensor_memory(*transfer.cta).accumulated_in(transfer.address.column, transfer.form.columns());
  if (transfer.is_straight()) return bring_straight(warp, transfer, columns);
  transfer.each([&](int thread, uint32_t i, const uint32_t* cells, const uint8_t* written, uint32_t column) {
    const bool halved = transfer.form.is_halved;
    warp.column({columns[i]})[thread] =
        halved ? transfer.steps->pack(cells[column], cells[column + 1]) : cells[column];
    const bool is_unwritten = written[column] == 0 || (halved && written[column + 1] == 0);
    if (is_unwritten || warp.has_taint) warp.mark_taint({columns[i]}, thread, is_unwritten, false);
  });
}

uint32_t execute_ld(Step& step) {
  if (!is_whole_of_tmem(step)) return 0;
  const TransferInstruction& form = step.data<TransferInstruction>();
  const Transfer transfer = transfer_of(step, form);
  std::vector<uint32_t> columns;
  for (const Operand& item : step.operand(form.registers).items) columns.push_back(item.column.index);
  if (form.reduction) columns.push_back(step.operand(form.registers + 1).column.index);
  AsyncOperation operation;
  operation.issuer = step.issuer(__builtin_ctz(step.mask));
  operation.is_async_proxy = false;
  operation.write = [&warp = step.warp, transfer, columns, reduction = form.reduction] {
    bring(warp, transfer, columns);
    if (reduction) reduce_registers(warp, transfer, *reduction, columns);
    warp.cta->cluster->moved();
  };
  if (step.cluster.strict) step.cluster.strict->tensor.loads(transfer.ranges(), operation.issuer);
  const uint64_t id = step.cluster.async.issue(std::move(operation));
  if (step.cluster.async.is_pending(id) || step.cluster.strict) {
    std::sort(columns.begin(), columns.end());
    step.warp.tmem_loads.push_back({id, std::move(columns)});
  }
  return step.mask;
}

/// Registers as they are when the store is issued.
struct Values {
  std::vector<std::array<uint32_t, warp_lanes>> words;
  std::vector<uint32_t> tainted;  ///< a bit a lane
  bool is_tainted(uint32_t i, int lane) const { return tainted[i] >> lane & 1; }
};

void store_straight(const Transfer& transfer, const Values& values) {
  TensorMemory& tensor = tensor_memory(*transfer.cta);
  const auto count = static_cast<uint32_t>(values.words.size());
  const bool is_known =
      std::all_of(values.tainted.begin(), values.tainted.end(), [](uint32_t x) { return x == 0; });
  for_lanes(transfer.lanes, [&](int thread) {
    const uint32_t lane = transfer.address.lane + static_cast<uint32_t>(thread);
    uint32_t* const cells = tensor.cells(lane) + transfer.address.column;
    uint8_t* const written = tensor.written(lane) + transfer.address.column;
    for (uint32_t i = 0; i < count; ++i) cells[i] = values.words[i][static_cast<size_t>(thread)];
    std::fill_n(written, count, uint8_t{1});
    for (uint32_t i = 0; !is_known && i < count; ++i) written[i] = !values.is_tainted(i, thread);
  });
}

void store_tmem(const Transfer& transfer, const Values& values, bool keeps_upper) {
  transfer.check();
  if (transfer.is_straight()) return store_straight(transfer, values);
  transfer.each([&](int thread, uint32_t i, uint32_t* cells, uint8_t* written, uint32_t column) {
    const uint32_t word = values.words[i][static_cast<size_t>(thread)];
    const uint8_t is_written = !values.is_tainted(i, thread);
    if (!transfer.form.is_halved) {
      cells[column] = word;
      written[column] = is_written;
      return;
    }
    for (uint32_t half = 0; half < 2; ++half) {
      const uint32_t upper = keeps_upper ? cells[column + half] & 0xffff0000 : 0;
      cells[column + half] = transfer.steps->unpack(word, half) | upper;
      written[column + half] = is_written;
    }
  });
}

Values values_of(const Step& step, const std::vector<Operand>& items) {
  Values values;
  values.words.resize(items.size());
  values.tainted.resize(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    const uint64_t* const column = step.column(items[i].column);
    for (int lane = 0; lane < warp_lanes; ++lane)
      values.words[i][static_cast<size_t>(lane)] = static_cast<uint32_t>(column[lane]);
    if (step.warp.has_taint)
      for_lanes(step.mask, [&](int lane) {
        values.tainted[i] |= static_cast<uint32_t>(step.tainted(items[i], lane)) << lane;
      });
  }
  return values;
}

uint32_t execute_st(Step& step) {
  if (!is_whole_of_tmem(step)) return 0;
  const TransferInstruction& form = step.data<TransferInstruction>();
  const Transfer transfer = transfer_of(step, form);
  Values values = values_of(step, step.operand(form.registers).items);
  AsyncOperation operation;
  operation.issuer = step.issuer(__builtin_ctz(step.mask));
  operation.is_async_proxy = false;
  const bool keeps_upper = DeviceReadings(step.cluster.settings()).is({"AMB-23", "unchanged"});
  operation.write = [&cluster = step.cluster, transfer, values = std::move(values), keeps_upper] {
    store_tmem(transfer, values, keeps_upper);
    cluster.moved();
  };
  if (step.cluster.strict) step.cluster.strict->tensor.stores(transfer.ranges(), operation.issuer);
  const uint64_t id = step.cluster.async.issue(std::move(operation));
  if (step.cluster.async.is_pending(id)) step.warp.tmem_stores.push_back({id, {}});
  return step.mask;
}

std::optional<TmemShape> shape_of(const Opcode& opcode) {
  constexpr std::pair<std::string_view, TmemShape> names[] = {{"32x32b", TmemShape::s32x32b},
                                                              {"16x64b", TmemShape::s16x64b},
                                                              {"16x128b", TmemShape::s16x128b},
                                                              {"16x256b", TmemShape::s16x256b},
                                                              {"16x32bx2", TmemShape::s16x32bx2}};
  std::optional<TmemShape> found;
  for (const auto& [name, shape] : names)
    if (opcode.has(name)) {
      if (found) return std::nullopt;
      found = shape;
    }
  return found;
}

uint32_t count_of(const Opcode& opcode) {
  uint32_t found = 0;
  for (uint32_t count = 1; count <= 128; count *= 2)
    if (opcode.has("x" + std::to_string(count))) found = found == 0 ? count : ~0u;
  return found;
}

std::optional<LoweringError> lower_transfer(const Opcode& opcode, Target target, Instruction& instruction) {
  const bool is_load = opcode.qualifiers[0] == "ld";
  const std::string_view halving = is_load ? "pack::16b" : "unpack::16b";
  if (!has_tensor_memory(target) ||
      !only_known_qualifiers(opcode,
                             std::string(is_load ? "ld" : "st") +
                                 " sync aligned b32 32x32b 16x64b 16x128b 16x256b 16x32bx2 x1 x2 x4 x8 x16 "
                                 "x32 x64 x128 " +
                                 std::string(halving)) ||
      !opcode.has("sync") || !opcode.has("aligned") || !opcode.has("b32"))
    return unknown_opcode(opcode);
  const std::optional<TmemShape> shape = shape_of(opcode);
  const uint32_t count = count_of(opcode);
  if (!shape || !has_count(*shape, count)) return unknown_opcode(opcode);
  TransferInstruction form;
  form.tmem = {*shape, count, 0, opcode.has(halving)};
  const auto& operands = instruction.operands;
  const bool has_split = *shape == TmemShape::s16x32bx2;
  const size_t wanted = has_split ? 3 : 2;
  form.registers = is_load ? 0 : wanted - 1;
  form.address = is_load ? 1 : 0;
  const size_t split = is_load ? 2 : 1;
  const auto is_register = [](const Operand& item) {
    return item.kind == Operand::Kind::value && item.is_register && item.bits == 32;
  };
  if (operands.size() != wanted || !is_tensor_address(operands[form.address]) ||
      operands[form.registers].kind != Operand::Kind::vector ||
      operands[form.registers].items.size() != form.tmem.registers() ||
      !std::all_of(operands[form.registers].items.begin(), operands[form.registers].items.end(),
                   is_register) ||
      (has_split && !operands[split].is_immediate))
    return wrong_operands(opcode, "{" + std::to_string(form.tmem.registers()) +
                                      " 32-bit registers} and a tensor memory address" +
                                      (has_split ? ", and an immediate after the address" : ""));
  if (has_split) form.tmem.split = static_cast<uint32_t>(operands[split].immediate);
  instruction.data = std::make_shared<const TransferInstruction>(form);
  instruction.execute = is_load ? execute_ld : execute_st;
  return std::nullopt;
}

/// (ptx, tcgen05.ld: .red) .min or .max of u32, s32 or f32, the last with .abs and .NaN.
std::optional<TmemReduction> reduction_of(const Opcode& opcode) {
  if (opcode.has("min") == opcode.has("max")) return std::nullopt;
  TmemReduction reduction;
  reduction.is_max = opcode.has("max");
  const int types = opcode.has("u32") + opcode.has("s32") + opcode.has("f32");
  if (types != 1) return std::nullopt;
  reduction.type = opcode.has("u32")   ? TmemReduction::Type::u32
                   : opcode.has("s32") ? TmemReduction::Type::s32
                                       : TmemReduction::Type::f32;
  reduction.is_of_magnitudes = opcode.has("abs");
  reduction.keeps_nan = opcode.has("NaN");
  if ((reduction.is_of_magnitudes || reduction.keeps_nan) && reduction.type != TmemReduction::Type::f32)
    return std::nullopt;
  return reduction;
}

std::optional<LoweringError> lower_reducing_load(const Opcode& opcode, Target target,
                                                 Instruction& instruction) {
  if (!facts_of(target).reduces_loads || !opcode.has("sync") || !opcode.has("aligned") ||
      !only_known_qualifiers(opcode,
                             "ld red sync aligned 32x32b 16x32bx2 x2 x4 x8 x16 x32 x64 x128 min max abs "
                             "NaN u32 s32 f32"))
    return unknown_opcode(opcode);
  const std::optional<TmemShape> shape = shape_of(opcode);
  const uint32_t count = count_of(opcode);
  const std::optional<TmemReduction> reduction = reduction_of(opcode);
  if (!shape || !has_count(*shape, count) || !reduction) return unknown_opcode(opcode);
  TransferInstruction form;
  form.tmem = {*shape, count, 0, false};
  form.address = 2;
  form.reduction = reduction;
  const auto& operands = instruction.operands;
  const bool has_split = *shape == TmemShape::s16x32bx2;
  const auto is_register = [](const Operand& item) {
    return item.kind == Operand::Kind::value && item.is_register && item.bits == 32;
  };
  if (operands.size() != (has_split ? 4u : 3u) || operands[0].kind != Operand::Kind::vector ||
      operands[0].items.size() != count ||
      !std::all_of(operands[0].items.begin(), operands[0].items.end(), is_register) ||
      !is_register(operands[1]) || !is_tensor_address(operands[2]) ||
      (has_split && !operands[3].is_immediate))
    return wrong_operands(opcode, "{" + std::to_string(count) +
                                      " 32-bit registers}, one more and a tensor memory address" +
                                      (has_split ? ", and an immediate after the address" : ""));
  if (has_split) form.tmem.split = static_cast<uint32_t>(operands[3].immediate);
  instruction.data = std::make_shared<const TransferInstruction>(form);
  instruction.execute = execute_ld;
  return std::nullopt;
}

std::optional<LoweringError> lower_transfer_load(const Opcode& opcode, Target target,
                                                 Instruction& instruction) {
  return opcode.has("red") ? lower_reducing_load(opcode, target, instruction)
                           : lower_transfer(opcode, target, instruction);
}

void note_wait(const Step& step, bool for_loads) {
  if (step.cluster.strict)
    step.cluster.strict->tensor.waited(for_loads, step.issuer(__builtin_ctz(step.mask)));
}

void finish_awaited(const Step& step, bool for_loads) {
  std::vector<TmemTransfer>&loads = step.warp.tmem_loads, &stores = step.warp.tmem_stores;
  std::vector<TmemTransfer>& transfers = for_loads ? loads : stores;
  const Tcgen05Steps& steps = tcgen05_steps_for(step.cluster.settings());
  finish_transfers(step.warp, transfers,
                   steps.awaited(for_loads, transfers.size(), for_loads ? stores.size() : loads.size()));
}

std::optional<LoweringError> lower_transfer_wait(const Opcode& opcode, Target target,
                                                 Instruction& instruction) {
  const std::string& verb = opcode.qualifiers[0];
  if (!has_tensor_memory(target) || !only_known_qualifiers(opcode, verb + " sync aligned") ||
      !opcode.has("sync") || !opcode.has("aligned"))
    return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  if (verb == "wait::ld")
    instruction.execute = [](Step& step) -> uint32_t {
      if (!is_whole_of_tmem(step)) return 0;
      note_wait(step, true);
      finish_awaited(step, true);
      return step.mask;
    };
  else
    instruction.execute = [](Step& step) -> uint32_t {
      if (!is_whole_of_tmem(step)) return 0;
      note_wait(step, false);
      finish_awaited(step, false);
      return step.mask;
    };
  return std::nullopt;
}

const RegisteredFamily tmem_ld("tcgen05.ld", lower_transfer_load);
const RegisteredFamily tmem_st("tcgen05.st", lower_transfer);
const RegisteredFamily wait_ld("tcgen05.wait::ld", lower_transfer_wait);
const RegisteredFamily wait_st("tcgen05.wait::st", lower_transfer_wait);

}  // namespace
}  // namespace assay::emulator
