#include "analysis/oracles/j_s19_event_store.h"

#include <fmt/format.h>

#include "analysis/evidence/spec_values.h"

namespace photon::analysis {
namespace {

constexpr Duration kForgotten = std::chrono::minutes(10);  // a later answer is useless
constexpr std::size_t kSweepAt = 1024;

// Clicks that arrived together came in one message.
std::uint64_t group_key(NodeId dispatcher, SimTime received_at) {
  return spec_digest({dispatcher.value(), static_cast<std::uint64_t>(nanoseconds_of(received_at))});
}

}  // namespace

void EventStoreTruth::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::join_ask:
      return fact.source() == trace::Source::delivered ? on_join_ask(fact) : void();
    case trace::Kind::join_answer:
      return fact.source() == trace::Source::sent ? on_join_answer(fact) : void();
    case trace::Kind::query_ask:
      return fact.source() == trace::Source::sent ? on_ask(fact) : void();
    default:
      return on_answer(fact);
  }
}

void EventStoreTruth::on_join_ask(const Fact& fact) {
  const trace::Header& header = fact.header();
  Joiner& joiner = joiners_.of(header);
  Expected& expected = joiner.expected[fact.as<trace::JoinAsk>().query];
  expected.click = fact.event;
  ++expected.requests;
  const bool again = join_.find_visit(fact.event, header.node, header.peer,
                                      fact.as<trace::JoinAsk>().request) != nullptr;
  if (again) return;
  Group& group = joiner.groups[group_key(header.peer, header.at)];
  ++group.members;
  ++group.unanswered;
}

void EventStoreTruth::on_join_answer(const Fact& fact) {
  const trace::Header& header = fact.header();
  Joiner& joiner = joiners_.of(header);
  const Visit* visit =
      join_.find_visit(fact.event, header.node, header.peer, fact.as<trace::JoinAnswer>().request);
  if (visit != nullptr) {
    check_reported(fact, joiner, *visit);
    const auto group = joiner.groups.find(group_key(header.peer, visit->received_at));
    if (group != joiner.groups.end() && --group->second.unanswered == 0) {
      joiner.groups.erase(group);
    }
  }
  const auto expected = joiner.expected.find(join_.click(fact.event).query);
  if (expected == joiner.expected.end() || --expected->second.requests > 0) return;
  joiner.expected.erase(expected);
}

void EventStoreTruth::on_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::QueryAsk>();
  if (ask.tier != trace::QueryTier::logs) return;
  Joiner& joiner = joiners_.of(fact.header());
  const SimTime now = fact.header().at;
  joiner.asked[ask.request] = now;
  if (joiner.asked.size() < kSweepAt + 2 * joiner.swept) return;
  boost::unordered::erase_if(joiner.asked,
                             [&](const auto& each) { return now - each.second > kForgotten; });
  joiner.swept = joiner.asked.size();
}

void EventStoreTruth::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::QueryAnswer>();
  if (answer.status == trace::QueryStatus::found) oblige();
  if (answer.status == trace::QueryStatus::found && answer.returned != answer.query) {
    report(fact, answer.query,
           fmt::format("asked for this query, {} answered with {}",
                       answer.tier == trace::QueryTier::cache ? "the cache" : "the log store",
                       describe(answer.returned)));
  }
  if (fact.source() != trace::Source::delivered) return;
  Joiner& joiner = joiners_.of(fact.header());
  if (answer.status == trace::QueryStatus::found) {
    const auto expected = joiner.expected.find(answer.query);
    if (expected != joiner.expected.end()) expected->second.found_at = fact.header().at;
  }
  if (answer.tier != trace::QueryTier::logs) return;
  const auto asked = joiner.asked.find(answer.request);
  if (asked == joiner.asked.end()) return;  // answered twice, or to an earlier life
  const SimTime asked_at = asked->second;
  joiner.asked.erase(asked);
  if (answer.status == trace::QueryStatus::not_found) check_miss(fact, joiner, asked_at);
}

SimTime EventStoreTruth::readable_at(const Fact& fact, const Click& click) const {
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  const bool known = click.generated && click.query_file != trace::ClickGenerated::kNoFile;
  if (!known || pipeline == kNoIndex || join_.query_damaged(click.query, pipeline)) {
    return kNever;
  }
  return join_.visible_since(pipeline, click.query_file, click.query_end, fact.header().at);
}

// The EventStore process that the joiner has asked, if any, does not matter here.
void EventStoreTruth::check_reported(const Fact& fact, const Joiner& joiner, const Visit& visit) {
  const auto& answer = fact.as<trace::JoinAnswer>();
  const bool missed = answer.outcome == trace::JoinOutcome::query_not_found ||
                      answer.outcome == trace::JoinOutcome::unjoinable;
  if (!missed) return;
  oblige();
  const Click& click = join_.click(fact.event);
  const auto expected = joiner.expected.find(click.query);
  if (expected == joiner.expected.end()) return;
  const auto group = joiner.groups.find(group_key(fact.header().peer, visit.received_at));
  const bool alone = group == joiner.groups.end() || group->second.members == 1;
  const bool found = !alone && expected->second.found_at != kNever &&
                     expected->second.found_at >= visit.received_at;  // a neighbour's was not
  const SimTime readable = readable_at(fact, click);
  if (found || readable > visit.received_at) return;
  report(fact, click.query,
         fmt::format("the joiner says that it is not there, asked for it at {}, but its record (up "
                     "to byte {} of file {}) could be read there since {}",
                     describe(visit.received_at), click.query_end, click.query_file,
                     describe(readable)));
}

void EventStoreTruth::check_miss(const Fact& fact, const Joiner& joiner, SimTime asked_at) {
  const auto& answer = fact.as<trace::QueryAnswer>();
  const auto expected = joiner.expected.find(answer.query);
  if (expected == joiner.expected.end()) return;
  const Click& click = join_.click(expected->second.click);
  if (click.query != answer.query) return;
  oblige();
  const SimTime visible = readable_at(fact, click);
  if (visible > asked_at) return;
  report(fact, answer.query,
         fmt::format("`not found`, asked at {}, but its record (up to byte {} of file {}) could be "
                     "read there since {}",
                     describe(asked_at), click.query_end, click.query_file, describe(visible)));
}

}  // namespace photon::analysis
