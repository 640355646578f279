#include "core_impl/paxos/replica.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon::paxos {

bool Output::has_work() const {
  return !records.empty() || !messages.empty() || !chosen.empty() || mastership.lost ||
         mastership.gained || mastership.lease_moved || offer;
}

void Output::clear() {
  records.clear();
  messages.clear();
  chosen.clear();
  own_accepted.clear();
  mastership = {};
  offer.reset();
  proposed = 0;
}

Replica::Replica(const Config& config, Recovered recovered, MonotonicTime now)
    : config_(config),
      generation_(recovered.generation),
      generations_(recovered.base.generations),
      commit_(recovered.base.through),
      commit_recorded_(recovered.commit),
      handed_(recovered.base.through),
      latest_(now) {
  PHOTON_CHECK(config.replicas >= 1 && config.replicas <= kMaxReplicas, "size of a group");
  PHOTON_CHECK(config.self < config.replicas, "a replica is a member of its group");
  PHOTON_CHECK(config.election_timeout >= config.lease, "an election must find leases expired");
  PHOTON_CHECK(config.election_stagger.count() > 0 && config.heartbeat.count() > 0, "periods");
  PHOTON_CHECK(config.preferred_master < config.replicas, "the preferred master is a member");
  PHOTON_CHECK(config.pipeline_depth >= 1, "a master may have a slot open");
  PHOTON_CHECK(config.catch_up_slots >= 1, "a message carries at least one slot");
  PHOTON_CHECK(generation_ >= kFirstGeneration && generation_ <= kMaxGeneration, "a generation");
  if (generations_.size() == 0) generations_ = Generations(config.replicas);
  PHOTON_CHECK(generations_.size() == config.replicas, "every replica has a generation");
  PHOTON_CHECK(commit_recorded_ >= commit_, "the recorded commit index covers the snapshot");
  const bool fresh = recovered.is_fresh();
  highest_round_seen_ = round_of(recovered.promised);
  acceptor_ = Acceptor(commit_, recovered.promised, std::move(recovered.entries));
  set_commit(recovered.commit);
  // A new group has no master to wait for; an old one may have granted a lease in its former life.
  if (!fresh) {
    PHOTON_MARK("paxos.recovery.lease_assumed");
    grant_.until = now + config.lease;
  }
  role_ = Follower{Ballot{}, now + (fresh ? election_jitter() : election_delay())};
}

void Replica::step(const Input& input, Output& out) {
  PHOTON_CHECK(input.now >= latest_, "a monotonic clock does not go back");
  latest_ = input.now;
  Step step{input.now, out};
  std::visit([&](const auto& event) { on(step, event); }, input.event);
  finish(step);
}

void Replica::on(Step& step, const Persisted& event) {
  PHOTON_CHECK(event.mark >= durable_ && event.mark <= issued_, "marks grow up to what was issued");
  durable_ = event.mark;
  // A released message to this replica itself may withhold or release others: take them first.
  PooledVector<Withheld> ready;
  const auto end = std::ranges::find_if(
      withheld_, [&](const Withheld& waiting) { return waiting.mark > durable_; });
  ready.assign(std::make_move_iterator(withheld_.begin()), std::make_move_iterator(end));
  withheld_.erase(withheld_.begin(), end);
  for (Withheld& waiting : ready) release(step, std::move(waiting.outgoing));
}

void Replica::on(Step& step, const Received& event) {
  if (event.from >= config_.replicas || event.from == config_.self) return;
  std::visit(
      [&](const auto& message) {
        if (message.group == config_.group) handle(step, event.from, message);
      },
      event.message);
}

void Replica::on(Step& step, const Tick&) {
  if (auto* follower = std::get_if<Follower>(&role_)) {
    PHOTON_LIMIT("paxos.election.due", step.now, follower->election_due);
    if (step.now >= follower->election_due) stand_for_election(step);
  } else if (auto* candidate = std::get_if<Candidate>(&role_)) {
    if (step.now < candidate->resend_due) return;
    candidate->resend_due = step.now + config_.heartbeat;
    PHOTON_MARK("paxos.election.prepare_again");
    // Also to those that have promised: one that lost its disk since then must promise again.
    send_when_durable(
        step, config_.others(),
        Prepare{config_.group, candidate->ballot, candidate->from_slot, candidate->released});
  } else {
    master_tick(step, std::get<Master>(role_));
  }
}

void Replica::on(Step& step, const StandForElection&) {
  if (std::holds_alternative<Follower>(role_)) stand_for_election(step);
}

void Replica::on(Step&, const Compact& event) {
  PHOTON_CHECK(event.through <= handed_, "a snapshot covers what was applied");
  acceptor_.compact(event.through);
}

void Replica::on(Step&, const Installed& event) {
  const Slot through = event.snapshot.through;
  if (!can_install(through)) return;
  acceptor_.compact(through);
  generations_ = event.snapshot.generations;
  commit_ = handed_ = commit_recorded_ = through;
}

PooledVector<LogRecord> Replica::carried() {
  PooledVector<LogRecord> records;
  acceptor_.carry(records);
  if (commit_ > acceptor_.base()) records.push_back(LogRecord::commit(commit_));
  commit_recorded_ = commit_;
  // A vote that a later one has replaced is not among them, and is not sent any more.
  const std::size_t dropped = std::erase_if(withheld_, [&](const Withheld& waiting) {
    const auto ballot = [](const auto& message) { return message.ballot; };
    return std::visit(ballot, waiting.outgoing.message) < acceptor_.promised();
  });
  if (dropped > 0) PHOTON_MARK("paxos.rewrite.drops_replaced_vote");
  return records;
}

void Replica::send(Step& step, ReplicaSet to, Message message) {
  if (!to.empty()) step.out.messages.push_back(Outgoing{to, std::move(message)});
}

// Waits for every record issued so far. Waiting for more than strictly needed costs little: records
// of one step are written together, and writes take effect in order anyway. A message that already
// waits is not added again.
void Replica::send_when_durable(Step& step, ReplicaSet to, Message message) {
  if (to.empty()) return;
  Outgoing outgoing{to, std::move(message)};
  if (durable_ == issued_) {
    release(step, std::move(outgoing));
  } else if (std::ranges::find(withheld_, outgoing, &Withheld::outgoing) == withheld_.end()) {
    PHOTON_MARK("paxos.durable.withheld");
    withheld_.push_back(Withheld{issued_, std::move(outgoing)});
  } else {
    PHOTON_MARK("paxos.durable.waits_already");
  }
}

// A message of a replica to itself takes the same path as every other, without the network.
void Replica::release(Step& step, Outgoing outgoing) {
  const ReplicaSet self = ReplicaSet::only(config_.self);
  if (!outgoing.to.contains(config_.self)) {
    step.out.messages.push_back(std::move(outgoing));
    return;
  }
  PHOTON_CHECK(outgoing.to == self, "a message to oneself is not a broadcast");
  if (const auto* accepted = std::get_if<Accepted>(&outgoing.message)) {
    step.out.own_accepted.push_back(*accepted);
  }
  std::visit([&](const auto& message) { handle(step, config_.self, message); }, outgoing.message);
}

void Replica::set_commit(Slot commit) {
  PHOTON_CHECK(commit >= commit_, "what is chosen stays chosen");
  while (commit_ < commit) {
    ++commit_;
    if (const auto admission = admission_in(acceptor_.entry(commit_).value)) admit(*admission);
  }
}

void Replica::admit(const Admission& admission) {
  if (!generations_.admit(admission)) {
    // An admission is proposed when it is newer and nothing is open: none is chosen twice.
    PHOTON_MARK("paxos.admission.outdated");
    return;
  }
  PHOTON_MARK("paxos.admission.in_force");
}

void Replica::hand_out(Step& step) {
  for (; handed_ < commit_; ++handed_) {
    const LogEntry& entry = acceptor_.entry(handed_ + 1);
    PHOTON_CHECK(entry.ballot != Ballot{}, "a chosen slot has its value in the log");
    step.out.chosen.push_back(Chosen{handed_ + 1, entry.value});
  }
}

void Replica::finish(Step& step) {
  consider_admission(step);
  consider_handover(step);
  hand_out(step);
  if (auto* master = std::get_if<Master>(&role_)) {
    const bool leased = config_.lease == Duration{} || step.now < master->lease_until;
    if (master->serving == Serving::no && handed_ >= master->barrier && leased) {
      master->serving = Serving::yes;
      step.out.mastership.gained = master->ballot;
      step.out.mastership.gained_applied = handed_;
    }
  }
  // The recorded commit index saves a restarted replica some requests. It is written together with
  // records that must be written anyway; nothing waits for it alone.
  if (!step.out.records.empty()) record_commit(step);
  step.out.mark = issued_;
  check_state(step.out);
}

// What holds between two steps, by this replica's own state alone.
void Replica::check_state(const Output& out) const {
  PHOTON_CHECK(out.records.size() <= issued_, "every record of a step is numbered");
  PHOTON_CHECK(durable_ <= issued_, "only issued records become durable");
  PHOTON_CHECK(commit_recorded_ <= commit_, "the log records no more slots than are chosen");
  PHOTON_CHECK(acceptor_.base() <= handed_, "entries are removed after they are applied");
  PHOTON_CHECK(generations_.size() == config_.replicas, "every replica has a generation");
  PHOTON_CHECK(withheld_.empty() || withheld_.front().mark > durable_,
               "a message waits for its records, no longer");
  PHOTON_CHECK(withheld_.empty() || withheld_.back().mark <= issued_,
               "a message waits for records that were issued");
  if (const auto* candidate = std::get_if<Candidate>(&role_)) {
    PHOTON_CHECK(owner_of(candidate->ballot) == config_.self, "a candidate owns its ballot");
    PHOTON_CHECK(candidate->ballot == acceptor_.promised(), "a candidate keeps its own promise");
    PHOTON_CHECK(candidate->promises.size() <= config_.replicas, "only members promise");
  } else if (const auto* master = std::get_if<Master>(&role_)) {
    PHOTON_CHECK(owner_of(master->ballot) == config_.self, "a master owns its ballot");
    PHOTON_CHECK(master->ballot == acceptor_.promised(), "a master keeps its own promise");
    PHOTON_CHECK(master->catch_up.size() == config_.replicas, "a master knows every replica");
  }
}

MonotonicTime Replica::next_wakeup() const {
  if (const auto* follower = std::get_if<Follower>(&role_)) return follower->election_due;
  if (const auto* candidate = std::get_if<Candidate>(&role_)) return candidate->resend_due;
  const auto& master = std::get<Master>(role_);
  if (config_.lease == Duration{}) return master.heartbeat_due;
  const auto end = master.serving == Serving::yes ? master.lease_until : master.serving_due;
  return std::min(master.heartbeat_due, end);
}

Duration Replica::election_delay() const { return config_.election_timeout + election_jitter(); }

Duration Replica::election_jitter() const {
  const std::uint32_t rank =
      (config_.self + config_.replicas - config_.preferred_master) % config_.replicas;
  const std::uint64_t word = mix((highest_round_seen_ << kIndexBits) | config_.self);
  const auto spread = word % static_cast<std::uint64_t>(config_.election_stagger.count());
  return config_.election_stagger * rank + Duration(static_cast<std::int64_t>(spread));
}

bool Replica::has_authority(MonotonicTime now) const {
  const auto* master = std::get_if<Master>(&role_);
  return master != nullptr && master->serving == Serving::yes && now < master->lease_until;
}

bool Replica::can_propose(MonotonicTime now) const {
  const auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || master->serving == Serving::no) return false;
  if (config_.lease != Duration{}) {
    PHOTON_LIMIT("paxos.propose.lease_end", now, master->lease_until);
  }
  if (config_.lease != Duration{} && now >= master->lease_until) {
    PHOTON_MARK("paxos.propose.lease_over");
    return false;
  }
  if (master->handover.pending()) {
    PHOTON_MARK("paxos.propose.handover_pending");
    return false;
  }
  // Nothing may be open when an admission is proposed, and nothing follows it while it is.
  if (may_admit(*master) || open_admission()) {
    PHOTON_MARK("paxos.propose.admission_first");
    return false;
  }
  const bool room = master->open.size() < config_.pipeline_depth;
  // Servers count what they have proposed themselves, before they ask.
  if (!room) PHOTON_MARK("paxos.propose.pipeline_full");
  return room;
}

ReplicaIndex Replica::master_hint() const {
  if (std::holds_alternative<Master>(role_)) return config_.self;
  const auto* follower = std::get_if<Follower>(&role_);
  if (follower == nullptr || follower->following == Ballot{}) {
    PHOTON_MARK("paxos.hint.unknown");
    return kNoReplica;
  }
  PHOTON_CHECK(owner_of(follower->following) < config_.replicas, "the believed master is a member");
  return owner_of(follower->following);
}

void Replica::encode_state(Encoder& encoder) const {
  encoder(config_.self, generation_, generations_, acceptor_, narrow<std::uint8_t>(role_.index()));
  std::visit([&](const auto& role) { encoder(role); }, role_);
  encoder(grant_, commit_, commit_recorded_, handed_, issued_, durable_, highest_round_seen_,
          latest_, narrow<std::uint32_t>(withheld_.size()));
  for (const Withheld& waiting : withheld_) waiting.encode(encoder);
}

}  // namespace photon::paxos
