#include "campaigns/worker_message.h"

#include <span>

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photonsim::campaigns {
namespace {

constexpr std::size_t kHead = sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::uint32_t kLongest = 1U << 28U;  // bytes; a record takes some tens of thousands

}  // namespace

photon::Bytes frame_of(const WorkerMessage& message) {
  photon::Bytes body;
  photon::Encoder encode(body);
  encode(message.kind, message.run, message.text, message.exit_code);
  if (message.kind == WorkerMessage::Kind::ended) {
    photon::analysis::encode_record(message.record, body);
  }
  photon::Bytes frame;
  photon::Encoder head(frame);
  head(static_cast<std::uint32_t>(body.size()), photon::hash_bytes(body));
  head.raw(body);
  return frame;
}

Taken take_message(std::string_view& said, WorkerMessage& message) {
  const auto bytes = std::as_bytes(std::span(said.data(), said.size()));
  if (bytes.size() < kHead) return Taken::partial;
  std::uint32_t size = 0;
  std::uint64_t digest = 0;
  photon::Decoder head(bytes);
  head(size, digest);
  if (size > kLongest) return Taken::garbled;
  if (bytes.size() - kHead < size) return Taken::partial;
  const auto body = bytes.subspan(kHead, size);
  if (photon::hash_bytes(body) != digest) return Taken::garbled;
  photon::Decoder decode(body);
  message = {};
  decode(message.kind, message.run, message.text, message.exit_code);
  if (!decode.ok() || message.kind > WorkerMessage::Kind::refused) return Taken::garbled;
  const auto rest = body.last(decode.remaining());
  if (message.kind == WorkerMessage::Kind::ended) {
    auto record = photon::analysis::decode_record(rest);
    if (!record) return Taken::garbled;
    message.record = *std::move(record);
  } else if (!rest.empty()) {
    return Taken::garbled;
  }
  said.remove_prefix(kHead + size);
  return Taken::whole;
}

}  // namespace photonsim::campaigns
