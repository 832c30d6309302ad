// SPDX-License-Identifier: Apache-2.0
// The encoders of tensor maps. Like the real ones they want a current context and do not look at what
// happened there.
#include "devices/emulator/driver/call.h"
#include "devices/emulator/encode/map_encoder.h"

namespace assay::emulator {

namespace {

abi::Result with_current(const char* call, auto f) {
  return in_driver(call, [&](Driver& driver) -> abi::Result {
    abi::ContextObject* context = nullptr;
    if (const abi::Result result = find_current(driver, context); result != abi::success) return result;
    return f(driver);
  });
}

void warn_of_rank(Driver& driver, const char* call, uint32_t rank) {
  if (rank > 31)
    driver.note(
        call, "tensorRank is " + std::to_string(rank) + "; a real driver may read past the arrays and crash");
}

/// Why a call is refused is for the report alone: our own host refuses many, and knows why.
abi::Result answer(Driver& driver, const char* call, const EncodeRejection& rejection, uint64_t address) {
  if (!rejection.empty()) {
    driver.report.add(json_line(call, rejection));
    return abi::invalid_value;
  }
  if (address == 0 && driver.settings().strict)
    driver.report.add(json_line(
        call, "globalAddress is null; the call is documented to reject it, drivers nevertheless accept it"));
  return abi::success;
}

abi::Result encode_any_im2col(Driver& driver, const char* call, const EncodeIm2colArguments& args) {
  warn_of_rank(driver, call, args.rank);
  if (args.lower == nullptr || args.upper == nullptr)
    driver.note(call, "an array of corners is null; a real driver crashes");
  return answer(driver, call, encode_im2col(args, driver.settings()), args.address);
}

}  // namespace

abi::Result cuTensorMapEncodeTiled(abi::TensorMap* map, int type, uint32_t rank, void* address,
                                   const uint64_t* dim, const uint64_t* stride, const uint32_t* box,
                                   const uint32_t* traversal, int interleave, int swizzle, int l2_promotion,
                                   int fill) {
  return with_current("cuTensorMapEncodeTiled", [&](Driver& driver) {
    warn_of_rank(driver, "cuTensorMapEncodeTiled", rank);
    EncodeTiledArguments args;
    args.map = reinterpret_cast<std::byte*>(map);
    args.data_type = static_cast<uint32_t>(type), args.rank = rank;
    args.address = reinterpret_cast<uintptr_t>(address);
    args.dim = dim, args.stride = stride, args.box = box, args.traversal = traversal;
    args.interleave = static_cast<uint32_t>(interleave), args.swizzle = static_cast<uint32_t>(swizzle);
    args.l2_promotion = static_cast<uint32_t>(l2_promotion), args.fill = static_cast<uint32_t>(fill);
    return answer(driver, "cuTensorMapEncodeTiled", encode_tiled(args, driver.settings()), args.address);
  });
}

abi::Result cuTensorMapReplaceAddress(abi::TensorMap* map, void* address) {
  return with_current("cuTensorMapReplaceAddress", [&](Driver& driver) {
    const auto at = reinterpret_cast<uintptr_t>(address);
    return answer(driver, "cuTensorMapReplaceAddress",
                  replace_address(reinterpret_cast<std::byte*>(map), at, driver.settings()), at);
  });
}

abi::Result cuTensorMapEncodeIm2col(abi::TensorMap* map, int type, uint32_t rank, void* address,
                                    const uint64_t* dim, const uint64_t* stride, const int* lower,
                                    const int* upper, uint32_t channels, uint32_t pixels,
                                    const uint32_t* traversal, int interleave, int swizzle, int l2_promotion,
                                    int fill) {
  constexpr const char* call = "cuTensorMapEncodeIm2col";
  return with_current(call, [&](Driver& driver) {
    EncodeIm2colArguments args;
    args.map = reinterpret_cast<std::byte*>(map);
    args.data_type = static_cast<uint32_t>(type), args.rank = rank;
    args.address = reinterpret_cast<uintptr_t>(address);
    args.dim = dim, args.stride = stride, args.traversal = traversal;
    args.lower = lower, args.upper = upper, args.channels = channels, args.pixels = pixels;
    args.interleave = static_cast<uint32_t>(interleave), args.swizzle = static_cast<uint32_t>(swizzle);
    args.l2_promotion = static_cast<uint32_t>(l2_promotion), args.fill = static_cast<uint32_t>(fill);
    return encode_any_im2col(driver, call, args);
  });
}

abi::Result cuTensorMapEncodeIm2colWide(abi::TensorMap* map, int type, uint32_t rank, void* address,
                                        const uint64_t* dim, const uint64_t* stride, int lower, int upper,
                                        uint32_t channels, uint32_t pixels, const uint32_t* traversal,
                                        int interleave, int mode, int swizzle, int l2_promotion, int fill) {
  constexpr const char* call = "cuTensorMapEncodeIm2colWide";
  return with_current(call, [&](Driver& driver) {
    EncodeIm2colArguments args;
    args.map = reinterpret_cast<std::byte*>(map);
    args.data_type = static_cast<uint32_t>(type), args.rank = rank;
    args.address = reinterpret_cast<uintptr_t>(address);
    args.dim = dim, args.stride = stride, args.traversal = traversal;
    args.lower = &lower, args.upper = &upper, args.channels = channels, args.pixels = pixels;
    args.wide = true, args.mode = static_cast<uint32_t>(mode);
    args.interleave = static_cast<uint32_t>(interleave), args.swizzle = static_cast<uint32_t>(swizzle);
    args.l2_promotion = static_cast<uint32_t>(l2_promotion), args.fill = static_cast<uint32_t>(fill);
    return encode_any_im2col(driver, call, args);
  });
}

}  // namespace assay::emulator
