#include "analysis/oracles/j_p7_requests_answered.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

std::span<const Interest> RequestsAnswered::kinds() const {
  static constexpr Interest kKinds[] = {
      delivered(trace::Kind::registry_ask), sent(trace::Kind::registry_answer),
      trace::Kind::batch_proposed,          trace::Kind::slot_applied,
      trace::Kind::master_elected,          trace::Kind::master_ended,
      trace::Kind::process_crashed};
  return config().answer_bound > Duration::zero() ? std::span(kKinds) : std::span<const Interest>();
}

void RequestsAnswered::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  if (header.kind == trace::Kind::process_crashed) {
    check_due(header.node, servers_[header.node]);
    servers_[header.node] = Server{};
    return;
  }
  Server& server = servers_.of(header);
  if (header.at > server.due) check_due(header.node, server);
  switch (header.kind) {
    case trace::Kind::registry_ask:
      return on_ask(fact, server);
    case trace::Kind::registry_answer:
      return on_answer(fact, server);
    case trace::Kind::batch_proposed: {
      const auto& batch = fact.as<trace::BatchProposed>();
      if (batch.queued_after == 0) server.batches.push_back({batch.slot, server.arrived});
      return;
    }
    case trace::Kind::slot_applied:
      return on_applied(fact, server);
    case trace::Kind::master_elected:
      server.master = true;
      return;
    default:  // master_ended
      server.master = false;
      server.batches.clear();
      return demand(server, header.at, server.arrived, "its mastership ended");
  }
}

void RequestsAnswered::on_ask(const Fact& fact, Server& server) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const trace::Header& header = fact.header();
  const bool queues = ask.lookups == trace::LookupMode::queue_ordered ||
                      ask.operation != trace::RegistryOperation::lookup;
  const RequestKey key{header.peer, ask.request};
  const auto [found, fresh] = server.open.try_emplace(key, server.arrived + 1);
  if (!fresh) {
    Request& request = server.requests[found->second - server.requests.front().number];
    request.queues = request.queues || (queues && request.at == header.at);
    return;
  }
  oblige();
  server.requests.push_back({key, ++server.arrived, header.at, ask.id, ask.shard, queues, true});
  const bool waits = server.master && queues;
  if (!waits) {
    server.due = header.at;
    server.at_once.push_back(server.arrived);
    return;
  }
  check_time(header.node, server, header.at);
}

void RequestsAnswered::on_answer(const Fact& fact, Server& server) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  const auto found = server.open.find({fact.header().peer, answer.request});
  if (found == server.open.end()) return;
  const std::uint64_t number = found->second;
  Request& answered = server.requests[number - server.requests.front().number];
  // A look-up that does not wait says nothing about the queue.
  const bool at_once = answer.lookups != trace::LookupMode::queue_ordered &&
                       answer.operation == trace::RegistryOperation::lookup;
  const bool in_turn = trace::is_definitive(answer.code) && !at_once;
  close(server, answered);
  forget_answered(server);
  if (!in_turn) return;
  for (Request& request : server.requests) {
    if (request.number >= number) break;
    if (request.open && request.queues) {
      accuse(fact.header().node, server, request, "a later one was answered");
    }
  }
  forget_answered(server);
}

void RequestsAnswered::on_applied(const Fact& fact, Server& server) {
  const std::uint64_t slot = fact.as<trace::SlotApplied>().slot;
  while (!server.batches.empty() && server.batches.front().slot <= slot) {
    const Batch batch = server.batches.front();
    server.batches.pop_front();
    if (batch.slot == slot) {
      demand(server, fact.header().at, batch.last, "the batch that held it was applied");
    }
  }
}

void RequestsAnswered::demand(Server& server, SimTime at, std::uint64_t last,
                              std::string_view reason) {
  if (server.requests.empty() || server.requests.front().number > last) return;
  server.due = at;
  server.due_last = std::max(server.due_last, last);
  server.reason = reason;
}

// That moment is over.
void RequestsAnswered::check_due(NodeId node, Server& server) {
  if (server.due == kNever) return;
  server.due = kNever;
  for (Request& request : server.requests) {
    if (request.number > server.due_last) break;
    if (request.open) accuse(node, server, request, server.reason);
  }
  for (const std::uint64_t number : server.at_once) {
    if (server.requests.empty() || number < server.requests.front().number) continue;
    Request& request = server.requests[number - server.requests.front().number];
    const bool queued = server.master && request.queues;
    if (request.open && !queued) accuse(node, server, request, "it had no reason to wait");
  }
  server.at_once.clear();
  forget_answered(server);
}

void RequestsAnswered::check_time(NodeId node, Server& server, SimTime now) {
  if (server.requests.empty()) return;
  Request& first = server.requests.front();
  const auto master = ledgers_.shards.master_of(first.shard);
  if (!master || master->node != node) return;
  const SimTime since = std::max(first.at, master->since);
  if (between(since, now) <= config().answer_bound) return;
  accuse(node, server, first, "its master was undisturbed");
  forget_answered(server);
}

void RequestsAnswered::accuse(NodeId node, Server& server, Request& request,
                              std::string_view reason) {
  report_at_end(
      node, request.id,
      fmt::format("request {} of {} to shard {}, delivered at {}, has no answer, although "
                  "{}",
                  request.key.request, process(request.key.client), request.shard.value(),
                  describe(request.at), reason));
  close(server, request);
}

void RequestsAnswered::close(Server& server, Request& request) {
  request.open = false;
  server.open.erase(request.key);
}

void RequestsAnswered::forget_answered(Server& server) {
  while (!server.requests.empty() && !server.requests.front().open) server.requests.pop_front();
}

void RequestsAnswered::finish(Liveness liveness) {
  if (liveness == Liveness::exempt) return;
  const std::uint64_t nodes = config().replicas.size();
  for (std::uint64_t i = 0; i < nodes; ++i) {
    const NodeId node = config().replicas[i];
    Server& server = servers_[node];
    if (now() > server.due) check_due(node, server);
    check_time(node, server, now());
  }
}

}  // namespace photon::analysis
