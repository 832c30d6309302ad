// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"

#include <gtest/gtest.h>

#include <set>

#include "kernels/forms/records.h"
#include "kernels/forms/spelled_test.h"
#include "kernels/params/tmem_forms.h"

/// Spelled by hand after the PTX ISA's examples, so that a row that is wrong is seen here and not by an
/// assembler.
namespace assay::forms {
namespace {

TEST(Families, EveryFormIsSpelledDifferently) {
  std::set<std::string> texts;
  size_t count = 0;
  for (const Forms& forms : all_forms()) {
    // A row of tensormap.replace.global that stands alone in kernels of copies.
    if (forms.family().name == "tensormap.replace.swizzle_96b") continue;
    const std::vector<std::string_view> names = names_of(forms);
    EXPECT_NO_THROW(forms.spell_before(names) + forms.spell_after(names)) << forms.family().name;
    const bool is_in_cluster = forms.family().name == "cp.async.bulk.tensor.load.cluster";
    for (uint32_t opcode = 0; opcode < forms.size(); ++opcode) {
      const std::string text = spelled(forms, opcode);
      // To one CTA of a cluster by its addresses: the load of the issuer's CTA, in another kernel.
      if (is_in_cluster && text.find("multicast") == text.npos && text.find("cta_group") == text.npos) {
        EXPECT_TRUE(texts.contains(text)) << text;
        continue;
      }
      // A generic address says no more of another CTA's barrier than of the own one.
      if (forms.family().name == "mbarrier" && text.find("_tx") != text.npos && texts.contains(text))
        continue;
      ++count;
      EXPECT_TRUE(texts.insert(text).second) << text;
    }
  }
  EXPECT_EQ(texts.size(), count);
}

TEST(Families, Tcgen05MmaWithBlockScaling) {
  params::Tcgen05MmaRecord r{};
  r.cta_group = 1;
  r.kind = params::MmaKind::mxf4nvf4;
  r.scale_vector = 4;
  EXPECT_EQ(
      spelled(forms_of(r), opcode_of(r)),
      "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [d_tmem], a_desc, b_desc, idesc, "
      "[scale_a], [scale_b], accumulate;");
  r.scale_vector = 1;
  EXPECT_EQ(opcode_of(r), Forms::none);
  r.kind = params::MmaKind::mxf8f6f4;
  r.scale_vector = 0;
  r.cta_group = 2;
  r.flags = params::mma_a_in_tmem;
  r.collector = params::Collector::lastuse;
  EXPECT_EQ(
      spelled(forms_of(r), opcode_of(r)),
      "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.collector::a::lastuse [d_tmem], [a_tmem], b_desc, "
      "idesc, [scale_a], [scale_b], accumulate;");
  EXPECT_EQ(forms("tcgen05.mma.block_scale").size(), 200u + 3 * 40u);
  r.collector = params::Collector::none, r.flags = params::mma_a_in_tmem + params::mma_way;
  EXPECT_EQ(
      spelled(forms_of(r), opcode_of(r)),
      "add.u32 r0, d_tmem, 16; add.u32 r1, a_tmem, 16; add.u32 r2, scale_a, 16; add.u32 r3, scale_b, 16; "
      "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale [r0+-16], [r1+-16], b_desc, idesc, [r2+-16], "
      "[r3+-16], accumulate;");
  r.collector = params::Collector::fill;
  EXPECT_EQ(forms_of(r).picks(opcode_of(r)).back()->value, 0u) << "what has a collector is spelled plainly";
}

TEST(Families, SparseTcgen05Mma) {
  params::Tcgen05MmaRecord r{};
  r.cta_group = 1;
  r.flags = params::mma_sparse;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.mma.sp.cta_group::1.kind::f16 [d_tmem], a_desc, b_desc, [sp_meta], idesc, accumulate;");
  r.flags |= params::mma_ws | params::mma_a_in_tmem;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [d_tmem], [a_tmem], b_desc, [sp_meta], idesc, "
            "accumulate;");
  r.flags = params::mma_sparse;
  r.kind = params::MmaKind::mxf4;
  r.cta_group = 2;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.mma.sp.cta_group::2.kind::mxf4.block_scale [d_tmem], a_desc, b_desc, [sp_meta], idesc, "
            "[scale_a], [scale_b], accumulate;");
}

TEST(Families, PipelineMma) {
  params::GemmRecord r{};
  r.cta_group = 1;
  const auto text = [&](params::GemmType type) {
    r.type = type;
    return spelled(forms_of(r), opcode_of(r));
  };
  EXPECT_EQ(text(params::GemmType::bf16), "tcgen05.mma.cta_group::1.kind::f16 [d], a, b, idesc, accumulate;");
  EXPECT_EQ(text(params::GemmType::sparse_f16),
            "tcgen05.mma.sp.cta_group::1.kind::f16 [d], a, b, [a_scales], idesc, accumulate;");
  r.cta_group = 2;
  EXPECT_EQ(text(params::GemmType::mxf8_e5m2),
            "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.scale_vec::1X [d], a, b, idesc, [a_scales], "
            "[b_scales], accumulate;");
  EXPECT_EQ(text(params::GemmType::nvf4),
            "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X [d], a, b, idesc, [a_scales], "
            "[b_scales], accumulate;");
  EXPECT_EQ(forms("pipeline.mma").size(), 7u);
}

TEST(Families, Tcgen05Mma) {
  params::Tcgen05MmaRecord r{};
  r.cta_group = 1;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.mma.cta_group::1.kind::f16 [d_tmem], a_desc, b_desc, idesc, accumulate;");
  r.cta_group = 2;
  r.kind = params::MmaKind::tf32;
  r.flags = params::mma_a_in_tmem | params::mma_disable_output_lane | params::mma_scale_input_d;
  r.scale_input_d = 15;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.mma.cta_group::2.kind::tf32 [d_tmem], [a_tmem], b_desc, idesc, "
            "{lane0, lane1, lane2, lane3, lane4, lane5, lane6, lane7}, accumulate, 15;");
  r.collector = params::Collector::use;
  EXPECT_EQ(opcode_of(r), Forms::none);
  r.kind = params::MmaKind::i8;
  r.flags = params::mma_ws | params::mma_zero_column_mask;
  r.collector_buffer = 3;
  EXPECT_EQ(
      spelled(forms_of(r), opcode_of(r)),
      "tcgen05.mma.ws.cta_group::1.kind::i8.collector::b3::use [d_tmem], a_desc, b_desc, idesc, accumulate, "
      "zero_column_mask;");
  EXPECT_EQ(
      spelled(forms_of(r), filling_opcode_of(r)),
      "tcgen05.mma.ws.cta_group::1.kind::i8.collector::b3::fill [d_tmem], a_desc, b_desc, idesc, accumulate, "
      "zero_column_mask;");
  EXPECT_EQ(forms_of(r).targets(opcode_of(r)), with_tcgen05_i8);
  r.kind = params::MmaKind::f16;
  EXPECT_EQ(forms_of(r).targets(opcode_of(r)), with_tcgen05);
}

TEST(Families, Wgmma) {
  params::WgmmaRecord r{};
  r.form = params::wgmma_form(params::MmaTypes::f16_f16_f16, 24, params::wgmma_a_in_registers);
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "ld.global.v2.b32 {d0, d1}, [d_address+0]; ld.global.v2.b32 {d2, d3}, [d_address+8]; "
            "ld.global.v2.b32 {d4, d5}, [d_address+16]; wgmma.fence.sync.aligned; "
            "wgmma.mma_async.sync.aligned.m64n24k16.f16.f16.f16 {d0, d1, d2, d3, d4, d5}, {a0, a1, a2, a3}, "
            "b_desc, "
            "accumulate, 1, 1, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; "
            "st.global.v2.b32 [d_address+0], {d0, d1}; st.global.v2.b32 [d_address+8], {d2, d3}; "
            "st.global.v2.b32 [d_address+16], {d4, d5}; ");
  const auto has = [&](params::MmaTypes types, uint32_t n, uint32_t modifiers, const char* words) {
    r.form = params::wgmma_form(types, n, modifiers);
    const uint32_t opcode = opcode_of(r);
    return opcode != Forms::none && spelled(forms_of(r), opcode).find(words) != std::string::npos;
  };
  EXPECT_TRUE(has(params::MmaTypes::f32_bf16_bf16, 32, params::wgmma_negate_b | params::wgmma_transpose_a,
                  "a_desc, b_desc, accumulate, 1, -1, 1, 0;"));
  EXPECT_TRUE(has(params::MmaTypes::f32_tf32_tf32, 8, 0, "m64n8k8.f32.tf32.tf32"));
  EXPECT_TRUE(has(params::MmaTypes::s32_u8_s8_satfinite, 8, 0,
                  "m64n8k32.s32.u8.s8.satfinite {d0, d1, d2, d3}, "
                  "a_desc, b_desc, accumulate;"));
  EXPECT_FALSE(
      has(params::MmaTypes::f32_f16_f16, 32, params::wgmma_transpose_a | params::wgmma_a_in_registers, ""));
  EXPECT_FALSE(has(params::MmaTypes::f32_e4m3_e4m3, 8, params::wgmma_transpose_b, ""));
  EXPECT_FALSE(has(params::MmaTypes::f32_e4m3_e4m3, 8, params::wgmma_negate_a, ""));
  const auto sparse = [&](params::MmaTypes types, uint32_t n, uint32_t selector) -> std::string {
    r.form = params::wgmma_form(types, n, 0, params::mma_sparsity(params::MmaSparsity::sp, selector));
    return opcode_of(r) == Forms::none ? "none" : spelled(forms_of(r), opcode_of(r));
  };
  EXPECT_NE(sparse(params::MmaTypes::f32_tf32_tf32, 8, 1)
                .find("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {d0, d1, d2, d3}, a_desc, "
                      "b_desc, e, 1, accumulate, 1, 1;"),
            std::string::npos);
  EXPECT_NE(sparse(params::MmaTypes::s32_s8_u8, 8, 0).find("m64n8k64.s32.s8.u8"), std::string::npos);
  EXPECT_EQ(sparse(params::MmaTypes::s32_s8_u8, 8, 1), "none") << "all lanes have metadata";
  EXPECT_EQ(sparse(params::MmaTypes::f32_f16_f16, 200, 0), "none");
}

TEST(Families, MmaSync) {
  params::MmaSyncRecord r{};
  const auto text = [&](params::MmaTypes types, uint32_t m, uint32_t k,
                        uint32_t sparsity = 0) -> std::string {
    r.form = params::mma_sync_form(types, m, k, sparsity);
    return opcode_of(r) == Forms::none ? "none" : spelled(forms_of(r), opcode_of(r));
  };
  EXPECT_EQ(text(params::MmaTypes::f32_bf16_bf16, 16, 8),
            "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {d0, d1, d2, d3}, {a0, a1}, {b0}, {d0, d1, "
            "d2, d3};");
  EXPECT_EQ(
      text(params::MmaTypes::f16_e4m3_e5m2, 16, 32),
      "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16 {d0, d1}, {a0, a1, a2, a3}, {b0, b1}, {d0, d1};");
  EXPECT_EQ(text(params::MmaTypes::s32_u4_s4_satfinite, 8, 32),
            "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.s4.s32 {d0, d1}, {a0}, {b0}, {d0, d1};");
  EXPECT_EQ(text(params::MmaTypes::f32_tf32_tf32, 16, 16), "none");
  using enum params::MmaSparsity;
  const auto sparse = [&](params::MmaTypes types, uint32_t k, params::MmaSparsity spelling,
                          uint32_t selector) {
    return text(types, 16, k, params::mma_sparsity(spelling, selector));
  };
  EXPECT_EQ(sparse(params::MmaTypes::f32_f16_f16, 32, sp_ordered_metadata, 1),
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {d0, d1, d2, d3}, {a0, "
            "a1, a2, a3}, {b0, b1, b2, b3}, {d0, d1, d2, d3}, e, 1;");
  EXPECT_EQ(
      sparse(params::MmaTypes::f32_tf32_tf32, 8, sp, 3),
      "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {d0, d1, d2, d3}, {a0, a1}, {b0, b1}, {d0, "
      "d1, d2, d3}, e, 3;");
  EXPECT_EQ(sparse(params::MmaTypes::s32_u4_s4_satfinite, 128, sp, 0),
            "mma.sp.sync.aligned.m16n8k128.row.col.satfinite.s32.u4.s4.s32 {d0, d1, d2, d3}, {a0, a1, a2, "
            "a3}, {b0, b1, b2, b3}, {d0, d1, d2, d3}, e, 0;");
  EXPECT_EQ(sparse(params::MmaTypes::f32_f16_f16, 32, sp, 2), "none") << "no lanes 4 and 5";
  EXPECT_EQ(sparse(params::MmaTypes::s32_s8_s8, 64, sp, 1), "none") << "all lanes have metadata";
  EXPECT_EQ(sparse(params::MmaTypes::f32_e4m3_e4m3, 32, sp, 0), "none");
  EXPECT_EQ(sparse(params::MmaTypes::f16_e4m3_e4m3, 64, sp, 0), "none");
  EXPECT_EQ(text(params::MmaTypes::f32_e4m3_e4m3, 8, 16), "none");
}

TEST(Families, Tcgen05Cp) {
  params::TmemCopyRecord r{};
  r.cta_group = 1, r.move_count = 2;
  params::TmemMoveCommand& copy = r.moves[0];
  copy.shape = params::CopyShape::s64x128b_warpx2_01_23;
  copy.format = params::CopyFormat::b4x16_p64;
  copy.opcode = opcode_of(copy);
  EXPECT_EQ(spelled(forms_of(r), copy.opcode),
            "tcgen05.cp.cta_group::1.64x128b.warpx2::01_23.b8x16.b4x16_p64 [address], descriptor;");
  r.cta_group = 2;
  copy.shape = params::CopyShape::s32x128b_warpx4, copy.format = params::CopyFormat::none;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(copy)),
            "tcgen05.cp.cta_group::2.32x128b.warpx4 [address], descriptor;");
  EXPECT_EQ(opcode_of(copy), params::plain_copy_opcode(5));
  EXPECT_EQ(forms("tcgen05.cp").size() + forms("tcgen05.cp.pair").size(), 4 * 36u);
  EXPECT_EQ(spelled(forms_of(r), opcode_of(copy, 3)),
            "add.u32 r0, address, 8; mov.u32 r1, %ntid.x; setp.ne.u32 p1, r1, 0; @p1 tcgen05.cp.cta_group::2"
            ".32x128b.warpx4 [address], descriptor; @!p1 tcgen05.cp.cta_group::2.32x128b.warpx4 [r0], "
            "descriptor;");
  r.moves[1].is_shift = 1;
  EXPECT_EQ(needed_forms(r), (Needed{{"tcgen05.cp.pair", {copy.opcode}}}));
}

TEST(Families, CopiesOfScales) {
  params::Tcgen05MmaRecord r{};
  r.kind = params::MmaKind::mxf4, r.cta_group = 1, r.opcode = opcode_of(r);
  r.window_bytes = r.a_scales.source = r.b_scales.source = 2048;
  EXPECT_EQ(needed_forms(r), (Needed{{"tcgen05.mma.block_scale", {r.opcode}}}));
  r.a_scales.source = 1024;
  const uint32_t copy = params::plain_copy_opcode(5);
  EXPECT_EQ(needed_forms(r), (Needed{{"tcgen05.mma.block_scale", {r.opcode}}, {"tcgen05.cp", {copy}}}));
  r.cta_group = 2;
  EXPECT_TRUE(needed_forms(r).contains("tcgen05.cp.pair"));
  r.flags = params::mma_scale_halves | params::mma_sparse | params::mma_metadata_copied;
  EXPECT_EQ(needed_forms(r).at("tcgen05.cp.pair"),
            (std::set<uint32_t>{params::plain_copy_opcode(2), params::plain_copy_opcode(4), copy}));
}

TEST(Families, TensorCopies) {
  TensorCopyForm form{params::CopyOp::load, params::CopyMode::tile, 3, 0, false, 0};
  const auto text = [&] { return spelled(forms_of(form), opcode_of(form)); };
  EXPECT_EQ(
      text(),
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [to], [map, {c0, "
      "c1, c2}], [bar];");
  form.flags = params::copy_destination_cta | params::copy_cache_hint | params::copy_prefetch_first;
  form.mode = params::CopyMode::im2col, form.rank = 5;
  EXPECT_EQ(text(),
            "cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint "
            "[to], [map, {c0, c1, c2, c3, c4}], [bar], {o0, o1, o2}, policy;");
  EXPECT_EQ(spelled(forms("cp.async.bulk.prefetch.tensor"), prefetch_opcode_of(form)),
            "cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [map, {c0, c1, c2, c3, c4}], {o0, o1, o2};");
  EXPECT_EQ(needed_forms(form).size(), 2u);
  EXPECT_EQ(forms_of(form).targets(opcode_of(form)), every_target);
  form.is_in_cluster = true;
  form.mode = params::CopyMode::w_128, form.rank = 3, form.flags = params::copy_cta_group_2;
  EXPECT_EQ(text(),
            "cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w::128.mbarrier::complete_tx::bytes"
            ".multicast::cluster.cta_group::2 [to], [map, {c0, c1, c2}], [bar], {o0, o1}, mask;");
  EXPECT_EQ(forms_of(form).targets(opcode_of(form)), with_tcgen05);
  form.mode = params::CopyMode::tile, form.rank = 1, form.flags = params::copy_unicast;
  EXPECT_EQ(text(),
            "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [to], [map, "
            "{c0}], [bar];");
  EXPECT_EQ(forms_of(form).targets(opcode_of(form)), every_target);
  form.mode = params::CopyMode::gather4, form.rank = 2;
  form.flags = params::copy_unicast | params::copy_cta_group_1 | params::copy_cache_hint;
  EXPECT_EQ(text(),
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes"
            ".cta_group::1.L2::cache_hint [to], [map, {c0, c1, c2, c3, c4}], [bar], policy;");
  form.rank = 3;
  EXPECT_EQ(opcode_of(form), Forms::none);
}

TEST(Families, TensorStores) {
  TensorCopyForm form{params::CopyOp::store, params::CopyMode::gather4, 2, params::copy_cache_hint, false, 0};
  const auto text = [&] { return spelled(forms_of(form), opcode_of(form)); };
  EXPECT_EQ(text(),
            "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group.L2::cache_hint [map, {c0, "
            "c1, c2, c3, c4}], [from], policy;");
  form.mode = params::CopyMode::im2col, form.rank = 4, form.flags = 0;
  form.reduction = 1 + static_cast<uint32_t>(params::TensorReduceOp::bit_xor);
  EXPECT_EQ(text(),
            "cp.reduce.async.bulk.tensor.4d.global.shared::cta.xor.im2col_no_offs.bulk_group [map, {c0, c1, "
            "c2, c3}], [from];");
  form.rank = 2;
  EXPECT_EQ(opcode_of(form), Forms::none);
  form.rank = 3, form.mode = params::CopyMode::w;
  EXPECT_EQ(opcode_of(form), Forms::none);
}

TEST(Families, TensormapReplace) {
  const Forms &global = forms("tensormap.replace.global"), &shared = forms("tensormap.replace.shared");
  params::MapStep step{};
  const auto text = [&](const Forms& forms) { return spelled(forms, opcode_of(step)); };
  step.command = params::MapCommand::global_address;
  EXPECT_EQ(text(global), "tensormap.replace.tile.global_address.global.b1024.b64 [map], value;");
  step.command = params::MapCommand::rank, step.value = 99;
  EXPECT_EQ(text(shared), "tensormap.replace.tile.rank.shared::cta.b1024.b32 [map], low;");
  step.command = params::MapCommand::global_stride, step.ordinal = 3;
  EXPECT_EQ(text(global), "tensormap.replace.tile.global_stride.global.b1024.b64 [map], 3, value;");
  step.command = params::MapCommand::element_stride, step.ordinal = 4;
  EXPECT_EQ(text(shared), "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [map], 4, low;");
  step.command = params::MapCommand::swizzle_mode, step.value = 4;
  EXPECT_EQ(text(global), spelled(forms("tensormap.replace.swizzle_96b"), 0));
  EXPECT_EQ(global.targets(opcode_of(step)), target_of(spec::Arch::sm_103) | target_of(spec::Arch::sm_107));
  step.value = 3;
  EXPECT_EQ(global.targets(opcode_of(step)), every_target);
  step.command = params::MapCommand::elemtype, step.value = 15;
  EXPECT_EQ(text(global), "tensormap.replace.tile.elemtype.global.b1024.b32 [map], 15;");
  EXPECT_EQ(global.targets(opcode_of(step)), from_sm_100a);
  step.value = 16;
  EXPECT_EQ(opcode_of(step), Forms::none);
  step.value = uint64_t{1} << 32;
  EXPECT_EQ(opcode_of(step), Forms::none);
  EXPECT_EQ(global.size(), 2u + 20u + 16u + 3u + 5u + 4u + 2u);
}

TEST(Families, FencesOfMapsByTheirScope) {
  EXPECT_EQ(spelled(forms("fence.proxy.tensormap.release"), 0),
            "fence.proxy.tensormap::generic.release.cta;");
  EXPECT_EQ(spelled(forms("fence.proxy.tensormap.acquire"), 1),
            "fence.proxy.tensormap::generic.acquire.cluster [map], 128;");
  EXPECT_EQ(spelled(forms("tensormap.cp_fenceproxy"), 3),
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.sys.sync.aligned [to], "
            "[from], 128;");
  params::MapProgramRecord r{};
  r.steps = 3;
  r.step[0] = {.command = params::MapCommand::acquire, .scope = 2};
  r.step[1] = {.command = params::MapCommand::copy_fence, .scope = 1};
  r.step[2] = {.command = params::MapCommand::acquire, .scope = 0};
  EXPECT_EQ(needed_forms(r),
            (Needed{{"fence.proxy.tensormap.acquire", {0, 2}}, {"tensormap.cp_fenceproxy", {1}}}));
}

TEST(Families, BulkCopies) {
  params::BulkCopyRecord r{};
  const auto text = [&] { return spelled(forms_of(r), opcode_of(r)); };
  r.op = params::BulkOp::multicast, r.flags = params::bulk_cache_hint;
  EXPECT_EQ(text(),
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
            ".L2::cache_hint [to], [global], size, [bar], mask, policy;");
  r.op = params::BulkOp::store, r.flags = params::bulk_masks_bytes;
  EXPECT_EQ(text(), "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [global], [from], size, mask;");
  EXPECT_EQ(forms_of(r).targets(opcode_of(r)), from_sm_100a);
  EXPECT_EQ(forms_of(r).opcode({static_cast<uint32_t>(params::BulkOp::load_cta), ~0u, 1, 0}), Forms::none);
  r.op = params::BulkOp::reduce_cluster, r.flags = 0;
  r.form = static_cast<uint8_t>(params::bulk_form(params::BulkReduceOp::add, params::BulkReduceType::u64));
  EXPECT_EQ(text(),
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [to], "
            "[from], size, [bar];");
  r.form = static_cast<uint8_t>(params::bulk_form(params::BulkReduceOp::add, params::BulkReduceType::f16));
  EXPECT_EQ(opcode_of(r), Forms::none);
  r.op = params::BulkOp::reduce_global;
  EXPECT_EQ(text(),
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [global], [from], size;");
  // Loads, stores, stores with a mask, copies between CTAs, prefetches and both kinds of reductions.
  EXPECT_EQ(forms_of(r).size(), 3 * 8u + 8u + 7u + 5u + 7u + 27 * 7u + 12 * 5u);
  std::set<std::string> texts;
  r.size = 16, r.pieces = 1;
  for (r.spelling = 0; r.spelling < 64; ++r.spelling) texts.insert(text());
  EXPECT_EQ(texts.size(), 7u);
  for (const char* sum :
       {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [global], [from], 16;",
        "add.s32 r0, from, 128; add.s64 w1, global, 128; cp.reduce.async.bulk.global.shared::cta.bulk_group"
        ".add.noftz.f16 [w1+-128], [r0+-128], size;",
        "createpolicy.fractional.L2::evict_last.b64 w0; cp.reduce.async.bulk.global.shared::cta.bulk_group"
        ".L2::cache_hint.add.noftz.f16 [global], [from], size, w0;"})
    EXPECT_TRUE(texts.contains(sum)) << sum;
  r.op = params::BulkOp::peer, r.size = 32, texts.clear();
  for (r.spelling = 0; r.spelling < 64; ++r.spelling) texts.insert(text());
  EXPECT_EQ(texts.size(), 4u);
  EXPECT_TRUE(texts.contains(
      "add.s32 r0, to, 128; setp.ne.u64 p1, global, 0; @p1 cp.async.bulk.shared::cluster.shared::cta."
      "mbarrier::complete_tx::bytes [to], [from], size, [bar]; @!p1 cp.async.bulk.shared::cluster.shared::"
      "cta.mbarrier::complete_tx::bytes [r0], [from], size, [bar];"));
}

TEST(Families, Tcgen05LdRed) {
  params::TmemLdRedRecord r{};
  r.count = 4, r.operation = 7;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.ld.red.sync.aligned.32x32b.x4.min.abs.NaN.f32 {v0, v1, v2, v3}, v128, [address];\n"
            "tcgen05.wait::ld.sync.aligned;\n"
            "tcgen05.st.sync.aligned.32x32b.x2.b32 [address+0], {w, w};\n"
            "tcgen05.st.sync.aligned.32x32b.x2.b32 [address+2], {w, w};\n"
            "tcgen05.wait::st.sync.aligned;");
  r.is_split = 1, r.count = 2, r.operation = 1;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.ld.red.sync.aligned.16x32bx2.x2.max.u32 {v0, v1}, v128, [address], 2;\n"
            "tcgen05.wait::ld.sync.aligned;\n"
            "tcgen05.st.sync.aligned.16x32bx2.x2.b32 [address+0], 2, {w, w};\n"
            "tcgen05.st.sync.aligned.16x32bx2.x2.b32 [address+0], 2, {w, w};\n"
            "tcgen05.wait::st.sync.aligned;");
  EXPECT_EQ(forms_of(r).targets(opcode_of(r)), with_ld_red);
  r.count = 1;
  EXPECT_EQ(opcode_of(r), Forms::none);
}

TEST(Families, ColumnsByALoadEach) {
  const std::string text = spelled(forms("tcgen05.ld.columns.st"), 0);
  EXPECT_TRUE(
      text.starts_with("tcgen05.ld.sync.aligned.32x32b.x1.b32 {v0}, [address];\n"
                       "tcgen05.ld.sync.aligned.32x32b.x1.b32 {v1}, [address+1];\n"))
      << text;
  EXPECT_TRUE(
      text.ends_with("{v7}, [address+7];\ntcgen05.wait::ld.sync.aligned;\n"
                     "tcgen05.st.sync.aligned.32x32b.x8.b32 [address], {w0, w1, w2, w3, w4, w5, w6, w7};\n"
                     "tcgen05.wait::st.sync.aligned;"))
      << text;
  EXPECT_TRUE(
      spelled(forms("tcgen05.ld.columns.wait_st"), 0)
          .ends_with("{v7}, [address+7];\ntcgen05.wait::st.sync.aligned;\ntcgen05.wait::ld.sync.aligned;"));
  params::SequenceRecord r{};
  r.is_tmem = 1, r.count = 1;
  r.commands[0] = {static_cast<uint8_t>(params::TmemCommand::load), 0, 0, params::load_by_columns};
  EXPECT_EQ(needed_forms(r), (Needed{{"tcgen05.ld.columns", {0}}}));
}

TEST(Families, Tcgen05LdAndSt) {
  params::TmemAccessRecord r{};
  r.shape = params::TmemShape::s16x128b, r.count = 2, r.packs = 1;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.ld.sync.aligned.16x128b.x2.pack::16b.b32 {v0, v1, v2, v3}, [address];\n"
            "tcgen05.wait::ld.sync.aligned;\n"
            "mov.b32 w, 0x0badcafe;\n"
            "tcgen05.st.sync.aligned.16x128b.x2.unpack::16b.b32 [address], {w, w, w, w};\n"
            "tcgen05.wait::st.sync.aligned;");
  // Far more columns than are overwritten: the first and the last of them.
  r.shape = params::TmemShape::s16x256b, r.count = 16, r.packs = 0;
  EXPECT_NE(
      spelled(forms_of(r), opcode_of(r)).find("tcgen05.st.sync.aligned.16x256b.x4.b32 [address+96], {w, "),
      std::string::npos);
  r.count = 2, r.packs = 1;
  r.shape = params::TmemShape::s16x32bx2, r.is_store = 1, r.split = 64;
  EXPECT_EQ(spelled(forms_of(r), opcode_of(r)),
            "tcgen05.st.sync.aligned.16x32bx2.x2.unpack::16b.b32 [address], 64, {v0, v1};");
  r.split = 3;
  EXPECT_EQ(opcode_of(r), Forms::none);
}

TEST(Families, MmaSyncWithAKind) {
  const Forms& scaled = forms("mma.sync.block_scale");
  EXPECT_EQ(scaled.size(), 2 * (2u * 25 + 2 + 2));
  params::MmaSyncKindRecord r{};
  r.kind = params::MmaSyncKind::mxf4nvf4, r.a = r.b = params::KindElement::e2m1, r.scale_vector = 4;
  std::vector<std::string_view> names;
  for (const Operand& operand : scaled.operands()) names.push_back(operand.name);
  EXPECT_EQ(
      scaled.spell(opcode_of(r), names),
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 "
      "{d0, d1, d2, d3}, {a0, a1, a2, a3}, {b0, b1}, {d0, d1, d2, d3}, scale_a, {byte_a, thread_a}, "
      "scale_b, {byte_b, thread_b};");
  EXPECT_EQ(scaled.targets(opcode_of(r)), target_of(spec::Arch::sm_120));
  r.is_sparse = 1;
  EXPECT_EQ(
      scaled.spell(opcode_of(r), names),
      "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X."
      "f32.e2m1.e2m1.f32.ue4m3 {d0, d1, d2, d3}, {a0, a1, a2, a3}, {b0, b1, b2, b3}, {d0, d1, d2, d3}, "
      "e, 0, scale_a, {byte_a, thread_a}, scale_b, {byte_b, thread_b};");
  r.scale_vector = 0;
  EXPECT_EQ(opcode_of(r), Forms::none);
  const Forms& plain = forms("mma.sync.kind");
  EXPECT_EQ(plain.size(), 2 * 50u);
  r.kind = params::MmaSyncKind::f8f6f4, r.a = params::KindElement::e3m2, r.d_is_f16 = 1;
  names.clear();
  for (const Operand& operand : plain.operands()) names.push_back(operand.name);
  EXPECT_EQ(plain.spell(opcode_of(r), names),
            "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f16.e3m2.e2m1.f16 {d0, d1}, "
            "{a0, a1, a2, a3}, {b0, b1, b2, b3}, {d0, d1}, e, 0;");
  r.is_sparse = 0;
  EXPECT_EQ(plain.spell(opcode_of(r), names),
            "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.e3m2.e2m1.f16 {d0, d1}, {a0, a1, a2, a3}, "
            "{b0, b1}, {d0, d1};");
}

}  // namespace
}  // namespace assay::forms
