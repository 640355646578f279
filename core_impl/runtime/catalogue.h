// The message types a program knows, by number: for decoding external bytes and for property tests
// that must visit every type. An explicit value, not a global registry.
#pragma once

#include <span>
#include <vector>

#include "core_impl/runtime/body.h"

namespace photon {

class MessageCatalogue {
 public:
  template <class... Messages>
  static MessageCatalogue of() {
    MessageCatalogue catalogue;
    (catalogue.add(Body::operations_of<Messages>()), ...);
    return catalogue;
  }

  void add(const BodyOperations& operations);
  const BodyOperations* find(MessageType type) const;                    // null if unknown
  std::span<const BodyOperations* const> all() const { return types_; }  // by number

 private:
  std::vector<const BodyOperations*> types_;
};

// Appends type number and fields. Requires !body.empty().
void encode_body(const Body& body, Bytes& out,
                 Encoder::Payloads payloads = Encoder::Payloads::as_bytes);
// Empty body if the bytes are malformed, of an unknown type, or more than one body.
Body decode_body(const MessageCatalogue& catalogue, std::span<const std::byte> bytes);

}  // namespace photon
