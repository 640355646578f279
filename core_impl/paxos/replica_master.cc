// The replica as candidate and master.
#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/paxos/replica.h"

namespace photon::paxos {

void Replica::stand_for_election(Step& step, Ballot released) {
  step_down(step);
  release_grant(released);
  if (grant_.forbids(config_.self, step.now)) {
    PHOTON_MARK("paxos.election.own_grant_runs");
    role_ = Follower{Ballot{}, grant_.until};
    return;
  }
  // A disk that has no vote does not stand for election.
  if (!generations_.in_force(config_.self, generation_)) {
    PHOTON_MARK("paxos.election.no_vote");
    role_ = Follower{Ballot{}, step.now + election_delay()};
    return;
  }
  const std::uint64_t round = std::max(highest_round_seen_, round_of(acceptor_.promised())) + 1;
  const Ballot ballot = make_ballot(round, config_.self, generation_);
  PHOTON_CHECK(ballot > acceptor_.promised(), "a new ballot is above every promise");
  role_ = Candidate{ballot, commit_ + 1, 0, {}, step.now + config_.heartbeat, {}, released};
  const Prepare prepare{config_.group, ballot, commit_ + 1, released};
  handle(step, config_.self, prepare);  // its own promise first, and durable first
  send_when_durable(step, config_.others(), prepare);
}

void Replica::handle(Step& step, ReplicaIndex from, const Promise& message) {
  auto* candidate = std::get_if<Candidate>(&role_);
  if (candidate == nullptr || candidate->ballot != message.ballot) {
    PHOTON_MARK("paxos.promise.late");
    return;
  }
  candidate->add(from, message);
  if (candidate->is_elected(config_, generations_)) become_master(step, std::move(*candidate));
}

void Replica::become_master(Step& step, Candidate candidate) {
  PHOTON_CHECK(candidate.ballot == acceptor_.promised(), "a deposed candidate cannot win");
  PHOTON_CHECK(candidate.from_slot == commit_ + 1, "a candidate learns nothing on the way");
  const Slot last = commit_ + candidate.reported.size();
  const Slot chosen_through = std::max(commit_, candidate.chosen_through);
  PHOTON_CHECK(chosen_through <= last, "chosen slots were reported");
  Master master;
  master.ballot = candidate.ballot;
  master.barrier = last;
  master.heartbeat_due = step.now + config_.heartbeat;
  master.serving_due = step.now + config_.election_timeout;
  master.catch_up.resize(config_.replicas);
  role_ = std::move(master);
  for (Slot slot = candidate.from_slot; slot <= last; ++slot) {
    // A slot that no promise reported holds nothing chosen: close it with a no-op.
    const LogEntry& entry = candidate.reported[slot - candidate.from_slot];
    if (entry.ballot == Ballot{}) PHOTON_MARK("paxos.recovery.no_op");
    if (slot > chosen_through) PHOTON_MARK("paxos.recovery.proposes_again");
    const bool accepted = accept(step, slot, candidate.ballot, entry.value);
    PHOTON_CHECK(accepted, "an admission that is reported is the first open slot");
    if (slot <= chosen_through) {
      PHOTON_MARK("paxos.recovery.learns_chosen");
      set_commit(slot);
    }
  }
  std::get<Master>(role_).open.resize(last - commit_, OpenSlot{{}, step.now + config_.heartbeat});
  // Also the slots known to be chosen: followers may lack them.
  if (candidate.from_slot <= last) {
    broadcast_accepts(step, candidate.from_slot, last);
    accept_own(step, candidate.from_slot, last);
  }
  send_heartbeat(step);
}

void Replica::on(Step& step, const Propose& event) {
  PHOTON_CHECK(!event.command.empty(), "the empty command is the no-op");
  if (!can_propose(step.now)) return;
  propose(step, command_value(event.command.view()));
  step.out.proposed = commit_ + std::get<Master>(role_).open.size();
  PHOTON_CHECK(step.out.proposed <= acceptor_.last(), "a proposed slot is in the log");
}

void Replica::propose(Step& step, const SharedBytes& value) {
  auto& master = std::get<Master>(role_);
  master.open.push_back(OpenSlot{{}, step.now + config_.heartbeat});
  const Slot slot = commit_ + master.open.size();
  const bool accepted = accept(step, slot, master.ballot, value);
  PHOTON_CHECK(accepted, "an admission is proposed when nothing is open");
  broadcast_accepts(step, slot, slot);
  accept_own(step, slot, slot);
}

// An Accept to all replicas renews leases as a heartbeat does.
void Replica::broadcast_accepts(Step& step, Slot first, Slot last) {
  auto& master = std::get<Master>(role_);
  master.heartbeat_due = step.now + config_.heartbeat;
  while (first <= last) {
    const Slot end = std::min(last, first + config_.catch_up_slots - 1);
    send_accepts(step, config_.others(), first, end);
    if (end < last) PHOTON_MARK("paxos.recovery.in_pieces");
    first = end + 1;
  }
}

// The master's own vote, counted like any other when it is durable.
void Replica::accept_own(Step& step, Slot first, Slot last) {
  const auto& master = std::get<Master>(role_);
  grant_.renew(config_.self, step.now + config_.lease);
  Accepted own{config_.group, master.ballot, first, 0, step.now, generation_, {}};
  for (Slot slot = first; slot <= last; ++slot) {
    own.value_hashes.push_back(acceptor_.entry(slot).value.hash());
  }
  send_when_durable(step, ReplicaSet::only(config_.self), std::move(own));
}

void Replica::send_accepts(Step& step, ReplicaSet to, Slot first, Slot last) {
  if (to.empty()) return;
  PHOTON_CHECK(first > acceptor_.base() && first <= last,
               "a request carries values that the log still has");
  const auto& master = std::get<Master>(role_);
  Accept accept{config_.group, master.ballot, first, commit_, step.now, {}};
  accept.values.reserve(last - first + 1);
  for (Slot slot = first; slot <= last; ++slot) {
    accept.values.push_back(acceptor_.entry(slot).value);
  }
  send(step, to, std::move(accept));
}

void Replica::send_heartbeat(Step& step) {
  auto& master = std::get<Master>(role_);
  master.heartbeat_due = step.now + config_.heartbeat;
  master.announced = commit_;
  grant_.renew(config_.self, step.now + config_.lease);
  send(step, config_.others(), Heartbeat{config_.group, master.ballot, commit_, step.now});
  send_when_durable(step, ReplicaSet::only(config_.self),
                    HeartbeatAck{config_.group, master.ballot, 0, step.now, generation_});
}

void Replica::resend_open(Step& step) {
  auto& master = std::get<Master>(role_);
  for (std::size_t i = 0; i < master.open.size(); ++i) {
    OpenSlot& open = master.open[i];
    if (step.now < open.resend_due) continue;
    PHOTON_MARK("paxos.master.accept_again");
    open.resend_due = step.now + config_.heartbeat;
    const Slot slot = commit_ + 1 + i;
    send_accepts(step, config_.others().without(open.accepted), slot, slot);
  }
}

void Replica::handle(Step& step, ReplicaIndex from, const Accepted& message) {
  auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || master->ballot != message.ballot) {
    PHOTON_MARK("paxos.accepted.late");
    return;
  }
  if (generations_.in_force(from, message.generation)) {
    Slot slot = message.first_slot;
    for (std::size_t i = 0; i < message.value_hashes.size(); ++i, ++slot) {
      if (slot <= commit_ || slot > commit_ + master->open.size()) {
        PHOTON_MARK("paxos.accepted.chosen_already");
        continue;
      }
      master->open[slot - commit_ - 1].accepted.add(from);
    }
    advance_commit(*master);
  } else {
    PHOTON_MARK("paxos.accepted.no_vote");
  }
  acknowledged(step, Answer{from, message.generation, message.wants_from, message.sent_at});
}

void Replica::handle(Step& step, ReplicaIndex from, const HeartbeatAck& message) {
  auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || master->ballot != message.ballot) {
    PHOTON_MARK("paxos.heartbeat.answer_late");
    return;
  }
  acknowledged(step, Answer{from, message.generation, message.wants_from, message.sent_at});
}

std::optional<Admission> Replica::open_admission() const {
  const auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || master->open.empty()) return std::nullopt;
  return admission_in(acceptor_.entry(commit_ + 1).value);
}

void Replica::advance_commit(Master& master) {
  std::size_t chosen = 0;
  if (const auto admission = open_admission()) {
    // By votes of the others alone, and only together with the slots reported after it (R2, R5).
    const ReplicaSet newcomer = ReplicaSet::only(admission->replica);
    const auto has_others = [&](const OpenSlot& open) {
      return config_.is_quorum(open.accepted.without(newcomer));
    };
    if (std::ranges::all_of(master.open, has_others)) {
      PHOTON_MARK("paxos.admission.chosen_by_others");
      chosen = master.open.size();
    }
  } else {
    while (chosen < master.open.size() && config_.is_quorum(master.open[chosen].accepted)) ++chosen;
  }
  if (chosen == 0) return;
  master.open.erase(master.open.begin(), master.open.begin() + static_cast<std::ptrdiff_t>(chosen));
  set_commit(commit_ + chosen);
}

void Replica::acknowledged(Step& step, const Answer& answer) {
  auto& master = std::get<Master>(role_);
  const ReplicaSet sender = ReplicaSet::only(answer.from);
  master.up_to_date = master.up_to_date.without(sender);
  if (generations_.in_force(answer.from, answer.generation)) {
    if (answer.wants_from == 0) master.up_to_date.add(answer.from);
    master.grants.acknowledge(config_, answer.from, answer.sent_at);
    extend_lease(step, master);
  } else if (answer.generation > generations_.of(answer.from)) {
    PHOTON_MARK("paxos.admission.requested");
    const Admission requested{answer.from, answer.generation};
    // An answer that is late comes from a disk that is lost again.
    const bool late = master.admission && master.admission->replica == requested.replica &&
                      master.admission->generation > requested.generation;
    if (!late) master.admission = requested;
  }
  catch_up(step, answer.from, answer.wants_from);
  hand_over(step, answer);
}

// An admission waits until it can be chosen at once: a majority of the others lacks nothing.
bool Replica::may_admit(const Master& master) const {
  if (!master.admission || master.serving == Serving::no) return false;
  if (master.admission->generation <= generations_.of(master.admission->replica)) {
    PHOTON_MARK("paxos.admission.granted_already");
    return false;
  }
  ReplicaSet ready = master.up_to_date.without(ReplicaSet::only(master.admission->replica));
  ready.add(config_.self);
  return config_.is_quorum(ready);
}

void Replica::consider_admission(Step& step) {
  auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || !may_admit(*master) || !master->open.empty()) return;
  if (master->handover.pending()) {
    PHOTON_MARK("paxos.admission.waits_for_handover");
    return;
  }
  if (config_.lease != Duration{} && step.now >= master->lease_until) {
    PHOTON_MARK("paxos.admission.lease_over");
    return;
  }
  PHOTON_MARK("paxos.admission.proposed");
  const Admission admission = *std::exchange(master->admission, std::nullopt);
  propose(step, admission_value(admission));
}

// Sends chosen values from `wants_from` on, as many as fit, unless they are on their way already.
void Replica::catch_up(Step& step, ReplicaIndex follower, Slot wants_from) {
  if (wants_from == 0 || wants_from > commit_ || follower == config_.self) return;
  CatchUp& sent = std::get<Master>(role_).catch_up[follower];
  if (wants_from <= sent.through && step.now < sent.resend_due) {
    PHOTON_MARK("paxos.catch_up.on_its_way");
    return;
  }
  if (wants_from <= acceptor_.base()) {
    PHOTON_MARK("paxos.catch_up.snapshot_offered");
    const Ballot ballot = std::get<Master>(role_).ballot;
    sent = CatchUp{acceptor_.base(), step.now + config_.heartbeat};
    send(step, ReplicaSet::only(follower), SnapshotOffer{config_.group, ballot, acceptor_.base()});
    return;
  }
  Slot last = wants_from;
  std::size_t bytes = acceptor_.entry(last).value.size();
  while (last < commit_ && last - wants_from + 1 < config_.catch_up_slots) {
    bytes += acceptor_.entry(last + 1).value.size();
    PHOTON_LIMIT("paxos.catch_up.bytes", bytes, config_.catch_up_bytes);
    if (bytes > config_.catch_up_bytes) {
      PHOTON_MARK("paxos.catch_up.bytes_limit");
      break;
    }
    ++last;
  }
  PHOTON_MARK("paxos.catch_up.sent");
  sent = CatchUp{last, step.now + config_.heartbeat};
  send_accepts(step, ReplicaSet::only(follower), wants_from, last);
}

// The claim moves in steps of half a heartbeat: each step is a trace record, and a finer claim has
// no use.
void Replica::extend_lease(Step& step, Master& master) {
  if (config_.lease == Duration{}) return;
  const MonotonicTime until = master.grants.majority_until(config_);
  if (until <= step.now) {
    PHOTON_MARK("paxos.lease.no_majority");
    return;
  }
  if (step.now < master.lease_until) {
    PHOTON_LIMIT("paxos.lease.step", until, master.lease_until + config_.heartbeat / 2);
  }
  if (step.now < master.lease_until && until < master.lease_until + config_.heartbeat / 2) return;
  if (master.serving == Serving::yes && step.now >= master.lease_until) {
    PHOTON_MARK("paxos.lease.too_late");
    return;  // too late
  }
  master.lease_until = until;
  step.out.mastership.lease_moved = true;
}

void Replica::handle(Step& step, ReplicaIndex, const Reject& message) {
  highest_round_seen_ = std::max(highest_round_seen_, round_of(message.promised));
  if (message.promised <= message.ballot) {
    // A replica does not reject a ballot that is not below its promise.
    PHOTON_MARK("paxos.reject.overtaken");
    return;
  }
  if (const auto* candidate = std::get_if<Candidate>(&role_)) {
    // Another candidate is ahead: give way, then try above.
    if (candidate->ballot == message.ballot) {
      PHOTON_MARK("paxos.reject.candidate_gives_way");
      role_ = Follower{Ballot{}, step.now + election_delay()};
    }
  } else if (const auto* master = std::get_if<Master>(&role_)) {
    // One replica cannot follow this ballot any more: collect all replicas again at a higher one.
    if (master->ballot == message.ballot) {
      PHOTON_MARK("paxos.reject.master_stands_again");
      stand_for_election(step);
    }
  }
}

void Replica::master_tick(Step& step, Master& master) {
  const bool leased = config_.lease != Duration{};
  if (master.serving == Serving::yes) {
    PHOTON_LIMIT("paxos.master.lease_end", step.now, master.lease_until);
  }
  if (master.serving == Serving::no) {
    PHOTON_LIMIT("paxos.master.serving_due", step.now, master.serving_due);
  }
  const bool late = master.serving == Serving::yes ? step.now >= master.lease_until
                                                   : step.now >= master.serving_due;
  if (leased && late) {
    if (master.serving == Serving::yes) PHOTON_MARK("paxos.master.lease_ran_out");
    if (master.serving == Serving::no) PHOTON_MARK("paxos.master.never_served");
    step_down(step);
    role_ = Follower{Ballot{}, step.now + election_delay()};
    return;
  }
  resend_open(step);
  if (step.now >= master.heartbeat_due) send_heartbeat(step);
}

// Reports the end of authority, if there was any. The caller sets the new role.
void Replica::step_down(Step& step) {
  auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || master->serving == Serving::no) return;
  master->serving = Serving::no;
  auto& change = step.out.mastership;
  if (change.gained == master->ballot) {
    // A driver performs the output of each step before the next one.
    PHOTON_MARK("paxos.master.gained_and_lost");
    change.gained.reset();  // gained and lost before it was reported
  } else {
    PHOTON_MARK("paxos.master.steps_down");
    change.lost = master->ballot;
  }
}

}  // namespace photon::paxos
