// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

// Instructions that change no value: prefetch, discard, applypriority, createpolicy (its policy is taken and
// ignored everywhere), setmaxnreg, griddepcontrol, pmevent; and nanosleep.
namespace assay::emulator {
namespace {

uint32_t nothing(Step& step) {
  return step.mask;
}

bool is_address(const Operand& operand) {
  return operand.kind == Operand::Kind::address && operand.items.empty();
}

/// Of a tensor map the address is looked at, though no memory need lie there (H200, "Where the map may lie").
uint32_t prefetch_map(Step& step) {
  for_lanes(step.mask, [&](int lane) {
    if (step.address(step.operand(0), lane) % 64 != 0)
      step.fail(Diagnostic::Kind::misaligned_address, lane,
                "prefetch.tensormap of an address that is no multiple of 64");
  });
  return step.mask;
}

std::optional<LoweringError> lower_prefetch(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode,
                             "global local param const tensormap L1 L2 L2::evict_last L2::evict_normal") ||
      opcode.qualifiers.empty())
    return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !is_address(instruction.operands[0]))
    return wrong_operands(opcode, "an address");
  const bool has_address = opcode.has("tensormap") && !opcode.has("param") && !opcode.has("const");
  instruction.execute = has_address ? prefetch_map : nothing;
  return std::nullopt;
}

std::optional<LoweringError> lower_line(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "global L2 L2::evict_normal") || opcode.qualifiers.empty())
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || !is_address(operands[0]) || !operands[1].is_immediate ||
      operands[1].immediate != 128)
    return wrong_operands(opcode, "an address and the size 128");
  instruction.execute = [](Step& step) -> uint32_t {
    const Space space = space_of(*step.instruction.opcode);
    for_lanes(step.mask, [&](int lane) {
      resolve(step, lane, space, step.address(step.operand(0), lane), 128, 128, false);
    });
    return step.mask;
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_policy(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode,
                             "fractional range cvt global L2 L2::evict_last L2::evict_normal L2::evict_first "
                             "L2::evict_unchanged b64") ||
      !opcode.has("b64") || opcode.has("fractional") + opcode.has("range") + opcode.has("cvt") != 1)
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const size_t n = operands.size();
  const bool fits = opcode.has("fractional") ? n == 1 || n == 2 : opcode.has("range") ? n == 4 : n == 2;
  if (!fits || operands[0].kind != Operand::Kind::value || !operands[0].is_register || operands[0].bits != 64)
    return wrong_operands(opcode, "a 64-bit destination and what its form asks for");
  instruction.execute = [](Step& step) -> uint32_t {
    // A policy is opaque (ptx, createpolicy); nothing reads it here.
    for_lanes(step.mask, [&](int lane) { step.set(step.operand(0), lane, 0x10f0000000000000); });
    return step.mask;
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_registers(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "inc dec sync aligned u32") || opcode.has("inc") == opcode.has("dec"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  // (ptx, setmaxnreg) 24 to 256, in steps of 8.
  if (operands.size() != 1 || !operands[0].is_immediate || operands[0].immediate < 24 ||
      operands[0].immediate > 256 || operands[0].immediate % 8 != 0)
    return wrong_operands(opcode, "a register count from 24 to 256, a multiple of 8");
  instruction.execute = [](Step& step) -> uint32_t {
    const int lane = std::countr_zero(step.mask);
    if (step.cluster.strict)
      step.cluster.strict->registers_changed(
          step.cta, step.warp.thread(0) / warp_lanes, step.instruction.opcode->has("inc"),
          static_cast<uint32_t>(step.operand(0).immediate), step.issuer(lane));
    return step.mask;
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_grid_dependency(const Opcode& opcode, Target, Instruction& instruction) {
  if (opcode.qualifiers.size() != 1 || !only_known_qualifiers(opcode, "launch_dependents wait"))
    return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  // Launches do not overlap here: earlier ones have ended.
  instruction.execute = nothing;
  if (opcode.has("wait"))
    instruction.execute = [](Step& step) -> uint32_t {
      if (step.cluster.strict) step.cluster.strict->grid_waited(step.cta.rank);
      return step.mask;
    };
  return std::nullopt;
}

std::optional<LoweringError> lower_event(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "mask")) return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !instruction.operands[0].is_immediate)
    return wrong_operands(opcode, "a number");
  instruction.execute = nothing;
  return std::nullopt;
}

std::optional<LoweringError> lower_sleep(const Opcode& opcode, Target, Instruction& instruction) {
  if (opcode.qualifiers.size() != 1 || !opcode.has("u32")) return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || instruction.operands[0].kind != Operand::Kind::value)
    return wrong_operands(opcode, "nanoseconds");
  instruction.execute = [](Step& step) -> uint32_t {
    uint32_t done = 0;
    for_lanes(step.mask, [&](int lane) {
      LaneState& state = step.warp.lane_state[static_cast<size_t>(lane)];
      if (!state.is_timed) state = {false, 0, step.cluster.clock, true};
      // (ptx, nanosleep) at most 1 ms; the duration is up to twice what is asked, none asked is none slept.
      const uint64_t asked =
          std::min<uint64_t>(static_cast<uint32_t>(step.value(step.operand(0), lane)), 1'000'000);
      if (step.cluster.clock - state.since < asked) return;
      state = {};
      done |= 1u << lane;
    });
    return done;
  };
  return std::nullopt;
}

const RegisteredFamily prefetch("prefetch", lower_prefetch);
const RegisteredFamily prefetchu("prefetchu", lower_prefetch);
const RegisteredFamily discard("discard", lower_line);
const RegisteredFamily applypriority("applypriority", lower_line);
const RegisteredFamily createpolicy("createpolicy", lower_policy);
const RegisteredFamily setmaxnreg("setmaxnreg", lower_registers);
const RegisteredFamily griddepcontrol("griddepcontrol", lower_grid_dependency);
const RegisteredFamily pmevent("pmevent", lower_event);
const RegisteredFamily nanosleep("nanosleep", lower_sleep);

// membar, fence (ptx, membar/fence). Memory is sequentially consistent here, so fences matter to the strict
// mode alone, but for the acquire of a tensor map, of which multiprocessors keep copies.

std::optional<LoweringError> lower_membar(const Opcode& opcode, Target, Instruction& instruction) {
  if (opcode.qualifiers.size() != 1 || !only_known_qualifiers(opcode, "cta gl sys"))
    return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = [](Step& step) -> uint32_t {
    if (step.cluster.strict && !step.instruction.opcode->has("cta"))
      for_lanes(step.mask, [&](int lane) { step.cluster.strict->cluster_release(step.issuer(lane)); });
    if (step.cluster.strict)
      step.cluster.strict->races.order.fence(step.lanes_of(step.mask), step.instruction.order.scope, true);
    return step.mask;
  };
  return std::nullopt;
}

enum class FenceKind : uint8_t { thread, proxy_async, proxy_alias, barrier_init };
struct FenceForm {
  FenceKind kind;
  bool is_wide;  ///< cluster scope or wider
};

uint32_t execute_fence(Step& step) {
  const FenceForm& form = step.data<FenceForm>();
  StrictMode* strict = step.cluster.strict.get();
  if (strict == nullptr) return step.mask;
  for_lanes(step.mask, [&](int lane) {
    if (form.kind == FenceKind::proxy_async) strict->proxy_fence(step.issuer(lane));
    if (form.kind == FenceKind::barrier_init) strict->barrier_init_fence(step.issuer(lane));
    if (form.kind == FenceKind::thread && form.is_wide) strict->cluster_release(step.issuer(lane));
  });
  race::Order& order = strict->races.order;
  const Opcode& opcode = *step.instruction.opcode;
  if (form.kind == FenceKind::thread)
    order.fence(step.lanes_of(step.mask), step.instruction.order.scope, opcode.has("sc"));
  // (ptx, fence.proxy.async) The state space that it names, all without one.
  const bool is_for_global = opcode.text == "fence.proxy.async" || opcode.has("global");
  const bool is_for_shared = !opcode.has("global");
  if (form.kind == FenceKind::proxy_async)
    order.proxy_fence(step.lanes_of(step.mask), is_for_shared, is_for_global);
  if (form.kind == FenceKind::barrier_init) order.init_fence(step.lanes_of(step.mask));
  return step.mask;
}

std::optional<LoweringError> lower_fence_here(const Opcode& opcode, Target, Instruction& instruction) {
  FenceForm form{FenceKind::thread, opcode.has("cluster") || opcode.has("gpu") || opcode.has("sys")};
  const auto is = [&](std::string_view text) { return opcode.text == text; };
  if (is("fence.mbarrier_init.release.cluster")) {
    form.kind = FenceKind::barrier_init;
  } else if (is("fence.proxy.alias")) {
    form.kind = FenceKind::proxy_alias;
  } else if (is("fence.proxy.async") || is("fence.proxy.async.global") ||
             is("fence.proxy.async.shared::cta") || is("fence.proxy.async.shared::cluster") ||
             is("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster") ||
             is("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster")) {
    form.kind = FenceKind::proxy_async;
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
  instruction.data = std::make_shared<const FenceForm>(form);
  instruction.execute = execute_fence;
  return std::nullopt;
}

std::optional<LoweringError> lower_tensormap_fence(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "proxy tensormap::generic acquire release cta cluster gpu sys"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (opcode.has("release")) {
    if (!operands.empty()) return wrong_operands(opcode, "no operands");
    instruction.execute = [](Step& step) -> uint32_t {
      if (step.cluster.strict)
        step.cluster.strict->tensor_map_release(step.issuer(__builtin_ctz(step.mask)),
                                                step.instruction.order.scope);
      return step.mask;
    };
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
      step.cluster.acquire_tensor_map(address, step.issuer(lane), step.instruction.order.scope);
    });
    return step.mask;
  };
  return std::nullopt;
}

const RegisteredFamily membar("membar", lower_membar);
const RegisteredFamily fence("fence", lower_fence_here);
const RegisteredFamily tensormap_fence("fence.proxy.tensormap::generic", lower_tensormap_fence);

// Instructions of textures and surfaces (ptx, Texture Instructions; Surface Instructions): there are none
// here, and the launch that needs one is told so.

std::optional<LoweringError> refuse(const Opcode& opcode, Target, Instruction&) {
  return LoweringError{Diagnostic::Kind::unknown_instruction,
                       "'" + opcode.text +
                           "': CUDA arrays, textures and surfaces are not emulated; the kernel would have to "
                           "read plain global memory"};
}

const RegisteredFamily tex("tex", refuse);
const RegisteredFamily tld4("tld4", refuse);
const RegisteredFamily txq("txq", refuse);
const RegisteredFamily istypep("istypep", refuse);
const RegisteredFamily suld("suld", refuse);
const RegisteredFamily sust("sust", refuse);
const RegisteredFamily sured("sured", refuse);
const RegisteredFamily suq("suq", refuse);

}  // namespace
}  // namespace assay::emulator
