// SPDX-License-Identifier: Apache-2.0
// Programs of testdata/programs, compiled by nvcc as everybody compiles theirs, under `assay check`.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/scratch_test.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

namespace fs = std::filesystem;
using report::Ended;

std::string nvcc() {
  for (const char* path : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
    if (access(path, X_OK) == 0) return path;
  return {};
}

class Programs : public testing::Test {
 protected:
  void SetUp() override {
    if (nvcc().empty()) GTEST_SKIP() << "there is no nvcc, so that no program can be compiled";
  }

  /// The program's path; "" after a failure.
  static std::string build(const std::string& source, const std::string& options, const std::string& name) {
    const fs::path program = report::scratch_path("program_" + name);
    const std::string target = options.find("-gencode") == options.npos ? " -arch=sm_100a " : " ";
    const std::string file = (fs::path(ASSAY_SOURCE_DIR) / "testdata/programs" / source).string();
    const Ended made =
        report::shell(nvcc() + " -std=c++17" + target + options + " -o " + program.string() + " " + file);
    EXPECT_EQ(made.code, 0) << made.text;
    return program.string();
  }
  static Ended check(const std::string& program, const std::string& options = "") {
    return report::shell(std::string(ASSAY_BINARY_DIR) + "/assay check " + options + " -- " + program);
  }
  static void expect_passed(const std::string& source, const std::string& options, int findings = 0) {
    const Ended ended = check(build(source, options, fs::path(source).stem().string()));
    EXPECT_EQ(ended.code, findings == 0 ? 0 : 1) << ended.text;
    EXPECT_NE(ended.text.find("passed\n"), std::string::npos) << ended.text;
    EXPECT_NE(ended.text.find("assay: " + std::to_string(findings) + " finding"), std::string::npos)
        << ended.text;
  }
};

const std::string links_driver = "-L/usr/local/cuda/lib64/stubs -lcuda";

TEST_F(Programs, MemoryAndSymbolsWithTheStaticRuntime) {
  expect_passed("memory_and_symbols.cu", "");
}
TEST_F(Programs, MemoryAndSymbolsWithTheSharedRuntimeAndPtxAsItIs) {
  expect_passed("memory_and_symbols.cu", "-cudart shared --compress-mode=none");
}
TEST_F(Programs, StreamsAndPoolsWithLz4AndStreamsPerThread) {
  expect_passed("streams_and_pools.cu", "--compress-mode=speed --default-stream per-thread");
}
TEST_F(Programs, GraphsWithZstd) {
  expect_passed("graphs.cu", "--compress-mode=size");
}
TEST_F(Programs, CooperativeLaunches) {
  expect_passed("cooperative.cu", "", 1);  // it asks for a grid that does not fit
}
TEST_F(Programs, AskingForAnErrorIsNoWaitForTheDevice) {
  const std::string program = build("stream_order.cu", "", "stream_order");
  const Ended beside = check(program), waits = check(program + " waits"), early = check(program + " early");
  EXPECT_EQ(beside.code, 1) << beside.text;
  EXPECT_TRUE(says(beside, "missing-stream-order: ")) << beside.text;
  EXPECT_FALSE(says(beside, "missing-host-wait: ")) << beside.text;
  EXPECT_EQ(early.code, 1) << early.text;
  EXPECT_TRUE(says(early, "cuMemcpyDtoHAsync: missing-host-wait: ")) << early.text;
  EXPECT_TRUE(says(early, "stream_order+0x")) << early.text;
  EXPECT_EQ(waits.code, 0) << waits.text;
}
TEST_F(Programs, ClustersByAttribute) {
  expect_passed("cluster.cu", "");
}
TEST_F(Programs, HeapOfKernels) {
  expect_passed("device_heap.cu", "");
}
TEST_F(Programs, WmmaFragmentsOfEveryShape) {
  expect_passed("wmma.cu", "");
}
TEST_F(Programs, CallsThroughPointers) {
  expect_passed("indirect_calls.cu", "");
}
TEST_F(Programs, AsynchronousStoresIntoTheOtherCta) {
  expect_passed("async_stores.cu", "");
}
TEST_F(Programs, LinkedPtx) {
  expect_passed("link.cu", links_driver, 1);  // it defines a name twice
  const Ended ended = check(build("link.cu", links_driver + " -DLINKS_MACHINE_CODE", "link_machine_code"));
  EXPECT_TRUE(says(ended, "passed\n")) << ended.text;
  EXPECT_TRUE(
      says(ended, "assay: not supported: cuLinkAddData: a cubin is machine code, which is not emulated"))
      << ended.text;
}
TEST_F(Programs, TexturesAreRefusedInASentence) {
  const std::string program = build("textures.cu", "", "textures");
  const Ended calls = check(program);
  EXPECT_EQ(calls.code, 2) << calls.text;
  for (const char* call : {"cudaCreateTextureObject", "cudaCreateSurfaceObject"})
    EXPECT_TRUE(says(calls, "assay: not supported: " + std::string(call) +
                                ": CUDA arrays, textures and surfaces are not emulated"))
        << calls.text;
  const Ended launch = check(program + " launch");
  EXPECT_EQ(launch.code, 2) << launch.text;
  EXPECT_TRUE(says(launch, "': CUDA arrays, textures and surfaces are not emulated")) << launch.text;
}
TEST_F(Programs, DriverApi) {
  expect_passed("driver_api.cu", links_driver);
}
TEST_F(Programs, MachineCodeOfNvrtcIsItsPtx) {
  expect_passed("runtime_compiled.cu", "-lnvrtc");
}
TEST_F(Programs, DriverLoadedAtRunTime) {
  expect_passed("driver_api.cu", "-DLOADS_DRIVER");
}
TEST_F(Programs, ErrorPaths) {
  const Ended ended = check(build("error_paths.cu", "-lineinfo", "error_paths"));
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, "passed\n")) << ended.text;
  EXPECT_TRUE(says(ended, "error_paths.cu:5: illegal-address: a write of 4 bytes") ||
              says(ended, "error_paths.cu:6: illegal-address: a write of 4 bytes"))
      << ended.text;
  EXPECT_TRUE(says(ended, "the program exited with 0")) << ended.text;
}

TEST_F(Programs, TensorCopiesAndAForgottenFence) {
  expect_passed("tensor_copy.cu", "");
  const std::string bad = build("tensor_copy.cu", "-lineinfo -DFORGETS_FENCE", "forgets_fence");
  const std::string page = report::scratch_path("forgets_fence.html").string();
  const Ended ended = check(bad, "--html " + page);
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, "passed\n") && says(ended, "assay: 1 finding in 1 launch")) << ended.text;
  const std::string html = report::read_whole_file(page);
  EXPECT_NE(html.find("tensor_copy.cu:"), html.npos);
  EXPECT_NE(html.find("    asm volatile(&quot;cp.async.bulk.commit_group;"), html.npos)
      << "lines of the source";
  EXPECT_NE(html.find("<svg class=\"timeline\""), html.npos);
  EXPECT_TRUE(says(ended, "tensor_copy.cu:")) << "the line of the source: " << ended.text;
  EXPECT_TRUE(says(ended, ": missing-proxy-fence: ")) << ended.text;
  EXPECT_EQ(check(bad, "--no-strict").code, 0);
  const std::string file = report::scratch_path("known_findings").string();
  report::write_whole_file(file, "missing-proxy-fence  tensor_copy.cu:*\n");
  const Ended known = check(bad, "--suppress " + file);
  EXPECT_EQ(known.code, 0) << known.text;
  EXPECT_TRUE(says(known, "assay: 0 findings, 1 suppressed")) << known.text;
}

TEST_F(Programs, PrintfAssertAndTrap) {
  const std::string program = build("printf_and_assert.cu", "", "printf_and_assert");
  const Ended prints = check(program);
  EXPECT_EQ(prints.code, 0) << prints.text;
  EXPECT_TRUE(says(prints, "thread 3 says 42 and words\n")) << prints.text;
  const Ended asserts = check(program + " assert");
  EXPECT_EQ(asserts.code, 1) << asserts.text;
  EXPECT_TRUE(says(asserts, "assert-failed: ") && says(asserts, "passed\n")) << asserts.text;
  const Ended traps = check(program + " trap");
  EXPECT_EQ(traps.code, 1) << traps.text;
  EXPECT_TRUE(says(traps, "the kernel executed 'trap'") && says(traps, "passed\n")) << traps.text;
}

TEST_F(Programs, WhatIsNotSupportedIsNamedOnceAndEndsWith2) {
  const std::string program = build("unknown_kernel.cu", "", "unknown_kernel");
  EXPECT_EQ(check(program).code, 0) << "the kernel is there and never launched";
  const Ended launched = check(program + " launch");
  EXPECT_EQ(launched.code, 2) << launched.text;
  EXPECT_TRUE(says(launched, "assay: not supported: unknown, PTX line ")) << launched.text;
  EXPECT_TRUE(says(launched, "multimem.red")) << launched.text;
  const Ended absent = check(build("absent_call.cu", "", "absent_call"));
  EXPECT_EQ(absent.code, 2) << absent.text;
  const size_t first = absent.text.find("assay: not supported: cudaMallocArray: ");
  ASSERT_NE(first, std::string::npos) << absent.text;
  EXPECT_EQ(absent.text.find("cudaMallocArray: ", first + 40), std::string::npos) << absent.text;
}

TEST_F(Programs, MachineCodeOnlyAndStrippedProgramsAreSaidInASentence) {
  const Ended machine = check(build("cluster.cu", "-gencode arch=compute_100a,code=sm_100a", "machine_code"));
  EXPECT_EQ(machine.code, 2) << machine.text;
  EXPECT_TRUE(says(machine, "-gencode arch=compute_100a,code=compute_100a to embed PTX")) << machine.text;
  const std::string program = build("cluster.cu", "", "stripped");
  ASSERT_EQ(report::shell("strip " + program).code, 0);
  const Ended stripped = check(program);
  EXPECT_EQ(stripped.code, 2) << stripped.text;
  EXPECT_TRUE(says(stripped, "is stripped and has the CUDA runtime linked in")) << stripped.text;
}

TEST(CheckProgram, WithoutCudaAndWithoutAProgramNothingIsCheckedAndThatIsSaid) {
  const std::string assay = std::string(ASSAY_BINARY_DIR) + "/assay check ";
  const Ended other = report::shell(assay + "-- true");
  EXPECT_EQ(other.code, 2) << other.text;
  EXPECT_TRUE(says(other, "the program never called the CUDA driver")) << other.text;
  const Ended none = report::shell(assay + "-- /nonexistent/program");
  EXPECT_EQ(none.code, 2) << none.text;
  EXPECT_TRUE(says(none, "'/nonexistent/program' cannot be started: No such file or directory")) << none.text;
  for (const Ended* one : {&other, &none}) {
    EXPECT_TRUE(says(*one, "assay: nothing was checked")) << one->text;
    EXPECT_FALSE(says(*one, "0 findings")) << one->text;
  }
  EXPECT_EQ(report::shell(assay).code, 64);
  EXPECT_EQ(report::shell(assay + "--device cuda:0 -- true").code, 64);
}

/// A CUDA 13 compiler does not compile inline tcgen05 for compute_100, which -arch=sm_100a asks for as well.
TEST_F(Programs, TheDocumentedOptionsOfNvccCompileInlineTcgen05) {
  const std::string page = report::read_whole_file(fs::path(ASSAY_SOURCE_DIR) / "docs/check.md");
  const std::string options = "-gencode arch=compute_100a,code=[sm_100a,compute_100a]";
  ASSERT_NE(page.find("`nvcc " + options + "` embeds it"), std::string::npos);
  const fs::path source = report::scratch_path("inline_tcgen05.cu"), program = report::scratch_path("inline");
  report::write_whole_file(
      source,
      "#include <cstdio>\n__global__ void k() { asm volatile(\"tcgen05.fence::before_thread_sync;\" ::: "
      "\"memory\"); }\nint main() { k<<<1, 32>>>(); int e = cudaDeviceSynchronize(); "
      "if (e == 0) std::puts(\"passed\"); return e; }\n");
  const Ended made = report::shell(nvcc() + " '" + options.substr(0, 8) + "' '" + options.substr(9) +
                                   "' -o " + program.string() + " " + source.string());
  ASSERT_EQ(made.code, 0) << made.text;
  const Ended ended = check(program.string());
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_TRUE(says(ended, "passed")) << ended.text;
}

TEST(CheckProgram, ListsAllThatIsRefusedOfAFile) {
  const std::string file = report::scratch_path("refused.ptx").string();
  report::write_whole_file(
      file,
      ".version 8.7\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 "
      "%r<3>;\n\tnonsense.u32 %r1;\n\tadd.u32 %r1, %r2, %r2;\n\tother.u32 %r1;\n\tret;\n}\n");
  const Ended ended = report::shell(std::string(ASSAY_BINARY_DIR) + "/assay check --list " + file);
  EXPECT_EQ(ended.code, 2) << ended.text;
  EXPECT_TRUE(says(ended, "refused.ptx:7: k: ") && says(ended, "refused.ptx:9: k: ")) << ended.text;
  EXPECT_TRUE(says(ended, ": 2 unsupported constructs\n")) << ended.text;
}

TEST(CheckProgram, APtxFileIsCheckedOnItsOwnTarget) {
  const std::string file = report::scratch_path("wgmma.ptx").string();
  report::write_whole_file(file,
                           ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n"
                           "\twgmma.fence.sync.aligned;\n\tret;\n}\n");
  const std::string program = std::string(ASSAY_BINARY_DIR) + "/assay check ";
  const Ended listed = report::shell(program + "--list " + file);
  EXPECT_EQ(listed.code, 0) << listed.text;
  EXPECT_TRUE(says(listed, "wgmma.ptx: no unsupported constructs\n")) << listed.text;
  const Ended run = report::shell(program + file + " --block 128");
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_TRUE(says(run, "emulator:sm_90a")) << run.text;
  const Ended other = report::shell(program + "--list " + file + " --device emulator:sm_103a");
  EXPECT_EQ(other.code, 2) << other.text;
}

}  // namespace
}  // namespace assay::cli::check
