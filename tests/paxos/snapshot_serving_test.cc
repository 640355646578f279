// A replica that serves its snapshot to others, and what the trace learns of it.
#include <cstring>

#include "core_impl/trace/consensus.h"
#include "tests/paxos/driver_bench.h"
#include "tests/support/paxos_payload.h"

namespace photon::paxos::testing {
namespace {

using photon::testing::payload_in;

class SnapshotFacts final : public trace::FactSink {
 public:
  std::vector<trace::PaxosSnapshot> seen;

 private:
  void raw_fact(trace::Kind kind, const void* payload, std::size_t size) override {
    REQUIRE(kind == trace::Kind::paxos_snapshot);
    std::memcpy(&seen.emplace_back(), payload, size);
  }
};

}  // namespace

TEST_CASE(
    "B-18 pieces of a snapshot: one at a time for each replica that asks, whatever they say") {
  Single single;
  single.options.snapshot_min_bytes = 500;
  single.options.snapshot_chunk_bytes = 64;
  single.options.members = {NodeId(100), NodeId(101), NodeId(102)};
  single.options.config.replicas = 3;
  single.start();
  Server& server = *single.server;
  // A snapshot of three slots, from a log that is long enough.
  const Ballot ballot = make_ballot(1, 1);
  Accept accept{ShardId(5), ballot, 1, 3, single.context.now(), {}};
  for (int i = 0; i < 3; ++i) accept.values.push_back(value(std::string(200, 'x')));
  server.on_message(single.context, NodeId(101), envelope(accept));
  single.context.complete_all(server);
  REQUIRE(server.driver.replica().base() == 3);
  const auto ask = [&](std::uint32_t node, Slot through, std::uint64_t offset) {
    const SnapshotFetch fetch{ShardId(5), through, offset};
    server.on_message(single.context, NodeId(node), Body::make(Envelope{fetch}));
  };
  const auto pieces = [&] {
    single.context.sent.clear();
    single.context.complete_all(server);
    std::vector<std::pair<NodeId, std::uint64_t>> found;
    for (const auto& sent : single.context.sent) {
      const auto* chunk = payload_in<SnapshotChunk>(sent.body);
      if (chunk == nullptr) continue;
      CHECK(chunk->through == 3);
      CHECK(chunk->bytes.size() == std::min<std::uint64_t>(64, chunk->total - chunk->offset));
      found.emplace_back(sent.to, chunk->offset);
    }
    return found;
  };
  using Pieces = std::vector<std::pair<NodeId, std::uint64_t>>;
  ask(101, 3, 64);
  ask(102, 3, 128);
  ask(101, 3, 192);  // asked twice
  ask(999, 3, 0);    // no member
  CHECK(single.context.pending.size() == 2);
  CHECK(pieces() == Pieces{{NodeId(101), 64}, {NodeId(102), 128}});
  ask(101, 2, 64);  // an older snapshot: the present one from its first byte
  CHECK(pieces() == Pieces{{NodeId(101), 0}});
  const std::uint64_t size = single.context.disks[kDisk].at("paxos/00005/snapshot").size();
  ask(101, 3, size);  // nothing is there
  CHECK(pieces() == Pieces{{NodeId(101), 0}});
  ask(101, 3, size - 1);
  CHECK(pieces() == Pieces{{NodeId(101), size - 1}});
  // It has had the last piece and begins again: then all bytes are checked, once.
  const auto read_bytes = [&] { return single.context.pending.back().request.length; };
  ask(102, 3, 0);
  CHECK(read_bytes() == 64);
  ask(101, 3, 0);
  CHECK(read_bytes() > size);
  CHECK(pieces() == Pieces{{NodeId(102), 0}, {NodeId(101), 0}});
  ask(101, 3, 0);
  CHECK(read_bytes() == 64);
  CHECK(pieces() == Pieces{{NodeId(101), 0}});
}

TEST_CASE(
    "J-S6 a snapshot states its slot, its state and its generations; other files state none") {
  const auto facts_of = [](std::string_view name, const SnapshotHeader& header) {
    SnapshotFacts facts;
    Server machine(options_of(0, 3));
    snapshot_facts(name, encode_snapshot(header, machine), facts);
    return facts.seen;
  };
  SnapshotHeader header;
  header.group = ShardId(5);
  header.point = SnapshotPoint{7, Generations(3)};
  header.state_hash = 9;
  CHECK(facts_of("paxos/00005/format", header).empty());
  const auto first = facts_of("paxos/00005/snapshot", header);
  REQUIRE(first.size() == 1);
  CHECK(first[0].slot == 7);
  CHECK(first[0].state_hash == 9);
  CHECK(first[0].group == ShardId(5));
  header.point.generations.admit({1, Generation{2}});
  const auto admitted = facts_of("paxos/00005/snapshot", header);
  REQUIRE(admitted.size() == 1);
  CHECK(admitted[0].generations_hash != first[0].generations_hash);
  header.point.generations = Generations(3);
  CHECK(facts_of("paxos/00005/snapshot", header)[0].generations_hash == first[0].generations_hash);
}

}  // namespace photon::paxos::testing
