// Independent bookkeeping of agreement (SPEC J-S6), from messages and applied values only.
//
// It believes nothing a replica says about itself: a value is chosen when a majority of distinct
// acceptors have stated its acceptance at one ballot. The first contradiction is kept as text.
#pragma once

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
      : replicas_(replicas), acceptors_(replicas), applied_(replicas, 0) {}

  void sent(ReplicaIndex from, const Message& message) {
    if (const auto* accept = std::get_if<Accept>(&message)) proposed(*accept);
    if (const auto* reply = std::get_if<Accepted>(&message)) accepted(from, *reply);
    if (const auto* reply = std::get_if<Promise>(&message)) promised(from, *reply);
  }

  void accepted(ReplicaIndex from, const Accepted& reply) {
    Acceptor& acceptor = acceptors_[from];
    if (reply.ballot < acceptor.promised) {
      fail("replica {} accepted at {:x} below its promise {:x}", from, reply.ballot.value(),
           acceptor.promised.value());
    }
    acceptor.promised = std::max(acceptor.promised, reply.ballot);
    Slot slot = reply.first_slot;
    for (const std::uint64_t hash : reply.value_hashes) vote(from, reply.ballot, slot++, hash);
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
      fail("replica {} applied in slot {} what is not chosen", replica, slot);
    }
  }
  void restarted(ReplicaIndex replica) { applied_[replica] = 0; }

  const std::string& violation() const { return violation_; }
  const std::map<Slot, std::uint64_t>& chosen() const { return chosen_; }

 private:
  struct Acceptor {
    Ballot promised{};
    std::map<Slot, std::pair<Ballot, std::uint64_t>> accepted;
  };

  template <class... Arguments>
  void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (violation_.empty()) violation_ = fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  void proposed(const Accept& accept) {
    Slot slot = accept.first_slot;
    for (const SharedBytes& value : accept.values) {
      const auto [place, fresh] = proposals_.emplace(std::pair(accept.ballot, slot), value.hash());
      if (!fresh && place->second != value.hash()) {
        fail("two values proposed at ballot {:x} in slot {}", accept.ballot.value(), slot);
      }
      ++slot;
    }
  }

  void vote(ReplicaIndex from, Ballot ballot, Slot slot, std::uint64_t hash) {
    auto& latest = acceptors_[from].accepted[slot];
    if (latest.first == ballot && latest.second != hash) {
      fail("replica {} accepted two values at {:x} in slot {}", from, ballot.value(), slot);
    }
    if (latest.first <= ballot) latest = {ballot, hash};
    auto& votes = votes_[{ballot, slot}];
    votes.add(from);
    if (votes.size() < replicas_ / 2 + 1) return;
    const auto [place, fresh] = chosen_.emplace(slot, hash);
    if (!fresh && place->second != hash) fail("two values chosen in slot {}", slot);
  }

  void promised(ReplicaIndex from, const Promise& promise) {
    Acceptor& acceptor = acceptors_[from];
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
  std::vector<Acceptor> acceptors_;
  std::vector<Slot> applied_;
  std::map<std::pair<Ballot, Slot>, std::uint64_t> proposals_;
  std::map<std::pair<Ballot, Slot>, ReplicaSet> votes_;
  std::map<Slot, std::uint64_t> chosen_;
  std::string violation_;
};

inline SharedBytes command(std::string_view text) {
  return SharedBytes(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace photon::paxos::testing
