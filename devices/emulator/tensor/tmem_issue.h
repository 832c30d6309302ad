// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/tmem.h"

namespace assay::emulator {

/// Hands work of the tensor core to the queue: behind what its thread has issued before where the two are
/// pipelined (ptx, tcgen05: pipelined instructions), free to overtake it elsewhere. Pairs of copies and
/// shifts that the documents do not list are ordered as AMB-38 is answered, copies behind products as AMB-52
/// is.
void issue_work(const Step& step, int lane, IssuedWork work, AsyncOperation operation);

/// The work of a thread that is still pending: what a commit of it waits for.
std::vector<IssuedWork>& pending_work(const Step& step, int lane);

}  // namespace assay::emulator
