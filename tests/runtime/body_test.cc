#include "core_impl/runtime/body.h"

#include <vector>

#include "tests/base/throwing_check_sink.h"
#include "tests/runtime/test_messages.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using testing::Counted;

TEST_CASE("DESIGN-3 a broadcast stores one message; the last handle destroys it") {
  int live = 0;
  {
    const Body body = Body::make(Counted(7, live));
    REQUIRE(live == 1);
    std::vector<Body> broadcast(5, body);
    CHECK(live == 1);
    CHECK(broadcast[4].message() == body.message());
    broadcast.erase(broadcast.begin(), broadcast.begin() + 3);
    CHECK(live == 1);
  }
  CHECK(live == 0);
}

TEST_CASE("a body survives moves, self-assignment and a trip through a raw word") {
  int live = 0;
  {
    Body body = Body::make(Counted(7, live));
    Body moved = std::move(body);
    Body& alias = moved;
    moved = alias;
    CHECK(live == 1);
    const std::uintptr_t word = moved.release();
    CHECK(moved.empty());
    CHECK(live == 1);
    const Body back = Body::adopt(word);
    CHECK(back.as<Counted>().number == 7);
  }
  CHECK(live == 0);
}

TEST_CASE("DESIGN-3 a clone is another object: dropping the original leaves it whole") {
  int live = 0;
  Body clone;
  {
    const Body body = Body::make(Counted(7, live));
    clone = body.clone();
    CHECK(live == 2);
    CHECK(clone.message() != body.message());
  }
  CHECK(live == 1);
  CHECK(clone.as<Counted>().number == 7);
  clone = Body();
  CHECK(live == 0);
}

TEST_CASE("DESIGN-3 a clone shares no bytes with the original, at any depth") {
  const std::byte text[] = {std::byte{1}, std::byte{2}};
  testing::Sharing message;
  message.plain = SharedBytes(text);
  message.list = {message.plain, message.plain};
  message.parts.push_back({message.plain});
  const SharedBytes kept = message.plain;
  const Body original = Body::make(std::move(message));
  CHECK(original.as<testing::Sharing>().plain.view().data() == kept.view().data());
  const Body clone = original.clone();
  const auto& copy = clone.as<testing::Sharing>();
  CHECK(copy.plain == kept);
  CHECK(copy.plain.view().data() != kept.view().data());
  CHECK(copy.list[1].view().data() != kept.view().data());
  CHECK(copy.list[1] == kept);
  CHECK(copy.parts[0].text.view().data() != kept.view().data());
}

TEST_CASE("a body read as another type fails a check") {
  const testing::ChecksThrow checks;
  int live = 0;
  const Body body = Body::make(Counted(7, live));
  CHECK_THROWS_AS(body.as<testing::Stating>(), testing::CheckFailed);
}

class Facts final : public trace::FactSink {
 public:
  std::vector<trace::Kind> kinds;

 private:
  void raw_fact(trace::Kind kind, const void* payload, std::size_t size) override {
    REQUIRE(size == sizeof(trace::FaultEffect));
    CHECK(static_cast<const trace::FaultEffect*>(payload)->fault == 9);
    kinds.push_back(kind);
  }
};

TEST_CASE("DESIGN-6 a body gives the facts of its message; has_facts is false if it has none") {
  Facts sink;
  int live = 0;
  const Body silent = Body::make(Counted(7, live));
  const Body stating = Body::make(testing::Stating{9});
  CHECK_FALSE(silent.operations().has_facts);
  CHECK(stating.operations().has_facts);
  silent.operations().facts(silent.message(), sink);
  stating.operations().facts(stating.message(), sink);
  CHECK(sink.kinds == std::vector{trace::Kind::fault_effect});
}

}  // namespace
}  // namespace photon
