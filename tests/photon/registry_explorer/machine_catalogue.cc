#include "tests/photon/registry_explorer/machine_catalogue.h"

#include <algorithm>
#include <utility>

namespace photon::testing {
namespace {

constexpr std::size_t kSecondRecords = 100'000;  // kept

bool is_judged(const Flying& flying) {
  return std::holds_alternative<paxos::Promise>(flying.message) ||
         std::holds_alternative<paxos::Accept>(flying.message) ||
         std::holds_alternative<paxos::Accepted>(flying.message);
}

}  // namespace

MachineNumber MachineCatalogue::initial(paxos::ReplicaIndex self) {
  const ExploredServer server(self, bounds_);
  return enter(server, self, static_cast<MachineNumber>(machines_.size()), 0);
}

const ServerOutcome& MachineCatalogue::happen(MachineNumber from, Event event) {
  const std::uint64_t key = (std::uint64_t{from} << 32U) | event;
  const auto place = outcomes_by_event_.find(key);
  if (place != outcomes_by_event_.end()) return outcomes_[place->second];
  const auto server = make(machines_[from].self, record_of(from));
  ServerOutcome outcome = outcome_of(*server, from, event);
  outcomes_by_event_.emplace(key, static_cast<std::uint32_t>(outcomes_.size()));
  outcomes_.push_back(std::move(outcome));
  return outcomes_.back();
}

std::vector<Event> MachineCatalogue::record_of(MachineNumber number) const {
  std::vector<Event> record;
  for (; machines_[number].before != number; number = machines_[number].before) {
    record.push_back(machines_[number].event);
  }
  std::ranges::reverse(record);
  return record;
}

void MachineCatalogue::feed(ExploredServer& server, Event event) {
  const bool delivery = (event & kEventKind) == kDeliver;
  server.happen(event, delivery ? &messages_[event].flying : nullptr);
  ++replayed_;
}

std::unique_ptr<ExploredServer> MachineCatalogue::make(paxos::ReplicaIndex self,
                                                       const std::vector<Event>& record) {
  auto server = std::make_unique<ExploredServer>(self, bounds_);
  for (const Event event : record) feed(*server, event);
  return server;
}

ServerOutcome MachineCatalogue::outcome_of(ExploredServer& server, MachineNumber before,
                                           Event event) {
  feed(server, event);
  ServerOutcome outcome;
  for (Flying& flying : server.sent) {
    const auto number = static_cast<FlyingNumber>(messages_.size());
    const auto [place, fresh] = messages_by_hash_.emplace(flying.hash, number);
    outcome.sent.push_back(place->second);
    if (!fresh) continue;
    const bool judged = is_judged(flying);
    messages_.push_back({std::move(flying), judged});
  }
  std::ranges::sort(outcome.sent);
  outcome.sent.erase(std::unique(outcome.sent.begin(), outcome.sent.end()), outcome.sent.end());
  for (SentReply& reply : server.replies) {
    const auto number = static_cast<ReplyNumber>(replies_.size());
    const std::uint64_t hash = combine(reply.hash, reply.applied);
    const auto [place, fresh] = replies_by_hash_.emplace(hash, number);
    outcome.replies.push_back(place->second);
    if (fresh) replies_.push_back(std::move(reply));
  }
  outcome.machine = enter(server, machines_[before].self, before, event);
  return outcome;
}

MachineNumber MachineCatalogue::enter(const ExploredServer& server, paxos::ReplicaIndex self,
                                      MachineNumber before, Event event) {
  const std::uint64_t hash = server.hash();
  const auto number = static_cast<MachineNumber>(machines_.size());
  const auto [place, fresh] = machines_by_hash_.emplace(hash, number);
  if (fresh) {
    machines_.push_back({self, before, event, hash, server.evidence(), moves_of(server, self)});
  } else if (second_.size() < kSecondRecords) {
    // Also where the event seems to change nothing: it may change what is not in the hash.
    second_.push_back({place->second, before, event});
  }
  return place->second;
}

std::vector<Event> MachineCatalogue::moves_of(const ExploredServer& server,
                                              paxos::ReplicaIndex self) const {
  std::vector<Event> moves;
  const std::uint32_t warm_up = self == 0 ? 1 : 0;  // its first election
  if (server.ticks() < bounds_.ticks[self] + warm_up && server.timer_due()) moves.push_back(kTick);
  if (server.writing()) moves.push_back(kPersist);
  const bool crashes = bounds_.crashes > 0 && ((bounds_.may_crash >> self) & 1U) != 0;
  if (crashes) moves.push_back(kCrash);
  if (crashes && server.writing()) moves.push_back(kCrashWritten);
  return moves;
}

std::optional<std::size_t> MachineCatalogue::audit(std::size_t pairs) {
  std::vector<std::uint64_t> keys;
  for (const auto& [key, outcome] : outcomes_by_event_) keys.push_back(key);
  std::ranges::sort(keys);
  std::size_t compared = 0;
  const std::vector<SecondRecord> records = second_;
  const std::size_t step =
      std::max<std::size_t>(1, records.size() / std::max<std::size_t>(1, pairs));
  for (std::size_t i = 0; i < records.size(); i += step) {
    const SecondRecord& second = records[i];
    std::vector<Event> record = record_of(second.before);
    record.push_back(second.event);
    const std::uint64_t low = std::uint64_t{second.machine} << 32U;
    for (auto key = std::ranges::lower_bound(keys, low);
         key != keys.end() && *key >> 32U == second.machine; ++key) {
      const auto server = make(machines_[second.machine].self, record);
      const auto event = static_cast<Event>(*key);
      const ServerOutcome outcome = outcome_of(*server, second.machine, event);
      if (outcome != outcomes_[outcomes_by_event_.find(*key)->second]) return std::nullopt;
      ++compared;
    }
  }
  return compared;
}

}  // namespace photon::testing
