// Independent tally of agreement (SPEC J-S6), from messages and applied values only.
//
// It trusts no replica's report about itself: a value is chosen when a majority of distinct
// acceptors have stated its acceptance at one ballot. An acceptor is a disk: a replica that lost
// its disk continues as another acceptor, whose votes count in a slot only after the chosen
// admission of its generation; from there on those of the old disk do not count. A value is
// therefore judged when every slot before it is. The first contradiction is kept as text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core_impl/paxos/replica.h"

namespace photon::paxos::testing {

class Ledger {
 public:
  explicit Ledger(std::uint32_t replicas)
      : replicas_(replicas), applied_(replicas, 0), in_force_(replicas) {}

  void sent(ReplicaIndex from, const Message& message) {
    if (const auto* accept = std::get_if<Accept>(&message)) proposed(*accept);
    if (const auto* reply = std::get_if<Accepted>(&message)) accepted(from, *reply);
    if (const auto* reply = std::get_if<Promise>(&message)) promised(from, *reply);
  }

  void accepted(ReplicaIndex from, const Accepted& reply) {
    Acceptor& acceptor = acceptors_[{from, reply.generation}];
    if (reply.ballot < acceptor.promised) {
      fail("replica {} accepted at {:x} below its promise {:x}", from, reply.ballot.value(),
           acceptor.promised.value());
    }
    acceptor.promised = std::max(acceptor.promised, reply.ballot);
    Slot slot = reply.first_slot;
    for (const std::uint64_t hash : reply.value_hashes) {
      vote({from, reply.generation}, reply.ballot, slot++, hash);
    }
    settle();
  }

  // A value handed out to be applied.
  void applied(ReplicaIndex replica, Slot slot, std::uint64_t hash) {
    if (slot != applied_[replica] + 1) {
      fail("replica {} applied {} after {}", replica, slot, applied_[replica]);
    }
    applied_[replica] = slot;
    const auto place = chosen_.find(slot);
    if (place == chosen_.end()) {
      fail("replica {} applied slot {}, of which nothing is chosen", replica, slot);
    } else if (place->second != hash) {
      fail("replica {} applied an unchosen value in slot {}", replica, slot);
    }
  }
  // The replica restarts from a snapshot through `applied`.
  void restarted(ReplicaIndex replica, Slot applied = 0) { applied_[replica] = applied; }
  // It continues from a snapshot.
  void installed(ReplicaIndex replica, const SnapshotPoint& snapshot) {
    if (snapshot.through > settled_) {
      fail("replica {} installed {}, of which {} is chosen", replica, snapshot.through, settled_);
    }
    applied_[replica] = snapshot.through;
  }

  const std::string& violation() const { return violation_; }
  const std::map<Slot, std::uint64_t>& chosen() const { return chosen_; }

 private:
  using Disk = std::pair<ReplicaIndex, Generation>;
  struct Acceptor {
    Ballot promised{};
    std::map<Slot, std::pair<Ballot, std::uint64_t>> accepted;
  };
  struct Voting {
    std::uint64_t hash = 0;
    std::vector<Disk> voters;
  };

  template <class... Arguments>
  void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (violation_.empty()) violation_ = fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  void proposed(const Accept& accept) {
    Slot slot = accept.first_slot;
    for (const SharedBytes& value : accept.values) {
      if (const auto admission = admission_in(value)) admissions_[value.hash()] = *admission;
      const auto [place, fresh] = proposals_.emplace(std::pair(accept.ballot, slot), value.hash());
      if (!fresh && place->second != value.hash()) {
        fail("two values proposed at ballot {:x} in slot {}", accept.ballot.value(), slot);
      }
      ++slot;
    }
  }

  void vote(Disk disk, Ballot ballot, Slot slot, std::uint64_t hash) {
    auto& latest = acceptors_[disk].accepted[slot];
    if (latest.first == ballot && latest.second != hash) {
      fail("replica {} accepted two values at {:x} in slot {}", disk.first, ballot.value(), slot);
    }
    if (latest.first <= ballot) latest = {ballot, hash};
    const auto [place, fresh] = votings_[slot].try_emplace(ballot, Voting{hash, {}});
    Voting& voting = place->second;
    if (voting.hash != hash) fail("two values at {:x} in slot {}", ballot.value(), slot);
    const bool known = std::ranges::find(voting.voters, disk) != voting.voters.end();
    if (!known) voting.voters.push_back(disk);
    if (!known && slot <= settled_) judge(slot, voting);
  }

  // Slots in order: which votes count depends on what is chosen before.
  void settle() {
    for (;;) {
      const auto place = votings_.find(settled_ + 1);
      if (place == votings_.end()) return;
      const Slot slot = settled_ + 1;
      in_force_at_[slot] = in_force_;
      for (const auto& [ballot, voting] : place->second) judge(slot, voting);
      const auto chosen = chosen_.find(slot);
      if (chosen == chosen_.end()) return;
      settled_ = slot;
      const auto admission = admissions_.find(chosen->second);
      if (admission != admissions_.end()) in_force_.admit(admission->second);
    }
  }

  void judge(Slot slot, const Voting& voting) {
    const auto admission = admissions_.find(voting.hash);
    ReplicaSet voters;
    for (const auto& [replica, generation] : voting.voters) {
      const bool newcomer = admission != admissions_.end() && admission->second.replica == replica;
      if (!newcomer && in_force_at_[slot].in_force(replica, generation)) voters.add(replica);
    }
    if (voters.size() < replicas_ / 2 + 1) return;
    const auto [place, fresh] = chosen_.emplace(slot, voting.hash);
    if (!fresh && place->second != voting.hash) fail("two values chosen in slot {}", slot);
  }

  void promised(ReplicaIndex from, const Promise& promise) {
    Acceptor& acceptor = acceptors_[{from, promise.generation}];
    acceptor.promised = std::max(acceptor.promised, promise.ballot);
    for (const auto& [slot, latest] : acceptor.accepted) {
      if (slot < promise.from_slot || latest.first >= promise.ballot) continue;
      bool reported = false;
      for (const Reported& entry : promise.accepted) {
        if (entry.slot != slot) continue;
        reported = entry.ballot > latest.first ||
                   (entry.ballot == latest.first && entry.value.hash() == latest.second);
      }
      if (!reported) {
        fail("replica {} promised {:x} without its acceptance in slot {}", from,
             promise.ballot.value(), slot);
      }
    }
  }

  std::uint32_t replicas_;
  std::map<Disk, Acceptor> acceptors_;
  std::vector<Slot> applied_;
  std::map<std::pair<Ballot, Slot>, std::uint64_t> proposals_;
  std::map<std::uint64_t, Admission> admissions_;  // by the hash of the value
  std::map<Slot, std::map<Ballot, Voting>> votings_;
  std::map<Slot, std::uint64_t> chosen_;
  Slot settled_ = 0;                         // every slot up to it is chosen
  Generations in_force_;                     // after slot settled_
  std::map<Slot, Generations> in_force_at_;  // at slots up to settled_ + 1
  std::string violation_;
};

inline SharedBytes command(std::string_view text) {
  return SharedBytes(std::as_bytes(std::span(text.data(), text.size())));
}
// What the log holds for it.
inline SharedBytes value(std::string_view text) { return command_value(command(text).view()); }

// A value as a test reads it: the command, nothing for a no-op, "admit 2 g3" for an admission.
inline std::string text_of(const SharedBytes& value) {
  if (const auto admission = admission_in(value)) {
    return fmt::format("admit {} g{}", admission->replica, admission->generation.value());
  }
  const auto command = command_in(value);
  return {reinterpret_cast<const char*>(command.data()), command.size()};
}

}  // namespace photon::paxos::testing
