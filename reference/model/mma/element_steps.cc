// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/element_steps.h"

#include "reference/numerics/exact.h"

namespace assay::model {

void ElementSteps::add(InstructionSteps next) {
  numerics::Dot dot;
  dot.a = next.a, dot.b = next.b, dot.c = next.c;
  dot.scale_a = next.scale_a, dot.scale_b = next.scale_b;
  dot.scale_input_d = next.scale_input_d;
  next.steps = numerics::exact_steps(arithmetic, types, dot);
  next.d = next.steps.result;
  instructions.push_back(std::move(next));
}

}  // namespace assay::model
