// The event that a record is about.
#include "core_impl/trace/subject.h"

#include "tests/support/catch.h"

namespace photon::trace {
namespace {

const EventId kId{7, 12, Stamp(Duration(5))};

template <Payload P>
Subject subject(const P& payload, Source source = Source::decision) {
  Header header;
  header.source = source;
  return subject_of(Record::make(header, payload));
}

bool is_click(const Subject& subject) {
  return subject.of == Subject::Of::click && subject.id == kId;
}
bool is_nothing(const Subject& subject) { return subject.of == Subject::Of::nothing; }

TEST_CASE("DESIGN-6 subject: a payload with a click is about that click") {
  AllPayloads::for_each([]<class P>() {
    if constexpr (requires { requires std::same_as<EventId, decltype(P::click)>; }) {
      P payload{};
      payload.click = kId;
      CHECK(is_click(subject(payload)));
    }
  });
}

TEST_CASE(
    "DESIGN-6 subject: registry operations are about their id, copies of reads about nothing") {
  RegistryAsk ask{};
  ask.id = kId;
  ask.operation = RegistryOperation::lookup;
  CHECK(is_click(subject(ask, Source::sent)));
  CHECK(is_nothing(subject(ask, Source::delivered)));
  ask.operation = RegistryOperation::insert;
  CHECK(is_click(subject(ask, Source::delivered)));
  RegistryAnswer answer{};
  answer.id = kId;
  CHECK(is_click(subject(answer, Source::sent)));
  OperationApplied applied{};
  applied.id = kId;
  applied.operation = RegistryOperation::remove;
  CHECK(is_click(subject(applied)));
  applied.operation = RegistryOperation::collect;
  CHECK(is_nothing(subject(applied)));
}

TEST_CASE("DESIGN-6 subject: a query only where a search of the logs did not find it") {
  QueryAnswer answer{};
  answer.query = kId;
  answer.status = QueryStatus::not_found;
  answer.tier = QueryTier::logs;
  CHECK(subject(answer, Source::delivered).of == Subject::Of::query);
  CHECK(subject(answer, Source::delivered).id == kId);
  CHECK(is_nothing(subject(answer, Source::sent)));
  answer.tier = QueryTier::cache;
  CHECK(is_nothing(subject(answer, Source::delivered)));
  InputDamaged damaged{};
  damaged.event = kId;
  CHECK(is_nothing(subject(damaged)));
  damaged.click = 1;
  CHECK(is_click(subject(damaged)));
  CHECK(is_nothing(subject(SlotApplied{})));
}

}  // namespace
}  // namespace photon::trace
