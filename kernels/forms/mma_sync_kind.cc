// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/mma_sync_kind.h"
#include "kernels/forms/families.h"

/// mma.sync with a kind: elements of 8, 6 and 4 bits, with block scaling or without, with a sparse A too (PTX
/// ISA, mma and mma.sp; sm_120a).
namespace assay::forms {
namespace {

using params::KindElement;
using params::MmaSyncKind;

constexpr uint32_t value(KindElement element) {
  return static_cast<uint32_t>(element);
}
/// Kind and scale vector, which go together.
constexpr uint32_t value(MmaSyncKind kind, uint32_t vector) {
  return static_cast<uint32_t>(kind) * 8 + vector;
}

constexpr Choice d_types[] = {{".f32", 0}, {".f16", 1}};
constexpr Choice elements[] = {{".e4m3", value(KindElement::e4m3)},
                               {".e5m2", value(KindElement::e5m2)},
                               {".e3m2", value(KindElement::e3m2)},
                               {".e2m3", value(KindElement::e2m3)},
                               {".e2m1", value(KindElement::e2m1)}};
constexpr Choice scalings[] = {{"kind::mxf8f6f4.block_scale", value(MmaSyncKind::mxf8f6f4, 0)},
                               {"kind::mxf8f6f4.block_scale.scale_vec::1X", value(MmaSyncKind::mxf8f6f4, 1)},
                               {"kind::mxf4.block_scale", value(MmaSyncKind::mxf4, 0)},
                               {"kind::mxf4.block_scale.scale_vec::2X", value(MmaSyncKind::mxf4, 2)},
                               {"kind::mxf4nvf4.block_scale.scale_vec::2X", value(MmaSyncKind::mxf4nvf4, 2)},
                               {"kind::mxf4nvf4.block_scale.scale_vec::4X", value(MmaSyncKind::mxf4nvf4, 4)}};
/// Kinds have ordered metadata alone.
constexpr Choice sparsities[] = {{"", 0}, {".sp::ordered_metadata", 1}};

constexpr Axis plain_axes[] = {{"sparsity", sparsities}, {"d", d_types}, {"at", elements}, {"bt", elements}};
constexpr Axis scaled_axes[] = {
    {"sparsity", sparsities}, {"scaling", scalings}, {"at", elements}, {"bt", elements}};

/// What a sparse A adds: columns of B twice as long, and metadata in all four lanes of a quad, of which no
/// selector but 0 chooses.
std::string sparse_slot(std::string_view name, bool is_sparse) {
  if (name == "b") return is_sparse ? "{$b0, $b1, $b2, $b3}" : "{$b0, $b1}";
  return is_sparse ? ", $e, 0" : "";
}
std::string plain_slot(std::string_view name, Picks picks) {
  const bool is_sparse = picks[0]->value != 0;
  if (name == "shape") return is_sparse ? "m16n8k64" : "m16n8k32";
  if (name == "list") return picks[1]->value != 0 ? "{$d0, $d1}" : "{$d0, $d1, $d2, $d3}";
  return sparse_slot(name, is_sparse);
}

/// Kinds whose elements are packed have e2m1 alone.
bool is_packed(Picks picks) {
  return picks[1]->value >= value(MmaSyncKind::mxf4, 0);
}
bool exists(Picks picks) {
  const uint32_t e2m1 = value(KindElement::e2m1);
  return !is_packed(picks) || (picks[2]->value == e2m1 && picks[3]->value == e2m1);
}

std::string scaled_slot(std::string_view name, Picks picks) {
  const bool is_sparse = picks[0]->value != 0;
  if (name == "shape")
    return is_packed(picks) ? (is_sparse ? "m16n8k128" : "m16n8k64") : is_sparse ? "m16n8k64" : "m16n8k32";
  if (name == "scale_type") return picks[1]->value == value(MmaSyncKind::mxf4nvf4, 4) ? ".ue4m3" : ".ue8m0";
  return sparse_slot(name, is_sparse);
}

}  // namespace

constexpr Family mma_sync_kind{
    .name = "mma.sync.kind",
    .operands = "d0 d1 d2 d3 a0 a1 a2 a3 b0 b1 b2 b3 e",
    .text =
        "mma<sparsity>.sync.aligned.<shape>.row.col.kind::f8f6f4<d><at><bt><d> <list>, {$a0, $a1, $a2, $a3}, "
        "<b>, <list><metadata>;",
    .axes = plain_axes,
    .targets = with_mma_kinds,
    .slot = plain_slot};
constexpr Family mma_sync_block_scale{
    .name = "mma.sync.block_scale",
    .operands =
        "d0 d1 d2 d3 a0 a1 a2 a3 b0 b1 b2 b3 e scale_a byte_a:h thread_a:h scale_b byte_b:h thread_b:h",
    .text =
        "mma<sparsity>.sync.aligned.<shape>.row.col.<scaling>.f32<at><bt>.f32<scale_type> {$d0, $d1, $d2, "
        "$d3}, {$a0, $a1, $a2, $a3}, <b>, {$d0, $d1, $d2, $d3}<metadata>, $scale_a, {$byte_a, $thread_a}, "
        "$scale_b, {$byte_b, $thread_b};",
    .axes = scaled_axes,
    .targets = with_mma_kinds,
    .exists = exists,
    .slot = scaled_slot};

}  // namespace assay::forms
