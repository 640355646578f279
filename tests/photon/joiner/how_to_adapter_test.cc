// The adapter of docs/how-to/write-an-adapter.md, and the page's statements about it. The page's
// code is this file's: a test compares them.

#include <fstream>
#include <sstream>
#include <string>

#include "core_impl/photon/joiner/adapter.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "tests/photon/joiner/joiner_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

// Attribution: a click counts for its query only within `horizon`; the joined record holds the
// click and the delay.
class AttributionAdapter final : public Adapter {
 public:
  explicit AttributionAdapter(Duration horizon) : horizon_(horizon) {}

  AdapterResult adapt(const AdapterEvent& query, const AdapterEvent& click,
                      Bytes& out) const override {
    const Duration delay = click.id.stamp - query.id.stamp;
    if (delay > horizon_) return AdapterResult::skipped;
    Encoder encoder(out);
    encoder(delay.count(), static_cast<std::uint32_t>(click.payload.size()));
    encoder.raw(click.payload);
    return AdapterResult::joined;
  }

 private:
  Duration horizon_;
};

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("D-05 D-06 the adapter of the how-to decides by the two events alone") {
  const AttributionAdapter adapter(30min);
  const Bytes payload = bytes_of("a click");
  const auto at = [](Duration stamp) { return EventId{1, 1, Stamp(24h + stamp)}; };
  Bytes out;
  CHECK(adapter.adapt({at(0s), {}}, {at(31min), payload}, out) == AdapterResult::skipped);
  CHECK(out.empty());
  CHECK(adapter.adapt({at(0s), {}}, {at(30min), payload}, out) == AdapterResult::joined);
  Bytes again;
  adapter.adapt({at(0s), {}}, {at(30min), payload}, again);
  CHECK(out == again);
  CHECK(out.size() == 8 + 4 + payload.size());
}

TEST_CASE("D-05 D-06 D-08 the adapter of the how-to, run by a joiner") {
  JoinerWorld world;
  const AttributionAdapter adapter(2h);  // the test's queries are an hour older than its clicks
  const AttributionAdapter strict(30min);
  SECTION("within the horizon: registered and written") {
    world.adapter = &adapter;
    world.start();
    world.harness.run_for(100ms);
    const auto request = world.ask(1);
    world.harness.run_for(1s);
    CHECK(world.answers_of(request) == std::vector{JoinOutcome::joined});
    REQUIRE(world.output().size() == 1);
    CHECK(world.output()[0].payload.size() == 8 + 4 + bytes_of("click 1").size());
  }
  SECTION("beyond: a success without registration and without output") {
    world.adapter = &strict;
    world.start();
    world.harness.run_for(100ms);
    const auto request = world.ask(1);
    world.harness.run_for(1s);
    CHECK(world.answers_of(request) == std::vector{JoinOutcome::skipped});
    CHECK(world.output().empty());
    CHECK(world.registry.ids.empty());
  }
}

TEST_CASE("D-05 the code of the how-to for adapters is the code that these tests compile") {
  const std::string page = text_of("docs/how-to/write-an-adapter.md");
  const std::string code = text_of("tests/photon/joiner/how_to_adapter_test.cc");
  std::size_t blocks = 0;
  for (std::size_t from = page.find("```cpp\n"); from != std::string::npos;
       from = page.find("```cpp\n", from)) {
    from += 7;
    const std::size_t end = page.find("```", from);
    REQUIRE(end != std::string::npos);
    const std::string block = page.substr(from, end - from);
    CAPTURE(block);
    CHECK(code.find(block) != std::string::npos);
    from = end + 3;
    ++blocks;
  }
  CHECK(blocks == 2);
}
