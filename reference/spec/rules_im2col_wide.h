// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules of loads in modes im2col::w and im2col::w::128. What is not said here is as it is in im2col mode
/// (IM2C-Rnn).
inline constexpr std::array im2col_wide_rules{
    Rule{
        "IM2W-R01",
        "the walk goes along W alone, at the H and D of the instruction's coordinates, from the upper corner "
        "on to the lower one in the next image",
        {{{"ptx", "5.5.5.1 bounding box"}, {"ptx", "5.5.5.4 wOffset, examples"}}},
        from_sm_100,
        "TMA-AMB-14"},
    Rule{"IM2W-R02",
         "im2col::w brings as many pixels as the map has in a column, im2col::w::128 brings 128 whatever the "
         "map says",
         {{{"ptx", "5.5.5 im2col::w and im2col::w::128 modes"}}},
         from_sm_100,
         ""},
    Rule{"IM2W-R03",
         "im2col::w brings wHalo pixels more, which go on where the column ends, into the rows behind it",
         {{{"ptx", "5.5.5.3 wHalo"}}},
         from_sm_100,
         ""},
    Rule{"IM2W-R04",
         "im2col::w::128 brings wHalo pixels more behind every 32: they go on where those end, and there the "
         "next 32 begin as well",
         {{{"ptx", "5.5.5.3 wHalo"}}},
         from_sm_100,
         "TMA-AMB-13"},
    Rule{"IM2W-R05",
         "wOffset is added to both corners of W and to the start",
         {{{"ptx", "5.5.5.4 wOffset"}}},
         from_sm_100,
         ""},
    Rule{"IM2W-R06",
         "the first pixel may lie left of the box; the walk steps on from there",
         {{{"ptx", "5.5.5.1 bounding box"}}},
         from_sm_100,
         ""},
    Rule{"IM2W-R07",
         "an instruction that starts right of the box faults with illegal instruction",
         {{{"ptx", "5.5.5.1 bounding box"}, {"h200", "M-06, of im2col mode"}}},
         from_sm_100,
         "TMA-AMB-30"},
    Rule{"IM2W-R08",
         "the traversal stride of W steps along the row and leaves the number of pixels as it is; those of "
         "the "
         "other dimensions do nothing",
         {{{"ptx", "5.5.5.2 traversal stride"}}},
         from_sm_100,
         "TMA-AMB-42"},
    Rule{"IM2W-R09",
         "a load signals the bytes of all its pixels, those of the halos and those out of bounds among them",
         {{{"ptx", "cp.async.bulk.tensor, mbarrier completion"}, {"h200", "M-11, of im2col mode"}}},
         from_sm_100,
         "TMA-AMB-18"},
    Rule{"IM2W-R10",
         "pixels of an H, D or image outside the tensor are filled",
         {{{"ptx", "5.5.4.3 out of boundary access"}, {"h200", "M-07, of im2col mode"}}},
         from_sm_100,
         ""},
    Rule{"IM2W-R11",
         "an instruction of mode im2col::w or im2col::w::128 through a map that is not of the wide encoder, "
         "or "
         "is of its other mode, faults with illegal instruction, and so does one of mode im2col through a "
         "wide "
         "map",
         {{{"ptx", "5.5.5 im2col::w and im2col::w::128 modes"}, {"h200", "section 12, ILL"}}},
         from_sm_100,
         "TMA-AMB-43"},
    Rule{"IM2W-R12",
         "wHalo is below 512 in mode im2col::w and below 32 in mode im2col::w::128, wOffset below 32",
         {{{"ptx", "cp.async.bulk.tensor, im2colInfo"}}},
         from_sm_100,
         ""},
};

}  // namespace assay::spec
