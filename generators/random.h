// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "reference/model/spelling.h"

namespace assay::gen {

/// Random numbers that are the same on every machine and compiler: a counter under a bijective mix (the
/// standard library's distributions are not portable). Number k of a stream depends on the stream and k
/// alone.
class Random {
 public:
  constexpr explicit Random(uint64_t stream) : stream_(stream) {}

  constexpr uint64_t next() {
    uint64_t z = stream_ + 0x9e3779b97f4a7c15ull * ++count_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, n); 0 for n == 0. The bias is below n / 2^32.
  constexpr uint32_t below(uint32_t n) { return static_cast<uint32_t>(((next() >> 32) * n) >> 32); }
  constexpr uint64_t below64(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
  }
  /// Uniform in [low, high], both included.
  constexpr uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
  constexpr uint64_t between64(uint64_t low, uint64_t high) { return low + below64(high - low + 1); }
  constexpr bool one_in(uint32_t n) { return below(n) == 0; }
  /// Every power of two in [low, high] is as likely; uniform between two powers. low >= 1.
  constexpr uint64_t log_uniform(uint64_t low, uint64_t high) {
    const auto octave = static_cast<unsigned>(
        between(static_cast<uint32_t>(std::bit_width(low)), static_cast<uint32_t>(std::bit_width(high))));
    const uint64_t first = uint64_t{1} << (octave - 1), last = first + (first - 1);
    return between64(first < low ? low : first, last > high ? high : last);
  }

 private:
  uint64_t stream_;
  uint64_t count_ = 0;
};

/// A stream of its own for a part of a case, so that what is drawn behind that part stays as it was.
constexpr Random apart(Random random) {
  const uint64_t first = random.next();
  return Random(first ^ random.next());
}

/// The thread of a probe's four warps that issues: the first half of the time, else any. By a stream of its
/// own.
constexpr uint32_t issuing_thread(Random random) {
  random = apart(random);
  return random.one_in(2) ? random.below(128) : 0;
}

/// Of case `index` of loads in a cluster, the mask of the one CTA that it names instead of a multicast;
/// mostly 0: it is one. Even indexes are for corners of the mask. By a stream of its own.
constexpr uint16_t sole_receiver(Random random, uint64_t index, uint32_t cluster_size) {
  random = apart(apart(random));
  return index % 2 != 0 && random.one_in(4) ? static_cast<uint16_t>(1u << random.below(cluster_size))
                                            : uint16_t{0};
}

/// How a case spells its instruction: half of the time otherwise than plainly. By a stream of its own.
constexpr uint32_t drawn_spelling(Random random) {
  for (int times = 0; times < 5; ++times) random = apart(random);
  return random.one_in(2) ? random.below(most_spellings) : 0;
}

/// What the streams of a property's cases have in common under a run's seed.
constexpr uint64_t run_stream(uint64_t seed, std::string_view property) {
  uint64_t name = 0xcbf29ce484222325ull;
  for (const char c : property) name = (name ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return Random(seed).next() ^ name;
}
/// The stream of its case `index`: nothing else decides the case.
constexpr uint64_t case_stream(uint64_t run, uint64_t index) {
  return Random(run + 0xd1342543de82ef95ull * index).next();
}
constexpr uint64_t case_stream(uint64_t seed, std::string_view property, uint64_t index) {
  return case_stream(run_stream(seed, property), index);
}

}  // namespace assay::gen
