// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace assay::suites {

/// What a Case may hold: plain data, no heap.
template <typename T>
concept PlainCase = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
    requires(const T& a, const T& b) {
  { a == b } -> std::same_as<bool>;
};

/// Any case that a property makes: a value of the type that its operation's cases have, or nothing. It knows
/// no operation, so that a new one need not be named here.
class Case {
 public:
  static constexpr size_t most_bytes = 2048;

  Case() = default;
  template <typename T>
  requires(!std::same_as<T, Case> && PlainCase<T>) Case(const T& value) { emplace<T>() = value; }
  Case(const Case& from) { *this = from; }
  /// No more than is in use: a case is copied often, and most are small.
  Case& operator=(const Case& from) {
    type_ = from.type_;
    if (type_ != nullptr && this != &from) std::memcpy(bytes_, from.bytes_, type_->bytes);
    return *this;
  }

  /// The default value of a type, in place of what was there.
  template <PlainCase T>
  T& emplace() {
    static_assert(sizeof(T) <= most_bytes && alignof(T) <= alignment);
    type_ = &type_of<T>;
    return *new (bytes_) T();
  }
  /// Null: it is a case of another operation.
  template <PlainCase T>
  const T* get_if() const {
    return type_ == &type_of<T> ? reinterpret_cast<const T*>(bytes_) : nullptr;
  }
  /// Throws std::logic_error where it is a case of another operation.
  template <PlainCase T>
  const T& as() const {
    if (const T* value = get_if<T>()) return *value;
    throw std::logic_error("a case was handed to another operation than its own");
  }

  /// A member: as a friend it would be looked at for every type that has Case among its parameters, which
  /// PlainCase then asks for its own equality.
  bool operator==(const Case& other) const {
    return type_ == other.type_ && (type_ == nullptr || type_->equal(bytes_, other.bytes_));
  }

 private:
  static constexpr size_t alignment = 16;
  struct Type {
    size_t bytes;
    bool (*equal)(const std::byte*, const std::byte*);
  };
  /// Its address is what tells types apart.
  template <typename T>
  static constexpr Type type_of{sizeof(T), [](const std::byte* a, const std::byte* b) {
                                  return *reinterpret_cast<const T*>(a) == *reinterpret_cast<const T*>(b);
                                }};

  const Type* type_ = nullptr;
  alignas(alignment) std::byte bytes_[most_bytes];
};

}  // namespace assay::suites
