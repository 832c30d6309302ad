// SPDX-License-Identifier: Apache-2.0
// Names that stand for others, and names that are absent.
#include "devices/cudart/abi.h"
#include "devices/cudart/report.h"

namespace assay::cudart {

// Whatever the parameters are, a jump leaves them where they are.
#if defined(__x86_64__)
#define ASSAY_JUMP "jmp "
#elif defined(__aarch64__)
#define ASSAY_JUMP "b "
#else
#error "no jump to another function is known for this machine"
#endif
#define ASSAY_PER_THREAD(name, plain)                                                                    \
  asm(".pushsection .text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" ASSAY_JUMP #plain \
      "@PLT\n.size " #name ", .-" #name "\n.popsection");
#include "devices/cudart/per_thread.inc"
#undef ASSAY_PER_THREAD

#define ASSAY_ABSENT(name)     \
  ASSAY_RUNTIME Error name() { \
    report_absent(#name);      \
    return not_supported;      \
  }
#include "devices/cudart/absent.inc"
#undef ASSAY_ABSENT

}  // namespace assay::cudart
