// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"
#include "kernels/forms/mma_types.h"

/// mma.sync of one register a tuple of elements, with a sparse A too, and of f64 (PTX ISA, mma and mma.sp).
namespace assay::forms {
namespace {

/// params::mma_sync_shape.
constexpr Choice shapes[] = {{"m16n8k4", 16 << 8 | 4},   {"m16n8k8", 16 << 8 | 8},
                             {"m16n8k16", 16 << 8 | 16}, {"m16n8k32", 16 << 8 | 32},
                             {"m16n8k64", 16 << 8 | 64}, {"m16n8k128", 16 << 8 | 128},
                             {"m8n8k16", 8 << 8 | 16},   {"m8n8k32", 8 << 8 | 32}};
/// params::mma_sparsity. The selector stands behind the metadata.
constexpr Choice sparsities[] = {{"", 0},
                                 {".sp", 4},
                                 {".sp", 5},
                                 {".sp", 6},
                                 {".sp", 7},
                                 {".sp::ordered_metadata", 8, every_target, 85},
                                 {".sp::ordered_metadata", 9, every_target, 85},
                                 {".sp::ordered_metadata", 10, every_target, 85},
                                 {".sp::ordered_metadata", 11, every_target, 85}};
constexpr Axis axes[] = {{"types", mma_sync_types}, {"shape", shapes}, {"sparsity", sparsities}};

struct Shape {
  params::MmaTypes types;
  uint32_t m, k, sparsity;
  uint32_t selector() const { return sparsity & 3; }
  /// Of a row of A, or of what a sparse A keeps of it.
  uint32_t row_bits() const { return k * params::a_bits(types) / (sparsity == 0 ? 1 : 2); }
  bool is_long() const { return row_bits() == 256; }
};
Shape shape_of(Picks picks) {
  return {static_cast<params::MmaTypes>(picks[0]->value), picks[1]->value >> 8, picks[1]->value & 0xff,
          picks[2]->value};
}

/// One of two lanes, or of four, where a row's codes take less than all of them (PTX ISA, mma.sp).
bool has_selector(const Shape& shape) {
  const uint32_t selectors = params::a_bits(shape.types) >= 16 ? 4 : 2;
  return shape.selector() < selectors / (shape.is_long() ? 2 : 1);
}

/// A row of A is 256 bits, or half of them; integers of half a row come with 8 rows too, unless they are
/// sparse. A sparse row of 8-bit floats has 256 bits, and then D is f32.
bool exists(Picks picks) {
  const Shape shape = shape_of(picks);
  const uint32_t bits = shape.row_bits();
  if (shape.sparsity != 0) {
    const bool is_fp8 = params::a_bits(shape.types) == 8 && !params::has_integers(shape.types);
    if (shape.m != 16 || !has_selector(shape)) return false;
    if (is_fp8) return bits == 256 && !params::has_half_accumulator(shape.types);
    return bits == 128 || bits == 256;
  }
  return bits == 128 ? shape.m == 16 || params::has_integers(shape.types) : bits == 256 && shape.m == 16;
}

/// PTX ISA, mma and mma.sp: 8-bit floats, those of m16n8k16 and into f16 later.
uint8_t combined_ptx(Picks picks) {
  const Shape shape = shape_of(picks);
  if (params::a_bits(shape.types) != 8 || params::has_integers(shape.types)) return spec::first_ptx;
  return shape.sparsity == 0 && (shape.k == 16 || params::has_half_accumulator(shape.types)) ? 87 : 84;
}

std::string operands(std::string_view name, uint32_t count) {
  std::string list = "{";
  list += register_list(std::string("$").append(name), count);
  return list += "}";
}
std::string slot(std::string_view name, Picks picks) {
  const Shape shape = shape_of(picks);
  if (name == "metadata") return shape.sparsity == 0 ? "" : ", $e, " + std::to_string(shape.selector());
  if (name == "a") return operands("a", shape.m == 8 ? 1 : shape.is_long() ? 4 : 2);
  if (name == "b") return operands("b", (shape.is_long() ? 2 : 1) * (shape.sparsity == 0 ? 1 : 2));
  return operands("d", shape.m == 8 || params::has_half_accumulator(shape.types) ? 2 : 4);
}

constexpr Choice f64_shapes[] = {
    {"m8n8k4", 8 << 8 | 4}, {"m16n8k4", 16 << 8 | 4}, {"m16n8k8", 16 << 8 | 8}, {"m16n8k16", 16 << 8 | 16}};
constexpr Axis f64_axes[] = {{"shape", f64_shapes}};

std::string f64_slot(std::string_view name, Picks picks) {
  const uint32_t m = picks[0]->value >> 8, k = picks[0]->value & 0xff;
  return name == "a" ? operands("a", m * k / 32) : name == "b" ? operands("b", k / 4) : operands("d", m / 4);
}

}  // namespace

constexpr Family mma_sync{.name = "mma.sync",
                          .operands = "d0 d1 d2 d3 a0 a1 a2 a3 b0 b1 b2 b3 e",
                          .text =
                              "mma<sparsity>.sync.aligned.<shape>.row.col<types> <d>, <a>, <b>, "
                              "<d><metadata>;",
                          .axes = axes,
                          .exists = exists,
                          .slot = slot,
                          .combined_ptx = combined_ptx};
constexpr Family mma_sync_f64{
    .name = "mma.sync.f64",
    .operands = "d0:d d1:d d2:d d3:d a0:d a1:d a2:d a3:d a4:d a5:d a6:d a7:d b0:d b1:d b2:d b3:d",
    .text = "mma.sync.aligned.<shape>.row.col.f64.f64.f64.f64 <d>, <a>, <b>, <d>;",
    .axes = f64_axes,
    .slot = f64_slot};

}  // namespace assay::forms
