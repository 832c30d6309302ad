// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"
#include "kernels/forms/ways.h"
#include "kernels/params/tmem_copy.h"

/// tcgen05.cp (PTX ISA, tcgen05.cp).
namespace assay::forms {
namespace {

using params::CopyFormat;
using params::CopyShape;

constexpr uint32_t value(CopyShape shape) {
  return static_cast<uint32_t>(shape);
}
constexpr uint32_t value(CopyFormat format) {
  return static_cast<uint32_t>(format);
}

constexpr Choice shapes[] = {{".128x256b", value(CopyShape::s128x256b)},
                             {".4x256b", value(CopyShape::s4x256b)},
                             {".128x128b", value(CopyShape::s128x128b)},
                             {".64x128b.warpx2::02_13", value(CopyShape::s64x128b_warpx2_02_13)},
                             {".64x128b.warpx2::01_23", value(CopyShape::s64x128b_warpx2_01_23)},
                             {".32x128b.warpx4", value(CopyShape::s32x128b_warpx4)}};
constexpr Choice formats[] = {{"", value(CopyFormat::none)},
                              {".b8x16.b6x16_p32", value(CopyFormat::b6x16_p32)},
                              {".b8x16.b4x16_p64", value(CopyFormat::b4x16_p64)}};
/// Opcodes of the plain ones come first: params::plain_copy_opcode.
constexpr Axis axes[] = {{"way", tensor_ways}, {"shape", shapes}, {"format", formats}};

template <const std::string_view& copy>
std::string slot(std::string_view, Picks picks) {
  return in_tensor_way(static_cast<TensorWay>(picks[0]->value), copy);
}
constexpr std::string_view one = "tcgen05.cp.cta_group::1<shape><format> [$address], $descriptor";
constexpr std::string_view pair = "tcgen05.cp.cta_group::2<shape><format> [$address], $descriptor";

}  // namespace

constexpr Family tcgen05_cp{.name = "tcgen05.cp",
                            .operands = "address descriptor:l",
                            .before = registers_of_tensor_ways,
                            .text = "<copy>",
                            .axes = axes,
                            .targets = with_tcgen05,
                            .slot = slot<one>};
constexpr Family tcgen05_cp_pair{.name = "tcgen05.cp.pair",
                                 .operands = "address descriptor:l",
                                 .before = registers_of_tensor_ways,
                                 .text = "<copy>",
                                 .axes = axes,
                                 .targets = with_tcgen05,
                                 .slot = slot<pair>};

}  // namespace assay::forms
