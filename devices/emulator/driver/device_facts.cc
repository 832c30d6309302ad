// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/device_facts.h"

#include "devices/emulator/driver/settings.h"

namespace assay::emulator {

std::string device_name(Target target) {
  return "assay emulator (" + std::string(target_name(target)) + ")";
}

/// Limits as the CUDA Programming Guide has them for compute capabilities 9.0, 10.0 and 10.3; the rest
/// describes the emulator.
int device_attribute(int attribute, Target target) {
  switch (attribute) {
    case 1:
      return 1024;  // threads a block
    case 2:
      return 1024;  // block x
    case 3:
      return 1024;  // block y
    case 4:
      return 64;  // block z
    case 5:
      return 2147483647;  // grid x
    case 6:
      return 65535;  // grid y
    case 7:
      return 65535;  // grid z
    case 8:
      return shared_per_block;
    case 9:
      return 65536;  // constant memory
    case 10:
      return 32;  // warp
    case 11:
      return 2147483647;  // pitch
    case 12:
      return registers_per_multiprocessor;  // a block
    case 13:
      return 1000000;  // clock, kHz: what %clock64 counts
    case 14:
      return 512;  // texture alignment
    case 15:
      return 1;  // copies overlap kernels
    case 16:
      return multiprocessor_count;
    case 17:
      return 0;  // no time limit on kernels
    case 18:
      return 0;  // discrete
    case 19:
      return 1;  // maps host memory
    case 20:
      return 0;  // compute mode: default
    case 30:
      return 512;  // surface alignment
    case 31:
      return 0;  // kernels run one after the other
    case 32:
      return 0;  // no ECC
    case 36:
      return 1000000;  // memory clock, kHz
    case 37:
      return 64;  // bus width, bits
    case 38:
      return 50 << 20;  // L2 bytes
    case 39:
      return threads_per_multiprocessor;
    case 40:
      return 1;  // copy engines
    case 41:
      return 1;  // unified addressing
    case 51:
      return 32;  // texture pitch alignment
    case 75:
      return target == Target::sm_90a ? 9 : target == Target::sm_120a ? 12 : 10;
    case 76:
      return target == Target::sm_103a ? 3 : 0;
    case 78:
      return 1;  // stream priorities
    case 79:
      return 1;  // global L1
    case 80:
      return 1;  // local L1
    case 81:
      return shared_per_multiprocessor;
    case 83:
      return 1;  // managed memory
    case 88:
      return 0;  // pageable memory is not visible
    case 89:
      return 1;  // the host and kernels may touch managed memory at once
    case 82:
      return registers_per_multiprocessor;
    case 87:
      return 2;  // single to double precision
    case 91:
      return 1;  // registered memory has one address
    case 97:
      return shared_per_block_optin;
    case 99:
      return 1;  // host memory can be registered
    case 106:
      return ctas_per_multiprocessor;
    case 108:
      return 32 << 20;  // L2 bytes that may be set aside for persisting accesses: a hint here
    case 109:
      return 128 << 20;  // bytes of an access policy window
    case 111:
      return shared_reserved_per_block;
    case 95:
      return 1;  // cooperative launches
    case 115:
      return 1;  // memory pools
    case 120:
      return 1;  // clusters
    case 127:
      return 1;  // tensor maps
    default:
      return 0;
  }
}

}  // namespace assay::emulator
