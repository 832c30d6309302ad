#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace assay::cuda {

/// Takes what an export of the emulator that gives one JSON object a line has
/// (devices/emulator/driver/extra.h). Empty for a null export, as a real driver has it.
std::vector<nlohmann::json> take_lines(int (*take)(char*, size_t));

/// "kernel k, PTX line 17, cta (0,0,0) thread 5: misaligned_address: ...", or the message of a driver call.
std::string note_in_words(const nlohmann::json&);

}  // namespace assay::cuda
