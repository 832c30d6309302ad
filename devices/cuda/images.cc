// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/images.h"

#include <sys/mman.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace assay::cuda {

const AssayKernelImage* find_image(std::string_view file, int capability, bool takes_cubin) {
  // An 'a' target runs on exactly its compute capability (PTX ISA, directive .target).
  const std::string target = "sm_" + std::to_string(capability) + "a";
  for (const std::string_view kind : {"cubin", "ptx"}) {
    if (kind == "cubin" && !takes_cubin) continue;
    for (size_t i = 0; i < assay_kernel_image_count; ++i) {
      const AssayKernelImage& image = assay_kernel_images[i];
      if (image.file == file && image.target == target && image.kind == kind) return &image;
    }
  }
  return nullptr;
}

UsedFiles::UsedFiles() {
  // Zero as it comes, which is no name; it stays until the last process has ended.
  void* const memory =
      mmap(nullptr, sizeof(Names), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error(std::string("cannot share memory: ") + std::strerror(errno));
  shared_ = static_cast<Names*>(memory);
}

void UsedFiles::note(std::string_view file) {
  const uint32_t at = shared_->taken.fetch_add(1);
  if (at >= shared_->names.size()) return;
  Name& name = shared_->names[at];
  file.copy(name.text.data(), name.text.size() - 1);
  name.is_there.store(true, std::memory_order_release);
}

std::vector<std::string> UsedFiles::all() const {
  std::vector<std::string> files;
  for (const Name& name : shared_->names) {
    if (!name.is_there.load(std::memory_order_acquire)) continue;
    std::string file = name.text.data();
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace assay::cuda
