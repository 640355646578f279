#include "tests/paxos/explored_machine.h"

#include <utility>

#include <fmt/format.h>

#include "core_impl/base/hash.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

Config config_of(ReplicaIndex index, const Bounds& bounds) {
  Config config;
  config.self = index;
  config.replicas = kExplored;
  config.lease = Duration{};
  config.pipeline_depth = bounds.pipeline_depth;
  return config;
}

}  // namespace

Machine::Machine(ReplicaIndex self, const Bounds& bounds)
    : self_(self),
      bounds_(&bounds),
      replica_(config_of(self, bounds), Recovered{}, MonotonicTime{}) {}

std::vector<Move> Machine::moves() const {
  std::vector<Move> moves;
  if (!writing_.empty()) moves.push_back(Move::persist_all);
  if (writing_.size() > 1) moves.push_back(Move::persist_first);
  if (bounds_->crashes > 0) moves.push_back(Move::crash);
  if (losses_ < bounds_->losses[self_]) moves.push_back(Move::lose_disk);
  if (snapshots_ < bounds_->snapshots[self_] && replica_.applied() > replica_.base()) {
    moves.push_back(Move::compact);
  }
  if (elections_ < bounds_->elections[self_] && std::holds_alternative<Follower>(replica_.role())) {
    moves.push_back(Move::campaign);
  }
  if (proposals_ < bounds_->proposals[self_] && replica_.can_propose(MonotonicTime{})) {
    moves.push_back(Move::propose);
  }
  return moves;
}

void Machine::deliver(const Flying& flying, const SnapshotHandle& of_sender,
                      std::vector<Flying>& sent) {
  sent_ = &sent;
  of_sender_ = of_sender;
  feed(Received{flying.from, flying.message});
  of_sender_ = nullptr;
}

void Machine::make(Move move, std::vector<Flying>& sent) {
  sent_ = &sent;
  switch (move) {
    case Move::persist_all:
      return write(writing_.size());
    case Move::persist_first:
      return write(1);
    case Move::crash:
      return restart();
    case Move::lose_disk:
      generation_ = Generation(++losses_ + kFirstGeneration.value());
      durable_.clear();
      base_ = 0;
      snapshot_ = nullptr;
      return restart();
    case Move::compact:
      return compact();
    case Move::campaign:
      ++elections_;
      return feed(StandForElection{});
    case Move::propose:
      return feed(Propose{command(fmt::format("{}{}", char('a' + self_), ++proposals_))});
  }
}

std::uint64_t Machine::hash() const {
  Bytes bytes;
  bytes.reserve(2048);
  Encoder encoder(bytes);
  replica_.encode_state(encoder);
  encoder(generation_, base_, elections_, proposals_, losses_, snapshots_);
  // What a crash would restore, and what it would lose.
  for (const auto* records : {&durable_, &writing_}) {
    encoder(static_cast<std::uint32_t>(records->size()));
    for (const LogRecord& record : *records) encoder(record);
  }
  encoder(static_cast<std::uint32_t>(applied_.size()));
  for (const std::uint64_t value : applied_) encoder(value);
  if (snapshot_) {
    encoder(snapshot_->point);
    for (const std::uint64_t value : snapshot_->applied) encoder(value);
  }
  return hash_bytes(bytes);
}

template <class Event>
void Machine::feed(Event event) {
  Output out;
  replica_.step(Input{MonotonicTime{}, std::move(event)}, out);
  writing_.insert(writing_.end(), out.records.begin(), out.records.end());
  for (const Accepted& own : out.own_accepted) send_to(self_, own);
  for (const Outgoing& outgoing : out.messages) send(outgoing);
  for (const Chosen& chosen : out.chosen) applied_.push_back(chosen.value.hash());
  if (out.offer) install(*out.offer);
  if (bounds_->writes == Writes::at_once && !writing_.empty()) write(writing_.size());
}

void Machine::send(const Outgoing& outgoing) {
  if (std::holds_alternative<Heartbeat>(outgoing.message) ||
      std::holds_alternative<Reject>(outgoing.message)) {
    return;
  }
  for (ReplicaIndex to = 0; to < kExplored; ++to) {
    if (outgoing.to.contains(to)) send_to(to, outgoing.message);
  }
}

void Machine::send_to(ReplicaIndex to, const Message& message) {
  Bytes bytes;
  Encoder encoder(bytes);
  encode_message(message, encoder);
  const std::uint64_t hash = hash_bytes(bytes, std::uint64_t{self_} * kExplored + to + 1);
  sent_->push_back(Flying{self_, to, message, hash});
}

void Machine::write(std::size_t count) {
  const auto end = writing_.begin() + static_cast<std::ptrdiff_t>(count);
  durable_.insert(durable_.end(), writing_.begin(), end);
  writing_.erase(writing_.begin(), end);
  durable_in_life_ += count;
  feed(Persisted{durable_in_life_});
}

void Machine::rewrite_log() {
  const auto records = replica_.carried();
  durable_.assign(records.begin(), records.end());
  base_ = replica_.base();
  durable_in_life_ += writing_.size();
  writing_.clear();
  feed(Persisted{durable_in_life_});
}

void Machine::install(const Offered&) {
  const SnapshotHandle there = of_sender_;
  if (!there || !replica_.can_install(there->point.through)) return;
  snapshot_ = there;
  applied_ = there->applied;
  feed(Installed{there->point});
  rewrite_log();
}

// A snapshot becomes durable, and at once the log that begins after it.
void Machine::compact() {
  ++snapshots_;
  const SnapshotPoint point{applied_.size(), replica_.generations()};
  snapshot_ = std::make_shared<const Snapshot>(Snapshot{point, applied_});
  feed(Compact{point.through});
  rewrite_log();
}

void Machine::restart() {
  writing_.clear();
  durable_in_life_ = 0;
  Recovered recovered = Recovered::above(base_);
  for (const LogRecord& record : durable_) REQUIRE(recovered.absorb(record));
  recovered.generation = generation_;
  applied_.clear();
  if (snapshot_) {
    recovered.install(snapshot_->point);
    applied_ = snapshot_->applied;
  }
  replica_ = Replica(config_of(self_, *bounds_), std::move(recovered), MonotonicTime{});
  // Hand out what is known; a tick would stand for election by time, which is frozen here.
  feed(Persisted{0});
}

}  // namespace photon::paxos::testing
