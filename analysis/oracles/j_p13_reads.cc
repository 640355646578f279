#include "analysis/oracles/j_p13_reads.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

using trace::QueryTier;

std::span<const Interest> Reads::kinds() const {
  static constexpr Interest kKinds[] = {
      delivered(trace::Kind::join_ask), sent(trace::Kind::join_answer),
      sent(trace::Kind::query_ask), delivered(trace::Kind::query_answer)};
  return config().reads_priced ? std::span(kKinds) : std::span<const Interest>();
}

void Reads::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::join_ask:
      return on_join_ask(fact, fact.as<trace::JoinAsk>());
    case trace::Kind::join_answer:
      return on_join_answer(fact, fact.as<trace::JoinAnswer>());
    case trace::Kind::query_ask:
      return on_ask(fact, fact.as<trace::QueryAsk>());
    default:
      return on_answer(fact, fact.as<trace::QueryAnswer>());
  }
}

void Reads::on_join_ask(const Fact& fact, const trace::JoinAsk& ask) {
  WorkList& work = joiners_.of(fact.header()).work[ask.query];
  const bool copy = std::ranges::any_of(work, [&](const Work& each) {
    return each.from == fact.header().peer && each.request == ask.request;
  });
  if (!copy) work.push_back({fact.header().peer, ask.request});
}

void Reads::on_join_answer(const Fact& fact, const trace::JoinAnswer& answer) {
  if (fact.event == kNoIndex) return;
  Joiner& joiner = joiners_.of(fact.header());
  const auto found = joiner.work.find(join_.click(fact.event).query);
  if (found == joiner.work.end()) return;
  const auto over = std::ranges::find_if(found->second, [&](const Work& each) {
    return each.from == fact.header().peer && each.request == answer.request;
  });
  if (over == found->second.end()) return;
  found->second.erase(over);
  if (found->second.empty()) joiner.work.erase(found);
}

void Reads::accuse(const Fact& fact, const trace::QueryAsk& ask, std::string_view why) {
  report(fact, ask.query,
         fmt::format("a question to the {} that nothing explains: {}",
                     ask.tier == QueryTier::cache ? "cache" : "logs", why));
}

void Reads::on_ask(const Fact& fact, const trace::QueryAsk& ask) {
  oblige();
  Joiner& joiner = joiners_.of(fact.header());
  const auto found = joiner.work.find(ask.query);
  const bool begins = ask.request > joiner.latest;
  joiner.latest = std::max(joiner.latest, ask.request);
  if (found == joiner.work.end()) return accuse(fact, ask, "no join request needs it");
  if (begins) return begin(fact, found->second, ask);
  const auto work = std::ranges::find(found->second, ask.request, &Work::lookup);
  if (work == found->second.end() || work->ended) {
    return accuse(fact, ask, "the look-up had ended");
  }
  if (ask.tier == QueryTier::cache) return accuse(fact, ask, "the look-up has asked before");
  const std::string_view why = unexplained(*work, fact.header().at);
  if (!why.empty()) accuse(fact, ask, why);
  work->in_logs = true;
}

// The request that came last is the one that is begun at once.
void Reads::begin(const Fact& fact, WorkList& work, const trace::QueryAsk& ask) {
  const auto open = std::ranges::find(work.rbegin(), work.rend(), 0U, &Work::lookup);
  if (open == work.rend()) return accuse(fact, ask, "no join request needs it");
  open->lookup = ask.request;
  open->asked = fact.header().at;
  open->in_logs = ask.tier == QueryTier::logs;
  if (open->in_logs && config().cache_timeout > Duration::zero()) {
    accuse(fact, ask, "the look-up has not asked the cache");
  }
}

std::string_view Reads::unexplained(const Work& work, SimTime now) const {
  if (work.in_logs) return "the look-up has asked before";
  const Duration limit = config().cache_timeout;
  const bool silent = now >= work.asked + (limit - config().unsure(limit));
  return work.cache_missed || silent ? "" : "the cache has not missed";
}

void Reads::on_answer(const Fact& fact, const trace::QueryAnswer& answer) {
  Joiner& joiner = joiners_.of(fact.header());
  const auto found = joiner.work.find(answer.query);
  if (found == joiner.work.end()) return;
  const auto work = std::ranges::find(found->second, answer.request, &Work::lookup);
  if (work == found->second.end()) return;
  const bool missed = answer.tier == QueryTier::cache && answer.status != trace::QueryStatus::found;
  (missed ? work->cache_missed : work->ended) = true;
}

}  // namespace photon::analysis
