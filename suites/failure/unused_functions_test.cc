// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/unused_functions.h"

#include <gtest/gtest.h>

namespace assay::suites {
namespace {

TEST(UnusedFunctions, WhatNothingNamesIsLeftOut) {
  const std::string source = R"(namespace ptx {

/// Used by a kernel.
__device__ inline int used(int x) {
  return helper<2>(x);
}
/// Used by `used`.
template <int n>
__device__ inline int helper(int x) {
  return n * x;
}
/// Calls what goes with it, and itself.
__device__ inline int unused(int x) {
  if (x == 0) return only_by_unused(x);
  return unused(x - 1);
}

__device__ inline int only_by_unused(int x) {
  return x;
}
struct Kept {
  int value;
};

/// Two of a name, of which a kernel calls one.
__device__ inline int overloaded(int x) {
  return x;
}
__device__ inline int overloaded(Kept x) {
  return x.value;
}
// unused, only_by_unused: a comment names nothing
__device__ __noinline__ int not_inline(int x) {
  return x;
}

}  // namespace ptx
__global__ void kernel(int* out) {
  *out = used(overloaded(Kept{1}));
}
)";
  const std::string expected = R"(namespace ptx {

/// Used by a kernel.
__device__ inline int used(int x) {
  return helper<2>(x);
}
/// Used by `used`.
template <int n>
__device__ inline int helper(int x) {
  return n * x;
}

struct Kept {
  int value;
};

/// Two of a name, of which a kernel calls one.
__device__ inline int overloaded(int x) {
  return x;
}
__device__ inline int overloaded(Kept x) {
  return x.value;
}
// unused, only_by_unused: a comment names nothing
__device__ __noinline__ int not_inline(int x) {
  return x;
}

}  // namespace ptx
__global__ void kernel(int* out) {
  *out = used(overloaded(Kept{1}));
}
)";
  EXPECT_EQ(without_unused_functions(source), expected);
  EXPECT_EQ(without_unused_functions(expected), expected);
}

}  // namespace
}  // namespace assay::suites
