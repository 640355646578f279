// Names of a user's log in the texts of a run.
#include "analysis/reports/event_names.h"

#include "analysis/evidence/describe.h"
#include "analysis/reports/summary.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

constexpr EventId kClick{7, 1'048'577, from_nanoseconds<Stamp>(1'600'000'676'900'000'000)};

class OneName final : public EventNames {
 public:
  std::optional<EventName> name_of(const EventId& event) const override {
    if (event != kClick) return std::nullopt;
    return EventName{"r8791", "r8791", "2020-09-13T12:37:56.9Z"};
  }
  std::optional<std::string> key_of(const EventId&) const override { return {}; }
  std::string time_text(SimTime) const override { return {}; }
  std::vector<EventId> events_named(std::string_view) const override { return {}; }
};

TEST_CASE("an event id is read as it is written") {
  for (const EventId& id : {kClick, EventId{4294967295U, 0, Stamp(Duration(-1))},
                            EventId{1, 2, Stamp(Duration(5'000'000'000))},
                            EventId{1, 2, Stamp(Duration(-7'250'000'000))}}) {
    const std::string text = describe(id);
    CAPTURE(text);
    CHECK(parse_event_id(text) == id);
  }
  for (const char* wrong :
       {"", "1:2@", "1:2@s", "1:2@3", "1@2:3s", "1:2@3.s", "1:2@3.0000000001s", "-1:2@3s",
        "1:2@3s ", "4294967296:2@3s", "1:2@99999999999999s", "1:2@--3s", "a:b@cs"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_event_id(wrong).has_value());
  }
}

TEST_CASE("names take the place of ids in sentences, and nothing else changes") {
  const OneName names;
  const std::string id = describe(kClick);
  CHECK(with_names("", names).empty());
  CHECK(with_names(id, names) == "r8791");
  CHECK(with_names("click " + id + ", which 28.1.7 owns since 51.168959996s; " + id, names) ==
        "click r8791, which 28.1.7 owns since 51.168959996s; r8791");
  // Another event, a longer number, tokens, times and ratios stay.
  for (const std::string text :
       {"8:1048577@1600000676.9s", "17:1048577@1600000676.9s", "7:1048577@1600000676.90000000001s",
        "at 12.5s: 3 of 4", "::@@..s", "file 3:", "7:1048577"}) {
    CHECK(with_names(text, names) == text);
  }
}

TEST_CASE("a summary names its losses and violations") {
  Summary summary;
  summary.losses.push_back({.click = kClick, .evidence = "lost " + describe(kClick)});
  summary.violations.push_back({.oracle = "J-S1", .event = kClick, .message = describe(kClick)});
  summary.violations.push_back({.oracle = "J-S1", .message = "no event"});
  name_events(summary, OneName{});
  CHECK(summary.losses[0].evidence == "lost r8791");
  CHECK(dated(kClick, summary.losses[0].name) == "r8791 of 2020-09-13T12:37:56.9Z");
  CHECK(summary.violations[0].message == "r8791");
  CHECK_FALSE(summary.violations[1].name.has_value());
  const std::string json = to_json(summary);
  CHECK_THAT(json, Catch::Contains("\"event\":\"r8791\"") &&
                       Catch::Contains("\"click\":\"r8791\"") &&
                       Catch::Contains("\"time\":\"2020-09-13T12:37:56.9Z\""));
}

}  // namespace
}  // namespace photon::analysis
