#include "analysis/oracles/j_p9_price.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace photon::analysis {

std::span<const Interest> Price::kinds() const {
  static constexpr Interest kKinds[] = {sent(trace::Kind::registry_ask),
                                        delivered(trace::Kind::registry_answer),
                                        sent(trace::Kind::join_ask),
                                        delivered(trace::Kind::join_answer),
                                        durable(trace::Kind::journal_owned),
                                        trace::Kind::process_crashed,
                                        trace::Kind::click_read};
  return config().priced ? std::span(kKinds) : std::span<const Interest>();
}

void Price::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::registry_ask:
      return on_lookup(fact);
    case trace::Kind::registry_answer:
      return on_lookup_answer(fact);
    case trace::Kind::join_ask:
      return on_join(fact);
    case trace::Kind::join_answer:
      return on_join_answer(fact);
    case trace::Kind::journal_owned:
      return on_owned(fact);
    case trace::Kind::click_read:
      return on_read(fact);
    default:
      workers_[fact.header().node] = Worker{};
  }
}

Price::Work* Price::begun(Worker& worker, std::uint32_t click) {
  const auto found = worker.work.find(click);
  return found == worker.work.end() ? nullptr : &found->second;
}

// The trace does not show which partition the click is in: a worker that has taken one over since
// may have begun anew.
bool Price::is_charged(const Fact& fact, const Worker& worker, const Work& work) const {
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  return work.takings == worker.takings && !work.renumbered &&
         !join_.at(fact.event, pipeline).returned;
}

// What the worker does about the click begins, or begins anew because it took the partition again.
Price::Work& Price::begin(const Fact& fact, Worker& worker) {
  Work& work = worker.work[fact.event];
  const bool taken_again = work.takings != worker.takings;
  const bool unanswered =
      !work.found_absent && work.sent == kNever && work.first_asked != SimTime{};
  const Work before = std::exchange(work, Work{});
  work.takings = worker.takings;
  work.first_asked = fact.header().at;
  work.handed_on = std::max(taken_again ? before.lookup : 0, before.handed_on);
  work.renumbered = before.renumbered || (taken_again && unanswered && before.lookup == 0);
  const auto read = worker.reads.find(fact.event);
  if (read == worker.reads.end()) return work;
  work.renumbered = work.renumbered || read->second > 1;
  worker.reads.erase(read);
  return work;
}

SimTime Price::failure_of(const Work& work, SimTime now) const {
  if (work.failed != kNever) return work.failed;
  if (work.sent != kNever) {
    const Duration limit = config().dispatcher_send_timeout;
    const SimTime over = work.sent + (limit - config().unsure(limit));
    return over <= now ? over : kNever;
  }
  const Duration limit = config().dispatcher_lookup_timeout;
  const SimTime over = work.first_asked + (limit - config().unsure(limit));
  // It may have been asked for, and given up, long before it was sent.
  if (may_wait_for_history()) return work.first_asked;
  const bool unknown = !work.found_absent || work.in_doubt;
  return unknown && over <= now ? over : kNever;
}

// A second try, at this moment.
std::string_view Price::too_early(const Work& work, SimTime now) const {
  const SimTime failed = failure_of(work, now);
  if (failed == kNever) return "nothing has failed";
  const Duration pause = config().shortest_pause(work.failures + 1);
  const bool early = now < failed + (pause - config().unsure(pause));
  return early ? "it is too early after the failure" : "";
}

bool Price::was_silent(const Work& work, SimTime now) const {
  const Duration silence = config().lookup_repeat;
  return now >= work.last_asked + (silence - config().unsure(silence));
}

std::string_view Price::unexplained(const Fact& fact, const Work& work,
                                    std::uint64_t request) const {
  const SimTime now = fact.header().at;
  const bool answered = work.found_absent || work.sent != kNever;
  const bool repeatable = !answered && (work.put_off || was_silent(work, now));
  if (request == work.lookup) return repeatable ? "" : "it has not waited for an answer";
  if (may_wait_for_history() && repeatable) return "";  // at another shard
  return too_early(work, now);
}

std::string_view Price::unexplained(const Work& work, SimTime now) const {
  if (work.sent == kNever) return work.found_absent ? "" : "the look-up before it has no answer";
  return failure_of(work, now) == kNever ? "another one is under way"
                                         : "it was not looked up again after the failure";
}

void Price::accuse(const Fact& fact, std::string_view why) {
  const bool join = fact.header().kind == trace::Kind::join_ask;
  report(fact, join_.click(fact.event).id,
         fmt::format("{} that no fault explains: {}", join ? "a join" : "a look-up", why));
}

void Price::begin_try(const Fact& fact, Work& work) {
  ++work.failures;
  work.sent = work.failed = kNever;
  work.found_absent = work.in_doubt = false;
  work.first_asked = fact.header().at;
}

void Price::on_lookup(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (ask.operation != trace::RegistryOperation::lookup) return;
  const trace::Header& header = fact.header();
  if (join_.pipeline_of(header.datacenter) == kNoIndex) return;
  oblige();
  Worker& worker = workers_.of(header);
  Work* work = begun(worker, fact.event);
  if (work != nullptr && ask.request <= work->handed_on) return;
  const std::string_view why =
      work == nullptr ? std::string_view() : unexplained(fact, *work, ask.request);
  if (work != nullptr && !why.empty() && is_charged(fact, worker, *work)) accuse(fact, why);
  if (work == nullptr || !why.empty()) {
    work = &begin(fact, worker);
  } else {
    // Behind silence a client may have learned of another shard: the look-up moves there with
    // another number.
    const bool moved = may_wait_for_history() && was_silent(*work, header.at);
    const bool same_try = work->sent == kNever && !work->found_absent &&
                          (work->put_off || moved || ask.request == work->lookup);
    if (!same_try) begin_try(fact, *work);
  }
  work->lookup = ask.request;
  work->last_asked = header.at;
  work->put_off = false;
}

void Price::on_lookup_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (answer.operation != trace::RegistryOperation::lookup) return;
  const trace::Header& header = fact.header();
  Worker& worker = workers_.of(header);
  Work* const work = begun(worker, fact.event);
  if (work == nullptr || answer.request != work->lookup) return;
  // The worker has acted on the first answer; this one answers a repetition of the same request.
  if (work->found_absent) return;
  if (!trace::is_definitive(answer.code)) {
    work->put_off = true;
    // It is asked again with another number, and a late answer to this one counts no more.
    if (answer.code == trace::RegistryCode::wrong_shard) work->lookup = 0;
    return;
  }
  if (answer.code != trace::RegistryCode::not_found) {
    worker.work.erase(fact.event);  // finished
    return;
  }
  work->found_absent = true;
  const Duration limit = config().dispatcher_lookup_timeout;
  work->in_doubt = header.at >= work->first_asked + (limit - config().unsure(limit));
}

void Price::on_join(const Fact& fact) {
  const trace::Header& header = fact.header();
  const std::uint32_t pipeline = join_.pipeline_of(header.datacenter);
  if (pipeline == kNoIndex) return;
  oblige();
  Worker& worker = workers_.of(header);
  Work* work = begun(worker, fact.event);
  if (work == nullptr) {
    if (!join_.at(fact.event, pipeline).returned) accuse(fact, "it was not looked up before");
    work = &begin(fact, worker);
  } else if (const std::string_view why = unexplained(*work, header.at);
             !why.empty() && is_charged(fact, worker, *work)) {
    accuse(fact, why);
  }
  work->join = fact.as<trace::JoinAsk>().request;
  work->sent = header.at;
  work->failed = kNever;
}

void Price::on_join_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::JoinAnswer>();
  const trace::Header& header = fact.header();
  Worker& worker = workers_.of(header);
  Work* const work = begun(worker, fact.event);
  if (work == nullptr || work->join != answer.request || work->sent == kNever) return;
  if (trace::is_success(answer.outcome)) {
    worker.work.erase(fact.event);
    return;
  }
  if (work->failed != kNever) return;
  const Duration limit = config().dispatcher_send_timeout;
  work->failed = std::min(header.at, work->sent + (limit - config().unsure(limit)));
}

// What reads a click and owns no journal is no dispatcher.
void Price::on_read(const Fact& fact) {
  Worker& worker = workers_.of(fact.header());
  if (worker.takings > 0) ++worker.reads[fact.event];
}

// A journal that it takes brings clicks that it may have had before; a renewal has the same epoch.
void Price::on_owned(const Fact& fact) {
  const auto& owned = fact.as<trace::JournalOwned>();
  if (owned.owner != fact.header().node) return;
  Worker& worker = workers_.of(fact.header());
  std::uint64_t& epoch = worker.epochs[owned.journal];
  if (epoch == owned.epoch) return;
  epoch = owned.epoch;
  ++worker.takings;
}

}  // namespace photon::analysis
