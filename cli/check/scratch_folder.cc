// SPDX-License-Identifier: Apache-2.0
#include "cli/check/scratch_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "devices/device.h"

namespace assay::cli::check {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() : path_((fs::temp_directory_path() / "assay-check-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr)
    throw DeviceError("no temporary folder can be made in " + fs::temp_directory_path().string());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace assay::cli::check
