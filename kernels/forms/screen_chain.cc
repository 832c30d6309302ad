// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "kernels/forms/families.h"
#include "kernels/params/screen.h"

/// Chains of products of one warpgroup from shared memory, D from first to last in registers of the
/// statement's own (PTX ISA: wgmma.mma_async, wgmma.mma_async.sp, mma, tcgen05.mma): the compiler would spell
/// 128 operands at every step. A line of an operand is 128 bytes with the swizzle of 128 bytes, of which four
/// products take 32 each.
namespace assay::forms {
namespace {

using params::ScreenUnit;

struct ChainTypes {
  std::string_view wgmma, sync, kind;  ///< as each unit names them
  uint32_t bits;                       ///< of an element of A and B
};
constexpr ChainTypes chain_types[] = {{".f32.bf16.bf16", ".f32.bf16.bf16.f32", "f16", 16},
                                      {".f32.f16.f16", ".f32.f16.f16.f32", "f16", 16},
                                      {".f32.tf32.tf32", ".f32.tf32.tf32.f32", "tf32", 32},
                                      {".f32.e4m3.e4m3", ".f32.e4m3.e4m3.f32", "f8f6f4", 8},
                                      {".s32.s8.s8", ".s32.s8.s8.s32", "i8", 8}};
static_assert(std::size(chain_types) == params::screen_types);

constexpr uint8_t targets_of_chain(uint32_t kind) {
  switch (params::screen_unit(kind)) {
    case ScreenUnit::wgmma:
    case ScreenUnit::wgmma_sparse:
      return with_wgmma;
    case ScreenUnit::mma_sync:
      break;
    case ScreenUnit::tcgen05:
      return chain_types[params::screen_type(kind)].kind == "i8" ? with_tcgen05_i8 : with_tcgen05;
  }
  return every_target;
}
constexpr auto chains = [] {
  std::array<Choice, params::screen_kinds> made{};
  for (uint32_t kind = 0; kind < made.size(); ++kind) made[kind] = {"", kind, targets_of_chain(kind)};
  return made;
}();
constexpr Axis chain_axes[] = {{"kind", chains}};

constexpr uint32_t d_registers = params::screen_d_registers;

std::string number(uint64_t value) {
  return std::to_string(value);
}

/// Of one part of a chain: `left` steps of four products each. `step`: PTX of the products of a step.
std::string steps(const std::string& label, const std::string& step) {
  return "setp.eq.u32 p, left, 0; @p bra none_" + label + "; step_" + label + ": " + step +
         "add.u32 of_a, of_a, 1; setp.eq.u32 p, of_a, " + number(params::screen_a_blocks) +
         "; selp.b32 of_a, 0, of_a, p; xor.b32 of_b, of_b, 1; sub.u32 left, left, 1; setp.ne.u32 p, left, 0; "
         "@p bra step_" +
         label + "; none_" + label + ": ";
}

/// Descriptors of the blocks of A and B, in units of 16 bytes.
std::string blocks_at(uint32_t a_bytes, uint32_t b_bytes) {
  return "mad.wide.u32 w0, of_a, " + number(a_bytes / 16) + ", $a; mad.wide.u32 w1, of_b, " +
         number(b_bytes / 16) + ", $b; ";
}

std::string wgmma_steps(const std::string& label, const ChainTypes& types, bool is_sparse) {
  std::string step = blocks_at(params::screen_a_block_bytes, params::screen_b_block_bytes);
  // Beside a sparse A a product takes 64 bytes of B: two of a block, and two of the other one.
  if (is_sparse)
    step +=
        "xor.b32 s0, of_b, 1; mad.wide.u32 w2, s0, " + number(params::screen_b_block_bytes / 16) + ", $b; ";
  for (uint32_t i = 0; i < 4; ++i) {
    const std::string b = is_sparse && i >= 2 ? "w2" : "w1";
    if (i == 1 || (is_sparse && i == 3))
      step += "add.s64 " + b + ", " + b + ", " + (is_sparse ? "4; " : "2; ");
    if (i >= 2 && !is_sparse) step += "add.s64 w1, w1, 2; ";
    if (i != 0) step += "add.s64 w0, w0, 2; ";
    step += "wgmma.mma_async" + std::string(is_sparse ? ".sp" : "") + ".sync.aligned.m64n256k" +
            number((is_sparse ? 512 : 256) / types.bits) + std::string(types.wgmma) + " {" +
            register_list("d", d_registers) + "}, w0, " + b + (is_sparse ? ", $e, 0" : "") + ", always" +
            (types.wgmma == ".s32.s8.s8" ? ""
             : types.bits == 16          ? ", 1, 1, 0, 0"
                                         : ", 1, 1") +
            "; ";
  }
  return "wgmma.fence.sync.aligned; " + steps(label, step) +
         "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ";
}

/// Each warp has 16 rows of A and all columns of B.
std::string sync_steps(const std::string& label, const ChainTypes& types) {
  std::string step = "mad.lo.u32 s0, of_a, " + number(params::screen_a_block_bytes) +
                     ", $row_a; mad.lo.u32 s1, of_b, " + number(params::screen_b_block_bytes) +
                     ", $row_b; mov.b32 s4, 0; piece_" + label +
                     ": xor.b32 s2, s0, s4; xor.b32 s3, s1, s4; "
                     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a0, a1, a2, a3}, [s2]; ";
  const std::string mma =
      "mma.sync.aligned.m16n8k" + number(256 / types.bits) + ".row.col" + std::string(types.sync) + " {";
  for (uint32_t i = 0; i < d_registers; i += 8) {
    step +=
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {b0, b1, b2, b3}, [s3+" + number(i / 8 * 16 * 128) + "]; ";
    for (const uint32_t half : {0u, 1u}) {
      const std::string d = register_list("d", 4, i + 4 * half);
      step += mma + d + "}, {a0, a1, a2, a3}, {" + register_list("b", 2, 2 * half) + "}, {" + d + "}; ";
    }
  }
  return steps(label, step + "add.u32 s4, s4, 32; setp.ne.u32 p, s4, 128; @p bra piece_" + label + "; ");
}

/// D is in tensor memory while products are made: 128 columns of the warpgroup's own, of which each thread
/// has a lane. One thread asks for the products.
std::string tcgen05_steps(const std::string& label, const ChainTypes& types) {
  std::string step = blocks_at(params::screen_tensor_block_bytes, params::screen_tensor_block_bytes);
  for (uint32_t i = 0; i < 4; ++i)
    step += (i == 0 ? "" : "add.s64 w0, w0, 2; add.s64 w1, w1, 2; ") +
            std::string("tcgen05.mma.cta_group::1.kind::") + std::string(types.kind) +
            " [s0], w0, w1, $idesc, always; ";
  const std::string d = "{" + register_list("d", d_registers) + "}", meet = "bar.sync s3, 128; ";
  // The slot of each warpgroup is behind its barrier; warps of a group have 32 lanes each.
  return "mov.u32 s2, %tid.x; shr.u32 s3, s2, 7; add.u32 s3, s3, 1; and.b32 s2, s2, 127; "
         "setp.ge.u32 q, s2, 32; @q bra allocated_" +
         label + "; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$barrier+8], 128; allocated_" +
         label + ": " + meet +
         "ld.shared.b32 s0, [$barrier+8]; shr.u32 s1, s2, 5; shl.b32 s1, s1, 21; add.u32 s1, s1, s0; "
         "tcgen05.st.sync.aligned.32x32b.x128.b32 [s1], " +
         d + "; tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; " + meet +
         "tcgen05.fence::after_thread_sync; setp.ne.u32 q, s2, 0; @q bra issued_" + label + "; " +
         steps(label, step) +
         "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$barrier]; issued_" + label +
         ": mbarrier.try_wait.parity.shared::cta.b64 p, [$barrier], $parity; @!p bra issued_" + label +
         "; xor.b32 $parity, $parity, 1; tcgen05.fence::after_thread_sync; "
         "tcgen05.ld.sync.aligned.32x32b.x128.b32 " +
         d + ", [s1]; tcgen05.wait::ld.sync.aligned; tcgen05.fence::before_thread_sync; " + meet +
         "setp.ge.u32 q, s2, 32; @q bra freed_" + label +
         "; tcgen05.dealloc.cta_group::1.sync.aligned.b32 s0, 128; freed_" + label + ": ";
}

/// d register of number $altered exclusive-or $mask, of those registers that are listed.
template <typename Registers>
std::string alter(const Registers& registers) {
  std::string text;
  for (const uint32_t i : registers)
    text += "setp.eq.u32 p, $altered, " + number(i) + "; selp.b32 s0, $mask, 0, p; xor.b32 d" + number(i) +
            ", d" + number(i) + ", s0; ";
  return text;
}

/// A chain in two parts, of which the second may have no steps; between them D may be altered.
std::string chain(uint32_t kind) {
  const std::string label = number(kind);
  const ChainTypes& types = chain_types[params::screen_type(kind)];
  std::string part;
  switch (params::screen_unit(kind)) {
    case ScreenUnit::wgmma:
    case ScreenUnit::wgmma_sparse:
      part = wgmma_steps(label, types, params::screen_unit(kind) == ScreenUnit::wgmma_sparse);
      break;
    case ScreenUnit::mma_sync:
      part = sync_steps(label, types);
      break;
    case ScreenUnit::tcgen05:
      part = tcgen05_steps(label, types);
      break;
  }
  return "part_" + label + ": " + part + "setp.eq.u32 p, rest, 0; @p bra whole_" + label + "; " +
         alter(params::screen_middle_registers) + "mov.b32 left, rest; mov.b32 rest, 0; bra part_" + label +
         "; whole_" + label + ":";
}

std::string declared() {
  std::string text =
      ".reg .b32 d<128>, a<4>, b<4>, s<5>, of_a, of_b, left, rest;\n.reg .b64 w<3>, hash, odd, factor;\n"
      ".reg .pred p, q, always;\nsetp.eq.u32 always, 0, 0; rem.u32 of_a, $tile, 3; and.b32 of_b, $tile, 1; "
      "mov.b32 left, $steps; mov.b32 rest, $more;";
  for (uint32_t i = 0; i < d_registers; ++i) text += "\nmov.b32 d" + number(i) + ", $c;";
  return text;
}

/// params::screen_hash() of 64 bits in w0.
std::string hash_step(const std::string& hash) {
  return "xor.b64 " + hash + ", " + hash + ", w0; mul.lo.s64 " + hash + ", " + hash +
         ", factor; mov.b64 {s0, s1}, " + hash +
         "; shf.l.wrap.b32 s2, s1, s0, 29; shf.l.wrap.b32 s3, s0, s1, 29; mov.b64 " + hash + ", {s2, s3}; ";
}

/// The hash of all registers; those of the first mismatch of a CTA go to memory.
std::string finished() {
  std::string text = "setp.eq.u32 p, $at_end, 0; @p bra unaltered;\n";
  std::array<uint32_t, d_registers> all{};
  for (uint32_t i = 0; i < d_registers; ++i) all[i] = i;
  text += alter(all) + "\nunaltered: mov.b64 hash, " + number(params::screen_hash_start) +
          "; mov.b64 odd, hash; mov.b64 factor, " + number(params::screen_hash_factor) + ";";
  for (uint32_t i = 0; i < d_registers; i += 2)
    text += "\nmov.b64 w0, {d" + number(i) + ", d" + number(i + 1) + "}; " +
            hash_step(i % 4 == 0 ? "hash" : "odd");
  text +=
      "\nmov.b64 w0, odd; " + hash_step("hash") +
      "mov.b32 $first, 0; setp.eq.b64 p, hash, $golden; @p bra ended; atom.shared.add.u32 s0, [$found], 1; "
      "setp.ne.u32 p, s0, 0; @p bra ended; mov.b32 $first, 1;";
  for (uint32_t i = 0; i < d_registers; i += 4)
    text += "\nst.global.v4.b32 [$dump+" + number(i * 4) + "], {" + register_list("d", 4, i) + "};";
  return text + "\nended:";
}

std::string chain_slot(std::string_view name, Picks picks) {
  if (name == "declared") return declared();
  return name == "finished" ? finished() : chain(picks[0]->value);
}

}  // namespace

/// `steps` steps, then alters register $altered of D by $mask where `more` is not 0, and goes on with so
/// many. at_end: alters at the end, too.
constexpr Family screen_chain{
    .name = "screen.chain",
    .operands =
        "first parity a:l b:l row_a row_b e idesc barrier tile c steps more at_end altered mask golden:l "
        "found dump:l",
    .before = "<declared>",
    .text = "<chain>",
    .after = "<finished>",
    .axes = chain_axes,
    .slot = chain_slot};

}  // namespace assay::forms
