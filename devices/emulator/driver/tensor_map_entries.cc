// The encoder of tensor maps. Like the real one it wants a current context and does not look at what happened
// there.
#include "devices/emulator/driver/call.h"
#include "devices/emulator/encode/encode_tiled.h"

namespace assay::emulator {

namespace {

abi::Result with_current(const char* call, auto f) {
  return in_driver(call, [&](Driver& driver) -> abi::Result {
    abi::ContextObject* context = nullptr;
    if (const abi::Result result = find_current(driver, context); result != abi::success) return result;
    return f(driver);
  });
}

abi::Result not_modelled(const char* call) {
  return with_current(call, [&](Driver& driver) {
    driver.note(call, "im2col tensor maps belong to a later family; this emulator encodes tiled maps");
    return abi::not_supported;
  });
}

}  // namespace

abi::Result cuTensorMapEncodeTiled(abi::TensorMap* map, int type, uint32_t rank, void* address,
                                   const uint64_t* dim, const uint64_t* stride, const uint32_t* box,
                                   const uint32_t* traversal, int interleave, int swizzle, int l2_promotion,
                                   int fill) {
  return with_current("cuTensorMapEncodeTiled", [&](Driver& driver) {
    if (rank > 31)
      driver.note("cuTensorMapEncodeTiled", "tensorRank is " + std::to_string(rank) +
                                                "; a real driver may read past the arrays and crash");
    EncodeTiledArguments args;
    args.map = reinterpret_cast<std::byte*>(map);
    args.data_type = static_cast<uint32_t>(type), args.rank = rank;
    args.address = reinterpret_cast<uintptr_t>(address);
    args.dim = dim, args.stride = stride, args.box = box, args.traversal = traversal;
    args.interleave = static_cast<uint32_t>(interleave), args.swizzle = static_cast<uint32_t>(swizzle);
    args.l2_promotion = static_cast<uint32_t>(l2_promotion), args.fill = static_cast<uint32_t>(fill);
    return encode_tiled(args, driver.settings()).empty() ? abi::success : abi::invalid_value;
  });
}

abi::Result cuTensorMapReplaceAddress(abi::TensorMap* map, void* address) {
  return with_current("cuTensorMapReplaceAddress", [&](Driver& driver) {
    return replace_address(reinterpret_cast<std::byte*>(map), reinterpret_cast<uintptr_t>(address),
                           driver.settings())
                   .empty()
               ? abi::success
               : abi::invalid_value;
  });
}

abi::Result cuTensorMapEncodeIm2col(abi::TensorMap*, int, uint32_t, void*, const uint64_t*, const uint64_t*,
                                    const int*, const int*, uint32_t, uint32_t, const uint32_t*, int, int,
                                    int, int) {
  return not_modelled("cuTensorMapEncodeIm2col");
}
abi::Result cuTensorMapEncodeIm2colWide(abi::TensorMap*, int, uint32_t, void*, const uint64_t*,
                                        const uint64_t*, int, int, uint32_t, uint32_t, const uint32_t*, int,
                                        int, int, int, int) {
  return not_modelled("cuTensorMapEncodeIm2colWide");
}

}  // namespace assay::emulator
