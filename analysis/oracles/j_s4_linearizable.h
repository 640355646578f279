// J-S4: the registry is linearizable, id by id.
//
// Reads what crosses the seam at the clients: a question when it is sent, an answer when it is
// delivered to its client; and one decision, the boundary as it was applied. Nothing else a server
// says counts, not even the slot an answer names: it is judged as its clients could judge it, who
// compare what they were told and when.
//
// An operation is a question under one request number. It is called when it is first sent and
// returns when the first definitive answer to it is delivered. Repetitions of a request carry its
// number and are no operations of their own: an insert or a look-up that takes effect once more
// does nothing that it could not have done at the first moment, and a second answer is read by
// nobody. (An insert sent anew under another number, with the same token, is a second operation.)
// What has no definitive answer is indefinite: it takes effect at some time or never. Of ids that
// are removed (F-09) every further copy that reaches a server is an indefinite operation too.
//
// Each id's history holds one expiry: the moment when the boundary of the answering shard was first
// applied above its stamp, anywhere. Whoever asks later must be told `too old`. `Too old` by
// another shard than the one that answered for this id is held to that shard's boundary only.
//
// Incremental (linearizability/key_history.h): a violation is found with the answer that makes it.
// An id is forgotten when its shard's boundary has passed it and nothing about it is open: whatever
// is asked later must be answered `too old`, for which no memory is needed.
//
// Look-ups that say that any replica will do are held to the weaker rule: the answer was true at
// some earlier time, and a client that was told of a removal is not shown what was before it. (Who
// learns of it otherwise names a slot in its question; J-S13 looks at that.)
//
// Of an id that has more explanations than the general check keeps (many changes of one id without
// an answer) nothing is accused from then on but what the boundary forbids. Such ids are counted: a
// run with one is not clean, for a check that was asked for was not made.
//
// Cannot see: what no client was told (a lost insert that nobody asks about again; J-S6 and J-S3
// look at the replicas), which of several copies had the effect, and whether an effect outlives the
// last answer.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "analysis/evidence/dense_table.h"
#include "analysis/linearizability/key_history.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Linearizability final : public Oracle {
 public:
  explicit Linearizability(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;
  std::uint64_t undecided() const override { return undecided_; }

 private:
  static constexpr ShardId kNowhere{0xffffffffU};

  struct Key {
    KeyHistory history{};
    ShardId shard = kNowhere;  // that answered for it last, otherwise than `too old`
    bool queued = false;       // in its shard's list of those that will expire
    bool judged = true;        // until it is accused
    bool undecided = false;    // and counted as that
  };
  // The last removal that was asked for: who was told of an earlier one knows nothing of this one.
  struct Removed {
    NodeId client{};
    std::uint64_t request = 0;
    bool told = false;
    bool knows(NodeId asker) const { return told && client == asker; }
  };
  struct Expiring {
    Stamp stamp{};
    std::uint32_t event = kNoIndex;
  };
  struct Shard {
    std::deque<Expiring> expiring;    // about in the order of their stamps
    std::vector<Expiring> lingering;  // expired, but something is open
  };

  Key& key_of(std::uint32_t event);
  void forget(std::uint32_t event);
  void on_ask(const Fact& fact);
  void on_delivered(const Fact& fact);
  void on_answer(const Fact& fact);
  void judge(const Fact& fact, Key& key, const RegistryQuestion& asked);
  void on_boundary(const Fact& fact);
  void note_if_undecided(Key& key);
  HistoryTime expired(ShardId shard, Stamp stamp) const;
  std::string explain(const Fact& fact, const Key& key, const RegistryQuestion& asked) const;

  std::vector<std::uint32_t> key_index_;  // by event
  std::deque<Key> keys_;
  std::vector<std::uint32_t> free_keys_;
  boost::unordered_flat_map<EventId, Removed, Hasher> removed_;  // ever asked to be
  DenseTable<ShardId, Shard> shards_;
  std::uint64_t undecided_ = 0;

  static constexpr std::array kKinds = {trace::Kind::registry_ask, trace::Kind::registry_answer,
                                        trace::Kind::boundary_moved};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
