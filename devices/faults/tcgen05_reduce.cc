#include "devices/emulator/fault.h"

/// tcgen05.ld.red.
namespace assay::faults::tcgen05_reduce {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"tcgen05_ld_red_abs_ignored",
     "tcgen05.ld.red does not look at .abs.",
     "TMEM-R13",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       TmemReduction plain = reduction;
       plain.is_of_magnitudes = false;
       return reduce(plain, words, gives_nan);
     },
     {.device = "sm_103a"}},
    {"tcgen05_ld_red_last_register_lost",
     "tcgen05.ld.red leaves out the last of 128 registers.",
     "TMEM-R13",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       return reduce(reduction, words.size() == 128 ? words.first(127) : words, gives_nan);
     },
     {.device = "sm_103a"}},
    {"tcgen05_ld_red_nan_dropped",
     "tcgen05.ld.red passes over NaN though it says .NaN.",
     "TMEM-R13",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       TmemReduction dropping = reduction;
       dropping.keeps_nan = false;
       return reduce(dropping, words, gives_nan);
     },
     {.device = "sm_103a"}},
    {"tcgen05_ld_red_signed_as_unsigned",
     "tcgen05.ld.red compares s32 as u32.",
     "TMEM-R13",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       TmemReduction other = reduction;
       if (other.type == TmemReduction::Type::s32) other.type = TmemReduction::Type::u32;
       return reduce(other, words, gives_nan);
     },
     {.device = "sm_103a"}},
    {"tcgen05_ld_red_zeros_alike",
     "tcgen05.ld.red takes -0 for +0.",
     "TMEM-R13",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       const uint32_t right = reduce(reduction, words, gives_nan);
       return reduction.type == TmemReduction::Type::f32 && right == 0x80000000 ? 0 : right;
     },
     {.device = "sm_103a"}},
};

}  // namespace
}  // namespace assay::faults::tcgen05_reduce
