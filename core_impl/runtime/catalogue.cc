#include "core_impl/runtime/catalogue.h"

#include <algorithm>

namespace photon {

void MessageCatalogue::add(const BodyOperations& operations) {
  const auto place = std::ranges::lower_bound(
      types_, operations.type, {}, [](const BodyOperations* known) { return known->type; });
  PHOTON_CHECK(place == types_.end() || (*place)->type != operations.type,
               "message type numbers are unique");
  types_.insert(place, &operations);
}

const BodyOperations* MessageCatalogue::find(MessageType type) const {
  const auto place = std::ranges::lower_bound(
      types_, type, {}, [](const BodyOperations* known) { return known->type; });
  return place != types_.end() && (*place)->type == type ? *place : nullptr;
}

void encode_body(const Body& body, Bytes& out, Encoder::Payloads payloads) {
  PHOTON_CHECK(!body.empty(), "an empty body has no encoding");
  Encoder encoder(out, payloads);
  encoder(body.operations().type);
  body.operations().encode(body.message(), encoder);
}

Body decode_body(const MessageCatalogue& catalogue, std::span<const std::byte> bytes) {
  Decoder decoder(bytes);
  MessageType type = 0;
  decoder(type);
  const BodyOperations* operations = decoder.ok() ? catalogue.find(type) : nullptr;
  Body body;
  if (operations == nullptr || !operations->decode(decoder, body) || decoder.remaining() != 0) {
    return Body{};
  }
  return body;
}

}  // namespace photon
