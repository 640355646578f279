#include "tests/paxos/cluster.h"

#include <algorithm>

#include "core_impl/base/hash.h"

namespace photon::paxos::testing {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::uint32_t kAnyLife = 0xffffffff;
constexpr std::uint32_t kDriftPpm = 20'000;  // far worse than real clocks, so that it shows

}  // namespace

Cluster::Cluster(const WorldOptions& options)
    : options_(options),
      nodes_(options.replicas),
      cut_(options.replicas),
      ledger_(options.replicas) {
  for (ReplicaIndex index = 0; index < options.replicas; ++index) {
    Node& node = nodes_[index];
    node.rate_ppm = static_cast<std::int64_t>(draw(2 * kDriftPpm + 1)) - kDriftPpm;
    node.offset = static_cast<std::int64_t>(draw(1'000'000'000'000));
    restart(index);
  }
}

Config Cluster::config_of(ReplicaIndex index) const {
  Config config;
  config.group = ShardId(7);
  config.self = index;
  config.replicas = options_.replicas;
  config.pipeline_depth = options_.pipeline_depth;
  config.drift_ppm = kDriftPpm;
  config.catch_up_slots = 4;
  config.return_after = options_.return_after;
  return config;
}

std::uint64_t Cluster::draw(std::uint64_t below) {
  return mix(combine(mix(options_.seed), ++draws_)) % below;
}

MonotonicTime Cluster::local(const Node& node) const {
  const std::int64_t t = now_.count();
  return from_nanoseconds<MonotonicTime>(node.offset + t + t * node.rate_ppm / kMillion);
}

Duration Cluster::true_time_of(const Node& node, MonotonicTime time) const {
  // Rounded up: a timer never fires early.
  const std::int64_t t = nanoseconds_of(time) - node.offset;
  return Duration(t * kMillion / (kMillion + node.rate_ppm) + 2);
}

void Cluster::after(Duration delay, ReplicaIndex node, std::function<void()> act) {
  events_.emplace(std::pair(now_ + delay, ++ordinal_),
                  Event{node, nodes_[node].life, std::move(act)});
}

void Cluster::run_until(Duration until) {
  while (!events_.empty() && events_.begin()->first.first <= until) {
    auto handle = events_.extract(events_.begin());
    now_ = handle.key().first;
    const Event& event = handle.mapped();
    if (event.life == kAnyLife || nodes_[event.node].life == event.life) event.act();
    check_authority();
    if (!violation().empty()) return;
  }
  now_ = until;
}

void Cluster::feed(ReplicaIndex index, Input&& input) {
  Node& node = nodes_[index];
  ++steps_;
  Output out;
  const auto* candidate = std::get_if<Candidate>(&node.replica->role());
  const bool released = candidate != nullptr && candidate->released != Ballot{};
  node.replica->step(input, out);
  if (released && std::holds_alternative<Master>(node.replica->role())) ++handovers_;
  node.waiting.insert(node.waiting.end(), out.records.begin(), out.records.end());
  node.waiting_mark = out.mark;
  for (const Accepted& own : out.own_accepted) ledger_.accepted(index, own);
  for (const Outgoing& outgoing : out.messages) post(index, outgoing);
  for (const Chosen& chosen : out.chosen) {
    ledger_.applied(index, chosen.slot, chosen.value.hash());
    node.applied.push_back(text_of(chosen.value));
  }
  if (out.offer) fetch(index, *out.offer);
  if (out.mastership.gained) {
    ++elections_;
    // B-13: everything chosen before this moment at a lower ballot has been applied.
    if (!ledger_.chosen().empty() && ledger_.chosen().rbegin()->first > node.applied.size()) {
      authority_violation_ = fmt::format("master {} serves at slot {} before slot {}", index,
                                         node.applied.size(), ledger_.chosen().rbegin()->first);
    }
  }
  start_write(index);
  arm(index);
}

void Cluster::post(ReplicaIndex from, const Outgoing& outgoing) {
  if (on_send) on_send(from, outgoing);
  ledger_.sent(from, outgoing.message);
  for (ReplicaIndex to = 0; to < options_.replicas; ++to) {
    if (!outgoing.to.contains(to)) continue;
    if (draw(100) < options_.duplicate_percent) deliver_later(from, to, outgoing.message);
    if (draw(100) < options_.loss_percent) continue;
    deliver_later(from, to, outgoing.message);
  }
}

void Cluster::deliver_later(ReplicaIndex from, ReplicaIndex to, const Message& message) {
  if (cut_[from].contains(to)) return;
  // Mostly prompt, sometimes very late: also after a restart of either end.
  const auto most = static_cast<std::uint64_t>(options_.most_delay.count());
  const std::uint64_t delay = draw(50) == 0 ? draw(40 * most) : draw(most);
  // Not bound to a life of the receiver: it may have restarted meanwhile.
  const Duration at = now_ + Duration(static_cast<std::int64_t>(delay) + 1);
  events_.emplace(std::pair(at, ++ordinal_),
                  Event{to, kAnyLife, [this, from, to, message] {
                          if (!is_up(to)) return;
                          feed(to, Input{local(nodes_[to]), Received{from, message}});
                        }});
}

void Cluster::start_write(ReplicaIndex index) {
  Node& node = nodes_[index];
  if (!node.writing.empty()) return;
  if (node.rewrite == Rewrite::requested) {
    // Covers everything issued so far, so waiting records need no separate write.
    const auto records = node.replica->carried();
    node.writing.assign(records.begin(), records.end());
    node.writing_base = node.replica->base();
    node.waiting.clear();
    node.rewrite = Rewrite::under_way;
    if (node.writing.empty()) written(index);  // only the base, which is not acknowledged
  } else {
    std::swap(node.writing, node.waiting);
  }
  if (node.writing.empty()) return;
  node.writing_mark = node.waiting_mark;
  const auto most = static_cast<std::uint64_t>(options_.most_write.count());
  after(Duration(static_cast<std::int64_t>(draw(most)) + 1), index, [this, index] {
    written(index);
    feed(index, Input{local(nodes_[index]), Persisted{nodes_[index].writing_mark}});
  });
}

void Cluster::written(ReplicaIndex index) {
  Node& node = nodes_[index];
  if (node.rewrite == Rewrite::under_way) {
    node.base = node.writing_base;
    node.durable.clear();
    node.rewrite = Rewrite::no;
  }
  node.durable.insert(node.durable.end(), node.writing.begin(), node.writing.end());
  node.writing.clear();
}

void Cluster::snapshot(ReplicaIndex index) {
  const Node& node = nodes_[index];
  if (!node.replica || node.applied.empty()) return;
  const auto taken = std::make_shared<const Snapshot>(
      Snapshot{SnapshotPoint{node.applied.size(), node.replica->generations()}, node.applied});
  const auto most = static_cast<std::uint64_t>(options_.most_write.count());
  after(Duration(static_cast<std::int64_t>(draw(20 * most)) + 1), index, [this, index, taken] {
    keep_snapshot(index, taken);
    if (nodes_[index].replica->base() >= taken->point.through) return;
    ++compactions_;
    nodes_[index].rewrite = Rewrite::requested;
    feed(index, Input{local(nodes_[index]), Compact{taken->point.through}});
  });
}

void Cluster::keep_snapshot(ReplicaIndex index, const SnapshotHandle& snapshot) {
  SnapshotHandle& kept = nodes_[index].snapshot;
  if (!kept || kept->point.through < snapshot->point.through) kept = snapshot;
}

// The snapshot travels, is written, and only then installed; anything may happen meanwhile.
void Cluster::fetch(ReplicaIndex index, const Offered& offer) {
  const SnapshotHandle& there = nodes_[offer.from].snapshot;
  if (!there || there->point.through < offer.through || cut_[offer.from].contains(index)) return;
  const auto most = static_cast<std::uint64_t>(options_.most_delay.count());
  const auto travel = Duration(static_cast<std::int64_t>(draw(4 * most)) + 1);
  after(travel, index, [this, index, there] {
    keep_snapshot(index, there);
    const auto write = Duration(
        static_cast<std::int64_t>(draw(static_cast<std::uint64_t>(options_.most_write.count()))));
    after(write, index, [this, index, there] { install(index, there); });
  });
}

void Cluster::install(ReplicaIndex index, const SnapshotHandle& snapshot) {
  Node& node = nodes_[index];
  if (!node.replica->can_install(snapshot->point.through)) return;
  ++installations_;
  node.applied = snapshot->applied;
  ledger_.installed(index, snapshot->point);
  node.rewrite = Rewrite::requested;
  feed(index, Input{local(node), Installed{snapshot->point}});
}

void Cluster::arm(ReplicaIndex index) {
  Node& node = nodes_[index];
  const MonotonicTime due = node.replica->next_wakeup();
  const Duration at = std::max(true_time_of(node, due), now_ + Duration(1));
  if (node.tick_at && *node.tick_at <= at) return;
  node.tick_at = at;
  after(at - now_, index, [this, index] {
    nodes_[index].tick_at.reset();
    feed(index, Input{local(nodes_[index]), Tick{}});
  });
}

void Cluster::crash(ReplicaIndex index) {
  Node& node = nodes_[index];
  if (!node.replica) return;
  if (node.rewrite == Rewrite::under_way) {
    if (draw(2) == 0) written(index);  // a new log counts only if all of it is there
  } else {
    const std::uint64_t kept = draw(node.writing.size() + 1);
    node.durable.insert(node.durable.end(), node.writing.begin(),
                        node.writing.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  node.writing.clear();
  node.waiting.clear();
  node.rewrite = Rewrite::no;
  node.replica.reset();
  node.tick_at.reset();
  ++node.life;
}

void Cluster::lose_disk(ReplicaIndex index) {
  crash(index);
  Node& node = nodes_[index];
  node.durable.clear();
  node.base = 0;
  node.snapshot = nullptr;
  node.generation = Generation(node.life + 1);
}

void Cluster::restart(ReplicaIndex index) {
  Node& node = nodes_[index];
  if (node.replica) return;
  if (node.life == 0) node.life = 1;
  // A new life reads a clock unrelated to the old one's.
  node.offset = static_cast<std::int64_t>(draw(1'000'000'000'000));
  Recovered recovered = Recovered::above(node.base);
  for (const LogRecord& record : node.durable) {
    if (!recovered.absorb(record)) authority_violation_ = "a replica wrote an impossible record";
  }
  recovered.generation = node.generation;
  node.applied.clear();
  if (node.snapshot) {
    if (node.base < node.snapshot->point.through) node.rewrite = Rewrite::requested;
    recovered.install(node.snapshot->point);
    node.applied = node.snapshot->applied;
  }
  node.waiting_mark = 0;
  ledger_.restarted(index, node.applied.size());
  node.replica.emplace(config_of(index), std::move(recovered), local(node));
  feed(index, Input{local(node), Tick{}});
}

void Cluster::heal_links() {
  for (ReplicaSet& set : cut_) set = {};
}

void Cluster::stop_faults() {
  options_.loss_percent = 0;
  options_.duplicate_percent = 0;
}

void Cluster::hand_over(ReplicaIndex to) {
  for (ReplicaIndex index = 0; index < options_.replicas; ++index) {
    if (is_up(index)) feed(index, Input{local(nodes_[index]), HandOver{to}});
  }
}

bool Cluster::propose(ReplicaIndex index, std::string_view text) {
  Node& node = nodes_[index];
  if (!node.replica || !node.replica->can_propose(local(node))) return false;
  feed(index, Input{local(node), Propose{command(text)}});
  return true;
}

std::optional<ReplicaIndex> Cluster::master() const {
  for (ReplicaIndex index = 0; index < options_.replicas; ++index) {
    const Node& node = nodes_[index];
    if (node.replica && node.replica->has_authority(local(node))) return index;
  }
  return std::nullopt;
}

// B-11: an overlap of two authorities begins with an event, so a check after each event detects it.
void Cluster::check_authority() {
  int masters = 0;
  for (const Node& node : nodes_) {
    if (node.replica && node.replica->has_authority(local(node))) ++masters;
  }
  if (masters > 1 && authority_violation_.empty()) {
    authority_violation_ = fmt::format("{} masters at {} ns", masters, now_.count());
  }
}

std::string Cluster::violation() const {
  return ledger_.violation().empty() ? authority_violation_ : ledger_.violation();
}

}  // namespace photon::paxos::testing
