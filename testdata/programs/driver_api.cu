// SPDX-License-Identifier: Apache-2.0
// The driver API alone: PTX text, a module, a launch. Loads the driver at run time where LOADS_DRIVER is
// defined.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                      \
  do {                                                                   \
    if (const CUresult error_ = (call)) {                                \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, error_); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

const char* ptx = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 data)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd1, %rd1, %rd2;
	ld.global.u32 %r2, [%rd1];
	add.u32 %r2, %r2, %r2;
	st.global.u32 [%rd1], %r2;
	ret;
}
)";

#ifdef LOADS_DRIVER
template <typename F>
F entry(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  using Get = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
  static const auto get = reinterpret_cast<Get>(dlsym(driver, "cuGetProcAddress_v2"));
  void* found = nullptr;
  CHECK(get(name, &found, 12000, 0, nullptr));
  return reinterpret_cast<F>(found);
}
#define CALL(name) entry<decltype(&name)>(#name)
#else
#define CALL(name) name
#endif
#undef cuCtxCreate
#undef cuMemAlloc
#undef cuMemcpyHtoD
#undef cuMemcpyDtoH

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr data;
  CHECK(CALL(cuInit)(0));
  CHECK(CALL(cuDeviceGet)(&device, 0));
  CHECK(CALL(cuDevicePrimaryCtxRetain)(&context, device));
  CHECK(CALL(cuCtxSetCurrent)(context));
  CHECK(CALL(cuModuleLoadData)(&module, ptx));
  CHECK(CALL(cuModuleGetFunction)(&function, module, "twice"));
  int host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
#ifdef LOADS_DRIVER
  CHECK(entry<CUresult (*)(CUdeviceptr*, size_t)>("cuMemAlloc")(&data, sizeof host));
  CHECK(entry<CUresult (*)(CUdeviceptr, const void*, size_t)>("cuMemcpyHtoD")(data, host, sizeof host));
#else
  CHECK(cuMemAlloc_v2(&data, sizeof host));
  CHECK(cuMemcpyHtoD_v2(data, host, sizeof host));
#endif
  void* arguments[] = {&data};
  CHECK(CALL(cuLaunchKernel)(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(CALL(cuCtxSynchronize)());
#ifdef LOADS_DRIVER
  CHECK(entry<CUresult (*)(void*, CUdeviceptr, size_t)>("cuMemcpyDtoH")(host, data, sizeof host));
#else
  CHECK(cuMemcpyDtoH_v2(host, data, sizeof host));
#endif
  for (int i = 0; i < 32; ++i)
    if (host[i] != 2 * i) return std::printf("element %d is %d\n", i, host[i]), 1;
  std::printf("passed\n");
  return 0;
}
