// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/tmem.h"

namespace assay::emulator {

bool IssuedWork::is_pipelined_with(const IssuedWork& later) const {
  switch (kind) {
    case Kind::mma:
      if (later.kind == Kind::mma)
        return d.lane == later.d.lane && d.column == later.d.column && m == later.m && n == later.n;
      return later.kind == Kind::shift;
    case Kind::copy:
      return later.kind == Kind::mma;
    case Kind::shift:
      return later.kind == Kind::mma || (later.kind == Kind::copy && later.is_4x256b);
  }
  return false;
}

}  // namespace assay::emulator
