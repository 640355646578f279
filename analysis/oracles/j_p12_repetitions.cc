#include "analysis/oracles/j_p12_repetitions.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/evidence/spec_values.h"

namespace photon::analysis {
namespace {

using trace::RegistryAnswer;
using trace::RegistryAsk;
using trace::RegistryCode;
using trace::RegistryOperation;

constexpr std::uint32_t kMostAtOnce = 2;     // attempts, each for an answer that names a replica
constexpr std::uint32_t kRound = 3;          // attempts without an answer
constexpr std::uint32_t kMostDoublings = 4;  // of the time-out, one for each round
constexpr std::size_t kSweepAt = 1024;

std::uint64_t key_of(const Token& token) {
  return spec_digest({token.address, token.incarnation, token.sequence});
}

}  // namespace

void Repetitions::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::registry_ask) {
    on_ask(fact, fact.as<RegistryAsk>());
  } else {
    on_answer(fact, fact.as<RegistryAnswer>());
  }
}

void Repetitions::accuse(const Fact& fact, const RegistryAsk& ask, std::string_view why) {
  report(fact, ask.id, fmt::format("request {} was sent again for no cause: {}", ask.request, why));
}

void Repetitions::on_ask(const Fact& fact, const RegistryAsk& ask) {
  const bool exempt = ask.operation == RegistryOperation::insert && !config().tokens;
  if (exempt || config().request_repeat == Duration::zero()) return;
  oblige();
  Client& client = clients_.of(fact.header());
  const auto found = client.requests.find(ask.request);
  if (found == client.requests.end()) {
    if (ask.request <= client.latest) return accuse(fact, ask, "all of it was answered");
    return begin(fact, client, ask);
  }
  const Request& request = found->second;
  if (request.first == request.sent && is_same_attempt(request, fact.header())) {
    return begin(fact, client, ask);
  }
  attempt_again(fact, client, found->second, ask);
}

// One more operation of a first attempt.
void Repetitions::begin(const Fact& fact, Client& client, const RegistryAsk& ask) {
  if (ask.operation == RegistryOperation::insert) move_insert(fact, client, ask);
  client.latest = ask.request;
  if (!client.requests.contains(ask.request)) check_target(fact, client, ask);
  Request& request = client.requests[ask.request];
  request.shard = ask.shard;
  request.to = fact.header().peer;
  request.first = request.sent = fact.header().at;
  request.message = fact.header().message;
  (trace::is_read(ask.operation) ? request.reads : request.changes) = true;
  request.items.push_back({ask.id, ask.token, ask.operation});
  ++request.unanswered;
  sweep(client, fact.header().at);
}

// Clients of a load may ask for the same on purpose.
void Repetitions::move_insert(const Fact& fact, Client& client, const RegistryAsk& ask) {
  if (config().registry_only()) return;
  const auto [entry, fresh] = client.inserts.try_emplace(key_of(ask.token), ask.request);
  if (fresh) return;
  const auto before = client.requests.find(entry->second);
  if (before != client.requests.end()) {
    Request& request = before->second;
    const bool silent = has_history() && was_silent(request, fact.header().at);
    if (!silent) accuse(fact, ask, "an earlier request with the same insert is under way");
    if (silent) leave(client, request);
    Item* const moved = find_open(request, ask.id, ask.token, ask.operation);
    if (moved != nullptr) settle(client, entry->second, request, *moved);
  }
  entry->second = ask.request;
}

void Repetitions::attempt_again(const Fact& fact, Client& client, Request& request,
                                const RegistryAsk& ask) {
  const SimTime now = fact.header().at;
  if (!is_same_attempt(request, fact.header())) {
    const std::string_view why = unexplained(request, now);
    if (!why.empty()) accuse(fact, ask, why);
    check_target(fact, client, ask);
    request.explains = false;
    request.to = fact.header().peer;
    request.silences += request.put_off == kNever ? 1 : 0;
    request.put_off = kNever;
    request.sent = now;
    request.message = fact.header().message;
  }
  if (find_open(request, ask.id, ask.token, ask.operation) == nullptr) {
    accuse(fact, ask, "this operation was answered");
  }
}

// An attempt is sent, and not noted yet.
void Repetitions::check_target(const Fact& fact, Client& client, const RegistryAsk& ask) {
  if (ask.lookups == trace::LookupMode::replica || !config().tokens) return;
  const NodeId to = fact.header().peer;
  Target& target = client.targets[ask.shard.value()];
  const bool turns = target.replica != kNoNode && target.replica != to;
  if (turns && !target.left && !is_silent(client, ask.shard, target.replica, fact.header().at)) {
    report(fact, ask.id,
           fmt::format("request {} is sent to {}, and not to {} as before, which has neither "
                       "refused nor left a request without an answer",
                       ask.request, process(to), process(target.replica)));
  }
  target = {to, false};
}

// All that is certainly silent now is one cause.
bool Repetitions::is_silent(Client& client, ShardId shard, NodeId replica, SimTime now) const {
  bool any = false;
  for (auto& [number, request] : client.requests) {  // order-free: each is marked
    const bool meant = request.shard == shard && request.to == replica && !request.explains;
    if (!meant || !may_be_silent(request, now)) continue;
    request.explains = now > request.sent + longest_time_out();
    any = true;
  }
  return any;
}

bool Repetitions::may_be_silent(const Request& request, SimTime now) const {
  if (was_silent(request, now)) return true;
  const Duration limit = config().dispatcher_lookup_timeout;
  return request.reads &&
         (has_history() || now >= request.first + (limit - config().unsure(limit)));
}

void Repetitions::leave(Client& client, const Request& request) {
  const auto found = client.targets.find(request.shard.value());
  if (found == client.targets.end() || found->second.replica != request.to) return;
  found->second.left = true;
}

void Repetitions::note_target(Client& client, const Fact& fact, const RegistryAnswer& answer) {
  const auto found = client.targets.find(answer.shard.value());
  if (found == client.targets.end() || answer.lookups == trace::LookupMode::replica) return;
  Target& target = found->second;
  const bool by_target = target.replica == fact.header().peer;
  const bool refused = answer.code == RegistryCode::not_master;
  if (by_target ? refused : trace::is_definitive(answer.code)) target.left = true;
}

Repetitions::Item* Repetitions::find_open(Request& request, const EventId& id, const Token& token,
                                          RegistryOperation operation) {
  const bool any_token = operation == RegistryOperation::read_token;
  for (std::size_t passed = 0; passed < request.items.size(); ++passed) {
    if (request.next >= request.items.size()) request.next = 0;
    Item& item = request.items[request.next++];
    const bool same = item.id == id && item.operation == operation;
    if (same && !item.answered && (any_token || item.token == token)) return &item;
  }
  return nullptr;
}

void Repetitions::settle(Client& client, std::uint64_t number, Request& request, Item& item) {
  item.answered = true;
  if (--request.unanswered == 0) client.requests.erase(number);
}

std::string_view Repetitions::unexplained(Request& request, SimTime now) const {
  if (is_over(request, now)) return "its reads are past their deadline";
  if (was_silent(request, now)) {
    request.at_once = 0;
    return "";
  }
  if (request.put_off == kNever) return "it has not waited for an answer";
  const Duration pause = config().request_pause;
  if (now >= request.put_off + (pause - config().unsure(pause))) {
    request.at_once = 0;
    return "";
  }
  const bool within = ++request.at_once <= kMostAtOnce;
  return within ? "" : "it has not paused after the third answer in a row";
}

Duration Repetitions::time_out(const Request& request) const {
  const Duration first = request.reads ? std::min(config().lookup_repeat, config().request_repeat)
                                       : config().request_repeat;
  return first * (std::int64_t{1} << std::min(kMostDoublings, request.silences / kRound));
}

Duration Repetitions::longest_time_out() const {
  const Duration first = std::max(config().lookup_repeat, config().request_repeat);
  const Duration limit = first * (std::int64_t{1} << kMostDoublings);
  return limit + config().unsure(limit);
}

bool Repetitions::was_silent(const Request& request, SimTime now) const {
  if (request.reads && request.changes) return true;
  const Duration limit = time_out(request);
  return now >= request.sent + (limit - config().unsure(limit));
}

bool Repetitions::is_over(const Request& request, SimTime now) const {
  const Duration limit = config().dispatcher_lookup_timeout;
  return !request.changes && now > request.first + (limit + config().unsure(limit));
}

// Reads that got no answer are not sent any more after their deadline.
void Repetitions::sweep(Client& client, SimTime now) {
  if (client.requests.size() < kSweepAt + 2 * client.swept) return;
  boost::unordered::erase_if(client.requests, [&](const auto& entry) {
    const bool over = is_over(entry.second, now);
    if (over) leave(client, entry.second);
    return over;
  });
  client.swept = client.requests.size();
}

void Repetitions::on_answer(const Fact& fact, const RegistryAnswer& answer) {
  Client& client = clients_.of(fact.header());
  note_target(client, fact, answer);
  const auto found = client.requests.find(answer.request);
  if (found == client.requests.end()) return;
  Request& request = found->second;
  // Too late: its reads were given up before.
  if (may_be_silent(request, fact.header().at)) leave(client, request);
  Item* const item = find_open(request, answer.id, answer.token, answer.operation);
  if (item == nullptr) return;
  const bool leaves = trace::is_definitive(answer.code) ||
                      (answer.code == RegistryCode::wrong_shard && has_history());
  if (!leaves) {
    request.put_off = std::min(request.put_off, fact.header().at);
    return;
  }
  if (item->operation == RegistryOperation::insert) client.inserts.erase(key_of(item->token));
  settle(client, answer.request, request, *item);
}

}  // namespace photon::analysis
