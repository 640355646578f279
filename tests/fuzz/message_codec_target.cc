// Message bodies of every type, in two ways: any bytes are decoded; and a body of the type that the
// input names, filled from it, is encoded. Whatever decodes encodes to the very same bytes.
#include <algorithm>

#include "core_impl/runtime/catalogue.h"
#include "tests/fuzz/ignored_facts.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/targets.h"
#include "tests/property/all_messages.h"

namespace photon::fuzz {
namespace {

const MessageCatalogue& catalogue() {
  static const MessageCatalogue kAll = [] {
    MessageCatalogue all;
    testing::AllMessages::for_each([&]<class M>() { all.add(Body::operations_of<M>()); });
    return all;
  }();
  return kAll;
}

Bytes encoded(const Body& body) {
  Bytes bytes;
  encode_body(body, bytes);
  return bytes;
}

void check_body(const Body& body, std::span<const std::byte> bytes) {
  require(std::ranges::equal(encoded(body), bytes), "a body encodes to what it was decoded from");
  require(std::ranges::equal(encoded(body.clone()), bytes), "a clone is equal");
  IgnoredFacts facts;
  body.operations().facts(body.message(), facts);
}

// Of the type at that place of the list.
Body body_from(Input& input) {
  const std::size_t chosen = input.byte() % catalogue().all().size();
  const MessageType type = catalogue().all()[chosen]->type;
  Body body;
  testing::AllMessages::for_each([&]<class M>() {
    if (M::kType == type) body = Body::make(value_from<M>(input));
  });
  return body;
}

}  // namespace

Outcome message_codec(std::span<const std::byte> bytes) {
  Input input(bytes);
  if (input.byte() % 2 == 0) {
    const auto encoding = input.rest();
    const Body body = decode_body(catalogue(), encoding);
    if (body.empty()) return Outcome::refused;
    check_body(body, encoding);
    return Outcome::accepted;
  }
  const Bytes encoding = encoded(body_from(input));
  const Body body = decode_body(catalogue(), encoding);
  require(!body.empty(), "an encoding is decoded");
  check_body(body, encoding);
  return Outcome::accepted;
}

}  // namespace photon::fuzz
