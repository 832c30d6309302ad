// SPDX-License-Identifier: Apache-2.0
#include "suites/run/same_enumerators.h"

namespace assay::suites {
namespace {

enum class Fruit : unsigned char { apple, pear, plum };
enum class Copied : unsigned { apple, pear, plum, quince };
enum class Exchanged : unsigned char { apple, plum, pear };
enum class Shorter : unsigned char { apple, pear };

// Nothing to run: what the compiler makes of names is what could be wrong.
static_assert(enumerator_name<Fruit::pear>() == "pear");
static_assert(enumerator_name<static_cast<Fruit>(3)>()[0] == '(');
static_assert(are_same_enumerators<Fruit, Copied, 3>());
static_assert(!are_same_enumerators<Fruit, Exchanged, 3>());
static_assert(!are_same_enumerators<Fruit, Shorter, 3>());
static_assert(!are_same_enumerators<Copied, Fruit, 3>(), "the first one has a name more");
static_assert(!are_same_enumerators<Fruit, Copied, 2>(), "not all were asked for");
enum class Behind : unsigned char { none, apple, pear, plum };
static_assert(are_same_enumerators<Behind, Fruit, 3, 1>() && !are_same_enumerators<Behind, Fruit, 3>());

static_assert(spells("s64x128b_warpx2_02_13", "64x128b.warpx2::02_13") && spells("s16x64b", ".16x64b"));
static_assert(!spells("s64x128b_warpx2_01_23", "64x128b.warpx2::02_13") && !spells("s16x64", ".16x64b"));

}  // namespace
}  // namespace assay::suites
