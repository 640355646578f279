// Whatever the bytes, the loader answers with a Config or with readable diagnostics.
//
// Deterministic: every case follows from its number alone, and a failure prints that number.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/language/loader.h"
#include "scenarios/schema/diagnostic.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

// Steele, Lea and Flood's SplitMix64.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_{seed} {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : next() % limit; }

 private:
  std::uint64_t state_;
};

// Pieces with a meaning in TOML, in the units, or nowhere.
std::string_view snippet(SplitMix& random) {
  using namespace std::string_view_literals;
  static constexpr std::array kSnippets{"["sv,
                                        "]"sv,
                                        "[["sv,
                                        "]]"sv,
                                        "{"sv,
                                        "}"sv,
                                        "="sv,
                                        "."sv,
                                        ","sv,
                                        "\""sv,
                                        "'"sv,
                                        "\"\"\""sv,
                                        "'''"sv,
                                        "#"sv,
                                        "\n"sv,
                                        "\r\n"sv,
                                        "\0"sv,
                                        "\xFF"sv,
                                        "\xC3"sv,
                                        "\xED\xA0\x80"sv,
                                        "\xEF\xBB\xBF"sv,
                                        "\\u0000"sv,
                                        "\\"sv,
                                        "1e999"sv,
                                        "nan"sv,
                                        "-inf"sv,
                                        "0x"sv,
                                        "1_0"sv,
                                        "-1"sv,
                                        "99999999999999999999"sv,
                                        "\"1s\""sv,
                                        "\"-5ms\""sv,
                                        "\"1e9d\""sv,
                                        "\"%\""sv,
                                        "true"sv,
                                        "1979-05-27T07:32:00Z"sv,
                                        "include = [\"trace.toml\"]\n"sv,
                                        "include = [\"..\"]\n"sv,
                                        "[[faults.random]]\n"sv,
                                        "[topology]\n"sv,
                                        "shards = "sv,
                                        "a.b.c = 1\n"sv,
                                        "\x1B[2J"sv,
                                        "\t"sv,
                                        "[faults]\n"sv};
  return kSnippets[random.below(kSnippets.size())];
}

std::string mutate(std::string text, SplitMix& random, const std::vector<std::string>& others) {
  const std::size_t edits = 1 + random.below(6);
  for (std::size_t i = 0; i < edits; ++i) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = random.below(text.size() - at + 1);
    switch (random.below(7)) {
      case 0:
        text.insert(at, snippet(random));
        break;
      case 1:
        text.erase(at, length % 40);
        break;
      case 2:
        text.erase(at);
        break;
      case 3:
        if (at < text.size()) {
          text[at] = static_cast<char>(random.next() & 0xFFU);
        }
        break;
      case 4:
        text.insert(at, text.substr(random.below(text.size() + 1), length % 200));
        break;
      case 5:
        if (at < text.size()) {
          text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        }
        break;
      default: {
        const std::string& other = others[random.below(others.size())];
        const std::size_t from = random.below(other.size());
        text.insert(at, other.substr(from, random.below(300)));
        break;
      }
    }
  }
  return text;
}

// What every answer must satisfy.
void check_answer(const LoadResult& result) {
  if (result.ok()) {
    const LoadResult again = load_text(to_toml(result.config()), "/copy.toml");
    REQUIRE(again.ok());
    REQUIRE(again.config() == result.config());
    return;
  }
  REQUIRE_FALSE(result.diagnostics().empty());
  REQUIRE(result.diagnostics().size() <= Report::kMaxReported);
  for (const Diagnostic& diagnostic : result.diagnostics()) {
    REQUIRE_FALSE(diagnostic.file.empty());
    REQUIRE_FALSE(diagnostic.message.empty());
    const std::string text = format(diagnostic);
    for (const char c : text) {
      const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
      REQUIRE_FALSE(control);
    }
  }
}

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const std::string& name : shipped()) {
    texts.push_back(read_text(shipped_path(name)));
  }
  texts.push_back(to_toml(Config{}));
  return texts;
}

}  // namespace

TEST_CASE("fuzz: mutated scenarios never crash the loader") {
  const std::vector<std::string> texts = corpus();
  std::size_t valid = 0;
  constexpr int kCases = 6000;
  for (int number = 0; number < kCases; ++number) {
    CAPTURE(number);
    SplitMix random{static_cast<std::uint64_t>(number)};
    const std::string& original = texts[random.below(texts.size())];
    const std::string text = mutate(original, random, texts);
    const LoadResult result = load_text(text, "scenarios/fuzz.toml");
    check_answer(result);
    valid += result.ok() ? 1 : 0;
  }
  CHECK(valid > kCases / 100);  // otherwise the mutations are too coarse to test anything
  CHECK(valid < kCases / 2);
}

TEST_CASE("fuzz: meaningless bytes never crash the loader") {
  for (int number = 0; number < 2000; ++number) {
    CAPTURE(number);
    SplitMix random{1'000'000U + static_cast<std::uint64_t>(number)};
    std::string text;
    const std::size_t pieces = random.below(60);
    for (std::size_t i = 0; i < pieces; ++i) {
      if (random.below(3) == 0) {
        text += static_cast<char>(random.next() & 0xFFU);
      } else {
        text += snippet(random);
      }
    }
    check_answer(load_text(text, "scenarios/fuzz.toml"));
  }
}

TEST_CASE("fuzz: overrides never crash the loader") {
  static constexpr std::array kStarts{
      "registry.shards=", "faults.random.0.target=", "faults.outage=", "topology.datacenter.0=",
      "run.duration=",    "topology.pipelines=",     "network=",       "scenario.description="};
  for (int number = 0; number < 2000; ++number) {
    CAPTURE(number);
    SplitMix random{2'000'000U + static_cast<std::uint64_t>(number)};
    std::vector<std::string> set;
    for (std::size_t i = 0; i <= random.below(3); ++i) {
      std::string text = random.below(4) == 0 ? "" : kStarts[random.below(kStarts.size())];
      for (std::size_t j = random.below(8); j > 0; --j) {
        text += snippet(random);
      }
      set.push_back(text);
    }
    check_answer(load(shipped_path("quickstart"), set));
  }
}
