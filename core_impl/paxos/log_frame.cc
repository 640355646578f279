#include "core_impl/paxos/log_frame.h"

#include <cstring>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/narrow.h"

namespace photon::paxos {
namespace {

struct Frame {
  std::uint32_t length = 0;
  std::uint32_t check = 0;
  std::uint32_t checksum = 0;
};
static_assert(sizeof(Frame) == kFrameBytes);

Frame frame_at(std::span<const std::byte> bytes) {
  Frame frame;
  std::memcpy(&frame, bytes.data(), sizeof frame);
  return frame;
}

std::uint32_t body_checksum(std::span<const std::byte> body) {
  return static_cast<std::uint32_t>(hash_bytes(body, body.size()));
}

std::uint32_t check_of(const Frame& frame, const LogPlace& place) {
  const std::uint64_t segment = combine(mix(place.group.value()), place.segment);
  const std::uint64_t claims = (std::uint64_t{frame.length} << 32U) | frame.checksum;
  return static_cast<std::uint32_t>(combine(combine(segment, place.offset), claims));
}

}  // namespace

void frame_body(Bytes& out, std::size_t start) {
  PHOTON_CHECK(out.size() >= start + kFrameBytes, "space for the frame was reserved");
  const auto body = std::span<const std::byte>(out).subspan(start + kFrameBytes);
  PHOTON_CHECK(body.size() <= kMaxRecordBody, "a record body is below the limit");
  const Frame frame{narrow<std::uint32_t>(body.size()), 0, body_checksum(body)};
  std::memcpy(out.data() + start, &frame, sizeof frame);
}

void seal_frames(std::span<std::byte> bytes, LogPlace place) {
  while (!bytes.empty()) {
    PHOTON_CHECK(bytes.size() >= kFrameBytes, "what is sealed is whole");
    Frame frame = frame_at(bytes);
    const std::size_t size = kFrameBytes + frame.length;
    PHOTON_CHECK(bytes.size() >= size, "what is sealed is whole");
    frame.check = check_of(frame, place);
    std::memcpy(bytes.data(), &frame, sizeof frame);
    bytes = bytes.subspan(size);
    place.offset += size;
  }
}

RecordView view_frame(std::span<const std::byte> bytes, const LogPlace& place) {
  if (bytes.size() < kFrameBytes) return {};
  const Frame frame = frame_at(bytes);
  const bool sound = frame.length <= kMaxRecordBody && frame.check == check_of(frame, place);
  if (!sound) return {RecordStatus::corrupt, {}, 0};
  if (bytes.size() - kFrameBytes < frame.length) return {};
  const auto body = bytes.subspan(kFrameBytes, frame.length);
  const bool intact = body_checksum(body) == frame.checksum;
  return {intact ? RecordStatus::complete : RecordStatus::corrupt, body,
          kFrameBytes + frame.length};
}

}  // namespace photon::paxos
