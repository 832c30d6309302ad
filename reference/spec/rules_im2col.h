// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules of im2col maps. V-nn: on the arguments of their two encoders, beside those that all maps share;
/// MAP-Rnn: fields of the 128-byte map that they alone have; IM2C-Rnn: what a copy does.
inline constexpr std::array im2col_rules{
    Rule("V-31",
         "every corner of the pixel box is -32768 to 32767 at rank 3, -128 to 127 at rank 4, -16 to 15 at "
         "rank 5",
         {{{"driver", "cuTensorMapEncodeIm2col, pixelBoxLowerCorner"}, {"ptx", "5.5.4.1 bounding box"}}},
         everywhere, "X-13"),
    Rule("V-32", "the channels of a pixel are 1 to 256; with a 16-byte aligned packed type 128",
         {{{"driver", "cuTensorMapEncodeIm2col, channelsPerPixel"}, {"h200", "section 10, V-32"}}}),
    Rule("V-33", "the pixels of a column are 1 to 1024",
         {{{"driver", "cuTensorMapEncodeIm2col, pixelsPerColumn"}, {"h200", "section 10, V-33"}}}, everywhere,
         "X-13"),
    Rule("V-34",
         "the pixel box is not empty: extent + upper corner > lower corner in every spatial dimension, in "
         "32-bit arithmetic",
         {{{"driver", "cuTensorMapEncodeIm2col, pixelBoxUpperCorner"}, {"h200", "X-07; section 10"}}},
         everywhere, "X-07"),
    Rule("V-35", "the channels of a pixel are a multiple of 16 bytes, interleaved or not",
         {{{"ptx", "5.5.3.1 dimension, size and stride requirements"}, {"h200", "section 10, inner"}}}),
    Rule("V-36", "cuTensorMapEncodeIm2colWide needs compute capability 10.0",
         {{{"driver", "cuTensorMapEncodeIm2colWide"}, {"h200", "X-12"}}}, everywhere, "X-12"),
    Rule("V-37", "the corners of a wide box are -32768 to 32767 at every rank",
         {{{"driver", "cuTensorMapEncodeIm2colWide, pixelBoxLowerCornerWidth"}, {"h200", "X-13"}}},
         from_sm_100, "X-13"),
    Rule("V-38", "a wide map has swizzle 64B, 128B, or 128B with 32B atoms",
         {{{"driver", "cuTensorMapEncodeIm2colWide, swizzle"}, {"h200", "X-13"}}}, from_sm_100, "X-13"),
    Rule("V-39", "a wide map is not interleaved", {{{"ptx", "5.5.6 interleave layout"}, {"h200", "X-13"}}},
         from_sm_100, "X-13"),
    Rule("V-40", "the mode of a wide map is 0 or 1",
         {{{"driver", "CUtensorMapIm2ColWideMode"}, {"h200", "section 10, wide"}}}),
    Rule("MAP-R14", "an im2col map holds the mode im2col and its rank minus 1",
         {{{"h200", "128-byte map, 0x08"}}}),
    Rule("MAP-R15", "the channels per pixel are written, minus 1, where a tiled map has its inner box extent",
         {{{"h200", "128-byte map, 0x34"}}}),
    Rule("MAP-R16",
         "corners are written as two's complement of 16, 8 or 5 bits at rank 3, 4 or 5: the lower ones in "
         "bits 15:0 of 0x38, the upper ones in bits 31:16, W lowest",
         {{{"h200", "128-byte map, 0x38"}}}),
    Rule("MAP-R17", "the pixels of a column are written, minus 1, in bits 9:0 of 0x3C",
         {{{"h200", "128-byte map, 0x3C; M-09"}}}),
    Rule("IM2C-R01",
         "a load copies the channels starting at its first coordinate, for as many pixels as the map has in "
         "a column",
         {{{"ptx", "5.5.4 im2col mode"}, {"h200", "M-01, M-09"}}}),
    Rule("IM2C-R02",
         "the walk goes through the pixel box W first, then H, D and the images, from each upper corner back "
         "to the lower one",
         {{{"ptx", "5.5.4 im2col mode"}, {"h200", "M-01, M-08"}}}),
    Rule("IM2C-R03",
         "the box is the space of the tensor with its corners moved: [lower, extent - 1 + upper], inclusive",
         {{{"ptx", "5.5.4.1 bounding box"}, {"h200", "M-06, M-08"}}}),
    Rule("IM2C-R04",
         "traversal strides of W, H and D step inside the box and do not change the number of pixels; each "
         "axis restarts at its lower corner",
         {{{"ptx", "5.5.4.2 traversal stride"}, {"h200", "M-02"}}}, everywhere, "TMA-AMB-02"),
    Rule("IM2C-R05",
         "the traversal stride of the images steps over images, that of the channels does nothing",
         {{{"h200", "M-03, M-04, X-18"}, {"ptx", "5.5.4.2 traversal stride"}}}, everywhere, "TMA-AMB-03"),
    Rule("IM2C-R06", "the offsets of the instruction are added after the walk and do not move the box",
         {{{"ptx", "5.5.4.1 bounding box"}, {"h200", "M-01"}}}),
    Rule("IM2C-R07",
         "offsets have 16 bits at rank 3, 8 each at rank 4; at rank 5 they are summed as W + 32 H + 1024 D "
         "and the low 15 bits count",
         {{{"h200", "M-05"}, {"ptxas", "im2col offsets of cp.async.bulk.tensor"}}}, everywhere, "TMA-AMB-23"),
    Rule("IM2C-R08",
         "channels and pixels outside the tensor are filled, including those of images before the first and "
         "after the last",
         {{{"ptx", "5.5.4.3 out of boundary access"}, {"h200", "M-07"}}}),
    Rule("IM2C-R09", "a pixel is a row in shared memory, with the swizzle and pitch of a row of a tiled box",
         {{{"ptx", "5.5.7 swizzling modes"}, {"h200", "W-02"}}}, everywhere, "TMA-AMB-04"),
    Rule("IM2C-R10", "a load signals pixels * channels * element bytes, in bounds or not",
         {{{"h200", "M-11"}, {"cutlass", "TmaTransactionBytes of the collectives"}}}, everywhere,
         "TMA-AMB-18"),
    Rule("IM2C-R11",
         "a pixel of an interleaved map is one slice of 16 or 32 bytes, whatever its channels: dimension "
         "rank-2 selects it, W is dimension 0, and the image is dense",
         {{{"ptx", "5.5.6 interleave layout"}, {"h200", "section 5"}}}),
    Rule("IM2C-R12",
         "an instruction that starts outside the box in W, H or D faults with illegal instruction",
         {{{"h200", "M-06, X-20"}, {"ptx", "5.5.4.1 bounding box"}}}, everywhere, "TMA-AMB-30"),
    Rule("IM2C-R13",
         "a store through a map with a lower corner below 0 or an upper corner above 0 faults with illegal "
         "instruction",
         {{{"h200", "S-06"}, {"ptx", "restriction on tensor copy instructions"}}}),
    Rule("IM2C-R14",
         "a store walks as a load does, without offsets, and writes the channels and pixels in the tensor, "
         "in 16-byte pieces along the channels",
         {{{"h200", "S-07, S-01"}, {"ptx", "cp.async.bulk.tensor, im2col_no_offs"}}}, everywhere, "X-17"),
    Rule("IM2C-R15", "an instruction whose mode differs from that of the map faults with illegal instruction",
         {{{"h200", "section 12, ILL"}}}),
    Rule("IM2C-R16",
         "a reduction in im2col mode reduces the elements that a store would write, including the rest of a "
         "16-byte piece, once for every pixel that holds them",
         {{{"h200", "S-09, S-02"}, {"ptx", "cp.reduce.async.bulk.tensor, im2col_no_offs"}}}, everywhere,
         "X-17"),
};

/// Rules of loads in modes im2col::w and im2col::w::128. What is not said here is as it is in im2col mode
/// (IM2C-Rnn).
inline constexpr std::array im2col_wide_rules{
    Rule("IM2W-R01",
         "the walk goes along W alone, at the H and D of the instruction's coordinates, from the upper "
         "corner on to the lower one in the next image",
         {{{"ptx", "5.5.5.1 bounding box"}, {"ptx", "5.5.5.4 wOffset, examples"}}}, from_sm_100,
         "TMA-AMB-14"),
    Rule("IM2W-R02",
         "im2col::w loads as many pixels as the map has in a column, im2col::w::128 always loads 128",
         {{{"ptx", "5.5.5 im2col::w and im2col::w::128 modes"}}}, from_sm_100),
    Rule("IM2W-R03",
         "im2col::w loads wHalo additional pixels, which continue where the column ends, into the rows after "
         "it",
         {{{"ptx", "5.5.5.3 wHalo"}}}, from_sm_100),
    Rule("IM2W-R04",
         "im2col::w::128 loads wHalo additional pixels after every 32: they continue where those end, and "
         "the next 32 start at the same pixel",
         {{{"ptx", "5.5.5.3 wHalo"}}}, from_sm_100, "TMA-AMB-13"),
    Rule("IM2W-R05", "wOffset is added to both corners of W and to the start", {{{"ptx", "5.5.5.4 wOffset"}}},
         from_sm_100),
    Rule("IM2W-R06", "the first pixel may lie to the left of the box; the walk continues from there",
         {{{"ptx", "5.5.5.1 bounding box"}}}, from_sm_100),
    Rule("IM2W-R07", "an instruction that starts to the right of the box faults with illegal instruction",
         {{{"ptx", "5.5.5.1 bounding box"}, {"h200", "M-06, of im2col mode"}}}, from_sm_100, "TMA-AMB-30"),
    Rule("IM2W-R08",
         "the traversal stride of W steps along the row and does not change the number of pixels; those of "
         "the other dimensions have no effect",
         {{{"ptx", "5.5.5.2 traversal stride"}}}, from_sm_100, "TMA-AMB-42"),
    Rule("IM2W-R09", "a load signals the bytes of all its pixels, including halos and those out of bounds",
         {{{"ptx", "cp.async.bulk.tensor, mbarrier completion"}, {"h200", "M-11, of im2col mode"}}},
         from_sm_100, "TMA-AMB-18"),
    Rule("IM2W-R10", "pixels of an H, D or image outside the tensor are filled",
         {{{"ptx", "5.5.4.3 out of boundary access"}, {"h200", "M-07, of im2col mode"}}}, from_sm_100),
    Rule("IM2W-R11",
         "an im2col::w or im2col::w::128 instruction with a map that the wide encoder did not write, or "
         "wrote for the other mode, faults with illegal instruction, and so does an im2col instruction with "
         "a wide map",
         {{{"ptx", "5.5.5 im2col::w and im2col::w::128 modes"}, {"h200", "section 12, ILL"}}}, from_sm_100,
         "TMA-AMB-43"),
    Rule("IM2W-R12",
         "wHalo is below 512 in mode im2col::w and below 32 in mode im2col::w::128, wOffset below 32",
         {{{"ptx", "cp.async.bulk.tensor, im2colInfo"}}}, from_sm_100),
};

}  // namespace assay::spec
