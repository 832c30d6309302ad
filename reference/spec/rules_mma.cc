#include "reference/spec/rules_mma.h"

#include <vector>

#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::spec {
namespace {

constexpr Cite adder{"h200", "tensor-core numerics, adder of wgmma and mma.sync"};
constexpr Cite integers{"h200", "tensor-core numerics, integers"};
constexpr Cite chain{"h200", "tensor-core numerics, f64"};
constexpr Cite recipe{"h200", "tensor-core numerics, fp8 mma.sync"};
constexpr Cite blackwell{"mma-sim", "sections on Blackwell"};
constexpr Cite datapath{"ptx", "tcgen05, data path layout organization"};
constexpr Cite packing{"ptx", "tcgen05, packing formats"};
constexpr OnArch on_sm_90{true, false, false};

constexpr Rule rows[] = {
    {"ADD-R01",
     "every product is exact; products and C are cut toward zero, each alone, at 2^(E - F), and added as "
     "integers",
     {{adder, blackwell}},
     everywhere,
     ""},
    {"ADD-R02",
     "E is the largest of the exponents of C and of the products, those being sums of the factors' "
     "exponents, not "
     "renormalised",
     {{adder, blackwell}},
     everywhere,
     ""},
    {"ADD-R03",
     "a subnormal operand counts with the exponent of the smallest normal number of its format",
     {{adder, blackwell}},
     everywhere,
     "NUM-AMB-08"},
    {"ADD-R04", "F is 25 for f16, bf16 and tf32 operands", {{adder, blackwell}}, everywhere, ""},
    {"ADD-R05", "F is 13 for fp8 operands of wgmma", {{adder}}, on_sm_90, ""},
    {"ADD-R06", "F is 25 for 8-, 6- and 4-bit operands of tcgen05", {{blackwell}}, from_sm_100, ""},
    {"ADD-R07",
     "the products of one instruction are one block, C one of its terms",
     {{adder, blackwell}},
     everywhere,
     ""},
    {"ADD-R08", "E is at least -133 with an f32 accumulator", {{adder, blackwell}}, everywhere, "NUM-AMB-01"},
    {"ADD-R09", "E is at least -21 with an f16 accumulator", {{adder, blackwell}}, everywhere, "NUM-AMB-02"},
    {"ADD-R10",
     "an f32 result is cut to 24 significant bits, one of fp8 wgmma to 14; 2^128 and above is infinity",
     {{adder}},
     everywhere,
     ""},
    {"ADD-R11", "an f16 result is rounded once, to nearest even", {{adder}}, everywhere, "NUM-AMB-14"},
    {"ADD-R12", "every zero result is +0", {{adder}}, everywhere, "NUM-AMB-03"},
    {"ADD-R13",
     "a NaN operand or C, infinity times zero and infinities of both signs give the canonical NaN, "
     "0x7fffffff or "
     "0x7fff",
     {{adder}},
     everywhere,
     ""},
    {"ADD-R14", "infinities of one sign among products and C give that infinity", {{adder}}, everywhere, ""},
    {"ADD-R15", "the low 13 bits of a tf32 operand are dropped unseen", {{adder}}, everywhere, ""},
    {"ADD-R16", "the result is rounded at the end of every instruction", {{adder}}, everywhere, ""},
    {"ADD-R17", "without input D the old accumulator is not read", {{adder}}, everywhere, ""},
    {"ADD-R18", "a negated operand has the sign of every element flipped", {{adder}}, everywhere, ""},
    {"ADD-R19",
     "fp8 mma.sync is two blocks of f16, k mod 4 in {0, 1} and {2, 3}, then C added to nearest even",
     {{recipe, {"ptxas", "fp8 mma.sync for sm_100a"}}},
     everywhere,
     ""},
    {"ADD-R20",
     "integer sums are exact, then wrapped, or clamped once with saturation",
     {{integers}},
     everywhere,
     ""},
    {"ADD-R21", "f64 is one fused multiply-add after the other, k increasing", {{chain}}, everywhere, ""},
    {"ADD-R22",
     "scales of mxf8f6f4 shift products and their exponents before the alignment",
     {{blackwell}},
     from_sm_100,
     ""},
    {"ADD-R23",
     "the fp4 kinds add groups of 16 products exactly and align them by the exponents of their scales, F 35",
     {{blackwell}},
     from_sm_100,
     "NUM-AMB-07"},
    {"ADD-R24", "a NaN scale makes the result NaN", {{blackwell}}, from_sm_100, ""},
    {"ADD-R25",
     "scale-input-d multiplies the accumulator by a power of two, exactly",
     {{{"ptx", "tcgen05.mma, scale-input-d"}}},
     from_sm_100,
     "NUM-AMB-17"},
    {"TMEM-R01",
     "D of M 256 on a pair: rows 0 to 127 in the even CTA, N columns",
     {{datapath}},
     from_sm_100,
     ""},
    {"TMEM-R02",
     "dense D of M 128 on a pair: 64 rows a CTA, the upper half of N in the upper 64 lanes",
     {{datapath}},
     from_sm_100,
     ""},
    {"TMEM-R03",
     "sparse D of M 128 on a pair and D of M 64: 16 of every 32 lanes, lower or upper ones",
     {{datapath}},
     from_sm_100,
     ""},
    {"TMEM-R04", "D of M 128: row m in lane m", {{datapath}}, from_sm_100, ""},
    {"TMEM-R05",
     "D of M 64 with .ws: the upper half of N in the upper 64 lanes",
     {{datapath}},
     from_sm_100,
     ""},
    {"TMEM-R06",
     "D of M 32 with .ws: each quarter of N in 32 lanes of its own",
     {{datapath}},
     from_sm_100,
     ""},
    {"TMEM-R07",
     "A in tensor memory lies in every group of lanes that holds its rows of D",
     {{datapath, {"cutlass", "mma_traits_sm100_frag.hpp, duplicated allocation"}}},
     from_sm_100,
     ""},
    {"TMEM-R08", "an f16 accumulator lies in the low half of its cell", {{packing}}, from_sm_100, "AMB-24"},
    {"TMEM-R09",
     "elements of A fill cells from the low bits; those of the f8f6f4 kinds have a byte each",
     {{packing}},
     from_sm_100,
     "AMB-21"},
};

const std::vector<Rule>& all() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> list;
    for (const auto& row : smem_desc_rules()) list.push_back(row.rule);
    for (const auto& row : instr_desc_rules()) list.push_back(row.rule);
    for (const auto& row : zero_column_mask_rules()) list.push_back(row.rule);
    list.insert(list.end(), std::begin(rows), std::end(rows));
    return list;
  }();
  return rules;
}

}  // namespace

std::span<const Rule> mma_rules() {
  return all();
}

const Rule* find_mma_rule(std::string_view id) {
  for (const Rule& rule : all())
    if (rule.id == id) return &rule;
  return nullptr;
}

}  // namespace assay::spec
