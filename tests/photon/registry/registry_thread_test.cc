// The registry thread without consensus: what one batch answers, and when.
#include "core_impl/photon/registry/registry_thread.h"

#include <array>
#include <deque>
#include <vector>

#include "tests/support/catch.h"

namespace photon {
namespace {

constexpr Token kT1{1, 1, 1};
constexpr Token kT2{2, 1, 1};
constexpr NodeId kClient{50};

EventId id_at(std::int64_t stamp) { return EventId{1, 1, from_nanoseconds<Stamp>(stamp)}; }
RegistryItem insert_of(const EventId& id, const Token& token) {
  return {id, token, RegistryOperation::insert};
}
RegistryItem lookup_of(const EventId& id) { return {id, Token{}, RegistryOperation::lookup}; }

// The thread with a store; `commit` takes the place of consensus.
struct Bench {
  explicit Bench(RegistryThreadOptions options = {}) : thread(options) {}

  void ask(std::vector<RegistryItem> items, NodeId client = kClient) {
    ++requests;
    repeat(items, client);
  }
  // The latest request once more, or the same number from another client.
  void repeat(const std::vector<RegistryItem>& items, NodeId client = kClient) {
    RegistryRequest request;
    request.request = requests;
    request.items.assign(items.begin(), items.end());
    thread.enqueue(client, request, Applied{store, slot});
  }
  void form() {
    thread.form_batch(builder);
    formed = builder.operations();
    in_flight.push_back(builder.finish({}));
    bytes = in_flight.back();
  }
  void commit() {
    ++slot;
    const SharedBytes oldest = in_flight.front();
    in_flight.pop_front();
    TransactionReader reader(oldest.view());
    while (true) {
      thread.before_operation(store, slot);
      const auto operation = reader.next();
      if (!operation.has_value()) break;
      thread.after_operation(store.apply(*operation), slot);
    }
    thread.finish_batch(store, slot);
  }
  // Codes of all replies so far, one list per request in the order of the replies.
  std::vector<std::vector<RegistryCode>> codes() {
    std::vector<std::vector<RegistryCode>> all;
    for (const OutgoingReply& outgoing : thread.outbox()) {
      all.emplace_back();
      for (const RegistryResult& result : outgoing.reply.results) all.back().push_back(result.code);
    }
    return all;
  }

  IdStore store;
  RegistryThread thread;
  TransactionBuilder builder;
  SharedBytes bytes;                  // formed last
  std::deque<SharedBytes> in_flight;  // the oldest first
  std::uint32_t formed = 0;
  std::uint64_t slot = 0;
  std::uint64_t requests = 0;
};

using Codes = std::vector<std::vector<RegistryCode>>;
constexpr auto kInserted = RegistryCode::inserted;
constexpr auto kTaken = RegistryCode::already_exists;

TEST_CASE("B-25 B-27 BC-01 two tokens in one batch: one wins, both are answered after the commit") {
  Bench bench;
  bench.ask({insert_of(id_at(5), kT1)});
  bench.ask({insert_of(id_at(5), kT2)});
  bench.form();
  CHECK(bench.formed == 2);
  CHECK(bench.thread.outbox().empty());  // neither winner nor loser is answered yet
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted}, {kTaken}});
  CHECK(bench.thread.outbox()[1].reply.results[0].slot == 1);
}

TEST_CASE("B-44 BC-02 the same token twice in one batch: both succeed, one id is stored") {
  Bench bench;
  bench.ask({insert_of(id_at(5), kT1)});
  bench.ask({insert_of(id_at(5), kT1)});
  bench.form();
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted}, {kInserted}});
  CHECK(bench.store.size() == 1);
}

TEST_CASE("B-25 B-44 BC-03 tokens one, two, one in one batch") {
  Bench bench;
  bench.ask({insert_of(id_at(5), kT1), insert_of(id_at(5), kT2), insert_of(id_at(5), kT1)});
  bench.form();
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted, kTaken, kInserted}});
}

TEST_CASE("B-07 B-26 BC-05 look-ups see earlier operations of their batch, after the commit") {
  Bench bench;
  bench.ask({lookup_of(id_at(5))});
  bench.ask({insert_of(id_at(5), kT1)});
  bench.ask({lookup_of(id_at(5))});
  bench.form();
  CHECK(bench.formed == 1);  // look-ups are not replicated
  CHECK(bench.thread.outbox().empty());
  bench.commit();
  CHECK(bench.codes() == Codes{{RegistryCode::not_found}, {kInserted}, {RegistryCode::exists}});
}

TEST_CASE(
    "B-06 B-26 B-27 read_token answers at its place in the queue, and only after the commit") {
  Bench bench;
  const RegistryItem read{id_at(5), Token{}, RegistryOperation::read_token};
  bench.ask({read});
  bench.ask({insert_of(id_at(5), kT1)});
  bench.ask({read});
  bench.ask({{id_at(5), kT1, RegistryOperation::clear}});
  bench.ask({read});
  bench.form();
  CHECK(bench.formed == 2);
  CHECK(bench.thread.outbox().empty());  // nothing that is not committed
  bench.commit();
  CHECK(bench.codes() == Codes{{RegistryCode::not_found},
                               {kInserted},
                               {RegistryCode::exists},
                               {RegistryCode::cleared},
                               {RegistryCode::cleared}});
  CHECK(bench.thread.outbox()[2].reply.results[0].token == kT1);
  CHECK(bench.thread.outbox()[4].reply.results[0].token.is_empty());
}

TEST_CASE("B-24 B-25 BC-04 two batches in flight: the second decides after the first") {
  Bench bench;
  bench.ask({insert_of(id_at(5), kT1)});
  bench.form();
  bench.ask({insert_of(id_at(5), kT2), insert_of(id_at(6), kT2)});
  bench.ask({lookup_of(id_at(6))});
  bench.form();
  CHECK(bench.formed == 2);
  CHECK(bench.thread.outbox().empty());
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted}});
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted}, {kTaken, kInserted}, {RegistryCode::exists}});
  CHECK_FALSE(bench.thread.batch_open());
}

TEST_CASE("B-07 B-24 reads after a batch in flight wait for it and need none of their own") {
  Bench bench;
  bench.ask({insert_of(id_at(5), kT1)});
  bench.form();
  bench.ask({lookup_of(id_at(5))});
  CHECK(bench.thread.form_batch(bench.builder) == 1);
  CHECK(bench.builder.operations() == 0);
  CHECK(bench.thread.queued() == 0);
  CHECK(bench.thread.outbox().empty());
  bench.ask({insert_of(id_at(5), kT2)});
  bench.form();
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted}, {RegistryCode::exists}});
  bench.commit();
  CHECK(bench.codes().back() == std::vector<RegistryCode>{kTaken});
}

TEST_CASE("B-24 B-27 B-29 mastership lost with two batches in flight: no client gets an answer") {
  Bench bench;
  bench.ask({insert_of(id_at(5), kT1)});
  bench.form();
  bench.ask({insert_of(id_at(6), kT1)});
  bench.form();
  bench.ask({insert_of(id_at(7), kT1)});
  bench.thread.fail_all(RegistryCode::not_master, kNoNode);
  CHECK(bench.codes() == Codes(3, {RegistryCode::not_master}));
  CHECK_FALSE(bench.thread.batch_open());
  CHECK(bench.thread.queued() == 0);
}

TEST_CASE("B-23 a queue longer than a batch is drained in order, nothing is dropped") {
  Bench bench({.max_queue = 100, .max_batch_operations = 3, .max_batch_bytes = 1000});
  std::vector<RegistryItem> items;
  for (int item = 0; item < 8; ++item) items.push_back(insert_of(id_at(item), kT1));
  bench.ask(items);
  std::vector<std::uint32_t> sizes;
  while (bench.thread.queued() > 0) {
    bench.form();
    sizes.push_back(bench.formed);
    CHECK(bench.thread.outbox().empty());  // a request is answered whole
    bench.commit();
  }
  CHECK(sizes == std::vector<std::uint32_t>{3, 3, 2});
  REQUIRE(bench.codes() == Codes{std::vector<RegistryCode>(8, kInserted)});
  const auto& results = bench.thread.outbox()[0].reply.results;
  CHECK(results[0].slot == 1);
  CHECK(results[7].slot == 3);
}

TEST_CASE("B-23 max_batch_bytes bounds the transaction") {
  Bench bench({.max_queue = 100,
               .max_batch_operations = 50,
               .max_batch_bytes = kTransactionHeaderBytes + 2 * kInsertBytes});
  for (int item = 0; item < 5; ++item) bench.ask({insert_of(id_at(item), kT1)});
  bench.form();
  CHECK(bench.formed == 2);
  CHECK(bench.bytes.size() == kTransactionHeaderBytes + 2 * kInsertBytes);
}

TEST_CASE("B-22 B-23 what waits fills a batch by its number, or by the bytes of its changes") {
  constexpr auto kBytes = static_cast<std::uint32_t>(kTransactionHeaderBytes + 3 * kInsertBytes);
  auto insert = [number = 0](Bench& bench) mutable {
    bench.ask({insert_of(id_at(++number), kT1)});
  };
  const auto full = [](const Bench& bench) { return bench.thread.fills_batch(); };
  SECTION("by the number of operations, reads included") {
    Bench bench({.max_queue = 100, .max_batch_operations = 3, .max_batch_bytes = 10'000});
    bench.ask({lookup_of(id_at(1))});
    insert(bench);
    CHECK_FALSE(full(bench));
    bench.ask({lookup_of(id_at(1))});
    CHECK(full(bench));
    bench.form();
    CHECK_FALSE(full(bench));
  }
  SECTION("by bytes: reads have none, and a batch is full without room for one more insert") {
    const std::uint32_t less = GENERATE(0U, 1U);
    Bench bench({.max_queue = 100, .max_batch_operations = 50, .max_batch_bytes = kBytes - less});
    for (int i = 0; i < 5; ++i) bench.ask({lookup_of(id_at(1))});
    insert(bench);
    bench.thread.enqueue(StoreOperation{.operation = RegistryOperation::collect, .limit = 1});
    CHECK(full(bench) == (less == 1));
    insert(bench);
    CHECK(full(bench));
    bench.form();
    CHECK(bench.formed == 3);  // the collection is smaller than an insert
    CHECK_FALSE(full(bench));
  }
  SECTION("a lost mastership empties the queue") {
    Bench bench({.max_queue = 100, .max_batch_operations = 50, .max_batch_bytes = kBytes});
    for (int i = 0; i < 3; ++i) insert(bench);
    CHECK(full(bench));
    bench.thread.fail_all(RegistryCode::not_master, kNoNode);
    insert(bench);
    insert(bench);
    CHECK_FALSE(full(bench));
    insert(bench);
    CHECK(full(bench));
  }
  SECTION("the smallest limit of bytes takes one insert at a time") {
    Bench bench(
        {.max_batch_operations = 50,
         .max_batch_bytes = static_cast<std::uint32_t>(kTransactionHeaderBytes + kInsertBytes)});
    insert(bench);
    insert(bench);
    CHECK(full(bench));
    bench.form();
    CHECK(bench.formed == 1);
    CHECK(bench.thread.queued() == 1);
  }
}

TEST_CASE("B-31 a full queue answers overloaded at once and keeps its contents") {
  Bench bench({.max_queue = 2, .max_batch_operations = 10, .max_batch_bytes = 1000});
  bench.ask({insert_of(id_at(1), kT1), insert_of(id_at(2), kT1)});
  bench.ask({insert_of(id_at(3), kT1), insert_of(id_at(4), kT1)});  // no room for the first of them
  CHECK(bench.codes() == Codes{{RegistryCode::overloaded, RegistryCode::overloaded}});
  CHECK(bench.thread.queued() == 2);
}

TEST_CASE("B-31 a bundle larger than the whole queue is admitted while there is any room") {
  Bench bench({.max_queue = 2, .max_batch_operations = 10, .max_batch_bytes = 1000});
  bench.ask({insert_of(id_at(1), kT1)});
  bench.ask({insert_of(id_at(2), kT1), insert_of(id_at(3), kT1), insert_of(id_at(4), kT1)});
  CHECK(bench.codes().empty());
  CHECK(bench.thread.queued() == 4);
}

TEST_CASE("B-31 D-12 a repetition of a waiting request is not queued, and gets the one answer") {
  Bench bench({.max_queue = 1, .max_batch_operations = 10, .max_batch_bytes = 1000});
  bench.ask({insert_of(id_at(5), kT1), lookup_of(id_at(6))});
  bench.repeat({insert_of(id_at(5), kT1)});  // its look-up was given up; the queue is full
  CHECK(bench.thread.queued() == 2);
  bench.repeat({insert_of(id_at(5), kT1)}, NodeId(51));  // another client's number
  CHECK(bench.codes() == Codes{{RegistryCode::overloaded}});
  bench.thread.outbox().clear();
  bench.form();
  bench.repeat({insert_of(id_at(5), kT1)});  // while its batch is being replicated
  CHECK(bench.thread.queued() == 0);
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted, RegistryCode::not_found}});
  CHECK(bench.thread.outbox()[0].client == kClient);
}

TEST_CASE("B-44 D-12 a repetition of a request that was answered is a request like any other") {
  Bench bench;
  bench.ask({insert_of(id_at(5), kT1)});
  bench.form();
  bench.commit();
  bench.repeat({insert_of(id_at(5), kT1)});  // the answer was lost
  REQUIRE(bench.thread.queued() == 1);
  bench.form();
  bench.thread.fail_all(RegistryCode::not_master, NodeId(9));
  bench.repeat({insert_of(id_at(5), kT1)});
  REQUIRE(bench.thread.queued() == 1);
  bench.form();
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted}, {RegistryCode::not_master}, {kInserted}});
  CHECK(bench.store.size() == 1);
}

TEST_CASE("B-27 M-08 M-09 a failed batch gives no client a definitive answer") {
  Bench bench({.max_queue = 10, .max_batch_operations = 3, .max_batch_bytes = 1000});
  bench.ask({insert_of(id_at(5), kT1)});
  bench.ask({insert_of(id_at(5), kT2)});
  bench.ask({lookup_of(id_at(5))});
  bench.ask({insert_of(id_at(6), kT1)});  // still queued
  bench.form();
  bench.thread.fail_all(RegistryCode::not_master, NodeId(9));
  REQUIRE(bench.thread.outbox().size() == 4);
  for (const OutgoingReply& outgoing : bench.thread.outbox()) {
    CHECK(outgoing.reply.results[0].code == RegistryCode::not_master);
    CHECK(outgoing.reply.results[0].slot == 0);
    CHECK(outgoing.reply.master_hint == NodeId(9));
  }
  CHECK(bench.thread.queued() == 0);
  CHECK_FALSE(bench.thread.batch_open());
}

TEST_CASE("B-25 BC-26 a batch of the greatest size with one id: one wins, one row is written") {
  Bench bench;
  for (std::uint32_t client = 0; client < 4096; ++client) {
    bench.ask({insert_of(id_at(5), Token{client + 1, 1, 1})}, NodeId(client));
  }
  bench.form();
  CHECK(bench.formed == 4096);
  bench.commit();
  CHECK(bench.store.size() == 1);
  REQUIRE(bench.thread.outbox().size() == 4096);
  std::size_t winners = 0;
  for (const OutgoingReply& outgoing : bench.thread.outbox()) {
    const RegistryCode code = outgoing.reply.results[0].code;
    if (code == kInserted) ++winners;
    if (outgoing.client != NodeId(0)) CHECK(code == kTaken);
  }
  CHECK(winners == 1);
  CHECK(*bench.store.token_of(id_at(5)) == Token{1, 1, 1});  // first come, first served
}

TEST_CASE("B-28 BC-32 a mixed batch: each request gets its own code") {
  Bench bench;
  bench.ask({insert_of(id_at(20), kT1)});
  bench.form();
  bench.commit();
  bench.thread.outbox().clear();
  bench.thread.enqueue(StoreOperation{.operation = RegistryOperation::move_boundary,
                                      .boundary = from_nanoseconds<Stamp>(10)});
  bench.ask({insert_of(id_at(9), kT1)});   // too old by the preceding move (B-66)
  bench.ask({insert_of(id_at(20), kT2)});  // duplicate
  bench.ask({insert_of(id_at(20), kT1)});  // the winner's own retry
  bench.ask({insert_of(id_at(21), kT1)});  // fresh
  bench.ask({lookup_of(id_at(9))});
  bench.form();
  CHECK(bench.formed == 5);
  bench.commit();
  CHECK(
      bench.codes() ==
      Codes{{RegistryCode::too_old}, {kTaken}, {kInserted}, {kInserted}, {RegistryCode::too_old}});
}

TEST_CASE("B-72 an operation of another shard is refused alone, its neighbours are served") {
  Bench bench;
  RegistryRequest request;
  request.items = {insert_of(id_at(1), kT1), insert_of(id_at(2), kT1)};
  bench.thread.enqueue(kClient, request, Applied{bench.store, bench.slot},
                       std::array{Refusal{1, RegistryCode::wrong_shard}});
  bench.form();
  bench.commit();
  CHECK(bench.codes() == Codes{{kInserted, RegistryCode::wrong_shard}});
  // A request that was meant for another shard holds nothing for this one.
  bench.thread.enqueue(
      kClient, request, Applied{bench.store, bench.slot},
      std::array{Refusal{0, RegistryCode::wrong_shard}, Refusal{1, RegistryCode::wrong_shard}});
  CHECK(bench.thread.queued() == 0);
  CHECK(bench.codes().back() ==
        std::vector<RegistryCode>{RegistryCode::wrong_shard, RegistryCode::wrong_shard});
}

}  // namespace
}  // namespace photon
