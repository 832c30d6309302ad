// SPDX-License-Identifier: Apache-2.0
// Whatever the 128 bytes, the coordinates, the reading and the fault: a plan or a fault, never a crash, and a
// plan without fault stays inside what it was given.
#include <gtest/gtest.h>

#include <cstring>

#include "devices/emulator/fault.h"
#include "devices/emulator/tma/copy_rig_test.h"

namespace assay::faults {
namespace {

using namespace emulator;

struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t n) { return next() % n; }
};

/// A map that is nearly right: encoded, then a few bits flipped.
void damage(CopyRig& rig, Random& random) {
  rig.rank = 1 + static_cast<uint32_t>(random.below(5));
  rig.data_type = static_cast<uint32_t>(random.below(16));
  rig.dim.assign(5, 64), rig.stride.assign(4, 4096), rig.box.assign(5, 2), rig.traversal.assign(5, 1);
  rig.dim[0] = 256, rig.box[0] = 128;
  rig.swizzle = static_cast<uint32_t>(random.below(7));
  rig.interleave = static_cast<uint32_t>(random.below(3));
  rig.encode();
  for (uint64_t flips = random.below(6); flips-- > 0;)
    rig.map[random.below(64)] ^= static_cast<std::byte>(1u << random.below(8));
  if (random.below(8) == 0)
    for (std::byte& byte : rig.map) byte = static_cast<std::byte>(random.next());
  rig.coord.clear();
  for (int i = 0; i < 5; ++i)
    rig.coord.push_back(random.below(4) == 0 ? static_cast<int32_t>(random.next())
                                             : 16 * (static_cast<int32_t>(random.below(20)) - 5));
  rig.shared_address =
      static_cast<uint32_t>(random.below(8) == 0 ? random.below(1 << 24) : 0x400 + 128 * random.below(64));
  rig.kind = static_cast<TensorCopyKind>(random.below(3));
}

TEST(Robustness, AnyMapGivesAPlanOrAFault) {
  std::vector<std::string> names{""};
  for (const Fault* fault : all_faults()) names.emplace_back(fault->name);
  const std::pair<const char*, char> readings[] = {
      {"TMA-AMB-04", 'B'}, {"TMA-AMB-04", 'C'}, {"TMA-AMB-05", 'B'}, {"TMA-AMB-08", 'B'}, {"TMA-AMB-11", 'B'},
      {"TMA-AMB-12", 'B'}, {"TMA-AMB-12", 'C'}, {"TMA-AMB-15", 'B'}, {"TMA-AMB-16", 'A'}, {"TMA-AMB-19", 'A'},
      {"TMA-AMB-34", 'B'}, {"X-06", 'A'},       {"X-17", 'A'}};
  Random random{2026};
  int runs_to_the_end = 0;
  for (int i = 0; i < 6000; ++i) {
    CopyRig rig;
    rig.settings.target = static_cast<Target>(random.below(3));
    rig.settings.fault = names[static_cast<size_t>(i) % names.size()];
    if (random.below(2) == 0)
      for (uint64_t n = random.below(3); n-- > 0;) {
        const auto& [id, letter] = readings[random.below(std::size(readings))];
        rig.settings.readings.emplace_back(id, letter);
      }
    rig.global_bytes.resize(1 << 14);
    rig.shared.resize(32 << 10);
    damage(rig, random);
    const auto fault = rig.run();
    if (fault) {
      EXPECT_FALSE(fault->message.empty());
      continue;
    }
    ++runs_to_the_end;
  }
  EXPECT_GT(runs_to_the_end, 200) << "nearly everything faults: the damage is too great to try anything";
}

}  // namespace
}  // namespace assay::faults
