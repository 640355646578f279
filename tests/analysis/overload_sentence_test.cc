// What a report says of a run that cannot keep up, or perhaps cannot.
#include "analysis/capacity/capacity.h"
#include "tests/support/catch.h"

using namespace photon::analysis;
using Catch::Contains;
using Catch::StartsWith;

namespace {

CapacityFigures growing() {
  CapacityFigures capacity;
  capacity.measured = true;
  capacity.offered_per_second = 300;
  capacity.served_per_second = 120;
  capacity.backlog_growth_per_second = 180;
  capacity.growing_where = "us-west1";
  capacity.suspect = "joiner.max_in_flight in us-west1";
  return capacity;
}

}  // namespace

TEST_CASE("overload: a limit that refuses requests is not said to be used up") {
  CapacityFigures capacity = growing();
  capacity.suspect_used = 0.45;
  capacity.suspect_refused = 0.6;
  CHECK_THAT(overload_sentence(capacity),
             StartsWith("PERHAPS NOT STATIONARY: the backlog in us-west1 grows by 180 a second "
                        "(300/s offered, 120/s served), and joiner.max_in_flight in us-west1 "
                        "refuses 60 % of the requests to it."));
  capacity.ends_behind = true;
  CHECK_THAT(overload_sentence(capacity),
             StartsWith("PERHAPS NOT STATIONARY: the window ends with a long backlog in us-west1 "
                        "while joiner.max_in_flight in us-west1 refuses 60 % of the requests to "
                        "it (300/s offered, 120/s served)."));
  capacity.suspect_used = 0.95;
  CHECK_THAT(overload_sentence(capacity), Contains("us-west1 is used up (300/s"));
}

TEST_CASE("overload: where every limit has room something else is looked for") {
  CapacityFigures capacity = growing();
  capacity.suspect_used = 0.45;
  CHECK_THAT(overload_sentence(capacity),
             Contains(", and no limit there is used by more than 45 %. Work waits for something"));
  capacity.suspect_used = 0.001;
  CHECK_THAT(overload_sentence(capacity), Contains(", and no limit there is used. Work waits"));
  capacity.suspect_used = 0.7;
  CHECK_THAT(overload_sentence(capacity),
             Contains(", and joiner.max_in_flight in us-west1 is used most, with 70 %."));
}

TEST_CASE("overload: what is sure names what binds") {
  CapacityFigures capacity = growing();
  capacity.stationary = false;
  capacity.binding = "joiner.max_in_flight in us-west1";
  CHECK_THAT(overload_sentence(capacity),
             StartsWith("NOT STATIONARY: the backlog in us-west1 grows") &&
                 Contains("bound by joiner.max_in_flight in us-west1."));
  CHECK(overload_sentence({}).empty());
}

TEST_CASE("overload: where another pipeline joins the clicks it may level off") {
  CapacityFigures capacity = growing();
  capacity.joined_elsewhere = true;
  capacity.suspect_used = 0.97;
  CHECK_THAT(overload_sentence(capacity),
             StartsWith("PERHAPS NOT STATIONARY: the backlog in us-west1 grows by 180 a second") &&
                 Contains(", and joiner.max_in_flight in us-west1 is used up. Another pipeline "
                          "joins its clicks: it may level off."));
  capacity.suspect_used = 0.7;
  CHECK_THAT(overload_sentence(capacity), Contains(" is used most, with 70 %. Another pipeline"));
}
