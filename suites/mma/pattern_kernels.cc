// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: Highway includes this file again under each target.
// Its own checks, which sanitized builds have, are in a library that is not linked.
#ifndef HWY_IS_DEBUG_BUILD
#define HWY_IS_DEBUG_BUILD 0
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suites/mma/pattern_kernels.cc"
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
#include <algorithm>

#include "suites/mma/pattern_words.h"
//
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::suites {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U64 = hn::ScalableTag<uint64_t>;
using U32 = hn::Rebind<uint32_t, U64>;
using V64 = hn::Vec<U64>;
using V32 = hn::Vec<U32>;

constexpr size_t most_lanes = HWY_MAX_BYTES / sizeof(uint64_t);

/// params::arena_mix behind its first multiplication: z = i * factor + factor.
constexpr uint64_t factor = 0x9e3779b97f4a7c15ull;
HWY_INLINE V64 Mixed(V64 z) {
  const U64 u64;
  z = hn::Mul(hn::Xor(z, hn::ShiftRight<30>(z)), hn::Set(u64, 0xbf58476d1ce4e5b9ull));
  z = hn::Mul(hn::Xor(z, hn::ShiftRight<27>(z)), hn::Set(u64, 0x94d049bb133111ebull));
  return hn::Xor(z, hn::ShiftRight<31>(z));
}
HWY_INLINE V64 Mix(V64 i) {
  const auto by = hn::Set(U64(), factor);
  return Mixed(hn::Add(hn::Mul(i, by), by));
}

/// Mix() of numbers that follow each other, a vector after the other: each first product is that of the
/// vector before and a constant.
class Run {
 public:
  HWY_INLINE explicit Run(V64 first) {
    const U64 u64;
    const auto by = hn::Set(u64, factor);
    z_ = hn::Add(hn::Mul(first, by), by);
  }
  HWY_INLINE V64 Next() {
    const V64 mixed = Mixed(z_);
    z_ = hn::Add(z_, hn::Set(U64(), hn::Lanes(U64()) * factor));
    return mixed;
  }

 private:
  V64 z_;
};

/// The words of a fill. Which of its parts it has is the same for all of them.
class Words {
 public:
  HWY_INLINE explicit Words(const params::OperandFill& fill) : fill_(fill) {
    const uint32_t bits = fill.special_bits;
    mask_ = bits == 32 ? ~0u : (1u << bits) - 1;
  }

  /// What the words at the indexes are drawn from.
  HWY_INLINE V64 Drawn(V64 index) const {
    const U64 u64;
    const auto from = fill_.mirror_bits == 32 ? hn::And(index, hn::Set(u64, ~uint64_t{1})) : index;
    return Mix(hn::Add(from, hn::Set(u64, fill_.seed)));
  }
  HWY_INLINE V32 At(V64 index) const { return At(index, Drawn(index)); }
  HWY_INLINE V32 At(V64 index, V64 mixed) const {
    const U32 u32;
    auto word =
        hn::Or(hn::And(hn::TruncateTo(u32, mixed), hn::Set(u32, fill_.keep)), hn::Set(u32, fill_.set));
    const auto flip = hn::Set(u32, fill_.mirror_flip);
    if (fill_.mirror_bits == 8) {
      word = hn::And(word, hn::Set(u32, 0x00ff00ffu));
      word = hn::Xor(hn::Or(word, hn::ShiftLeft<8>(word)), flip);
    } else if (fill_.mirror_bits == 16) {
      word = hn::And(word, hn::Set(u32, 0xffffu));
      word = hn::Xor(hn::Or(word, hn::ShiftLeft<16>(word)), flip);
    } else if (fill_.mirror_bits == 32) {
      const auto odd = hn::And(hn::TruncateTo(u32, index), hn::Set(u32, 1));
      word = hn::Xor(word, hn::IfThenElseZero(hn::Ne(odd, hn::Zero(u32)), flip));
    }
    return fill_.special_bits == 0 ? word : WithSpecials(word, Mix(hn::Xor(mixed, index)));
  }

 private:
  HWY_INLINE V32 WithSpecials(V32 word, V64 chance) const {
    const U32 u32;
    const auto draws = hn::TruncateTo(u32, chance), picks = hn::TruncateTo(u32, hn::ShiftRight<32>(chance));
    const auto rate = hn::Set(u32, fill_.special_rate), zero = hn::Zero(u32);
    for (uint32_t at = 0; at < 32; at += fill_.special_bits) {
      const auto draw = hn::And(hn::ShiftRightSame(draws, static_cast<int>(at)), hn::Set(u32, 0xff));
      const auto which = hn::ShiftRightSame(picks, static_cast<int>(at / 4));
      const auto is_odd = hn::Ne(hn::And(which, hn::Set(u32, 1)), zero);
      const auto is_upper = hn::Ne(hn::And(which, hn::Set(u32, 2)), zero);
      const auto special = [&](size_t i) HWY_ATTR { return hn::Set(u32, (fill_.special[i] & mask_) << at); };
      const auto code = hn::IfThenElse(is_upper, hn::IfThenElse(is_odd, special(3), special(2)),
                                       hn::IfThenElse(is_odd, special(1), special(0)));
      const auto made = hn::Or(hn::AndNot(hn::Set(u32, mask_ << at), word), code);
      word = hn::IfThenElse(hn::Lt(draw, rate), made, word);
    }
    return word;
  }

  const params::OperandFill fill_;
  uint32_t mask_;
};

void Range(const params::OperandFill& fill, uint64_t first, std::span<uint32_t> words) {
  const U64 u64;
  const U32 u32;
  const Words made(fill);
  const size_t lanes = hn::Lanes(u64);
  auto index = hn::Iota(u64, first);
  Run run(hn::Add(index, hn::Set(u64, fill.seed)));
  const bool is_run = fill.mirror_bits != 32;
  // No call is in the loop, which keeps all in registers: at -O1 g++ calls lambdas that it need not inline.
  const auto next = [&]() HWY_ATTR __attribute__((always_inline)) {
    return made.At(index, is_run ? run.Next() : made.Drawn(index));
  };
  const size_t whole = words.size() / lanes * lanes;
  for (size_t i = 0; i < whole; i += lanes, index = hn::Add(index, hn::Set(u64, lanes)))
    hn::StoreU(next(), u32, words.data() + i);
  if (whole == words.size()) return;
  HWY_ALIGN uint32_t rest[most_lanes];
  hn::StoreU(next(), u32, rest);
  std::copy_n(rest, words.size() - whole, words.data() + whole);
}

void Quads(const params::OperandFill& fill, std::span<const uint32_t> first, uint32_t* words) {
  const U64 u64;
  const U32 u32;
  const Words made(fill);
  const size_t lanes = hn::Lanes(u64);
  constexpr size_t together = 4;  // a multiple of 4 words that every vector divides
  HWY_ALIGN uint64_t index[4 * together];
  for (size_t i = 0; i < first.size(); i += together) {
    const size_t count = std::min(together, first.size() - i);
    for (size_t q = 0; q < together; ++q)
      for (size_t j = 0; j < 4; ++j) index[4 * q + j] = uint64_t{first[i + std::min(q, count - 1)]} + j;
    HWY_ALIGN uint32_t all[4 * together];
    for (size_t at = 0; at < 4 * together; at += lanes)
      hn::StoreU(made.At(hn::LoadU(u64, index + at)), u32, all + at);
    std::copy_n(all, 4 * count, words + 4 * i);
  }
}

void Doubles(const params::DoubleFill& fill, uint64_t first, std::span<uint64_t> elements) {
  const U64 u64;
  const size_t lanes = hn::Lanes(u64);
  const auto zero = hn::Zero(u64);
  const auto element = [&](V64 index, V64 mixed) HWY_ATTR {
    const auto made = hn::Or(hn::And(mixed, hn::Set(u64, fill.keep)), hn::Set(u64, fill.set));
    if (fill.special_rate == 0) return made;
    const auto chance = Mix(hn::Xor(mixed, index));
    const auto is_odd = hn::Ne(hn::And(chance, hn::Set(u64, 1 << 8)), zero);
    const auto is_upper = hn::Ne(hn::And(chance, hn::Set(u64, 1 << 9)), zero);
    const auto special = [&](size_t i) HWY_ATTR { return hn::Set(u64, fill.special[i]); };
    const auto code = hn::IfThenElse(is_upper, hn::IfThenElse(is_odd, special(3), special(2)),
                                     hn::IfThenElse(is_odd, special(1), special(0)));
    const auto draw = hn::And(chance, hn::Set(u64, 0xff));
    return hn::IfThenElse(hn::Lt(draw, hn::Set(u64, fill.special_rate)), code, made);
  };
  auto index = hn::Iota(u64, first);
  Run run(hn::Add(index, hn::Set(u64, fill.seed)));
  const size_t whole = elements.size() / lanes * lanes;
  for (size_t i = 0; i < whole; i += lanes, index = hn::Add(index, hn::Set(u64, lanes)))
    hn::StoreU(element(index, run.Next()), u64, elements.data() + i);
  if (whole == elements.size()) return;
  HWY_ALIGN uint64_t rest[most_lanes];
  hn::StoreU(element(index, run.Next()), u64, rest);
  std::copy_n(rest, elements.size() - whole, elements.data() + whole);
}

void Metadata(const params::MetadataFill& fill, std::span<uint32_t> words) {
  const U64 u64;
  const U32 u32;
  const size_t lanes = hn::Lanes(u64);
  const auto low_byte = hn::Set(u64, 0xff), rate = hn::Set(u64, fill.strange_rate);
  HWY_ALIGN uint32_t rest[most_lanes];
  for (size_t i = 0; i < words.size(); i += lanes) {
    auto draws = Mix(hn::Iota(u64, fill.seed + i)), chances = Mix(draws);
    auto word = hn::Zero(u64);
    for (int code = 0; code < 8; ++code) {
      const auto is_strange = hn::Lt(hn::And(chances, low_byte), rate);
      const auto list =
          hn::IfThenElse(is_strange, hn::Set(u64, fill.strange_codes), hn::Set(u64, fill.codes));
      const auto which = hn::ShiftLeft<2>(hn::And(draws, hn::Set(u64, 7)));
      const auto taken = hn::And(hn::Shr(list, which), hn::Set(u64, 0xf));
      word = hn::Or(word, hn::ShiftLeftSame(taken, 4 * code));
      draws = hn::ShiftRight<8>(draws), chances = hn::ShiftRight<8>(chances);
    }
    hn::StoreU(hn::TruncateTo(u32, word), u32, rest);
    std::copy_n(rest, std::min(lanes, words.size() - i), words.data() + i);
  }
}

inline PatternKernels All() {
  return {hwy::TargetName(HWY_TARGET), Range, Quads, Doubles, Metadata};
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::suites
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "reference/numerics/vector_versions.h"

namespace assay::suites {

std::span<const PatternKernels> pattern_kernels_of_this_processor() {
  static const std::vector<PatternKernels> usable = ASSAY_USABLE_VERSIONS(All);
  return usable;
}

}  // namespace assay::suites
#endif
