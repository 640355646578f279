#include "core_impl/trace/record.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/trace/all_payloads.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon::trace {
namespace {

std::vector<Kind> listed_kinds() {
  std::vector<Kind> kinds;
  AllPayloads::for_each([&]<class P>() { kinds.push_back(P::kKind); });
  return kinds;
}

TEST_CASE("DESIGN-6 every payload has a kind of its own, inside the range of its layer") {
  const std::vector<Kind> kinds = listed_kinds();
  CHECK(std::ranges::is_sorted(kinds));
  CHECK(std::ranges::adjacent_find(kinds) == kinds.end());
  CHECK(kinds.front() > Kind::none);
  CHECK(kinds.back() < static_cast<Kind>(400));
}

TEST_CASE("DESIGN-6 no kind of record is missing from the list of all payloads") {
  std::vector<Kind> declared;
  std::ifstream file("core_impl/trace/kinds.h");
  const std::regex pattern(R"(^  \w+ = (\d+),$)");
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (std::regex_match(line, match, pattern)) {
      declared.push_back(static_cast<Kind>(std::stoul(match[1])));
    }
  }
  std::erase(declared, Kind::none);
  CHECK(declared.size() > 50);
  CHECK(listed_kinds() == declared);
}

TEST_CASE("J-S17 a record holds exactly its payload: the rest is zero, whatever was there before") {
  AllPayloads::for_each([]<class P>() {
    P payload;
    std::memset(static_cast<void*>(&payload), 0xa5, sizeof payload);
    // The record is built where garbage was, as on a used stack.
    alignas(Record) std::byte memory[sizeof(Record)];
    std::memset(memory, 0xff, sizeof memory);
    Header header;
    header.at = SimTime(Duration(77));
    const Record* record = ::new (memory) Record(Record::make(header, payload));
    CHECK(record->header.kind == P::kKind);
    CHECK(std::memcmp(&record->as<P>(), &payload, sizeof payload) == 0);
    for (std::size_t i = 0; i < kPayloadSize; ++i) {
      REQUIRE(record->payload[i] == (i < sizeof(P) ? std::byte{0xa5} : std::byte{0}));
    }
    // Two records of equal content are equal byte for byte: traces can be hashed and compared.
    const Record again = Record::make(header, payload);
    CHECK(std::memcmp(record, &again, sizeof again) == 0);
  });
}

TEST_CASE("a record read as another kind fails a check") {
  const testing::ChecksThrow checks;
  const Record record = Record::make(Header{}, FaultEffect{3});
  CHECK(record.as<FaultEffect>().fault == 3);
  CHECK_THROWS_AS(record.as<ProcessCrashed>(), testing::CheckFailed);
}

TEST_CASE("every code has a name of its own; definitive ones are numbered from 0") {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < 256; ++i) {
    const std::string_view name = name_of(static_cast<RegistryCode>(i));
    if (name != "unknown code") names.push_back(name);
    CHECK((name != "unknown code") == (i < kDefinitiveCodes || (i >= 16 && i <= 20)));
  }
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
  CHECK(name_of(ShardingCode::too_early) == "too_early");
  CHECK(name_of(static_cast<ShardingCode>(99)) == "unknown code");
}

TEST_CASE("B-72 definitive registry codes and successful outcomes are distinguished") {
  CHECK(is_definitive(RegistryCode::inserted));
  CHECK(is_definitive(RegistryCode::too_old));
  CHECK(is_definitive(RegistryCode::exists));
  CHECK_FALSE(is_definitive(RegistryCode::not_master));
  CHECK_FALSE(is_definitive(RegistryCode::unavailable));
  CHECK(is_success(JoinOutcome::unjoinable));
  CHECK_FALSE(is_success(JoinOutcome::query_not_found));
}

}  // namespace
}  // namespace photon::trace
