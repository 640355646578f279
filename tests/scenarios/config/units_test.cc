#include "scenarios/config/units.h"

#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace std::chrono_literals;

TEST_CASE("durations carry a unit and are exact") {
  const std::pair<std::string_view, std::chrono::nanoseconds> good[] = {
      {"0s", 0ns},
      {"1ns", 1ns},
      {"7us", 7us},
      {"100ms", 100ms},
      {"1.5s", 1500ms},
      {"5min", 5min},
      {"5m", 5min},
      {"6h", 6h},
      {"3d", 72h},
      {"2.50 s", 2500ms},
      {"0.25h", 15min},
      {"0.001us", 1ns},
      {"36500d", kMaxDuration},
      {"9007199254740993ns", 9007199254740993ns}};
  for (const auto& [text, value] : good) {
    CAPTURE(text);
    CHECK(parse_duration(text).value == value);
  }
  const std::pair<std::string_view, std::string_view> bad[] = {
      {"", "empty"},
      {"100", "no unit"},
      {"-1s", "negative"},
      {"1.5ns", "whole number of ns"},
      {"1 parsec", "unknown unit"},
      {"s", "not a number"},
      {"1.s", "not a number"},
      {".5s", "not a number"},
      {"1e3s", "unknown unit"},
      {"36501d", "too large"},
      {"99999999999999999999999d", "too many digits"},
      {"18446744073709551616ns", "too large"},
      {"1s ", "unknown unit"},
      {"0x10s", "unknown unit"}};
  for (const auto& [text, problem] : bad) {
    CAPTURE(text);
    const auto parsed = parse_duration(text);
    CHECK_FALSE(parsed.value);
    CHECK(parsed.problem.find(problem) != std::string::npos);
    CHECK_FALSE(parsed.hint.empty());
  }
}

TEST_CASE("formatted durations and sizes read back as themselves") {
  std::uint64_t value = 1;
  for (int i = 0; i < 2000; ++i) {
    value = value * 6364136223846793005U + 1442695040888963407U;
    const auto scale = std::uint64_t{1} << (i % 40);
    const std::chrono::nanoseconds duration{static_cast<std::int64_t>((value >> 40) * scale / 7)};
    if (duration <= kMaxDuration) {
      CHECK(parse_duration(format_duration(duration)).value == duration);
    }
    const std::uint64_t bytes = (value >> 44) * (scale % 1021);
    CHECK(parse_bytes(format_bytes(bytes)).value == bytes);
  }
  CHECK(format_duration(90s) == "90s");
  CHECK(format_duration(120s) == "2min");
  CHECK(format_duration(72h) == "3d");
  CHECK(format_duration(-5ms) == "-5ms");
}

TEST_CASE("sizes know powers of 1000 and of 1024") {
  CHECK(parse_bytes("64KiB").value == 65'536U);
  CHECK(parse_bytes("64KB").value == 64'000U);
  CHECK(parse_bytes("1.5MiB").value == 1'572'864U);
  CHECK(parse_bytes("0B").value == 0U);
  CHECK_FALSE(parse_bytes("0.3B").value);
  CHECK_FALSE(parse_bytes("64").value);
  CHECK_FALSE(parse_bytes("64kib").value);
  CHECK_FALSE(parse_bytes("99999999GiB").value);
}

TEST_CASE("fractions in per cent and ppm give the same double as the plain number") {
  CHECK(parse_fraction("0.1%").value == 0.001);
  CHECK(parse_fraction("200ppm").value == 0.0002);
  CHECK(parse_fraction("50ppb").value == 50e-9);
  CHECK(parse_fraction("0.3").value == 0.3);
  CHECK_FALSE(parse_fraction("1 percent").value);
  CHECK_FALSE(parse_fraction("-0.1%").value);
  CHECK_FALSE(parse_fraction("nan").value);
  CHECK_FALSE(parse_fraction(std::string(500, '1')).value);
}

TEST_CASE("numbers are written as TOML numbers") {
  CHECK(format_real(2.0) == "2.0");
  CHECK(format_real(0.1) == "0.1");
  CHECK(format_real(1e-9) == "1e-09");
}
