#include "models/tables/time_text.h"

#include "tests/support/catch.h"

namespace photon::models {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t iso(std::string_view text) {
  CAPTURE(text);
  const auto time = parse_time(text, TimeForm::iso8601);
  REQUIRE(time);
  return time.value();
}

TEST_CASE("ISO 8601 in its usual spellings is exact to the nanosecond") {
  // date -u -d 2013-06-22T08:30:00Z +%s
  constexpr std::int64_t kAt = 1'371'889'800 * kSecond;
  for (const char* text :
       {"2013-06-22T08:30:00Z", "2013-06-22T08:30Z", "2013-06-22 08:30:00", "20130622T083000Z",
        "2013-06-22T10:30:00+02:00", "2013-06-22T10:30:00+0200", "2013-06-22T10:30:00+02",
        "2013-06-22t08:30:00z", "2013-06-22T01:00:00-07:30", "2013-06-22T08:30:00.000Z"}) {
    CHECK(iso(text) == kAt);
  }
  CHECK(iso("2013-06-22T08:30:00.123456789Z") == kAt + 123'456'789);
  CHECK(iso("2013-06-22T08:30:00,5") == kAt + 500'000'000);
  CHECK(iso("1970-01-01T00:00:00Z") == 0);
  CHECK(iso("1969-12-31T23:59:59.9Z") == -100'000'000);
  CHECK(iso("2016-12-31T23:59:60Z") == iso("2017-01-01T00:00:00Z"));  // a leap second
  CHECK(iso("2024-02-29T00:00:00Z") - iso("2024-02-28T00:00:00Z") == 86'400 * kSecond);
}

TEST_CASE("what is no time of ISO 8601 is refused") {
  for (const char* text :
       {"", "2013-06-22", "2013-06-22T", "2013-13-01T00:00:00Z", "2013-02-29T00:00:00Z",
        "2013-06-22T24:00:00Z", "2013-06-22T08:60:00Z", "2013-06-22T08:30:61Z",
        "2013-06-22T08:30:00.Z", "2013-06-22T08:30:00Q", "2013-06-22T08:30:00+2",
        "2013-06-22T08:30:00Z ", "2013-0622T08:30:00Z", "22/06/2013 08:30", "1371889800",
        "2013-06-22T08:30:00+24:00", "-2013-06-22T08:30:00Z"}) {
    CAPTURE(text);
    const auto time = parse_time(text, TimeForm::iso8601);
    REQUIRE_FALSE(time);
    CHECK(time.error() == TimeFault::not_a_time);
  }
  CHECK(parse_time("2013-06-22T08:30:00.1234567891Z", TimeForm::iso8601).error() ==
        TimeFault::too_fine);
  CHECK(parse_time("2100-01-01T00:00:00Z", TimeForm::iso8601).error() == TimeFault::out_of_range);
}

TEST_CASE("times are written as they are read") {
  using Case = std::tuple<const char*, TimeForm>;
  for (const auto& [text, form] :
       {Case("0", TimeForm::seconds), Case("-0.5", TimeForm::seconds),
        Case("-3.25", TimeForm::seconds), Case("1371889800.000000001", TimeForm::seconds),
        Case("1371889800123.4", TimeForm::milliseconds), Case("-7", TimeForm::nanoseconds),
        Case("1.001", TimeForm::microseconds), Case("2013-06-22T08:30:00Z", TimeForm::iso8601),
        Case("2013-06-22T23:59:59.999999999Z", TimeForm::iso8601),
        Case("1969-12-31T23:59:59.5Z", TimeForm::iso8601),
        Case("2012-02-29T00:00:00Z", TimeForm::iso8601)}) {
    CAPTURE(text);
    const auto time = parse_time(text, form);
    REQUIRE(time);
    CHECK(time_text(time.assume_value(), form) == text);
  }
}

TEST_CASE("the form of a time is recognised if only one is possible") {
  CHECK(recognise("1371889800") == TimeForm::seconds);
  CHECK(recognise("1371889800.123456789") == TimeForm::seconds);
  CHECK(recognise("1371889800123") == TimeForm::milliseconds);
  CHECK(recognise("1371889800123.5") == TimeForm::milliseconds);
  CHECK(recognise("1371889800123456") == TimeForm::microseconds);
  CHECK(recognise("1371889800123456789") == TimeForm::nanoseconds);
  CHECK(recognise("2013-06-22 08:30:00") == TimeForm::iso8601);
  for (const char* text :
       {"", "0", "1500", "86400", "-1371889800", "noon", "99999999999", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(recognise(text).has_value());
  }
}

}  // namespace
}  // namespace photon::models
