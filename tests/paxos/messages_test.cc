// Every message type survives its codec, states its facts, and refuses malformed bytes.
#include "core_impl/paxos/messages.h"

#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "core_impl/paxos/log_record.h"
#include "core_impl/runtime/catalogue.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

MessageCatalogue catalogue() { return MessageCatalogue::of<Envelope>(); }

SharedBytes arbitrary_value() {
  const auto text = *rc::gen::arbitrary<std::string>();
  return command(text);
}
Ballot arbitrary_ballot() { return Ballot(*rc::gen::arbitrary<std::uint64_t>()); }
Generation arbitrary_generation() { return Generation(*rc::gen::arbitrary<std::uint32_t>()); }
MonotonicTime arbitrary_time() {
  return from_nanoseconds<MonotonicTime>(*rc::gen::arbitrary<std::int64_t>());
}

Message arbitrary_message(std::size_t kind) {
  const ShardId group(*rc::gen::arbitrary<std::uint32_t>());
  const Slot slot = *rc::gen::arbitrary<Slot>();
  const auto count = *rc::gen::inRange(0, 5);
  switch (kind) {
    case 0:
      return Prepare{group, arbitrary_ballot(), slot, arbitrary_ballot()};
    case 1: {
      Promise message{
          group, arbitrary_ballot(), slot, *rc::gen::arbitrary<Slot>(), arbitrary_generation(), {}};
      for (int i = 0; i < count; ++i) {
        message.accepted.push_back(
            {*rc::gen::arbitrary<Slot>(), arbitrary_ballot(), arbitrary_value()});
      }
      return message;
    }
    case 2: {
      Accept message{group, arbitrary_ballot(), slot, *rc::gen::arbitrary<Slot>(), arbitrary_time(),
                     {}};
      for (int i = 0; i < count; ++i) message.values.push_back(arbitrary_value());
      return message;
    }
    case 3: {
      Accepted message{group,
                       arbitrary_ballot(),
                       slot,
                       *rc::gen::arbitrary<Slot>(),
                       arbitrary_time(),
                       arbitrary_generation(),
                       {}};
      for (int i = 0; i < count; ++i) {
        message.value_hashes.push_back(*rc::gen::arbitrary<std::uint64_t>());
      }
      return message;
    }
    case 4:
      return Heartbeat{group, arbitrary_ballot(), slot, arbitrary_time()};
    case 5:
      return HeartbeatAck{group, arbitrary_ballot(), slot, arbitrary_time(),
                          arbitrary_generation()};
    case 6:
      return Reject{group, arbitrary_ballot(), arbitrary_ballot()};
    case 7:
      return SnapshotOffer{group, arbitrary_ballot(), slot};
    default:
      return Transfer{group, arbitrary_ballot(), slot};
  }
}

Message message_of(const Body& body) {
  Message message;
  std::visit(
      [&](const auto& typed) {
        if constexpr (std::constructible_from<Message, decltype(typed)>) message = typed;
      },
      body.as<Envelope>().payload);
  return message;
}

class Facts final : public trace::FactSink {
 public:
  std::vector<trace::Kind> kinds;

 private:
  void raw_fact(trace::Kind kind, const void*, std::size_t) override { kinds.push_back(kind); }
};

}  // namespace

TEST_CASE("every message type survives encoding, decoding and cloning") {
  const MessageCatalogue known = catalogue();
  for (std::size_t kind = 0; kind < std::variant_size_v<Message>; ++kind) {
    CHECK(rc::check([&] {
      const Message message = arbitrary_message(kind);
      RC_ASSERT(message.index() == kind);
      Bytes bytes;
      encode_body(envelope(message), bytes);
      const Body decoded = decode_body(known, bytes);
      RC_ASSERT(!decoded.empty());
      RC_ASSERT(message_of(decoded) == message);
      RC_ASSERT(message_of(decoded.clone()) == message);
      bytes.pop_back();
      RC_ASSERT(decode_body(known, bytes).empty());
    }));
  }
}

namespace {

template <std::size_t... Index>
std::vector<Envelope> one_of_each(std::index_sequence<Index...>) {
  return {Envelope{Payload(std::in_place_index<Index>)}...};
}

}  // namespace

TEST_CASE("every payload travels in the one envelope, and says itself whether it is a reply") {
  const auto all = one_of_each(std::make_index_sequence<std::variant_size_v<Payload>>());
  REQUIRE(all.size() == std::variant_size_v<Message> + 4);
  std::vector<std::size_t> replies;
  for (const Envelope& each : all) {
    const Body body = Body::make(each);
    CHECK(body.type() == Envelope::kType);
    Bytes bytes;
    encode_body(body, bytes);
    const Body decoded = decode_body(catalogue(), bytes);
    REQUIRE(!decoded.empty());
    CHECK(decoded.as<Envelope>() == each);
    if (body.is_reply()) replies.push_back(each.payload.index());
  }
  const auto index_of = [](const Payload& payload) { return payload.index(); };
  CHECK(replies == std::vector{index_of(Promise{}), index_of(Accepted{}), index_of(HeartbeatAck{}),
                               index_of(Reject{}), index_of(SnapshotChunk{})});
}

TEST_CASE("every field of what drivers and operators send travels") {
  const Payload sent[] = {SnapshotFetch{ShardId(1), 2, 3},
                          SnapshotChunk{ShardId(1), 2, 3, 4, 5, Bytes(6, std::byte{7})},
                          MoveMaster{ShardId(1), 2, 3},
                          MasterReport{ShardId(1), 2, Authority::yes}};
  for (const Payload& payload : sent) {
    CAPTURE(payload.index());
    const Body body = Body::make(Envelope{payload});
    Bytes bytes;
    encode_body(body, bytes);
    const Body decoded = decode_body(catalogue(), bytes);
    REQUIRE(!decoded.empty());
    CHECK(decoded.as<Envelope>().payload == payload);
    CHECK(body.clone().as<Envelope>().payload == payload);
    bytes.pop_back();
    CHECK(decode_body(catalogue(), bytes).empty());
  }
}

TEST_CASE("DESIGN-3 the clone of an envelope shares no bytes with it") {
  const SharedBytes value = command("value");
  const Body original = envelope(Accept{ShardId(1), make_ballot(3, 1), 4, 3, {}, {value}});
  const Body clone = original.clone();
  const auto& copy = std::get<Accept>(clone.as<Envelope>().payload);
  CHECK(copy.values.at(0) == value);
  CHECK(copy.values.at(0).view().data() != value.view().data());
}

TEST_CASE("J-S6 messages state their facts, one per slot") {
  const auto facts_of = [](const Message& message) {
    Facts facts;
    const Body body = envelope(message);
    body.operations().facts(body.message(), facts);
    return facts.kinds;
  };
  using trace::Kind;
  const Ballot ballot = make_ballot(3, 1);
  CHECK(facts_of(Prepare{ShardId(1), ballot, 4}) == std::vector{Kind::paxos_prepare});
  Promise promise{ShardId(1), ballot, 4, 3, kFirstGeneration, {}};
  promise.accepted.resize(2);
  CHECK(facts_of(promise) ==
        std::vector{Kind::paxos_promise, Kind::paxos_reported, Kind::paxos_reported});
  Accept accept{ShardId(1), ballot, 4, 3, {}, {}};
  accept.values.resize(2);
  CHECK(facts_of(accept) == std::vector{Kind::paxos_accept, Kind::paxos_accept});
  Accepted accepted{ShardId(1), ballot, 4, 0, {}, kFirstGeneration, {}};
  accepted.value_hashes.resize(3);
  CHECK(facts_of(accepted).size() == 3);
  CHECK(facts_of(Heartbeat{}) == std::vector{trace::Kind::paxos_heartbeat});
}

TEST_CASE("B-12 a log refuses records that no replica writes") {
  Recovered log;
  CHECK(log.is_fresh());
  CHECK(log.absorb(LogRecord::promise(make_ballot(2, 0))));
  CHECK(!log.absorb(LogRecord::promise(make_ballot(2, 0))));
  CHECK(!log.absorb(LogRecord::accept(1, make_ballot(1, 0), command("a"))));
  CHECK(log.absorb(LogRecord::accept(2, make_ballot(3, 1), command("b"))));
  CHECK(log.promised == make_ballot(3, 1));
  CHECK(!log.absorb(LogRecord::commit(2)));  // slot 1 is missing
  CHECK(log.absorb(LogRecord::accept(1, make_ballot(3, 1), command("a"))));
  CHECK(log.absorb(LogRecord::commit(2)));
  CHECK(!log.absorb(LogRecord::commit(1)));
  CHECK(!log.is_fresh());
}

TEST_CASE("M-05 a replica set counts members, not replies") {
  ReplicaSet set;
  set.add(3);
  set.add(3);
  CHECK(set.size() == 1);
  CHECK(ReplicaSet::all(5).without(set).size() == 4);
  CHECK(ReplicaSet::all(kMaxReplicas).size() == kMaxReplicas);
  Config config;
  config.replicas = 5;
  CHECK(config.quorum() == 3);
}

}  // namespace photon::paxos::testing
