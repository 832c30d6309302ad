// SPDX-License-Identifier: Apache-2.0
#include "suites/bulk_copy/pool.h"

#include "generators/random.h"
#include "kernels/params/bulk_copy.h"

namespace assay::suites {
namespace {

using gen::Random;
using spec::ReduceType;

struct Fields {
  int exponent, fraction;
};
Fields fields_of(ReduceType type) {
  switch (type) {
    case ReduceType::f16:
      return {5, 10};
    case ReduceType::bf16:
      return {8, 7};
    case ReduceType::f64:
      return {11, 52};
    case ReduceType::f32:
    case ReduceType::f32_ftz:
      return {8, 23};
    default:
      return {0, 0};
  }
}

/// Zeros, the ends of the subnormals and of the normals, 1, infinities, quiet and other NaN, of both signs.
uint64_t float_edge(const Fields& f, Random& random) {
  const uint64_t one = uint64_t{1} << f.fraction, infinity = ((uint64_t{1} << f.exponent) - 1) * one;
  const uint64_t bias = ((uint64_t{1} << (f.exponent - 1)) - 1) * one;
  const uint64_t edges[] = {0,
                            1,
                            2,
                            one - 1,
                            one,
                            one + 1,
                            bias,
                            bias + 1,
                            bias - one,
                            infinity - 1,
                            infinity,
                            infinity + 1,
                            infinity | one / 2,
                            infinity + one - 1};
  const uint64_t sign = random.one_in(2) ? uint64_t{1} << (f.exponent + f.fraction) : 0;
  return edges[random.below(std::size(edges))] | sign;
}

/// Exponents so close that sums round, tie and cancel.
uint64_t float_near(const Fields& f, Random& random) {
  const auto middle = (uint64_t{1} << (f.exponent - 1)) - 1;
  const uint64_t span = static_cast<uint64_t>(f.fraction) + 2;
  const uint64_t exponent =
      random.one_in(3) ? random.below64(4) : middle + random.below64(span < middle ? span : middle);
  const uint64_t fraction = random.next() & ((uint64_t{1} << f.fraction) - 1);
  const uint64_t sign = random.one_in(2) ? uint64_t{1} << (f.exponent + f.fraction) : 0;
  return exponent << f.fraction |
         (random.one_in(3) ? fraction >> (f.fraction - 1) << (f.fraction - 1) : fraction) | sign;
}

uint64_t integer_edge(uint32_t bits, Random& random) {
  const uint64_t top = uint64_t{1} << (bits - 1);
  const uint64_t edges[] = {0, 1, 2, 3, 4, top - 1, top, top + 1, ~uint64_t{0}, ~uint64_t{1}};
  return edges[random.below(std::size(edges))];
}

uint64_t element(ReduceType type, Random& random) {
  const uint32_t bits = 8 * spec::bytes_of(type);
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const Fields f = fields_of(type);
  const uint32_t kind = random.below(8);
  if (kind == 0) return random.next() & mask;
  if (f.exponent == 0)
    return (kind < 5 ? integer_edge(bits, random) : random.next() >> random.below(64)) & mask;
  return kind < 4 ? float_edge(f, random) : float_near(f, random);
}

/// Zeros of both signs and NaN that differ in sign, payload and quiet bit: so few that they meet in most
/// reductions.
uint64_t float_that_meets(const Fields& f, Random& random) {
  const uint64_t one = uint64_t{1} << f.fraction, infinity = ((uint64_t{1} << f.exponent) - 1) * one;
  const uint64_t values[] = {
      0, 0, infinity + 1, infinity | one / 2, (infinity | one / 2) + 1, infinity + one - 1};
  const uint64_t sign = random.one_in(2) ? uint64_t{1} << (f.exponent + f.fraction) : 0;
  return values[random.below(std::size(values))] | sign;
}

}  // namespace

std::array<uint64_t, rig::bulk_pool_units> bulk_pool(const BulkCase& c) {
  Random random(c.pool_seed * 0x9e3779b97f4a7c15ull + 0x51);
  const spec::Reduction& what = reduction_of(c).what;
  const uint32_t bits = 8 * spec::bytes_of(what.type);
  std::array<uint64_t, rig::bulk_pool_units> pool{};
  if (c.is_known) {
    const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    for (uint32_t at = 0; at < 64; at += bits) {
      pool[params::bulk_pool_known(false)] |= (c.known_operand & mask) << at;
      pool[params::bulk_pool_known(true)] |= (c.known_old & mask) << at;
    }
    return pool;
  }
  const Fields f = fields_of(what.type);
  const bool meets = f.exponent != 0 && c.pool_seed % 4 == 0;
  for (uint64_t& unit : pool)
    for (uint32_t at = 0; at < 64; at += bits)
      unit |= (meets ? float_that_meets(f, random) : element(what.type, random)) << at;
  return pool;
}

}  // namespace assay::suites
