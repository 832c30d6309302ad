// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules on what an accepted call of the tiled encoder writes: a field of the 128-byte map each
/// (tensor_map_bits.h).
inline constexpr std::array map_field_rules{
    Rule{"MAP-R01",
         "bits 56:0 of the map are the global address",
         {{{"h200", "128-byte map, 0x00; V-49"}}},
         everywhere,
         ""},
    Rule{"MAP-R02",
         "the map says that it is tiled, and its rank less one",
         {{{"h200", "128-byte map, 0x08"}}},
         everywhere,
         ""},
    Rule{"MAP-R03",
         "the map has the code of the element type, and a bit of tf32",
         {{{"h200", "128-byte map, 0x08"}, {"ptxas", "tensormap.replace elemtype"}}},
         everywhere,
         ""},
    Rule{"MAP-R04",
         "the map has the code of the interleave",
         {{{"h200", "128-byte map, 0x08; I-05"}}},
         everywhere,
         ""},
    Rule{"MAP-R05",
         "the map has the codes of the swizzle's width and atomicity",
         {{{"h200", "128-byte map, 0x08"}, {"ptxas", "tensormap.replace swizzle_atomicity"}}},
         everywhere,
         ""},
    Rule{"MAP-R06", "the map has the fill", {{{"h200", "128-byte map, 0x08; F-04"}}}, everywhere, ""},
    Rule{"MAP-R07", "the map has the L2 promotion", {{{"h200", "128-byte map, 0x08; L-12"}}}, everywhere, ""},
    Rule{"MAP-R08",
         "strides are written in 16 bytes, bits 35:4 apart from bits 39:36; unused ones are 0",
         {{{"h200", "128-byte map, 0x0C and 0x1C"}}},
         everywhere,
         ""},
    Rule{"MAP-R09",
         "extents are written less one; unused ones are 0",
         {{{"h200", "128-byte map, 0x20; L-03"}}},
         everywhere,
         ""},
    Rule{"MAP-R10",
         "traversal strides are written less one; unused ones are 0",
         {{{"h200", "128-byte map, 0x34; L-06"}}},
         everywhere,
         ""},
    Rule{"MAP-R11",
         "box extents are written less one; unused ones are 0",
         {{{"h200", "128-byte map, 0x34 and 0x38"}}},
         everywhere,
         ""},
    Rule{"MAP-R12",
         "behind 0x40 the driver keeps the bytes of the box and the period of the swizzle",
         {{{"h200", "128-byte map, 0x40"}, {"h200", "128-byte map, 0x48"}}},
         {true, false, false, false},
         ""},
    Rule{"MAP-R13",
         "bits that have no field are written 0",
         {{{"h200", "128-byte map, 0x08"}, {"h200", "128-byte map, 0x40-0x7F"}}},
         everywhere,
         "TMA-AMB-28"},
};

}  // namespace assay::spec
