// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

// membar, fence (ptx, membar/fence). Memory is sequentially consistent here, so fences matter to the strict
// mode alone, but for the acquire of a tensor map, of which multiprocessors keep copies.
namespace assay::emulator::insn_fence {
namespace {

std::optional<LoweringError> lower_membar(const Opcode& opcode, Target, Instruction& instruction) {
  if (opcode.qualifiers.size() != 1 || !only_known_qualifiers(opcode, "cta gl sys"))
    return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = [](Step& step) -> uint32_t {
    if (step.cluster.strict && !step.instruction.opcode->has("cta"))
      for_lanes(step.mask, [&](int lane) { step.cluster.strict->cluster_release(step.issuer(lane)); });
    return step.mask;
  };
  return std::nullopt;
}

enum class Kind : uint8_t { thread, proxy_async, proxy_alias, barrier_init };
struct Form {
  Kind kind;
  bool is_wide;  ///< cluster scope or wider
};

uint32_t execute(Step& step) {
  const Form& form = step.data<Form>();
  StrictMode* strict = step.cluster.strict.get();
  if (strict == nullptr) return step.mask;
  for_lanes(step.mask, [&](int lane) {
    if (form.kind == Kind::proxy_async) strict->proxy_fence(step.issuer(lane));
    if (form.kind == Kind::barrier_init) strict->barrier_init_fence(step.issuer(lane));
    if (form.kind == Kind::thread && form.is_wide) strict->cluster_release(step.issuer(lane));
  });
  return step.mask;
}

std::optional<LoweringError> lower_fence(const Opcode& opcode, Target, Instruction& instruction) {
  Form form{Kind::thread, opcode.has("cluster") || opcode.has("gpu") || opcode.has("sys")};
  const auto is = [&](std::string_view text) { return opcode.text == text; };
  if (is("fence.mbarrier_init.release.cluster")) {
    form.kind = Kind::barrier_init;
  } else if (is("fence.proxy.alias")) {
    form.kind = Kind::proxy_alias;
  } else if (is("fence.proxy.async") || is("fence.proxy.async.global") ||
             is("fence.proxy.async.shared::cta") || is("fence.proxy.async.shared::cluster") ||
             is("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster") ||
             is("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster")) {
    form.kind = Kind::proxy_async;
  } else if (!opcode.has("proxy") && !opcode.has("mbarrier_init")) {
    if (!only_known_qualifiers(
            opcode,
            "sc acq_rel acquire release cta cluster gpu sys sync_restrict::shared::cluster "
            "sync_restrict::shared::cta") ||
        opcode.qualifiers.empty())
      return unknown_opcode(opcode);
  } else {
    return unknown_opcode(opcode);
  }
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.data = std::make_shared<const Form>(form);
  instruction.execute = execute;
  return std::nullopt;
}

std::optional<LoweringError> lower_tensormap_fence(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "proxy tensormap::generic acquire release cta cluster gpu sys"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (opcode.has("release")) {
    if (!operands.empty()) return wrong_operands(opcode, "no operands");
    instruction.execute = [](Step& step) -> uint32_t { return step.mask; };
    return std::nullopt;
  }
  if (!opcode.has("acquire")) return unknown_opcode(opcode);
  // (ptx, membar/fence) the size is 128.
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::address || !operands[1].is_immediate ||
      operands[1].immediate != 128)
    return wrong_operands(opcode, "an address and the size 128");
  instruction.execute = [](Step& step) -> uint32_t {
    const auto map_of = steps_for(step.cluster.settings()).acquired_map_of;
    for_lanes(step.mask, [&](int lane) {
      // Any address will do, mapped or not, that a map could have (H200: PX-06, "Where the map may lie").
      const uint64_t address = step.address(step.operand(0), map_of(lane, __builtin_ctz(step.mask)));
      if (address % 64 != 0)
        step.fail(Diagnostic::Kind::misaligned_address, lane,
                  "fence.proxy.tensormap acquires an address that is no multiple of 64");
      step.cluster.acquire_tensor_map(address, step.issuer(lane));
    });
    return step.mask;
  };
  return std::nullopt;
}

const RegisteredFamily membar("membar", lower_membar);
const RegisteredFamily fence("fence", lower_fence);
const RegisteredFamily tensormap_fence("fence.proxy.tensormap::generic", lower_tensormap_fence);

}  // namespace
}  // namespace assay::emulator::insn_fence
