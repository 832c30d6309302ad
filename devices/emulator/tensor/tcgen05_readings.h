#pragma once

#include <string_view>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Open questions about tensor memory and tcgen05 that this device can answer in more than one way: for each
/// the letter of the answer it takes.
struct Tcgen05Readings {
  char mask_spans = 'A';          ///< AMB-01: A skip spans are zeroed, B use spans
  char mask_bit_39 = 'A';         ///< AMB-02: A set generates, B clear generates
  char start_count = 'A';         ///< AMB-03: A and B go on into the next spans, C the span less one
  char shift_bound = 'A';         ///< AMB-04: A where B is reused, B always
  char base_offset = 'A';         ///< AMB-05: A subtracted, B exclusive or, C added
  char shifted_partitions = 'A';  ///< AMB-06: A all four, B the addressed one
  char a_shift = 'A';  ///< AMB-07: A multiplied as it was and left shifted, B the reverse, C shifted in both
  char k_major_atom_32b = 'A';  ///< AMB-08: A illegal, B legal
  char halved_scales = 'A';     ///< AMB-09: A scales of B lie in halves as N does, B all everywhere
  char scale_types = 'A';       ///< AMB-11: A ue8m0 and ue4m3 in mxf4nvf4, B ue4m3 alone
  char scale_ids = 'A';         ///< AMB-12: A any with K of 96 and blocks of 32, B 0 and 2
  char k96_shapes = 'A';        ///< AMB-14: A any, B M of 256 on a pair
  char mxf8_pair_128 = 'A';     ///< AMB-16: A legal, B illegal
  char metadata_order = 'A';    ///< AMB-19: A code 0110 names the third and then the second, B the reverse
  char selectors = 'B';         ///< AMB-20: B one of four columns, C the low bit counts
  char nibble = 'A';            ///< AMB-21: A bits 5:2 of the container, B bits 3:0
  char sub_byte_groups = 'A';   ///< AMB-22: A 16 elements in 16 bytes, B packed without padding
  char unpack_upper = 'A';      ///< AMB-23: A zero, B unchanged
  char f16_upper = 'A';         ///< AMB-24: A zero, B unchanged, C some garbage
  char copy_halves = 'A';       ///< AMB-25: A 02_13 gives warps 0 and 2 the first half, B warps 0 and 1
  char copy_source = 'A';       ///< AMB-27: A each CTA's own shared memory, B the issuer's
  char lane_words = 'A';        ///< AMB-28: A even CTA first, B issuing CTA first
  char f8_writes_f16 = 'A';     ///< AMB-30: A legal, B illegal
  char atom_32b_stride = 'A';   ///< AMB-32: A 4 k, B 8 k
  char copy_order = 'B';        ///< AMB-38: A free, B in the order of issue, C the last one first
  char metadata_groups = 'A';   ///< AMB-45: A each group of lanes its own, B all those of the first
  char wide_32b = 'A';          ///< AMB-46: A the leading offset leads to the second 32 bytes, B they follow
  char copy_nibble = 'A';       ///< AMB-47: A bits 5:2 of the byte, B bits 3:0
  char reduced_nan = 'A';       ///< AMB-49: A passed over, B the result is NaN
  char scales_of_64 = 'A';      ///< AMB-51: A 4 columns a group, B 2, C the rows of a partition in its lanes
  char lane_window = 'A';    ///< TMEM-AMB-01: A the warp's window, B illegal address, C illegal instruction
  char f16_by_bf16 = 'A';    ///< NUM-AMB-05: A legal, B illegal
  char masked_column = 'A';  ///< NUM-AMB-16: A zeros of B are multiplied, B the column is skipped

  Tcgen05Readings() = default;
  explicit Tcgen05Readings(const Settings& settings);
};

/// A question that Tcgen05Readings answers.
struct Tcgen05Question {
  std::string_view id;
  std::string_view letters;
  char Tcgen05Readings::*answer;
};
inline constexpr Tcgen05Question tcgen05_questions[] = {
    {"AMB-01", "AB", &Tcgen05Readings::mask_spans},
    {"AMB-02", "AB", &Tcgen05Readings::mask_bit_39},
    {"AMB-03", "ABC", &Tcgen05Readings::start_count},
    {"AMB-04", "AB", &Tcgen05Readings::shift_bound},
    {"AMB-05", "ABC", &Tcgen05Readings::base_offset},
    {"AMB-06", "AB", &Tcgen05Readings::shifted_partitions},
    {"AMB-07", "ABC", &Tcgen05Readings::a_shift},
    {"AMB-08", "AB", &Tcgen05Readings::k_major_atom_32b},
    {"AMB-09", "AB", &Tcgen05Readings::halved_scales},
    {"AMB-11", "AB", &Tcgen05Readings::scale_types},
    {"AMB-12", "AB", &Tcgen05Readings::scale_ids},
    {"AMB-14", "AB", &Tcgen05Readings::k96_shapes},
    {"AMB-16", "AB", &Tcgen05Readings::mxf8_pair_128},
    {"AMB-19", "AB", &Tcgen05Readings::metadata_order},
    {"AMB-20", "BC", &Tcgen05Readings::selectors},
    {"AMB-21", "AB", &Tcgen05Readings::nibble},
    {"AMB-22", "AB", &Tcgen05Readings::sub_byte_groups},
    {"AMB-23", "AB", &Tcgen05Readings::unpack_upper},
    {"AMB-24", "ABC", &Tcgen05Readings::f16_upper},
    {"AMB-25", "AB", &Tcgen05Readings::copy_halves},
    {"AMB-27", "AB", &Tcgen05Readings::copy_source},
    {"AMB-28", "AB", &Tcgen05Readings::lane_words},
    {"AMB-30", "AB", &Tcgen05Readings::f8_writes_f16},
    {"AMB-32", "AB", &Tcgen05Readings::atom_32b_stride},
    {"AMB-38", "ABC", &Tcgen05Readings::copy_order},
    {"AMB-45", "AB", &Tcgen05Readings::metadata_groups},
    {"AMB-46", "AB", &Tcgen05Readings::wide_32b},
    {"AMB-47", "AB", &Tcgen05Readings::copy_nibble},
    {"AMB-49", "AB", &Tcgen05Readings::reduced_nan},
    {"AMB-51", "ABC", &Tcgen05Readings::scales_of_64},
    {"TMEM-AMB-01", "ABC", &Tcgen05Readings::lane_window},
    {"NUM-AMB-05", "AB", &Tcgen05Readings::f16_by_bf16},
    {"NUM-AMB-16", "AB", &Tcgen05Readings::masked_column},
};

}  // namespace assay::emulator
