// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What headers need of RapidCheck to name a shrink tree; its own text costs each source a second.
namespace rc {
template <typename T>
class Shrinkable;
}
