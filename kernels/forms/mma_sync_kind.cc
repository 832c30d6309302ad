#include "kernels/params/mma_sync_kind.h"
#include "kernels/forms/families.h"

/// mma.sync with a kind: elements of 8, 6 and 4 bits, with block scaling or without (PTX ISA, mma; sm_120a).
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
constexpr Choice scalings[] = {
    {"m16n8k32.row.col.kind::mxf8f6f4.block_scale", value(MmaSyncKind::mxf8f6f4, 0)},
    {"m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X", value(MmaSyncKind::mxf8f6f4, 1)},
    {"m16n8k64.row.col.kind::mxf4.block_scale", value(MmaSyncKind::mxf4, 0)},
    {"m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X", value(MmaSyncKind::mxf4, 2)},
    {"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X", value(MmaSyncKind::mxf4nvf4, 2)},
    {"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X", value(MmaSyncKind::mxf4nvf4, 4)}};

constexpr Axis plain_axes[] = {{"d", d_types}, {"at", elements}, {"bt", elements}};
constexpr Axis scaled_axes[] = {{"scaling", scalings}, {"at", elements}, {"bt", elements}};

std::string list_of_d(std::string_view, Picks picks) {
  return picks[0]->value != 0 ? "{$d0, $d1}" : "{$d0, $d1, $d2, $d3}";
}

/// K of 64 is of e2m1.
bool exists(Picks picks) {
  const bool is_packed = picks[0]->value >= value(MmaSyncKind::mxf4, 0);
  const uint32_t e2m1 = value(KindElement::e2m1);
  return !is_packed || (picks[1]->value == e2m1 && picks[2]->value == e2m1);
}

std::string type_of_scales(std::string_view, Picks picks) {
  return picks[0]->value == value(MmaSyncKind::mxf4nvf4, 4) ? ".ue4m3" : ".ue8m0";
}

}  // namespace

constexpr Family mma_sync_kind{
    .name = "mma.sync.kind",
    .operands = "d0 d1 d2 d3 a0 a1 a2 a3 b0 b1",
    .text =
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4<d><at><bt><d> <list>, {$a0, $a1, $a2, $a3}, {$b0, "
        "$b1}, <list>;",
    .axes = plain_axes,
    .targets = sm_120a,
    .slot = list_of_d};
constexpr Family mma_sync_block_scale{
    .name = "mma.sync.block_scale",
    .operands = "d0 d1 d2 d3 a0 a1 a2 a3 b0 b1 scale_a byte_a:h thread_a:h scale_b byte_b:h thread_b:h",
    .text =
        "mma.sync.aligned.<scaling>.f32<at><bt>.f32<scale_type> {$d0, $d1, $d2, $d3}, {$a0, $a1, $a2, $a3}, "
        "{$b0, $b1}, {$d0, $d1, $d2, $d3}, $scale_a, {$byte_a, $thread_a}, $scale_b, {$byte_b, $thread_b};",
    .axes = scaled_axes,
    .targets = sm_120a,
    .exists = exists,
    .slot = type_of_scales};

}  // namespace assay::forms
