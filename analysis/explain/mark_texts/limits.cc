#include "analysis/explain/mark_texts/mark_texts.h"

namespace photon::analysis {
namespace {

// The three marks of a PHOTON_LIMIT, in the order of names.
#define LIMIT(name, value, limit)                                  \
  MarkText{name ".above", value " is greater than " limit "."},    \
      MarkText{name ".at", value " equals " limit "."}, MarkText { \
    name ".below", value " is smaller than " limit "."             \
  }

constexpr MarkText kLimitMarks[] = {
    LIMIT("dispatcher.group.wait", "The time for which a group has waited for members",
          "the longest wait"),
    LIMIT("dispatcher.send.room", "The number of clicks at joiners with those of the next send",
          "the most that may be there"),
    LIMIT("dispatcher.take.age", "The age of a click that is taken",
          "the age beyond which it belongs to the backlog"),
    LIMIT("event_store.cache.capacity", "The size of a cache with the next query", "its capacity"),
    LIMIT("event_store.put.timeout", "The time since a reader sent a piece of its map",
          "the time after which it sends it again"),
    LIMIT("event_store.read.stalled", "The time since a log of queries grew",
          "the time after which an unfinished record counts as damage"),
    LIMIT("event_store.search.disorder", "The time stamp of a record that a search reads",
          "the latest stamp that may stand before the target"),
    LIMIT("event_store.search.give_up", "The time since the asker of a waiting search was heard",
          "the time after which the search is given up"),
    LIMIT("event_store.search.piece_end", "The place of a record that a search reads",
          "the end of the piece of the log that it searches"),
    LIMIT("incarnations.fence.life", "The life of a server up to which its files are fenced",
          "the life that a query names"),
    LIMIT("intake.click.min_age", "The age of a click", "the age that it must have"),
    LIMIT("intake.lease.end", "The time", "the end of the lease of a partition"),
    LIMIT("intake.lease.renewal", "The age of a claim of a partition",
          "the age at which it is renewed"),
    LIMIT("joiner.accept.in_flight", "The number of clicks in a joiner with those of a request",
          "the most that it may have"),
    LIMIT("joiner.unjoinable.age", "The age of a click without a query",
          "the age beyond which it may be unjoinable"),
    LIMIT("joiner.unjoinable.attempts", "The number of attempts to join a click",
          "the number beyond which it may be unjoinable"),
    LIMIT("logs.source.stall", "The time since a log file grew",
          "the time after which an unfinished record counts as damage"),
    LIMIT("paxos.catch_up.bytes", "The size of the values for a follower that is behind",
          "the most that are sent at a time"),
    LIMIT("paxos.election.due", "The time", "the time at which a follower stands for election"),
    LIMIT("paxos.handover.answer", "The time at which the question of an answer was sent",
          "the time at which the last slot was closed"),
    LIMIT("paxos.handover.give_up", "The time", "the time at which a handover is given up"),
    LIMIT("paxos.lease.grant_end", "The time at which another candidate asks for a promise",
          "the end of the lease that a follower has granted"),
    LIMIT("paxos.lease.step", "The end of the lease that followers have granted",
          "the next end that a master claims"),
    LIMIT("paxos.log.segment", "The size of a segment of the log",
          "the size at which the next one begins"),
    LIMIT("paxos.master.lease_end", "The time", "the end of the lease of a serving master"),
    LIMIT("paxos.master.serving_due", "The time",
          "the time by which a new master serves or gives up"),
    LIMIT("paxos.promise.ballot", "The ballot of a message",
          "the ballot that the replica has promised"),
    LIMIT("paxos.propose.lease_end", "The time at which a master may propose",
          "the end of its lease"),
    LIMIT("registry.batch.bytes", "The size of the next batch with one more operation",
          "the most bytes of a batch"),
    LIMIT("registry.batch.operations", "The number of operations that wait for a batch",
          "the most that a batch holds"),
    LIMIT("registry.boundary.move", "The boundary of garbage that a master would propose",
          "the present one"),
    LIMIT("registry.clear.stamp", "The time stamp of an id to clear", "the boundary of garbage"),
    LIMIT("registry.insert.stamp", "The time stamp of an id to insert", "the boundary of garbage"),
    LIMIT("registry.lookup.stamp", "The time stamp of an id to look up", "the boundary of garbage"),
    LIMIT("registry.read_token.stamp", "The time stamp of an id whose token is read",
          "the boundary of garbage"),
    LIMIT("registry.remove.stamp", "The time stamp of an id to remove", "the boundary of garbage"),
    LIMIT("registry.replica.slot", "The slot that a replica has applied",
          "the slot that the client has seen"),
    LIMIT("registry.request.skew", "How far an id is ahead of the latest true time",
          "the bound of clock skew"),
    LIMIT("registry_client.retry.delay", "The delay before a request is repeated",
          "the time-out of a request"),
    LIMIT("sharding.announce.horizon", "The start of an announced change",
          "the horizon of the history"),
    LIMIT("sharding.change.margin", "The start of a change",
          "the earliest start that a change may have"),
    LIMIT("sharding.horizon.open_change", "The next horizon", "the start of the undecided change"),
    LIMIT("sharding.map.start", "The time stamp of an id",
          "the start of the last interval of the history"),
    LIMIT("sharding.retire.boundary", "The boundary of garbage of a shard",
          "the end of the interval to be forgotten"),
    LIMIT("sharding.route.age", "The age of what a client knows of the history",
          "the greatest age"),
    LIMIT("sharding.route.horizon", "The time stamp of an id", "the horizon of the history"),
    LIMIT("sharding.route.read", "The time stamp of an id",
          "the time at which the client read the history, plus the bound of clock skew"),
    LIMIT("verification.audit.click_stamp", "The time stamp of an audited click",
          "the time from which the auditor knows all outputs"),
    LIMIT("verification.unregistered.age", "The age of an output that is not registered",
          "the age at which its click is brought back"),
};

#undef LIMIT

}  // namespace

std::span<const MarkText> limit_mark_texts() { return kLimitMarks; }

}  // namespace photon::analysis
