#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Open questions that this device can answer in more than one way. Ids and letters are those of the fact
/// sheets.
enum class Question : uint8_t {
  amb_04,
  amb_05,
  amb_06,
  amb_07,
  amb_08,
  amb_09,
  amb_10,
  amb_11,
  amb_12,
  amb_15,
  amb_16,
  amb_17,
  amb_18,
  amb_19,
  amb_20,
  amb_22,

  amb_28,
  amb_32,
  amb_33,
  amb_34,
  x_01,
  x_02,
  x_03,
  x_04,
  x_05,
  x_06,
  x_08,
  x_09,
  x_11,
  x_15,
  x_17,
  amb_02,
  amb_03,
  amb_23,
  x_07,
  x_12,
  x_13,
  bulk_01,
  bulk_02,
  bulk_03,
  amb_13,
  amb_14,
  amb_21,
  amb_41,
  amb_42,
  amb_43,
  amb_27,
  repl_01,
  repl_02,
};
inline constexpr size_t question_count = static_cast<size_t>(Question::repl_02) + 1;

/// A question: what this device does by itself, and what it can do.
struct DeviceQuestion {
  Question question;
  std::string_view id;
  char device;
  std::string_view letters;
};
/// In the order of Question. The device's own letters are what the H200 did; AMB-10, 11, 13 to 15, 21, 33,
/// 34 and 41 to 43 no silicon has settled.
inline constexpr DeviceQuestion device_questions[] = {
    {Question::amb_04, "TMA-AMB-04", 'P', "PBC"},  {Question::amb_05, "TMA-AMB-05", 'P', "PBC"},
    {Question::amb_06, "TMA-AMB-06", 'P', "PB"},   {Question::amb_07, "TMA-AMB-07", 'A', "ABCD"},
    {Question::amb_08, "TMA-AMB-08", 'P', "PB"},   {Question::amb_09, "TMA-AMB-09", 'A', "AB"},
    {Question::amb_10, "TMA-AMB-10", 'P', "PB"},   {Question::amb_11, "TMA-AMB-11", 'A', "AB"},
    {Question::amb_12, "TMA-AMB-12", 'P', "PBC"},  {Question::amb_15, "TMA-AMB-15", 'A', "AB"},
    {Question::amb_16, "TMA-AMB-16", 'B', "AB"},   {Question::amb_17, "TMA-AMB-17", 'A', "AB"},
    {Question::amb_18, "TMA-AMB-18", 'P', "PB"},   {Question::amb_19, "TMA-AMB-19", 'B', "AB"},
    {Question::amb_20, "TMA-AMB-20", 'A', "AB"},   {Question::amb_22, "TMA-AMB-22", 'A', "AB"},
    {Question::amb_28, "TMA-AMB-28", 'P', "PB"},   {Question::amb_32, "TMA-AMB-32", 'P', "PB"},
    {Question::amb_33, "TMA-AMB-33", 'P', "PB"},   {Question::amb_34, "TMA-AMB-34", 'P', "PB"},
    {Question::x_01, "X-01", 'B', "AB"},           {Question::x_02, "X-02", 'B', "AB"},
    {Question::x_03, "X-03", 'B', "AB"},           {Question::x_04, "X-04", 'B', "AB"},
    {Question::x_05, "X-05", 'B', "AB"},           {Question::x_06, "X-06", 'B', "AB"},
    {Question::x_08, "X-08", 'B', "AB"},           {Question::x_09, "X-09", 'B', "AB"},
    {Question::x_11, "X-11", 'B', "AB"},           {Question::x_15, "X-15", 'B', "AB"},
    {Question::x_17, "X-17", 'B', "AB"},           {Question::amb_02, "TMA-AMB-02", 'P', "PB"},
    {Question::amb_03, "TMA-AMB-03", 'B', "PB"},   {Question::amb_23, "TMA-AMB-23", 'P', "PB"},
    {Question::x_07, "X-07", 'B', "AB"},           {Question::x_12, "X-12", 'B', "AB"},
    {Question::x_13, "X-13", 'B', "AB"},           {Question::bulk_01, "BULK-AMB-01", 'A', "AB"},
    {Question::bulk_02, "BULK-AMB-02", 'A', "AB"}, {Question::bulk_03, "BULK-AMB-03", 'A', "AB"},
    {Question::amb_13, "TMA-AMB-13", 'A', "AB"},   {Question::amb_14, "TMA-AMB-14", 'P', "PB"},
    {Question::amb_21, "TMA-AMB-21", 'P', "PB"},   {Question::amb_41, "TMA-AMB-41", 'A', "AB"},
    {Question::amb_42, "TMA-AMB-42", 'A', "AB"},   {Question::amb_43, "TMA-AMB-43", 'A', "AB"},
    {Question::amb_27, "TMA-AMB-27", 'P', "PB"},   {Question::repl_01, "REPL-AMB-01", 'A', "AB"},
    {Question::repl_02, "REPL-AMB-02", 'A', "AB"},
};
static_assert([] {
  size_t at = 0;
  for (const DeviceQuestion& row : device_questions)
    if (static_cast<size_t>(row.question) != at++) return false;
  return at == question_count;
}());

/// The answers of one device: those of the H200 where it settled a question, unless the settings say
/// otherwise.
class DeviceReadings {
 public:
  DeviceReadings();
  explicit DeviceReadings(const Settings&);
  bool is(Question question, char letter) const { return letter_[static_cast<size_t>(question)] == letter; }
  char operator[](Question question) const { return letter_[static_cast<size_t>(question)]; }

 private:
  std::array<char, question_count> letter_;
};

/// Empty when the device can take that reading; else a sentence that lists those it can take.
std::string check_reading(std::string_view id, char letter);

}  // namespace assay::emulator
