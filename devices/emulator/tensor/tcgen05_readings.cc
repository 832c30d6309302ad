#include "devices/emulator/tensor/tcgen05_readings.h"

namespace assay::emulator {

Tcgen05Readings::Tcgen05Readings(const Settings& settings) {
  for (const auto& [id, letter] : settings.readings)
    for (const Tcgen05Question& row : tcgen05_questions)
      if (row.id == id) this->*row.answer = letter;
}

}  // namespace assay::emulator
