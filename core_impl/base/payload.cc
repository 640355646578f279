#include "core_impl/base/payload.h"

#include <algorithm>
#include <cstring>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/narrow.h"

namespace photon {

PayloadView::PayloadView(std::span<const std::byte> bytes)
    : stored_(bytes.data()), size_(narrow<std::uint32_t>(bytes.size())) {}

void PayloadView::write(std::span<std::byte> out) const {
  PHOTON_CHECK(out.size() == size_, "a payload is written whole");
  if (is_reference()) {
    source_->write(word_, out);
  } else if (size_ > 0) {
    std::memcpy(out.data(), stored_, size_);
  }
}

std::span<const std::byte> PayloadView::bytes(Bytes& scratch) const {
  if (!is_reference()) return stored();
  scratch.clear();  // so that nothing is copied should it grow
  scratch.resize(size_);
  write(scratch);
  return scratch;
}

bool operator==(const PayloadView& left, const PayloadView& right) {
  if (left.size_ != right.size_) return false;
  const bool same_source = left.is_reference() && left.source_ == right.source_;
  if (same_source && left.word_ == right.word_) return true;
  Bytes of_left;
  Bytes of_right;
  return std::ranges::equal(left.bytes(of_left), right.bytes(of_right));
}

Payload::Payload(const PayloadView& view) : view_(view) {
  if (view.is_reference()) return;
  view_.stored_ = nullptr;
  if (view.size() == 0) return;
  auto* own = static_cast<std::byte*>(allocate_recycled(view.size()));
  std::memcpy(own, view.stored_, view.size());
  view_.stored_ = own;
}

void Payload::release() noexcept {
  release_recycled(const_cast<std::byte*>(view_.stored_), view_.size());
}

void Payload::encode(Encoder& encoder) const {
  if (is_reference() && encoder.payloads() == Encoder::Payloads::as_references) {
    encoder(view_.source().number(), view_.word(), size());
    return;
  }
  encoder(size());
  view_.write(encoder.room(size()));
}

bool Payload::decode(Decoder& decoder) {
  std::uint32_t size = 0;
  decoder(size);
  *this = Payload(decoder.raw(size));
  return decoder.ok();
}

}  // namespace photon
