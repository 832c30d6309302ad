// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::fuzz {

/// Changes a PTX module so that it mostly still loads: an instruction becomes another one of the table of
/// forms with registers that its function declares; instructions are doubled, lost, moved or exchanged; a
/// register becomes another of its type; a modifier or a number changes. Now and then the text changes as
/// text. A module that is known to be refused mostly gets another instruction in the line that was refused.
size_t mutate_ptx(uint8_t* data, size_t size, size_t max_size, unsigned seed);

/// Instructions of one module among those of another, with registers that are declared there.
size_t cross_ptx(const uint8_t* one, size_t one_size, const uint8_t* other, size_t other_size, uint8_t* out,
                 size_t max_size, unsigned seed);

/// The module was refused for this line, from 1.
void remember_refused(const uint8_t* data, size_t size, uint32_t line);

}  // namespace assay::fuzz
