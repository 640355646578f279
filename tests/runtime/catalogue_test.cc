#include "core_impl/runtime/catalogue.h"

#include "tests/base/throwing_check_sink.h"
#include "tests/runtime/test_messages.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

struct SameNumber : testing::Stating {
  static constexpr std::string_view kName = "same_number";
};

TEST_CASE("a catalogue finds by number and lists in order of number") {
  const auto catalogue = MessageCatalogue::of<testing::Stating, testing::Sharing>();
  REQUIRE(catalogue.all().size() == 2);
  CHECK(catalogue.all()[0]->name == "sharing");
  CHECK(catalogue.find(testing::Stating::kType)->name == "stating");
  CHECK(catalogue.find(1) == nullptr);
}

TEST_CASE("two messages of one number fail a check") {
  const testing::ChecksThrow checks;
  CHECK_THROWS_AS((MessageCatalogue::of<testing::Stating, SameNumber>()), testing::CheckFailed);
}

TEST_CASE("an unknown type decodes to nothing; an empty body has no encoding") {
  const testing::ChecksThrow checks;
  Bytes bytes;
  encode_body(Body::make(testing::Stating{5}), bytes);
  CHECK(decode_body(MessageCatalogue::of<testing::Sharing>(), bytes).empty());
  const Body known = decode_body(MessageCatalogue::of<testing::Stating>(), bytes);
  REQUIRE_FALSE(known.empty());
  CHECK(known.as<testing::Stating>().fault == 5);
  CHECK(decode_body(MessageCatalogue::of<testing::Stating>(), {}).empty());
  CHECK_THROWS_AS(encode_body(Body(), bytes), testing::CheckFailed);
}

}  // namespace
}  // namespace photon
