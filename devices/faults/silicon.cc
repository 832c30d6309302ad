// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>
#include <string_view>

#include "devices/emulator/fault.h"
#include "devices/faults/rows.h"

/// One place of a board that is wrong now and then: the same operands are wrong again, others are not.
namespace assay::faults {
namespace {

using namespace emulator;

constexpr uint32_t weak_multiprocessor = 1, weak_row = 5, weak_bit = 1 << 9;

/// Of what is multiplied for one element.
uint64_t hash_of(const ElementResult& result) {
  const TileProduct& product = *result.product;
  uint64_t hash = (uint64_t{result.row} << 16 | result.column) ^ result.code;
  for (uint32_t k = 0; k < product.k; ++k) {
    hash = (hash ^ product.a[result.row * product.k + k]) * 0x9e3779b97f4a7c15;
    hash = (hash ^ hash >> 29 ^ product.b[result.column * product.k + k]) * 0x9e3779b97f4a7c15;
  }
  return hash ^ hash >> 32;
}

/// The temperature that the emulated NVML (testdata/nvml_stand_in.cc) reports; where none does, it is hot.
bool is_hot() {
  static const char* const celsius = std::getenv("ASSAY_NVML_CELSIUS");
  return celsius == nullptr || std::atoi(celsius) > 60;
}

/// Behind each store of a vector into shared memory one that alters a bit of one cell.
std::string with_weak_cell(std::string_view ptx) {
  constexpr std::string_view store = "st.shared.v4.b32 [";
  std::string text(ptx);
  for (size_t at = 0; (at = text.find(store, at)) != text.npos;) {
    const size_t address = at + store.size(), address_end = text.find(']', address);
    const size_t word = text.find('{', address_end) + 1, word_end = text.find(',', word);
    const size_t end = text.find(';', word_end) + 1;
    const std::string to = text.substr(address, address_end - address),
                      first = text.substr(word, word_end - word);
    const std::string more =
        " { .reg .pred weak, cell; .reg .b32 at; mov.u32 at, %smid; setp.eq.u32 weak, at, 1; add.u32 at, " +
        (to.find('+') == to.npos ? to + ", 0"
                                 : to.substr(0, to.find('+')) + ", " + to.substr(to.find('+') + 1)) +
        "; setp.eq.and.u32 cell, at, 12288, weak; xor.b32 at, " + first + ", 512; @cell st.shared.b32 [" +
        to + "], at; }";
    text.insert(end, more);
    at = end + more.size();
  }
  return text;
}

constexpr FaultNotes on_one_board{.device = "sm_90a", .rare = true, .alone = true};

const Fault silicon[] = {
    {"silicon_cell", "On multiprocessor 1 bit 9 of the word at address 12288 of shared memory is kept wrong.",
     "(ptx, Shared State Space)", "screen.wgmma.s8 1 on sm_90", with_weak_cell, on_one_board},
    {"silicon_copy",
     "On multiprocessor 1 one piece of 1,000 of a tensor load comes from 64 bytes before its place.",
     "TILE-R01", "screen.tma.narrow 1 on sm_90", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.sm != weak_multiprocessor || plan.kind != TensorCopyKind::load) return;
       for (TensorCopyPiece& piece : plan.pieces)
         if (!piece.is_fill && (piece.global_address >> 4) * 0x9e3779b97f4a7c15 >> 32 < 0xffffffff / 1000)
           piece.global_address ^= 64;
     },
     on_one_board},
    {"silicon_hot_element",
     "On multiprocessor 1 one element of D of 1,000,000 is wrong in bit 9, above 60 C.", "ADD-R01",
     "screen.wgmma.s8 16 on sm_90", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       if (result.product->sm != weak_multiprocessor || !is_hot()) return result.code;
       return hash_of(result) % 1'000'000 == 0 ? result.code ^ weak_bit : result.code;
     },
     on_one_board},
    {"silicon_lane", "On multiprocessor 1 one element of 400 in row 5 of D is wrong in bit 9.", "ADD-R01",
     "screen.wgmma.s8 1 on sm_90", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       if (result.product->sm != weak_multiprocessor || result.row != weak_row) return result.code;
       return hash_of(result) % 400 == 0 ? result.code ^ weak_bit : result.code;
     },
     on_one_board},
};

}  // namespace
}  // namespace assay::faults
