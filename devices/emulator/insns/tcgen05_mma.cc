// SPDX-License-Identifier: Apache-2.0
// tcgen05.mma and tcgen05.mma.ws, dense and sparse (ptx, tcgen05.mma, tcgen05.mma.sp, tcgen05.mma.ws,
// tcgen05.mma.ws.sp).
#include <algorithm>

#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/tensor/tcgen05_mma.h"
#include "devices/emulator/tensor/tmem_copy.h"

namespace assay::emulator {
namespace {

struct Tcgen05MmaForm {
  MmaForm mma;
  /// Operand numbers, -1: absent. D, A and B are 0 to 2.
  int metadata = -1, instruction = 3, enable = 4, disabled_lanes = -1, scale = -1, mask = -1, a_scales = -1,
      b_scales = -1;
};

const Operand& tcgen05_mma_numbered(const Step& step, int number) {
  return step.operand(static_cast<size_t>(number));
}

MmaOperands read_operands(const Step& step, const Tcgen05MmaForm& form, int lane) {
  MmaOperands operands;
  operands.d_address = static_cast<uint32_t>(step.address(step.operand(0), lane));
  if (form.mma.a_in_tmem)
    operands.a_address = static_cast<uint32_t>(step.address(step.operand(1), lane));
  else
    operands.a_descriptor = step.value(step.operand(1), lane);
  operands.b_descriptor = step.value(step.operand(2), lane);
  operands.instruction =
      static_cast<uint32_t>(step.value(tcgen05_mma_numbered(step, form.instruction), lane));
  if (form.metadata >= 0)
    operands.metadata_address =
        static_cast<uint32_t>(step.address(tcgen05_mma_numbered(step, form.metadata), lane));
  operands.enable_input_d = step.value(tcgen05_mma_numbered(step, form.enable), lane) != 0;
  if (form.disabled_lanes >= 0) {
    operands.disabled_lanes.emplace();
    size_t i = 0;
    for (const Operand& item : tcgen05_mma_numbered(step, form.disabled_lanes).items)
      (*operands.disabled_lanes)[i++] = static_cast<uint32_t>(step.value(item, lane));
  }
  if (form.scale >= 0)
    operands.scale_input_d = static_cast<uint32_t>(tcgen05_mma_numbered(step, form.scale).immediate);
  if (form.a_scales >= 0) {
    operands.a_scale_address =
        static_cast<uint32_t>(step.address(tcgen05_mma_numbered(step, form.a_scales), lane));
    operands.b_scale_address =
        static_cast<uint32_t>(step.address(tcgen05_mma_numbered(step, form.b_scales), lane));
  }
  if (form.mask >= 0) operands.column_mask = step.value(tcgen05_mma_numbered(step, form.mask), lane);
  return operands;
}

void issue_tcgen05_mma(Step& step, const Tcgen05MmaForm& form, int lane) {
  Cluster& cluster = step.cluster;
  if (form.mma.cta_group == 2 && (step.cta.rank | 1) >= cluster.ctas.size())
    step.fail(
        Diagnostic::Kind::illegal_instruction, lane,
        ".cta_group::2 needs a CTA pair; the cluster has " + std::to_string(cluster.ctas.size()) + " CTA");
  const auto tcgen05_mma = std::make_shared<const Mma>(
      decode_mma(form.mma, read_operands(step, form, lane), step.cta.rank, cluster.settings()));
  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  if (cluster.strict) {
    const WorkAccess access = access_of(*tcgen05_mma);
    operation.shared_reads = access.shared_reads;
    cluster.strict->tensor.works(access, operation.issuer);
  }
  operation.write = [&cluster, tcgen05_mma] { perform_mma(*tcgen05_mma, cluster); };
  issue_work(step, lane,
             {IssuedWork::Kind::mma, 0, tcgen05_mma->d, tcgen05_mma->descriptor.m, tcgen05_mma->descriptor.n},
             std::move(operation));
}

uint32_t execute_tcgen05_mma(Step& step) {
  const Tcgen05MmaForm& form = step.data<Tcgen05MmaForm>();
  for_lanes(step.mask, [&](int lane) { issue_tcgen05_mma(step, form, lane); });
  return step.mask;
}

std::optional<MmaKind> kind_of(const Opcode& opcode) {
  for (const spec::MmaKindRow& row : spec::mma_kinds)
    if (opcode.has("kind::" + std::string(row.name))) return row.kind;
  return std::nullopt;
}

/// Elements of K with one scale, by the qualifier or the default of the kind; 0 for a qualifier that the kind
/// does not take. More than one qualifier is none that it takes.
uint32_t scale_block_of(const Opcode& opcode, MmaKind kind) {
  std::string_view found;
  int count = 0;
  for (const std::string& qualifier : opcode.qualifiers)
    if (qualifier.rfind("scale_vec::", 0) == 0 || qualifier == "block16" || qualifier == "block32")
      found = qualifier, ++count;
  if (count > 1) return 0;
  for (const KindFacts::Scaling& row : facts_of(kind).scalings)
    if (row.block != 0 && row.qualifier == found) return row.block;
  return 0;
}

/// Collector qualifiers: at most one, of buffer a for tcgen05.mma and of b0 to b3 for tcgen05.mma.ws. They
/// change no result.
bool has_legal_collector(const Opcode& opcode, bool is_ws, bool& reuses_b) {
  int found = 0;
  for (const std::string& qualifier : opcode.qualifiers) {
    if (qualifier.rfind("collector::", 0) != 0) continue;
    ++found;
    const size_t colons = qualifier.rfind("::");
    const std::string use = qualifier.substr(colons + 2);
    const std::string buffer = qualifier.substr(11, colons < 11 ? 0 : colons - 11);
    const bool is_b = buffer.size() == 2 && buffer[0] == 'b' && buffer[1] >= '0' && buffer[1] <= '3';
    if (is_ws ? !is_b : buffer != "a") return false;
    if (use != "fill" && use != "use" && use != "lastuse" && use != "discard") return false;
    reuses_b = is_ws && (use == "use" || use == "lastuse");
  }
  return found <= 1;
}

bool is_value_of_tcgen05_mma(const Operand& operand, int bits) {
  return operand.kind == Operand::Kind::value && (operand.bits == bits || operand.is_immediate);
}

/// Operands after enable-input-d and the vector of lanes. True if they fit.
bool place_tcgen05_mma_operands(const std::vector<Operand>& operands, Tcgen05MmaForm& form) {
  const size_t extra = form.mma.is_sparse ? 1 : 0;
  if (operands.size() < 5 + extra || !is_tensor_address(operands[0]) ||
      !is_value_of_tcgen05_mma(operands[2], 64))
    return false;
  if (form.mma.is_sparse) {
    if (!is_tensor_address(operands[3])) return false;
    form.metadata = 3, form.instruction = 4;
  }
  if (!is_value_of_tcgen05_mma(operands[3 + extra], 32)) return false;
  form.mma.a_in_tmem = operands[1].kind == Operand::Kind::address;
  if (form.mma.a_in_tmem ? !is_tensor_address(operands[1]) : !is_value_of_tcgen05_mma(operands[1], 64))
    return false;
  size_t at = 4 + extra;
  if (has_block_scaling(form.mma.kind)) {
    if (operands.size() != 7 + extra || !is_tensor_address(operands[at]) ||
        !is_tensor_address(operands[at + 1]))
      return false;
    form.a_scales = static_cast<int>(at), form.b_scales = static_cast<int>(at + 1), at += 2;
  }
  if (operands[at].kind == Operand::Kind::vector) {
    const auto& items = operands[at].items;
    if (form.mma.is_ws || has_block_scaling(form.mma.kind) || items.size() != 4 * form.mma.cta_group ||
        !std::all_of(items.begin(), items.end(), [](const Operand& item) {
          return item.kind == Operand::Kind::value && item.is_register && item.bits == 32;
        }))
      return false;
    form.disabled_lanes = static_cast<int>(at++);
  }
  if (at >= operands.size() || !is_value_of_tcgen05_mma(operands[at], 1) ||
      (operands[at].is_immediate && operands[at].immediate > 1))
    return false;
  form.enable = static_cast<int>(at++);
  if (at == operands.size()) return true;
  if (form.mma.is_ws) {
    if (!is_value_of_tcgen05_mma(operands[at], 64)) return false;
    form.mask = static_cast<int>(at);
  } else {
    // (ptxas) kind::i8 takes any number and ignores it.
    if (!operands[at].is_immediate || form.mma.kind == MmaKind::f8f6f4) return false;
    if (!facts_of(form.mma.kind).is_integer) {
      if (operands[at].immediate > 15) return false;
      form.scale = static_cast<int>(at);
    }
  }
  return at + 1 == operands.size();
}

/// What an instruction takes.
std::string operand_words(const MmaForm& form) {
  std::string words = "[d], a matrix descriptor or [a], a matrix descriptor, ";
  if (form.is_sparse) words += "the metadata of A in tensor memory, ";
  words += "an instruction descriptor, ";
  if (has_block_scaling(form.kind))
    return words + "the scales of A and of B in tensor memory, and a predicate";
  if (form.is_ws) return words + "a predicate and a zero-column mask if any";
  return words +
         "{4 words of lanes, 8 for a pair} if any, a predicate and a scale of D of 0 to 15 if any (f16, "
         "tf32)";
}

std::optional<LoweringError> lower_tcgen05_mma(const Opcode& opcode, Target target,
                                               Instruction& instruction) {
  if (!has_tensor_memory(target)) return unknown_opcode(opcode);
  Tcgen05MmaForm form;
  form.mma.is_ws = opcode.has("ws");
  form.mma.is_sparse = opcode.has("sp");
  const std::optional<MmaKind> kind = kind_of(opcode);
  if (!kind || opcode.has("cta_group::1") == opcode.has("cta_group::2") ||
      (form.mma.is_ws && opcode.has("cta_group::2")) ||
      !has_legal_collector(opcode, form.mma.is_ws, form.mma.reuses_b))
    return unknown_opcode(opcode);
  const auto qualifier_at = [&](std::string_view name) {
    return std::find(opcode.qualifiers.begin(), opcode.qualifiers.end(), name);
  };
  // (ptxas) .ws comes before .sp.
  if (form.mma.is_ws && form.mma.is_sparse && qualifier_at("sp") < qualifier_at("ws"))
    return unknown_opcode(opcode);
  for (const std::string& qualifier : opcode.qualifiers) {
    const bool is_known =
        qualifier == "mma" || qualifier == "ws" || qualifier == "sp" || qualifier == "ashift" ||
        qualifier.rfind("cta_group::", 0) == 0 || qualifier.rfind("kind::", 0) == 0 ||
        qualifier.rfind("collector::", 0) == 0 ||
        (has_block_scaling(*kind) && (qualifier == "block_scale" || qualifier == "block16" ||
                                      qualifier == "block32" || qualifier.rfind("scale_vec::", 0) == 0));
    if (!is_known) return unknown_opcode(opcode);
  }
  if (has_block_scaling(*kind) != opcode.has("block_scale") || (has_block_scaling(*kind) && form.mma.is_ws))
    return unknown_opcode(opcode);
  if (has_block_scaling(*kind)) form.mma.scale_block = scale_block_of(opcode, *kind);
  if (has_block_scaling(*kind) && form.mma.scale_block == 0) return unknown_opcode(opcode);
  form.mma.kind = *kind;
  form.mma.cta_group = opcode.has("cta_group::2") ? 2 : 1;
  if (facts_of(*kind).is_integer && !facts_of(target).multiplies_bytes)
    return LoweringError{
        Diagnostic::Kind::unknown_instruction,
        "'" + opcode.text + "': " + std::string(target_name(target)) + " has no kind of integers"};
  form.mma.shifts_a = opcode.has("ashift");
  const bool keeps_a = opcode.has("collector::a::fill") || opcode.has("collector::a::use");
  if (form.mma.shifts_a && (form.mma.is_ws || keeps_a || has_block_scaling(*kind)))
    return unknown_opcode(opcode);
  if (!place_tcgen05_mma_operands(instruction.operands, form))
    return wrong_operands(opcode, operand_words(form.mma));
  if (form.scale >= 0 && !facts_of(target).scales_d)
    return wrong_operands(opcode, "no scale-input-d on " + std::string(target_name(target)));
  if (form.mma.shifts_a && !form.mma.a_in_tmem)
    return wrong_operands(opcode, "[a] in tensor memory, whose rows .ashift shifts");
  instruction.data = std::make_shared<const Tcgen05MmaForm>(form);
  instruction.execute = execute_tcgen05_mma;
  return std::nullopt;
}

const RegisteredFamily tcgen05_mma("tcgen05.mma", lower_tcgen05_mma);

}  // namespace
}  // namespace assay::emulator
