#include "analysis/oracles/j_s19_event_store.h"

#include <fmt/format.h>

namespace photon::analysis {
namespace {

constexpr Duration kForgotten = std::chrono::minutes(10);  // an answer so late is of no use
constexpr std::size_t kSweepAt = 1024;

}  // namespace

EventStoreTruth::Joiner& EventStoreTruth::joiner_of(const trace::Header& header) {
  Joiner& joiner = joiners_[header.node];
  if (joiner.life != header.incarnation) {
    joiner = Joiner{};
    joiner.life = header.incarnation;
  }
  return joiner;
}

void EventStoreTruth::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  switch (header.kind) {
    case trace::Kind::join_ask: {
      if (fact.source() != trace::Source::delivered) return;
      Wanted& wanted = joiner_of(header).wanted[fact.as<trace::JoinAsk>().query];
      wanted.click = fact.event;
      ++wanted.requests;
      return;
    }
    case trace::Kind::join_answer: {
      if (fact.source() != trace::Source::sent) return;
      Joiner& joiner = joiner_of(header);
      const auto wanted = joiner.wanted.find(evidence_.click(fact.event).query);
      if (wanted == joiner.wanted.end() || --wanted->second.requests > 0) return;
      joiner.wanted.erase(wanted);
      return;
    }
    case trace::Kind::query_ask:
      return fact.source() == trace::Source::sent ? on_ask(fact) : void();
    default:
      return on_answer(fact);
  }
}

void EventStoreTruth::on_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::QueryAsk>();
  if (ask.tier != trace::QueryTier::logs) return;
  Joiner& joiner = joiner_of(fact.header());
  const SimTime now = fact.header().at;
  joiner.asked[ask.request] = now;
  if (joiner.asked.size() < kSweepAt + 2 * joiner.swept) return;
  boost::unordered::erase_if(joiner.asked,
                             [&](const auto& each) { return now - each.second > kForgotten; });
  joiner.swept = joiner.asked.size();
}

void EventStoreTruth::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::QueryAnswer>();
  if (answer.status == trace::QueryStatus::found && answer.returned != answer.query) {
    report(fact, answer.query,
           fmt::format("asked for this query, {} answered with {}",
                       answer.tier == trace::QueryTier::cache ? "the cache" : "the log store",
                       describe(answer.returned)));
  }
  if (fact.source() != trace::Source::delivered || answer.tier != trace::QueryTier::logs) return;
  Joiner& joiner = joiner_of(fact.header());
  const auto asked = joiner.asked.find(answer.request);
  if (asked == joiner.asked.end()) return;  // answered twice, or to an earlier life
  const SimTime asked_at = asked->second;
  joiner.asked.erase(asked);
  if (answer.status == trace::QueryStatus::not_found) check_miss(fact, joiner, asked_at);
}

void EventStoreTruth::check_miss(const Fact& fact, const Joiner& joiner, SimTime asked_at) {
  const auto& answer = fact.as<trace::QueryAnswer>();
  const std::uint32_t pipeline = evidence_.pipeline_of(fact.header().datacenter);
  const auto wanted = joiner.wanted.find(answer.query);
  if (wanted == joiner.wanted.end() || pipeline == kNoIndex) return;
  const Click& click = evidence_.click(wanted->second.click);
  const bool known = click.generated && click.query == answer.query &&
                     click.query_file != trace::ClickGenerated::kNoFile;
  if (!known || evidence_.query_damaged(answer.query, pipeline)) return;
  const SimTime visible = evidence_.visible_at(pipeline, click.query_file, click.query_end);
  if (visible > asked_at) return;
  report(fact, answer.query,
         fmt::format("`not found`, asked at {}, but its record (up to byte {} of file {}) could be "
                     "read there since {}",
                     describe(asked_at), click.query_end, click.query_file, describe(visible)));
}

}  // namespace photon::analysis
