// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/images.h"

#include <sys/mman.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>

#include "devices/cuda/families/family.h"
#include "kernels/forms/form.h"

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

namespace {

constexpr PtxRelease releases[] = {{80, 12000, 525}, {81, 12010, 530}, {82, 12020, 535}, {83, 12030, 545},
                                   {84, 12040, 550}, {85, 12050, 555}, {86, 12070, 565}, {87, 12080, 570},
                                   {88, 12090, 575}, {90, 13000, 580}, {92, 13020, 595}, {94, 13040, 615}};

std::string cuda_text(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::optional<PtxRelease> release_with(uint8_t ptx) {
  const auto* const found = std::find_if(std::begin(releases), std::end(releases),
                                         [ptx](const PtxRelease& one) { return one.ptx >= ptx; });
  if (found == std::end(releases)) return std::nullopt;
  return *found;
}

std::string words(const PtxRelease& release) {
  return "R" + std::to_string(release.driver) + " (" + cuda_text(release.cuda) + ", PTX " +
         forms::ptx_text(release.ptx) + ")";
}

uint8_t declared_ptx(std::string_view file, int capability) {
  const AssayKernelImage* image = find_image(file, capability, /*takes_cubin=*/false);
  if (image == nullptr) return 0;
  constexpr std::string_view directive = "\n.version ";
  const std::string_view text(reinterpret_cast<const char*>(image->begin),
                              reinterpret_cast<const char*>(image->end));
  const size_t at = text.find(directive);
  if (at == text.npos) return 0;
  const char* const number = text.data() + at + directive.size();
  return static_cast<uint8_t>((number[0] - '0') * 10 + (number[2] - '0'));
}

const char* module_of(std::string_view family) {
  const Family* const found = find_family(family);
  return found == nullptr ? nullptr : found->module;
}

std::optional<std::string> driver_lacks(std::string_view file, int capability, int driver_version) {
  const uint8_t needed = declared_ptx(file, capability);
  const std::optional<PtxRelease> release = release_with(needed);
  if (!release || driver_version >= release->cuda) return std::nullopt;
  return "its kernels need driver " + words(*release) + " or later (driver: " + cuda_text(driver_version) +
         ")";
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
