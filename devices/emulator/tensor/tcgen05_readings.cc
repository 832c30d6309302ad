#include "devices/emulator/tensor/tcgen05_readings.h"

#include <array>

namespace assay::emulator {
namespace {

using R = Tcgen05Readings;

constexpr std::array rows{
    Tcgen05Question{"AMB-01", "AB", &R::mask_spans},
    Tcgen05Question{"AMB-02", "AB", &R::mask_bit_39},
    Tcgen05Question{"AMB-03", "ABC", &R::start_count},
    Tcgen05Question{"AMB-04", "AB", &R::shift_bound},
    Tcgen05Question{"AMB-05", "ABC", &R::base_offset},
    Tcgen05Question{"AMB-06", "AB", &R::shifted_partitions},
    Tcgen05Question{"AMB-07", "ABC", &R::a_shift},
    Tcgen05Question{"AMB-08", "AB", &R::k_major_atom_32b},
    Tcgen05Question{"AMB-09", "AB", &R::halved_scales},
    Tcgen05Question{"AMB-11", "AB", &R::scale_types},
    Tcgen05Question{"AMB-12", "AB", &R::scale_ids},
    Tcgen05Question{"AMB-14", "AB", &R::k96_shapes},
    Tcgen05Question{"AMB-16", "AB", &R::mxf8_pair_128},
    Tcgen05Question{"AMB-19", "AB", &R::metadata_order},
    Tcgen05Question{"AMB-20", "BC", &R::selectors},
    Tcgen05Question{"AMB-21", "AB", &R::nibble},
    Tcgen05Question{"AMB-22", "AB", &R::sub_byte_groups},
    Tcgen05Question{"AMB-23", "AB", &R::unpack_upper},
    Tcgen05Question{"AMB-24", "ABC", &R::f16_upper},
    Tcgen05Question{"AMB-25", "AB", &R::copy_halves},
    Tcgen05Question{"AMB-27", "AB", &R::copy_source},
    Tcgen05Question{"AMB-28", "AB", &R::lane_words},
    Tcgen05Question{"AMB-30", "AB", &R::f8_writes_f16},
    Tcgen05Question{"AMB-32", "AB", &R::atom_32b_stride},
    Tcgen05Question{"AMB-38", "ABC", &R::copy_order},
    Tcgen05Question{"AMB-45", "AB", &R::metadata_groups},
    Tcgen05Question{"AMB-46", "AB", &R::wide_32b},
    Tcgen05Question{"AMB-47", "AB", &R::copy_nibble},
    Tcgen05Question{"AMB-49", "AB", &R::reduced_nan},
    Tcgen05Question{"AMB-51", "ABC", &R::scales_of_64},
    Tcgen05Question{"TMEM-AMB-01", "ABC", &R::lane_window},
    Tcgen05Question{"NUM-AMB-05", "AB", &R::f16_by_bf16},
    Tcgen05Question{"NUM-AMB-16", "AB", &R::masked_column},
};

}  // namespace

std::span<const Tcgen05Question> tcgen05_questions() {
  return rows;
}

Tcgen05Readings::Tcgen05Readings(const Settings& settings) {
  for (const auto& [id, letter] : settings.readings)
    for (const Tcgen05Question& row : rows)
      if (row.id == id) this->*row.answer = letter;
}

}  // namespace assay::emulator
