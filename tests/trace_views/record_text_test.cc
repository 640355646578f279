// Every kind of record has a text.
#include "trace_views/record_text.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "analysis/oracles/violation.h"
#include "tests/support/catch.h"
#include "tests/trace_views/records.h"

namespace photonsim::trace_views::testing {
namespace {

// Of kinds.h, so that the list is not repeated.
std::vector<trace::Kind> all_kinds() {
  std::ifstream file("core_impl/trace/kinds.h");
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const std::regex line(R"(\n  (\w+) = (\d+),)");
  std::vector<trace::Kind> kinds;
  for (std::sregex_iterator at(source.begin(), source.end(), line), end; at != end; ++at) {
    if ((*at)[1] != "none") kinds.push_back(static_cast<trace::Kind>(std::stoi((*at)[2])));
  }
  return kinds;
}

std::string value(const Fields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields.list(), name, &Field::name);
  REQUIRE(found != fields.list().end());
  return found->type == Field::Type::number ? std::to_string(found->count) : found->text;
}

}  // namespace

TEST_CASE("every kind of record has a row in the table of trace_views/record_text.cc") {
  const std::vector<trace::Kind> kinds = all_kinds();
  REQUIRE(kinds.size() > 60);
  std::set<std::string> titles;
  for (const trace::Kind kind : kinds) {
    INFO("kind " << static_cast<int>(kind) << " of core_impl/trace/kinds.h");
    CHECK(has_row(kind));
    CHECK(titles.insert(title_of(kind)).second);
  }
  CHECK_FALSE(has_row(static_cast<trace::Kind>(399)));
  CHECK(title_of(static_cast<trace::Kind>(399)) == "record of kind 399");
}

TEST_CASE("no kind has two fields of one name, and any bytes can be shown") {
  const analysis::TracePlaces names = places();
  for (const trace::Kind kind : all_kinds()) {
    for (const std::uint8_t byte : {std::uint8_t{0}, std::uint8_t{0xa5}, std::uint8_t{0xff}}) {
      trace::Record record;
      record.header.kind = kind;
      record.payload.fill(std::byte{byte});
      const Fields fields = fields_of(record, names);
      std::set<std::string_view> seen;
      for (const Field& field : fields.list()) {
        INFO(title_of(kind) << ": " << field.name);
        CHECK(seen.insert(field.name).second);
        if (field.type == Field::Type::text) CHECK_FALSE(field.text.empty());
      }
    }
  }
}

TEST_CASE("a record as text: names for numbers, words for codes") {
  const analysis::TracePlaces names = places();
  Records records;
  records.start_all();
  trace::RegistryAnswer answer{};
  answer.id = click_id(4);
  answer.token = {3, 2, 17};
  answer.operation = trace::RegistryOperation::insert;
  answer.code = trace::RegistryCode::already_exists;
  answer.slot = 88;
  answer.shard = photon::ShardId(1);
  records.delivered(at(1s), kEastReplica, kWestJoiner, 1, answer);
  const trace::Record& record = records.list.back();
  const Fields fields = fields_of(record, names);
  CHECK(title_of(record.header.kind) == "registry answer");
  CHECK(fields.gist() == "already_exists");
  CHECK(value(fields, "operation") == "insert");
  CHECK(value(fields, "token") == "3.2.17 (us-west1/joiner/0)");
  CHECK(value(fields, "slot") == "88");
  CHECK(is_about(record, click_id(4)));
  CHECK_FALSE(is_about(record, click_id(5)));
  CHECK(event_of(record) == click_id(4));
  CHECK(event_of(records.list.front()).is_null());
  CHECK(process_name(names, NodeId(77)) == "process 77");
}

TEST_CASE("kinds belong to families by their range") {
  CHECK(family_of(trace::Kind::process_crashed) == Family::environment);
  CHECK(family_of(trace::Kind::paxos_accept) == Family::consensus);
  CHECK(family_of(trace::Kind::load_done) == Family::registry);
  CHECK(family_of(trace::Kind::output_fenced) == Family::pipeline);
}

}  // namespace photonsim::trace_views::testing
