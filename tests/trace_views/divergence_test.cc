// Where two traces part.
#include "trace_views/divergence.h"

#include <algorithm>

#include "core_impl/trace/environment.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::trace_views::testing {
namespace {

namespace analysis = photon::analysis;
namespace trace = photon::trace;
using Catch::Contains;
using photon::testing::TemporaryFolder;

// At that millisecond.
trace::Record click(std::uint64_t number, std::uint64_t at) {
  trace::Header header;
  header.at = photon::SimTime{} + std::chrono::milliseconds(at);
  header.source = trace::Source::environment;
  trace::ClickGenerated generated{};
  generated.click = {1, static_cast<std::uint32_t>(number), {}};
  generated.query = {2, 7, {}};
  generated.query_file = trace::ClickGenerated::kNoFile;
  return trace::Record::make(header, generated);
}

std::vector<trace::Record> clicks(std::uint64_t count) {
  std::vector<trace::Record> records;
  for (std::uint64_t i = 0; i < count; ++i) records.push_back(click(i, i));
  return records;
}

analysis::TraceReader saved(const std::string& file, const std::vector<trace::Record>& records) {
  analysis::TraceHead head;
  head.scenario = "s";
  auto writer = analysis::TraceWriter::create(file, head);
  REQUIRE(writer.has_value());
  for (const trace::Record& each : records) writer.assume_value()->record(each);
  REQUIRE(writer.assume_value()->finish({}).has_value());
  auto reader = analysis::TraceReader::open(file);
  REQUIRE(reader.has_value());
  return std::move(reader).assume_value();
}

std::optional<Divergence> divergence(const std::vector<trace::Record>& one,
                                     const std::vector<trace::Record>& other) {
  const TemporaryFolder folder;
  auto first = saved(folder.file("a.trace"), one);
  auto second = saved(folder.file("b.trace"), other);
  auto found = first_divergence(first, second);
  if (!found) FAIL(found.assume_error().message());
  return found.assume_value();
}

}  // namespace

TEST_CASE("divergence: equal traces have none, whatever their length") {
  for (const std::uint64_t count : {0U, 1U, 4'095U, 4'096U, 4'097U, 9'000U}) {
    CAPTURE(count);
    CHECK_FALSE(divergence(clicks(count), clicks(count)));
  }
}

TEST_CASE("divergence: the first record that differs, in every block and at its borders") {
  for (const std::uint64_t at : {0U, 1U, 4'095U, 4'096U, 4'097U, 8'999U}) {
    CAPTURE(at);
    auto other = clicks(9'000);
    other[at] = click(77'777, at);
    if (at + 1 < other.size()) other.back() = click(88'888, 8'999);  // a later one is not the first
    const auto found = divergence(clicks(9'000), other);
    REQUIRE(found);
    CHECK(found->number == at + 1);
    CHECK(found->common.size() == std::min<std::uint64_t>(at, 4));
    REQUIRE((found->first && found->second));
    CHECK(found->first->as<trace::ClickGenerated>().click.process == at);
    CHECK(found->second->as<trace::ClickGenerated>().click.process == 77'777);
  }
}

TEST_CASE("divergence: a trace that ends before the other differs there") {
  for (const std::uint64_t count : {0U, 10U, 4'096U}) {
    CAPTURE(count);
    const auto found = divergence(clicks(count), clicks(count + 1));
    REQUIRE(found);
    CHECK(found->number == count + 1);
    CHECK_FALSE(found->first);
    REQUIRE(found->second);
  }
}

TEST_CASE("divergence: the text names the time, the process and the fields that differ") {
  const TemporaryFolder folder;
  auto other = clicks(20);
  other[12] = click(13, 13);
  auto first = saved(folder.file("a.trace"), clicks(20));
  auto second = saved(folder.file("b.trace"), other);
  const auto found = first_divergence(first, second);
  REQUIRE((found && found.assume_value()));
  const std::string text = divergence_text(*found.assume_value(), first, second);
  CHECK_THAT(text, Contains("part at record 13") && Contains("both    0.011s") &&
                       Contains("first   0.012s") && Contains("second  0.013s"));
  CHECK_THAT(text, Contains(" in the first, ") && Contains(" in the second"));
}

TEST_CASE("divergence: records whose fields say the same differ in their header, which is said") {
  const TemporaryFolder folder;
  auto other = clicks(20);
  other[12].header.local = photon::LocalTime{} + std::chrono::seconds(5);
  other[12].header.message = 77;
  auto first = saved(folder.file("a.trace"), clicks(20));
  auto second = saved(folder.file("b.trace"), other);
  const auto found = first_divergence(first, second);
  REQUIRE((found && found.assume_value()));
  const std::string text = divergence_text(*found.assume_value(), first, second);
  CHECK_THAT(text, Contains("part at record 13") &&
                       Contains("calendar clock of the host: 0s in the first, 5s in the "
                                "second\n") &&
                       Contains("number of the message: 0 in the first, 77 in the second\n"));
  CHECK_THAT(text, !Contains("life of the process") && !Contains("other process"));
}

}  // namespace photonsim::trace_views::testing
