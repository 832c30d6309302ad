// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules on the arguments of the tiled encoder. A call that breaks one must be refused with invalid value.
inline constexpr std::array tensor_map_rules{
    Rule("V-01", "the map pointer is a multiple of 64",
         {{{"driver", "cuTensorMapEncodeTiled, tensorMap"}, {"h200", "X-03"}}}, everywhere, "X-03"),
    Rule("V-02",
         "the data type is one of the architecture's enumerators: 0..12 on compute capability 9.0, 0..15 "
         "above",
         {{{"driver", "CUtensorMapDataType"}, {"h200", "section 10, V-02"}}}, everywhere, "TMA-AMB-09"),
    Rule("V-03", "the rank is 1 to 5, of an im2col map 3 to 5",
         {{{"driver", "cuTensorMapEncodeTiled, tensorRank"}, {"h200", "section 10, V-03"}}}),
    Rule("V-04", "an interleaved map has rank 3 or more",
         {{{"driver", "cuTensorMapEncodeTiled, interleave"}, {"ptx", "5.5.6 interleave layout"}}}),
    Rule("V-05", "the global address is a multiple of 16",
         {{{"driver", "cuTensorMapEncodeTiled, globalAddress"}}}),
    Rule("V-06", "with 32B interleave the global address is a multiple of 32",
         {{{"driver", "cuTensorMapEncodeTiled, globalAddress"}}}),
    Rule("V-07", "with a 16-byte aligned packed type the global address is a multiple of 32",
         {{{"driver", "cuTensorMapEncodeTiled, globalAddress"}}}, from_sm_100),
    Rule("V-08", "the global address is not 0", {{{"cutlass", "issue 947"}, {"h200", "X-04"}}}, everywhere,
         "X-04"),
    Rule("V-09", "every extent below the rank is 1 to 2^32",
         {{{"driver", "cuTensorMapEncodeTiled, globalDim"}, {"h200", "section 10, V-09"}}}),
    Rule("V-10", "with a 16-byte aligned packed type the extent of dimension 0 is a multiple of 128",
         {{{"driver", "cuTensorMapEncodeTiled, globalDim"},
           {"ptx", "restriction on tensor copy instructions"}}},
         from_sm_100),
    Rule("V-11", "with b4x16 the extent of dimension 0 is even",
         {{{"driver", "cuTensorMapEncodeTiled, globalDim"}}}, from_sm_100),
    Rule("V-12", "every stride below the rank is a multiple of 16",
         {{{"driver", "cuTensorMapEncodeTiled, globalStrides"}}}),
    Rule("V-13", "every stride below the rank is less than 2^40",
         {{{"driver", "cuTensorMapEncodeTiled, globalStrides"}}}),
    Rule("V-14", "with 32B interleave or a 16-byte aligned packed type every stride is a multiple of 32",
         {{{"driver", "cuTensorMapEncodeTiled, globalStrides"}}}),
    Rule("V-15", "every box extent below the rank is 1 to 256",
         {{{"driver", "cuTensorMapEncodeTiled, boxDim"}}}),
    Rule("V-16", "the inner box extent is a multiple of 16 bytes",
         {{{"driver", "cuTensorMapEncodeTiled, boxDim"},
           {"ptx", "5.5.3.1 dimension, size and stride requirements"}}},
         everywhere, "X-08"),
    Rule("V-17", "with a 16-byte aligned packed type the inner box extent is 128",
         {{{"driver", "cuTensorMapEncodeTiled, boxDim"}, {"ptx", "restriction on tensor copy instructions"}}},
         from_sm_100),
    Rule("V-18", "every traversal stride that has an effect is 1 to 8",
         {{{"driver", "cuTensorMapEncodeTiled, elementStrides"}}}),
    Rule("V-19", "the traversal stride of dimension 0 is 1 to 8 even on a map that is not interleaved",
         {{{"h200", "X-09"}, {"driver", "cuTensorMapEncodeTiled, elementStrides"}}}, everywhere, "X-09"),
    Rule("V-20", "a stride covers the extent that it steps over",
         {{{"driver", "cuTensorMapEncodeTiled, globalStrides"}, {"h200", "X-10"}}}, everywhere, "TMA-AMB-20"),
    Rule("V-21", "the interleave is 0 to 2", {{{"driver", "CUtensorMapInterleave"}}}),
    Rule("V-22",
         "the swizzle is one of the architecture's enumerators: 0..3 on compute capability 9.0, 0..6 above",
         {{{"driver", "CUtensorMapSwizzle"}, {"h200", "section 10"}}}, everywhere, "TMA-AMB-09"),
    Rule(
        "V-23", "with swizzle and without interleave the inner box extent is at most the span of the swizzle",
        {{{"driver", "cuTensorMapEncodeTiled, swizzle"}, {"guide", "swizzle modes, table of requirements"}}}),
    Rule("V-24", "32B interleave goes with 32B swizzle",
         {{{"driver", "cuTensorMapEncodeTiled, interleave"}, {"h200", "X-11"}}}, everywhere, "X-11"),
    Rule("V-25", "the 6-bit packed type is not interleaved",
         {{{"driver", "cuTensorMapEncodeTiled, tensorDataType"}}}, from_sm_100),
    Rule(
        "V-26",
        "a 16-byte aligned packed type goes with no swizzle, 128B, or 128B with wider atoms as listed for it",
        {{{"driver", "cuTensorMapEncodeTiled, tensorDataType"},
          {"ptx", "restriction on tensor copy instructions, item 9"}}},
        from_sm_100, "TMA-AMB-15"),
    Rule("V-27", "NaN fill goes with a floating-point type",
         {{{"driver", "CUtensorMapFloatOOBfill"},
           {"ptx", "restriction on tensor copy instructions, item 4"}}}),
    Rule("V-28", "the L2 promotion is 0 to 3", {{{"driver", "CUtensorMapL2promotion"}}}),
    Rule("V-29", "the fill is 0 or 1", {{{"driver", "CUtensorMapFloatOOBfill"}}}),
    Rule("V-30", "the device has compute capability 9.0 or above", {{{"driver", "cuTensorMapEncodeTiled"}}}),
    Rule("V-42",
         "an address that replaces that of a map is not 0 and is a multiple of 16, or of 32 where the map "
         "requires it",
         {{{"driver", "cuTensorMapReplaceAddress"}, {"h200", "section 10, replace"}}}),
    Rule("V-43", "no pointer argument is null, including globalStrides of a rank 1 map",
         {{{"h200", "X-15; section 10, V-43"}}}, everywhere, "X-15"),
    Rule("V-44", "96B swizzle has no enumerator: only tensormap.replace on sm_103a can ask for it",
         {{{"ptx", "tensormap.replace, swizzle_mode"}, {"ptxas", "tensormap.replace swizzle_mode 4"}}},
         with_96B),
    Rule("V-45",
         "96B swizzle goes with no interleave, an inner box extent of at most 96 bytes and no 16-byte "
         "aligned packed type",
         {{{"ptx", "restriction on tensor copy instructions"}}}, with_96B),
    Rule("V-46", "128B swizzle with 8B flip does not go with a 16-byte aligned packed type",
         {{{"ptx", "restriction on tensor copy instructions"}}}, from_sm_100),
    Rule("V-47", "a box may be larger than the tensor", {{{"h200", "L-10"}}}),
    Rule("V-48",
         "the box has at most 233472 bytes: element bytes * product of floor(box / traversal stride), of an "
         "im2col map * channels * pixels",
         {{{"h200", "X-01, X-02"}}}, everywhere, "X-01"),
    Rule("V-49", "the global address is below 2^57", {{{"h200", "X-05"}}}, everywhere, "X-05"),
    Rule("V-50",
         "a refused call leaves the map unchanged if the rank or an extent, box or traversal stride below it "
         "is 0; otherwise it overwrites the map with zeros and the fields before the refused one",
         {{{"h200", "section 10, rejected calls"}}}, where_measured),
};

/// Rules on what an accepted call of the tiled encoder writes: a field of the 128-byte map each
/// (tensor_map_bits.h).
inline constexpr std::array map_field_rules{
    Rule("MAP-R01", "bits 56:0 of the map are the global address", {{{"h200", "128-byte map, 0x00; V-49"}}}),
    Rule("MAP-R02", "the map holds the mode tiled and its rank minus 1", {{{"h200", "128-byte map, 0x08"}}}),
    Rule("MAP-R03", "the map holds the code of the element type, and a bit for tf32",
         {{{"h200", "128-byte map, 0x08"}, {"ptxas", "tensormap.replace elemtype"}}}),
    Rule("MAP-R04", "the map holds the code of the interleave", {{{"h200", "128-byte map, 0x08; I-05"}}}),
    Rule("MAP-R05", "the map holds the codes of the swizzle's width and atomicity",
         {{{"h200", "128-byte map, 0x08"}, {"ptxas", "tensormap.replace swizzle_atomicity"}}}),
    Rule("MAP-R06", "the map holds the fill", {{{"h200", "128-byte map, 0x08; F-04"}}}),
    Rule("MAP-R07", "the map holds the L2 promotion", {{{"h200", "128-byte map, 0x08; L-12"}}}),
    Rule("MAP-R08",
         "strides are written in units of 16 bytes, bits 35:4 apart from bits 39:36; unused ones are 0",
         {{{"h200", "128-byte map, 0x0C and 0x1C"}}}),
    Rule("MAP-R09", "extents are written minus 1; unused ones are 0",
         {{{"h200", "128-byte map, 0x20; L-03"}}}),
    Rule("MAP-R10", "traversal strides are written minus 1; unused ones are 0",
         {{{"h200", "128-byte map, 0x34; L-06"}}}),
    Rule("MAP-R11", "box extents are written minus 1; unused ones are 0",
         {{{"h200", "128-byte map, 0x34 and 0x38"}}}),
    Rule("MAP-R12", "from 0x40 on the driver stores the bytes of the box and the period of the swizzle",
         {{{"h200", "128-byte map, 0x40"}, {"h200", "128-byte map, 0x48"}}}, where_measured),
    Rule("MAP-R13", "bits that belong to no field are written as 0",
         {{{"h200", "128-byte map, 0x08"}, {"h200", "128-byte map, 0x40-0x7F"}}}, everywhere, "TMA-AMB-28"),
};

}  // namespace assay::spec
