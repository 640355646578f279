// J-S4: the registry is linearizable, id by id.
//
// Reads what crosses the seam at the clients: a question when it is sent, an answer when it is
// delivered to its client; and one decision, the boundary as it was applied. No other statement of
// a server counts, not even the slot an answer names: the answer is judged as the clients could
// judge it, by comparing answers and their times.
//
// An operation is a question under one request number. It is called when it is first sent and
// returns when the first definitive answer to it is delivered. Repetitions of a request carry its
// number and are no operations of their own: an insert or a look-up that takes effect again does
// nothing that it could not have done at the first moment, and a second answer is not read. (An
// insert sent anew under another number, with the same token, is a second operation.) An operation
// without definitive answer is indefinite: it takes effect at some time or never. For ids that are
// removed (F-09) every further copy that reaches a server is an indefinite operation too.
//
// Each id's history holds one expiry: the moment when the boundary of the answering shard was
// first applied above its stamp, on any replica. Later questions must be answered `too old`. A
// `too old` of another shard than the one that answered for this id is checked against that
// shard's boundary only.
//
// Incremental (linearizability/key_history.h): a violation is found with the answer that makes it.
// An id is forgotten when its shard's boundary has passed it and nothing about it is open: later
// questions must be answered `too old`, for which no memory is needed. An id about which nothing is
// open rests until then: its summary, which is all that the check needs, is kept in a packed table.
//
// Look-ups in mode `replica` have a weaker rule: the answer was true at some earlier time, and a
// client that received a removal is not shown the state before it. (A client that learns of it
// otherwise names a slot in its question; J-S13 checks that.)
//
// If an id has more explanations than the general check keeps (many changes of one id without an
// answer), only violations of the boundary are reported from then on. Such ids are counted: a run
// with one is not clean, because a requested check was not made.
//
// Cannot see: effects that no client received (a lost insert that is not asked about again; J-S6
// and J-S3 check the replicas), which of several copies had the effect, and whether an effect
// outlives the last answer.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "analysis/evidence/chunked_array.h"
#include "analysis/evidence/dense_table.h"
#include "analysis/evidence/packed_table.h"
#include "analysis/linearizability/key_history.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Linearizability final : public Oracle {
 public:
  explicit Linearizability(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;
  UndecidedIds undecided() const override { return undecided_; }

 private:
  static constexpr ShardId kNowhere{0xffffffffU};

  struct Key {
    KeyHistory history{};
    ShardId shard = kNowhere;  // that last answered for it, otherwise than `too old`
    bool queued = false;       // in its shard's list of ids that will expire
    bool judged = true;        // until it is accused
    bool undecided = false;    // and counted as that
  };
  // The last removal that was asked for: a client that knows an earlier one does not know this one.
  struct Removed {
    NodeId client{};
    std::uint64_t request = 0;
    bool answered = false;
    bool knows(NodeId asker) const { return answered && client == asker; }
  };
  // A key while nothing about its id is open.
  struct Resting {
    InsertIfAbsentCheck::Summary summary{};
    ShardId shard = kNowhere;
    std::uint32_t queued = 0;
  };
  struct Expiring {
    Stamp stamp{};
    std::uint32_t event = kNoIndex;
  };
  struct Shard {
    std::deque<Expiring> expiring;    // about in the order of their stamps
    std::vector<Expiring> lingering;  // expired, but something is open
  };

  static constexpr std::uint32_t kRests = kNoIndex - 1;

  Key& key_of(std::uint32_t event);
  void rest(std::uint32_t event, Key& key);
  bool is_quiet(std::uint32_t event) const;
  void forget(std::uint32_t event);
  void on_ask(const Fact& fact);
  void on_delivered(const Fact& fact);
  void on_answer(const Fact& fact);
  void judge(const Fact& fact, Key& key, const RegistryQuestion& asked);
  void on_boundary(const Fact& fact);
  void note_if_undecided(Key& key);
  HistoryTime expired(ShardId shard, Stamp stamp) const;
  std::string explain(const Fact& fact, const Key& key, const RegistryQuestion& asked) const;

  // By event: which of the keys; kRests: it is in `resting_`; kNoIndex: nothing was asked.
  ChunkedArray<std::uint32_t> key_index_{kNoIndex};
  std::deque<Key> keys_;
  PackedTable<Resting> resting_;  // by event
  SimTime ticked_{};
  std::vector<std::uint32_t> free_keys_;
  boost::unordered_flat_map<EventId, Removed, Hasher> removed_;  // ever asked to be
  DenseTable<ShardId, Shard> shards_;
  UndecidedIds undecided_{};

  static constexpr Interest kKinds[] = {
      sent(trace::Kind::registry_ask), delivered(trace::Kind::registry_ask),
      delivered(trace::Kind::registry_answer), trace::Kind::boundary_moved};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
