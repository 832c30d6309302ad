// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/by_type.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/alu/product.h"

// The condition code register holds one bit, CC.CF (ptx, extended-precision integer arithmetic). The document
// calls it the carry out of an addition and the borrow out of a subtraction and leaves open how one reads as
// the other. Hardware has one adder, a - b is a + ~b + 1, and its carry out is "no borrow": on an H100 addc
// sees 1 after a sub.cc that did not borrow, and subc borrows after an add.cc that did not carry. The machine
// keeps the bit as a column of 0 or 1: see LaneForm.
namespace assay::emulator::alu {
namespace {

template <class U>
struct Sum {
  U value;
  bool carry;
};

template <class U>
Sum<U> add(U a, U b, bool carry) {
  const U partial = a + b;
  const U value = partial + carry;
  return {value, partial < a || value < partial};
}
template <class U>
Sum<U> subtract(U a, U b, bool no_borrow) {
  return add<U>(a, static_cast<U>(~b), no_borrow);
}

enum class Step { add, subtract, mad_lo, mad_hi };

template <Step step, class T, bool reads, bool writes>
void run(const LaneArgs& x) {
  using U = std::make_unsigned_t<T>;
  constexpr int sources = step == Step::add || step == Step::subtract ? 2 : 3;
  each_lane(x.mask, [&](int lane) {
    const T a = value_of<T>(x.s[0][lane]), b = value_of<T>(x.s[1][lane]);
    // What does not read the flag starts a chain: no carry, no borrow.
    const bool in = reads ? x.s[sources][lane] != 0 : step == Step::subtract;
    Sum<U> sum;
    if constexpr (step == Step::add)
      sum = add<U>(a, b, in);
    else if constexpr (step == Step::subtract)
      sum = subtract<U>(a, b, in);
    else if constexpr (step == Step::mad_lo)
      sum = add<U>(low_product(a, b), value_of<U>(x.s[2][lane]), in);
    else
      sum = add<U>(high_product(a, b), value_of<U>(x.s[2][lane]), in);
    x.d[lane] = sum.value;
    if (writes) x.d2[lane] = sum.carry;
  });
}

template <Step step, bool reads, bool writes>
std::optional<LaneForm> pick(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none) return std::nullopt;
  return for_wide_integer(w.types[0], []<class T>() {
    LaneForm form;
    form.op = &run<step, T, reads, writes>;
    form.sources = step == Step::add || step == Step::subtract ? 2 : 3;
    form.reads_carry = reads;
    form.writes_carry = writes;
    return form;
  });
}

}  // namespace

std::optional<LaneForm> find_add_carry(const Words& w) {
  if (w.set == flags(Flag::cc)) return pick<Step::add, false, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_addc(const Words& w) {
  if (w.set == 0) return pick<Step::add, true, false>(w);
  if (w.set == flags(Flag::cc)) return pick<Step::add, true, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_sub_carry(const Words& w) {
  if (w.set == flags(Flag::cc)) return pick<Step::subtract, false, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_subc(const Words& w) {
  if (w.set == 0) return pick<Step::subtract, true, false>(w);
  if (w.set == flags(Flag::cc)) return pick<Step::subtract, true, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_mad_carry(const Words& w) {
  if (w.set == flags(Flag::lo, Flag::cc)) return pick<Step::mad_lo, false, true>(w);
  if (w.set == flags(Flag::hi, Flag::cc)) return pick<Step::mad_hi, false, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_madc(const Words& w) {
  if (w.set == flags(Flag::lo)) return pick<Step::mad_lo, true, false>(w);
  if (w.set == flags(Flag::hi)) return pick<Step::mad_hi, true, false>(w);
  if (w.set == flags(Flag::lo, Flag::cc)) return pick<Step::mad_lo, true, true>(w);
  if (w.set == flags(Flag::hi, Flag::cc)) return pick<Step::mad_hi, true, true>(w);
  return std::nullopt;
}

}  // namespace assay::emulator::alu
