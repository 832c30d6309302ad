// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/forms/form.h"

namespace assay::fuzz {

/// A PTX module for sm_100a with one kernel `k(.param .u64 p)`, made from bytes: each takes a statement of
/// the supported subset or an operand, so that a changed byte changes one of them. Registers are the only
/// state between statements; loops, branches, barriers, memory and asynchronous copies occur. The text always
/// loads.
std::string kernel_text(std::span<const uint8_t> bytes);

/// How many statements there are to choose from, and which a text took.
size_t statement_count();
size_t statement_of(uint8_t byte);

/// The instructions of kernels/forms that a target has, as statements with places for their operands
/// (fuzz/kernel_text.h). Those of more than 64 registers are left out: an input has room for little else
/// then.
std::span<const std::string> spelled_forms(spec::Arch);

/// One form in that way.
std::string with_places(const forms::Forms& forms, uint32_t opcode);

/// Statements with places for their operands: %r 32-bit, %d 64-bit, %h 16-bit, %f f32, %e f64, %p predicate
/// registers; %i small number, %n any 32-bit number; %g address in the kernel's buffer, %s in shared memory,
/// %m an mbarrier, %l in local memory; %L label.
inline constexpr std::array plain_forms{
    "add.u32 %r, %r, %r;",
    "sub.s32 %r, %r, %n;",
    "mul.lo.u32 %r, %r, %r;",
    "mul.wide.u32 %d, %r, %r;",
    "mul.hi.s32 %r, %r, %r;",
    "mad.lo.s32 %r, %r, %r, %r;",
    "div.u32 %r, %r, %r;",
    "rem.s32 %r, %r, %r;",
    "add.cc.u32 %r, %r, %r;",
    "addc.u32 %r, %r, %r;",
    "and.b32 %r, %r, %n;",
    "xor.b32 %r, %r, %r;",
    "not.b32 %r, %r;",
    "shl.b32 %r, %r, %r;",
    "shr.s32 %r, %r, %r;",
    "shf.l.wrap.b32 %r, %r, %r, %r;",
    "lop3.b32 %r, %r, %r, %r, 0x96;",
    "prmt.b32 %r, %r, %r, %r;",
    "bfe.u32 %r, %r, %r, %r;",
    "bfi.b32 %r, %r, %r, %r, %r;",
    "popc.b32 %r, %r;",
    "clz.b32 %r, %r;",
    "brev.b32 %r, %r;",
    "min.s32 %r, %r, %r;",
    "max.u32 %r, %r, %r;",
    "abs.s32 %r, %r;",
    "selp.b32 %r, %r, %r, %p;",
    "mov.u32 %r, %n;",
    "mov.b64 %d, {%r, %r};",
    "mov.b64 {%r, %r}, %d;",
    "add.s64 %d, %d, %d;",
    "mul.lo.u64 %d, %d, %d;",
    "shl.b64 %d, %d, %r;",
    "add.f32 %f, %f, %f;",
    "fma.rn.f32 %f, %f, %f, %f;",
    "mul.rz.f32 %f, %f, %f;",
    "div.rn.f32 %f, %f, %f;",
    "sqrt.rn.f32 %f, %f;",
    "add.f64 %e, %e, %e;",
    "cvt.rn.f32.s32 %f, %r;",
    "cvt.rzi.s32.f32 %r, %f;",
    "cvt.u32.u16 %r, %h;",
    "cvt.u16.u32 %h, %r;",
    "cvt.f64.f32 %e, %f;",
    "add.u16 %h, %h, %h;",
    "setp.eq.u32 %p, %r, %r;",
    "setp.lt.s32 %p, %r, %n;",
    "setp.gt.f32 %p, %f, %f;",
    "and.pred %p, %p, %p;",
    "not.pred %p, %p;",
    "mov.u32 %r, %tid.x;",
    "mov.u32 %r, %ctaid.x;",
    "mov.u32 %r, %laneid;",
    "ld.global.u32 %r, [%g];",
    "st.global.u32 [%g], %r;",
    "ld.global.v4.u32 {%r, %r, %r, %r}, [%g];",
    "st.global.v2.u32 [%g], {%r, %r};",
    "ld.shared.u32 %r, [%s];",
    "st.shared.u32 [%s], %r;",
    "st.shared.u64 [%s], %d;",
    "ld.local.u32 %r, [%l];",
    "st.local.u32 [%l], %r;",
    "ld.u32 %r, [%g];",
    "atom.global.add.u32 %r, [%g], %r;",
    "atom.shared.cas.b32 %r, [%s], %r, %r;",
    "red.global.max.s32 [%g], %r;",
    "prefetch.global.L2 [%g];",
    "bar.sync 0;",
    "bar.warp.sync 0xffffffff;",
    "barrier.sync %i, 64;",
    "membar.gl;",
    "fence.proxy.async;",
    "shfl.sync.idx.b32 %r, %r, %r, 31, 0xffffffff;",
    "shfl.sync.bfly.b32 %r|%p, %r, %i, 31, 0xffffffff;",
    "vote.sync.ballot.b32 %r, %p, 0xffffffff;",
    "vote.sync.any.pred %p, %p, 0xffffffff;",
    "activemask.b32 %r;",
    "match.any.sync.b32 %r, %r, 0xffffffff;",
    "redux.sync.add.s32 %r, %r, 0xffffffff;",
    "elect.sync %r|%p, 0xffffffff;",
    "bra %L;",
    "@%p bra %L;",
    "@!%p bra %L;",
    "@%p exit;",
    "@%p st.global.u32 [%g], %r;",
    "mbarrier.init.shared.b64 [%m], %i;",
    "mbarrier.arrive.shared.b64 %d, [%m];",
    "mbarrier.arrive.expect_tx.shared.b64 %d, [%m], 16;",
    "mbarrier.test_wait.parity.shared.b64 %p, [%m], %i;",
    "mbarrier.try_wait.parity.shared.b64 %p, [%m], %i;",
    "cp.async.ca.shared.global [%s], [%g], 16;",
    "cp.async.commit_group;",
    "cp.async.wait_all;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 16, [%m];",
    "cp.async.bulk.global.shared::cta.bulk_group [%g], [%s], 16;",
    "cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group 0;",
    "nanosleep.u32 %i;",
};

/// Further ones that load, whose registers would have to hold more than a random program puts there.
inline constexpr std::array loading_forms{
    "ld.global.L1::no_allocate.v4.u32 {%r, %r, %r, %r}, [%d];",
    "ld.acquire.gpu.global.u32 %r, [%d];",
    "st.release.sys.global.u64 [%d], %d;",
    "ld.shared::cta.v2.u32 {%r, %r}, [%r];",
    "atom.global.acq_rel.gpu.cas.b64 %d, [%d], %d, %d;",
    "red.global.add.f32 [%d], %f;",
    "mapa.shared::cluster.u32 %r, %r, %r;",
    "cvta.to.global.u64 %d, %d;",
    "cvta.shared.u64 %d, %d;",
    "isspacep.shared %p, %d;",
    "barrier.cluster.arrive.release.aligned;",
    "barrier.cluster.wait.acquire.aligned;",
    "fence.mbarrier_init.release.cluster;",
    "fence.proxy.tensormap::generic.acquire.gpu [%d], 128;",
    "mbarrier.inval.shared.b64 [%r];",
    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r], %r;",
    "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r];",
    "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [%r], %r;",
    "cp.async.bulk.prefetch.L2.global [%d], %r;",
    "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r], [%d, {%r}], [%r];",
    "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
    "[%r], [%d, {%r, %r, %r}], [%r], %h;",
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r], "
    "[%d, {%r, %r}], [%r], %d;",
    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d, {%r, %r}], [%r];",
    "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%d, {%r, %r}];",
    "prefetch.tensormap [%d];",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r, %r, %r, %r}, [%r];",
    "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r], {%r, %r};",
    "griddepcontrol.wait;",
    "createpolicy.fractional.L2::evict_first.b64 %d, 1.0;",
    "add.rn.ftz.f32 %f, %f, %f;",
    "ex2.approx.ftz.f32 %f, %f;",
    "fma.rn.f64 %e, %e, %e, %e;",
    "min.NaN.f32 %f, %f, %f;",
    "cvt.rn.bf16x2.f32 %r, %f, %f;",
    "cvt.rn.satfinite.e4m3x2.f32 %h, %f, %f;",
    "fma.rn.f16x2 %r, %r, %r, %r;",
    "add.rn.bf16 %h, %h, %h;",
    "set.lt.u32.f32 %r, %f, %f;",
    "setp.lt.and.s32 %p, %r, %r, %p;",
    "slct.u32.s32 %r, %r, %r, %r;",
    "dp4a.s32.s32 %r, %r, %r, %r;",
    "mad24.lo.u32 %r, %r, %r, %r;",
    "szext.wrap.s32 %r, %r, %r;",
    "bfind.u32 %r, %r;",
    "fns.b32 %r, %r, %r, %r;",
};
/// What only one family of targets has, beside fuzz/kernel_text.h.
inline constexpr std::array sm_90_forms{
    "wgmma.fence.sync.aligned;",
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0;",
};
inline constexpr std::array sm_100_forms{
    "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32 {%r, %r, %r, %r}, [%r];",
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r], 32;",
    "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r, 32;",
    "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
    "tcgen05.wait::ld.sync.aligned;",
    "tcgen05.wait::st.sync.aligned;",
    "tcgen05.fence::before_thread_sync;",
    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r];",
    "add.rn.f32x2 %d, %d, %d;",
};

/// An operand's place: '%' and one letter of the above; "%tid.x" and its like are none, a letter goes on.
constexpr bool is_placeholder(std::string_view text, size_t at) {
  if (text[at] != '%' || at + 1 >= text.size()) return false;
  const bool one_letter =
      at + 2 >= text.size() || !((text[at + 2] >= 'a' && text[at + 2] <= 'z') || text[at + 2] == '_');
  return one_letter && std::string_view("rdhfepingsmlL").find(text[at + 1]) != std::string_view::npos;
}

}  // namespace assay::fuzz
