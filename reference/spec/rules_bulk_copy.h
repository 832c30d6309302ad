// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules on bulk copies and reductions that are not of tensors.
inline constexpr std::array bulk_copy_rules{
    Rule{"BULK-R01",
         "a bulk copy moves its bytes as they are to its destination, and touches no other byte",
         {{{"ptx", "cp.async.bulk"}, {"h200", "BC-06"}}},
         everywhere,
         ""},
    Rule{"BULK-R02",
         "the mbarrier of each CTA that receives is told as many bytes as are moved, once",
         {{{"ptx", "cp.async.bulk: mbarrier completion"}, {"h200", "BC-02"}}},
         everywhere,
         ""},
    Rule{"BULK-R03",
         "armed with other bytes than are moved, the phase does not complete cleanly",
         {{{"ptx", "mbarrier: tx-count"}, {"h200", "BC-02"}}},
         everywhere,
         ""},
    Rule{"BULK-R04",
         "a multicast gives each CTA of its mask data and signal at the offsets of its operands, and no "
         "other CTA "
         "anything",
         {{{"ptx", "cp.async.bulk: .multicast::cluster"}, {"h200", "BC-07"}}},
         everywhere,
         ""},
    Rule{"BULK-R05",
         "a copy to one CTA signals the mbarrier at the offset of its operand in that CTA, whichever CTA the "
         "address names",
         {{{"h200", "BC-08"}}},
         everywhere,
         ""},
    Rule{"BULK-R06",
         "bits 19:4 of the size count: what is no multiple of 16 is rounded down, 2^20 and more left out",
         {{{"h200", "BC-01"}, {"ptx", "cp.async.bulk: size"}}},
         everywhere,
         "BULK-AMB-01"},
    Rule{"BULK-R07",
         "a copy of no bytes does nothing, signals no barrier and looks at no address",
         {{{"h200", "BC-03"}}},
         everywhere,
         ""},
    Rule{"BULK-R08",
         "addresses of source and destination are multiples of 16",
         {{{"ptx", "cp.async.bulk: alignment"}, {"h200", "BC-04"}}},
         everywhere,
         ""},
    Rule{"BULK-R09",
         "the address of the mbarrier is a multiple of 8",
         {{{"ptx", "mbarrier: size and alignment"}, {"h200", "BC-04"}}},
         everywhere,
         ""},
    Rule{"BULK-R10",
         "source and destination lie in memory that is there",
         {{{"h200", "BC-05"}}},
         everywhere,
         ""},
    Rule{"BULK-R11",
         "a prefetch changes no memory and does not fault for what is not mapped",
         {{{"ptx", "cp.async.bulk.prefetch"}, {"h200", "BC-05"}}},
         everywhere,
         ""},
    Rule{"BULK-R12",
         "of a store with .cp_mask byte i of each 16 is written where bit i of the mask is set",
         {{{"ptx", "cp.async.bulk: .cp_mask"}}},
         from_sm_100,
         ""},
    Rule{
        "BULK-R13",
        "integers are added modulo 2^n and compared signed or unsigned by their type; inc gives 0 for old >= "
        "operand, dec the operand for old = 0 or old > operand",
        {{{"ptx", "cp.reduce.async.bulk; atom"}, {"h200", "R-01, BR-02"}}},
        everywhere,
        ""},
    Rule{"BULK-R14",
         "floats are added exactly and rounded once to nearest even, subnormals kept",
         {{{"h200", "R-02, BR-02"}, {"ptx", "cp.reduce.async.bulk"}}},
         everywhere,
         ""},
    Rule{"BULK-R15",
         "add.f32 keeps subnormal operands and results",
         {{{"h200", "BR-03"}, {"ptx", "cp.reduce.async.bulk: .add.f32"}}},
         everywhere,
         "BULK-AMB-02"},
    Rule{"BULK-R16",
         "a sum that is a NaN is 0x7fff, 0x7fffffff; of f64 the NaN operand as it was, that of shared memory "
         "first, or 0xfff8000000000000",
         {{{"h200", "R-02, R-05, BR-04"}}},
         everywhere,
         ""},
    Rule{"BULK-R17",
         "min and max of f16 and bf16: a number wins over a NaN, two NaN give 0x7fff, -0 is less than +0",
         {{{"h200", "R-06, BR-02"}, {"ptx", "cp.reduce.async.bulk"}}},
         everywhere,
         ""},
    Rule{"BULK-R18",
         "each element of a reduction is updated at once: of several none is lost, in whatever order they "
         "come",
         {{{"ptx", "cp.reduce.async.bulk: relaxed.gpu"}, {"h200", "RD-03"}}},
         everywhere,
         ""},
};

}  // namespace assay::spec
