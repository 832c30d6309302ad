// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/modules.h"

#include <gtest/gtest.h>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(Lz4Block, DecodesLiteralsAndMatchesThatOverlap) {
  // "abc", then 9 bytes from 3 before; "xy" at the end.
  const auto block = bytes_of({0x35, 'a', 'b', 'c', 3, 0, 0x20, 'x', 'y'});
  EXPECT_EQ(decode_lz4_block(block, 100), "abcabcabcabcxy");
  EXPECT_EQ(decode_lz4_block(block, 14), "abcabcabcabcxy");
  EXPECT_EQ(decode_lz4_block(block, 13), std::nullopt) << "longer than it may be";
}

TEST(Lz4Block, DecodesLengthsOfSeveralBytes) {
  std::vector<std::byte> block = bytes_of({0xf0, 255, 1});  // 15 + 255 + 1 literals
  block.resize(block.size() + 271, static_cast<std::byte>('z'));
  EXPECT_EQ(decode_lz4_block(block, 1000), std::string(271, 'z'));
}

TEST(Lz4Block, RefusesWhatIsDamaged) {
  EXPECT_EQ(decode_lz4_block(bytes_of({0x35, 'a', 'b', 'c', 4, 0, 0x00}), 100), std::nullopt)
      << "before the text";
  EXPECT_EQ(decode_lz4_block(bytes_of({0x35, 'a', 'b', 'c', 0, 0, 0x00}), 100), std::nullopt) << "distance 0";
  EXPECT_EQ(decode_lz4_block(bytes_of({0x35, 'a', 'b'}), 100), std::nullopt) << "cut off";
  EXPECT_EQ(decode_lz4_block(bytes_of({0xf0, 255}), 1000), std::nullopt) << "a length without an end";
  EXPECT_EQ(decode_lz4_block({}, 100), std::nullopt);
}

template <typename T>
void append(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// An entry as the tools write it: header of 64 bytes.
std::string entry(uint16_t kind, uint32_t architecture, uint32_t flags, const std::string& payload,
                  uint64_t text_bytes = 0) {
  std::string made;
  append(made, kind);
  append(made, uint16_t{0x101});
  append(made, uint32_t{64});
  append(made, uint64_t{payload.size()});
  append(made, static_cast<uint32_t>(text_bytes == 0 ? 0 : payload.size()));
  append(made, uint32_t{0});
  append(made, uint32_t{0x90000});
  append(made, architecture);
  append(made, uint64_t{0});
  append(made, flags);
  append(made, uint32_t{0});
  append(made, uint64_t{0});
  append(made, text_bytes);
  return made + payload;
}

std::string container(const std::string& entries) {
  std::string made;
  append(made, uint32_t{0xba55ed50});
  append(made, uint16_t{1});
  append(made, uint16_t{16});
  append(made, uint64_t{entries.size()});
  return made + entries;
}

std::string module_for(const std::string& target, const std::string& name) {
  return ".version 8.0\n.target " + target + "\n.address_size 64\n.visible .entry " + name +
         "()\n{\n\tret;\n}\n";
}

constexpr uint32_t lz4 = 0x2000, specific = 0x100000;

TEST(FatBinary, TakesTheNewestPtxThatTheDeviceMayRun) {
  const std::string image = container(
      entry(2, 100, specific,
            "\x7f"
            "ELF....") +
      entry(1, 80, 0, module_for("sm_80", "old")) + entry(1, 90, specific, module_for("sm_90a", "hopper")) +
      entry(1, 100, 0, module_for("sm_100", "plain")) + entry(1, 120, 0, module_for("sm_120", "later")));
  std::string wrong;
  EXPECT_NE(choose_ptx(image.data(), Target::sm_100, wrong).find("plain"), std::string::npos) << wrong;
  EXPECT_NE(choose_ptx(image.data(), Target::sm_90, wrong).find("hopper"), std::string::npos) << wrong;
}

TEST(FatBinary, PassesOverAnEmptyContainerAndReadsTheWrapper) {
  const std::string image =
      container("") + container(entry(1, 80, 0, module_for("sm_80", "k") + std::string(5, '\0')));
  struct {
    uint32_t magic = 0x466243b1, version = 1;
    const void* data;
    const void* rest = nullptr;
  } wrapper;
  wrapper.data = image.data();
  std::string wrong;
  EXPECT_EQ(choose_ptx(&wrapper, Target::sm_90, wrong), module_for("sm_80", "k")) << wrong;
}

TEST(FatBinary, DecodesLz4AndNamesDamage) {
  const std::string text = module_for("sm_80", "k");
  std::string block(1, '\xf0');
  block += static_cast<char>(text.size() - 15);
  std::string wrong;
  const std::string good = container(entry(1, 80, lz4, block + text, text.size()));
  EXPECT_EQ(choose_ptx(good.data(), Target::sm_90, wrong), text) << wrong;
  const std::string bad = container(entry(1, 80, lz4, (block + text).substr(0, 20), text.size()));
  EXPECT_EQ(choose_ptx(bad.data(), Target::sm_90, wrong), "");
  EXPECT_EQ(wrong, "the compressed PTX in the fat binary is damaged");
}

TEST(FatBinary, NamesTheFlagWhereThereIsMachineCodeOnly) {
  const std::string image =
      container(entry(2, 90, specific, "ELF.....") + entry(2, 100, specific, "ELF....."));
  std::string wrong;
  EXPECT_EQ(choose_ptx(image.data(), Target::sm_100, wrong), "");
  EXPECT_EQ(
      wrong,
      "there is machine code for sm_100a and sm_90a but no PTX that a sm_100a may run; compile with nvcc "
      "-gencode arch=compute_100a,code=compute_100a to embed PTX");
}

TEST(FatBinary, NamesPtxForOtherDevices) {
  const std::string image = container(entry(1, 120, 0, module_for("sm_120", "k")));
  std::string wrong;
  EXPECT_EQ(choose_ptx(image.data(), Target::sm_100, wrong), "");
  EXPECT_EQ(wrong,
            "the PTX in the fat binary is for sm_120, the device is sm_100a; emulator:sm_120a runs it");
  const std::string hopper = container(entry(1, 90, specific, module_for("sm_90a", "k")));
  EXPECT_EQ(choose_ptx(hopper.data(), Target::sm_100, wrong), "");
  EXPECT_EQ(wrong, "the PTX in the fat binary is for sm_90a, the device is sm_100a; emulator:sm_90a runs it");
}

TEST(FatBinary, LengthsThatDoNotFitAreRefused) {
  std::string wrong;
  std::string image = container(entry(1, 80, 0, module_for("sm_80", "k")));
  for (const size_t at : {20u, 24u}) {  // header bytes and payload bytes of the entry
    std::string bad = image;
    bad[at + 3] = '\x7f';
    EXPECT_TRUE(read_fat_binary(bad.data(), wrong).empty());
    EXPECT_EQ(wrong, "the fat binary has an entry that is longer than its container") << at;
  }
}

using FatBinaryDriver = DriverRig;

TEST_F(FatBinaryDriver, LoadsAsAModuleAndAsALibrary) {
  start("sm_90a");
  const std::string image = container(entry(1, 80, 0, module_for("sm_80", "k")));
  abi::Module module = nullptr;
  abi::Function function = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, image.data()), abi::success) << notes();
  EXPECT_EQ(cuModuleGetFunction(&function, module, "k"), abi::success);
  EXPECT_EQ(run(function, {}), abi::success) << notes();
  abi::Library library = nullptr;
  abi::Kernel kernel = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
            abi::success);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "k"), abi::success) << notes();
  EXPECT_EQ(run(reinterpret_cast<abi::Function>(kernel), {}), abi::success) << notes();
}

}  // namespace
}  // namespace assay::emulator
