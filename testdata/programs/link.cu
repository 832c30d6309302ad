// SPDX-License-Identifier: Apache-2.0
// cuLink: two PTX texts become one image; names of a text's own may be the same in both, and what one of them
// lacks the other defines. Machine code is refused.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                      \
  do {                                                                   \
    if (const CUresult error_ = (call)) {                                \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, error_); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)
#define EXPECT(condition)                                                   \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                         \
    }                                                                       \
  } while (0)

const char* first = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) more(.param .b32 value);
.extern .global .u32 shared_by_both;
.global .u32 own = 3;
.visible .entry run(.param .u64 out)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<2>;
	.param .b32 argument, result;
	ld.param.u64 %rd1, [out];
	ld.global.u32 %r1, [own];
	st.param.b32 [argument], %r1;
	call (result), more, (argument);
	ld.param.b32 %r2, [result];
	ld.global.u32 %r3, [shared_by_both];
	st.global.u32 [%rd1], %r2;
	st.global.u32 [%rd1+4], %r3;
	ret;
}
)";
const char* second = R"(
.version 8.3
.target sm_80
.address_size 64
.global .u32 own = 40;
.visible .global .u32 shared_by_both = 7;
.visible .func (.param .b32 result) more(.param .b32 value)
{
	.reg .b32 %r<4>;
	ld.param.b32 %r1, [value];
	ld.global.u32 %r2, [own];
	add.u32 %r3, %r1, %r2;
	st.param.b32 [result], %r3;
	ret;
}
)";

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CUlinkState state;
  char log[256] = "not written";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CHECK(cuLinkCreate(2, options, values, &state));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(first), std::strlen(first) + 1, "first", 0,
                      nullptr, nullptr));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(second), std::strlen(second) + 1, "second",
                      0, nullptr, nullptr));
  void* image = nullptr;
  size_t bytes = 0;
  CHECK(cuLinkComplete(state, &image, &bytes));
  EXPECT(bytes > 0);
  CUmodule module;
  CUfunction function;
  CUdeviceptr out;
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuLinkDestroy(state));
  CHECK(cuModuleGetFunction(&function, module, "run"));
  CHECK(cuMemAlloc(&out, 8));
  void* parameters[] = {&out};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  unsigned host[2];
  CHECK(cuMemcpyDtoH(host, out, sizeof host));
  EXPECT(host[0] == 43 && host[1] == 7);

  CHECK(cuLinkCreate(2, options, values, &state));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(second), std::strlen(second) + 1, "one", 0,
                      nullptr, nullptr));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(second), std::strlen(second) + 1, "other", 0,
                      nullptr, nullptr));
  EXPECT(cuLinkComplete(state, &image, &bytes) == CUDA_ERROR_INVALID_PTX);
  EXPECT(std::strstr(log, "is defined in one and in other") != nullptr);
#ifdef LINKS_MACHINE_CODE
  EXPECT(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, log, sizeof log, "code", 0, nullptr, nullptr) !=
         CUDA_SUCCESS);
#endif
  CHECK(cuLinkDestroy(state));
  std::printf("passed\n");
  return 0;
}
