// The payload of an event: its bytes, or a reference from which they can be made.
//
// A reference is (source, word, size): the source makes the bytes when a codec, an adapter or a
// comparison asks for them. What holds or passes on many payloads and reads few of them, such as a
// cache, holds references. A source that has no bytes to give by reference never makes one: then a
// payload is its bytes.
//
// Invariants: the encoded form is that of a byte string (32-bit size, bytes) in both cases, and
// decoding gives bytes. Equality is by content. A source outlives every reference to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core_impl/base/bytes.h"

namespace photon {

class Encoder;
class Decoder;

class PayloadSource {
 public:
  // `number` tells this source from the others of a run and is the same in every run: digests hold
  // it in place of the bytes.
  explicit PayloadSource(std::uint64_t number) : number_(number) {}
  PayloadSource(const PayloadSource&) = delete;
  PayloadSource& operator=(const PayloadSource&) = delete;
  virtual ~PayloadSource() = default;

  // Fills `out` with the payload of that word and of that size: the same bytes at every call.
  virtual void write(std::uint64_t word, std::span<std::byte> out) const = 0;

  std::uint64_t number() const { return number_; }

 private:
  std::uint64_t number_;
};

// A payload that belongs to another object: valid while its bytes are, or its source.
class PayloadView {
 public:
  PayloadView() = default;
  // Requires less than 4 GiB.
  explicit PayloadView(std::span<const std::byte> bytes);
  PayloadView(const PayloadSource& source, std::uint64_t word, std::uint32_t size)
      : source_(&source), word_(word), size_(size) {}

  std::uint32_t size() const { return size_; }
  bool is_reference() const { return source_ != nullptr; }
  // Requires is_reference().
  const PayloadSource& source() const { return *source_; }
  std::uint64_t word() const { return word_; }

  // Requires out.size() == size().
  void write(std::span<std::byte> out) const;
  // The bytes: where they are, or made in `scratch`, whose content is lost.
  std::span<const std::byte> bytes(Bytes& scratch) const;

  friend bool operator==(const PayloadView& left, const PayloadView& right);

 private:
  friend class Payload;
  std::span<const std::byte> stored() const { return {stored_, size_}; }

  const PayloadSource* source_ = nullptr;  // null: these bytes
  union {
    const std::byte* stored_ = nullptr;
    std::uint64_t word_;
  };
  std::uint32_t size_ = 0;
};

class Payload {
 public:
  Payload() = default;
  // Copies the bytes, or the reference.
  explicit Payload(const PayloadView& view);
  explicit Payload(std::span<const std::byte> bytes) : Payload(PayloadView(bytes)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): a byte string is a payload.
  Payload(const Bytes& bytes) : Payload(PayloadView(bytes)) {}
  Payload(const Payload& other) : Payload(other.view_) {}
  Payload(Payload&& other) noexcept : view_(std::exchange(other.view_, PayloadView())) {}
  Payload& operator=(Payload other) noexcept {
    std::swap(view_, other.view_);
    return *this;
  }
  ~Payload() {
    if (owns_bytes()) release();
  }

  const PayloadView& view() const { return view_; }
  std::uint32_t size() const { return view_.size(); }
  bool is_reference() const { return view_.is_reference(); }
  std::span<const std::byte> bytes(Bytes& scratch) const { return view_.bytes(scratch); }

  friend bool operator==(const Payload& left, const Payload& right) {
    return left.view_ == right.view_;
  }

  // For the codec (base/codec.h).
  void encode(Encoder& encoder) const;
  bool decode(Decoder& decoder);

 private:
  bool owns_bytes() const { return !view_.is_reference() && view_.stored_ != nullptr; }
  void release() noexcept;

  PayloadView view_;  // of bytes that belong to this object, or a reference
};

}  // namespace photon
