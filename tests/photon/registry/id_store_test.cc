#include "core_impl/photon/registry/id_store.h"

#include <algorithm>
#include <map>
#include <vector>

#include <rapidcheck.h>

#include "core_impl/photon/registry/transaction.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;

EventId id_at(std::int64_t stamp, std::uint32_t process = 1) {
  return EventId{1, process, from_nanoseconds<Stamp>(stamp)};
}

StoreOperation insert_of(const EventId& id, const Token& token) {
  return {.operation = RegistryOperation::insert, .id = id, .token = token};
}

StoreOperation clear_of(const EventId& id, const Token& token) {
  return {.operation = RegistryOperation::clear, .id = id, .token = token};
}

StoreOperation remove_of(const EventId& id, const Token& token) {
  return {.operation = RegistryOperation::remove, .id = id, .token = token};
}

StoreOperation boundary_at(std::int64_t stamp) {
  return {.operation = RegistryOperation::move_boundary,
          .boundary = from_nanoseconds<Stamp>(stamp)};
}

StoreOperation collect_up_to(std::uint32_t limit) {
  return {.operation = RegistryOperation::collect, .limit = limit};
}

constexpr Token kFirst{1, 1, 1};
constexpr Token kSecond{2, 1, 1};

TEST_CASE(
    "B-02 B-03 B-41 insert: an absent id wins, the same token wins again, another one loses") {
  IdStore store;
  const EventId id = id_at(100);
  CHECK(store.lookup(id) == RegistryCode::not_found);
  const OperationResult first = store.apply(insert_of(id, kFirst));
  CHECK(first.code == RegistryCode::inserted);
  CHECK(first.freshness == Freshness::fresh);
  CHECK(store.lookup(id) == RegistryCode::exists);
  const OperationResult again = store.apply(insert_of(id, kFirst));
  CHECK(again.code == RegistryCode::inserted);
  CHECK(again.freshness == Freshness::unchanged);
  CHECK(store.apply(insert_of(id, kSecond)).code == RegistryCode::already_exists);
  CHECK(*store.token_of(id) == kFirst);
  CHECK(store.size() == 1);
}

TEST_CASE("B-42 M-10 tokens are compared whole: address, incarnation and sequence") {
  IdStore store;
  const EventId id = id_at(100);
  static_cast<void>(store.apply(insert_of(id, Token{7, 3, 5})));
  for (const Token& other : {Token{8, 3, 5}, Token{7, 4, 5}, Token{7, 3, 6}, Token{7, 3, 4}}) {
    CHECK(store.apply(insert_of(id, other)).code == RegistryCode::already_exists);
  }
  CHECK(store.apply(insert_of(id, Token{7, 3, 5})).code == RegistryCode::inserted);
}

TEST_CASE("B-65 BC-13 BC-31 the boundary: one tick below is too old, the boundary itself is not") {
  IdStore store;
  static_cast<void>(store.apply(boundary_at(1000)));
  const EventId below = id_at(999);
  CHECK(store.apply(insert_of(below, kFirst)).code == RegistryCode::too_old);
  CHECK(store.lookup(below) == RegistryCode::too_old);
  CHECK(store.token_of(below) == nullptr);
  for (const std::int64_t stamp : {1000, 1001}) {
    CHECK(store.lookup(id_at(stamp)) == RegistryCode::not_found);
    CHECK(store.apply(insert_of(id_at(stamp), kFirst)).code == RegistryCode::inserted);
  }
}

TEST_CASE("B-66 B-67 BC-11 too old precedes existence and a matching token") {
  IdStore store;
  const EventId id = id_at(500);
  static_cast<void>(store.apply(insert_of(id, kFirst)));
  static_cast<void>(store.apply(boundary_at(501)));
  // Not collected yet: the answer must not depend on that.
  REQUIRE(store.token_of(id) != nullptr);
  CHECK(store.lookup(id) == RegistryCode::too_old);
  CHECK(store.apply(insert_of(id, kFirst)).code == RegistryCode::too_old);
  CHECK(store.apply(insert_of(id, kSecond)).code == RegistryCode::too_old);
}

TEST_CASE("B-62 B-63 BC-14 BC-15 the boundary never moves back") {
  IdStore store;
  static_cast<void>(store.apply(boundary_at(1000)));
  static_cast<void>(store.apply(boundary_at(400)));
  CHECK(store.boundary() == from_nanoseconds<Stamp>(1000));
  static_cast<void>(store.apply(boundary_at(1001)));
  CHECK(store.boundary() == from_nanoseconds<Stamp>(1001));
}

TEST_CASE(
    "F-12 F-13 B-45 BC-10 clear: the token is removed, the id stays, and nothing matches it") {
  IdStore store;
  const EventId id = id_at(100);
  CHECK(store.apply(clear_of(id, kFirst)).code == RegistryCode::not_found);
  static_cast<void>(store.apply(insert_of(id, kFirst)));
  const std::uint64_t held = store.state_hash();
  CHECK(store.apply(clear_of(id, kSecond)).code == RegistryCode::no_match);
  CHECK(store.state_hash() == held);
  const OperationResult first = store.apply(clear_of(id, kFirst));
  CHECK(first.code == RegistryCode::cleared);
  CHECK(first.freshness == Freshness::fresh);
  const std::uint64_t cleared = store.state_hash();
  CHECK(cleared != held);
  const OperationResult again = store.apply(clear_of(id, kFirst));
  CHECK(again.code == RegistryCode::cleared);
  CHECK(again.freshness == Freshness::unchanged);
  CHECK(store.state_hash() == cleared);
  CHECK(store.size() == 1);
  CHECK(store.lookup(id) == RegistryCode::exists);
  CHECK(store.read_token(id).code == RegistryCode::cleared);
  CHECK(store.apply(insert_of(id, kFirst)).code == RegistryCode::already_exists);
  CHECK(store.apply(insert_of(id, kSecond)).code == RegistryCode::already_exists);
  CHECK(store.apply(remove_of(id, kFirst)).code == RegistryCode::no_match);
  CHECK(store.apply(remove_of(id, Token{})).code == RegistryCode::no_match);
  CHECK(store.size() == 1);
}

TEST_CASE("F-09 B-16 BC-29 remove: only from the owner that was read, and only once") {
  IdStore store;
  const EventId id = id_at(100);
  const std::uint64_t empty = store.state_hash();
  CHECK(store.apply(remove_of(id, kFirst)).code == RegistryCode::not_found);
  static_cast<void>(store.apply(insert_of(id, kFirst)));
  CHECK(store.apply(remove_of(id, kSecond)).code == RegistryCode::no_match);
  CHECK(store.lookup(id) == RegistryCode::exists);
  CHECK(store.apply(remove_of(id, kFirst)).code == RegistryCode::removed);
  CHECK(store.lookup(id) == RegistryCode::not_found);
  CHECK(store.read_token(id).code == RegistryCode::not_found);
  CHECK(store.state_hash() == empty);
  CHECK(store.apply(remove_of(id, kFirst)).code == RegistryCode::not_found);
  // Another client registers: the first owner's removal, late or repeated, does not affect it.
  CHECK(store.apply(insert_of(id, kSecond)).freshness == Freshness::fresh);
  CHECK(store.apply(remove_of(id, kFirst)).code == RegistryCode::no_match);
  CHECK(store.read_token(id).token == kSecond);
}

TEST_CASE("B-67 clear, remove and read_token below the boundary: too old, whatever is stored") {
  IdStore store;
  const EventId stored = id_at(500);
  static_cast<void>(store.apply(insert_of(stored, kFirst)));
  static_cast<void>(store.apply(boundary_at(501)));
  for (const EventId& id : {stored, id_at(499)}) {
    CHECK(store.apply(clear_of(id, kFirst)).code == RegistryCode::too_old);
    CHECK(store.apply(remove_of(id, kFirst)).code == RegistryCode::too_old);
    CHECK(store.read_token(id).code == RegistryCode::too_old);
    CHECK(store.read_token(id).token.is_empty());
  }
  CHECK(store.size() == 1);
}

TEST_CASE("B-64 F-09 a removed id is not collected, a re-inserted one is collected once") {
  IdStore store(10ns);
  for (const std::int64_t stamp : {11, 12, 13}) {
    static_cast<void>(store.apply(insert_of(id_at(stamp), kFirst)));
  }
  static_cast<void>(store.apply(remove_of(id_at(12), kFirst)));
  static_cast<void>(store.apply(remove_of(id_at(11), kFirst)));
  static_cast<void>(store.apply(insert_of(id_at(11), kSecond)));
  IdStore copy(10ns);
  REQUIRE(copy.restore(store.snapshot()));
  CHECK(copy.state_hash() == store.state_hash());
  for (IdStore* each : {&store, &copy}) {
    static_cast<void>(each->apply(boundary_at(20)));
    static_cast<void>(each->apply(collect_up_to(100)));
    CHECK(each->collected().size() == 2);
    CHECK(each->size() == 0);
    CHECK_FALSE(each->has_garbage());
  }
}

TEST_CASE("B-64 collection removes only ids below the boundary, at most `limit` at a time") {
  IdStore store(10ns);
  for (std::uint32_t process = 0; process < 25; ++process) {
    static_cast<void>(store.apply(insert_of(id_at(15, process), kFirst)));
  }
  static_cast<void>(store.apply(insert_of(id_at(-5), kFirst)));
  static_cast<void>(store.apply(insert_of(id_at(25), kFirst)));
  static_cast<void>(store.apply(collect_up_to(100)));
  CHECK(store.size() == 27);  // no boundary yet
  static_cast<void>(store.apply(boundary_at(25)));
  REQUIRE(store.has_garbage());
  static_cast<void>(store.apply(collect_up_to(20)));
  CHECK(store.collected().size() == 20);
  CHECK(store.size() == 7);
  static_cast<void>(store.apply(collect_up_to(20)));
  CHECK(store.collected().size() == 6);
  CHECK_FALSE(store.has_garbage());
  CHECK(store.lookup(id_at(25)) == RegistryCode::exists);
}

// The meaning of the registry, in the simplest form (SPEC J-S4).
struct Model {
  std::map<EventId, Token> tokens;
  Stamp boundary{Stamp::min()};

  RegistryCode insert(const EventId& id, const Token& token) {
    if (id.stamp < boundary) return RegistryCode::too_old;
    const auto [place, fresh] = tokens.try_emplace(id, token);
    const bool same = fresh || place->second == token;
    return same ? RegistryCode::inserted : RegistryCode::already_exists;
  }
  RegistryCode replace(const StoreOperation& operation) {
    if (operation.id.stamp < boundary) return RegistryCode::too_old;
    const auto place = tokens.find(operation.id);
    if (place == tokens.end()) return RegistryCode::not_found;
    const bool clears = operation.operation == RegistryOperation::clear;
    if (clears && place->second.is_empty()) return RegistryCode::cleared;
    if (place->second != operation.token) return RegistryCode::no_match;
    if (!clears) {
      tokens.erase(place);
      return RegistryCode::removed;
    }
    place->second = {};
    return RegistryCode::cleared;
  }
};

StoreOperation random_operation() {
  const int choice = *rc::gen::inRange(0, 12);
  if (choice == 0) return boundary_at(*rc::gen::inRange(-20, 60));
  if (choice == 1) return collect_up_to(*rc::gen::inRange<std::uint32_t>(0, 5));
  const EventId id = id_at(*rc::gen::inRange(-20, 60), *rc::gen::inRange<std::uint32_t>(0, 2));
  const Token token{1, *rc::gen::inRange<std::uint32_t>(1, 3), 1};
  if (choice == 2) return clear_of(id, token);
  if (choice == 3) return remove_of(id, token);
  return insert_of(id, token);
}

TEST_CASE("B-10 B-15 J-S4 the store agrees with the model after any operations") {
  const bool holds = rc::check([] {
    IdStore store(7ns);
    Model model;
    const int count = *rc::gen::inRange(0, 200);
    for (int step = 0; step < count; ++step) {
      const StoreOperation operation = random_operation();
      const OperationResult result = store.apply(operation);
      if (operation.operation == RegistryOperation::insert) {
        RC_ASSERT(result.code == model.insert(operation.id, operation.token));
      } else if (operation.operation == RegistryOperation::move_boundary) {
        model.boundary = std::max(model.boundary, operation.boundary);
      } else if (operation.operation != RegistryOperation::collect) {
        RC_ASSERT(result.code == model.replace(operation));
      }
      RC_ASSERT(store.boundary() == model.boundary);
      for (const EventId& removed : store.collected()) RC_ASSERT(removed.stamp < model.boundary);
    }
    for (const auto& [id, token] : model.tokens) {
      const bool old = id.stamp < model.boundary;
      RC_ASSERT(store.lookup(id) == (old ? RegistryCode::too_old : RegistryCode::exists));
      if (!old) RC_ASSERT(store.read_token(id).token == token);
    }
  });
  CHECK(holds);
}

// A replica that was restored in the middle continues like the one it was restored from.
TEST_CASE("B-10 B-64 snapshot and restore: equal bytes, equal hash, the same ids collected") {
  const bool holds = rc::check([] {
    IdStore store(7ns);
    IdStore replica(7ns);
    const int count = *rc::gen::inRange(0, 200);
    for (int step = 0; step < count; ++step) {
      const StoreOperation operation = random_operation();
      RC_ASSERT(store.apply(operation).code == replica.apply(operation).code);
      if (operation.operation == RegistryOperation::collect) {
        RC_ASSERT(store.collected() == replica.collected());
      }
      if (*rc::gen::inRange(0, 20) == 0) {
        static_cast<void>(replica.apply(insert_of(id_at(1000), kFirst)));  // restore forgets it
        RC_ASSERT(replica.restore(store.snapshot()));
        RC_ASSERT(replica.size() == store.size());
      }
      RC_ASSERT(store.state_hash() == replica.state_hash());
    }
    RC_ASSERT(store.snapshot() == replica.snapshot());
  });
  CHECK(holds);
}

TEST_CASE("B-10 an invalid snapshot is refused") {
  IdStore store(10ns);
  for (std::int64_t step = 0; step < 30; ++step) {
    static_cast<void>(store.apply(insert_of(id_at(7 * (step % 10) + step), kFirst)));
  }
  const Bytes good = store.snapshot();
  IdStore other(10ns);
  REQUIRE(other.restore(good));
  CHECK(other.state_hash() == store.state_hash());
  CHECK_FALSE(IdStore(11ns).restore(good));
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK_FALSE(other.restore(std::span(good).first(size)));
  }
  Bytes longer = good;
  longer.push_back(std::byte{0});
  CHECK_FALSE(other.restore(longer));
  // Headers take 24 bytes and these entries 33 each.
  Bytes twice = good;
  std::copy_n(good.begin() + 24, 33, twice.begin() + 24 + 33);
  CHECK_FALSE(other.restore(twice));
  Bytes backwards = good;
  std::copy_n(good.end() - 33, 33, backwards.begin() + 24);
  std::copy_n(good.begin() + 24, 33, backwards.end() - 33);
  CHECK_FALSE(other.restore(backwards));
}

TEST_CASE("B-10 the state hash covers the contents: order does not matter, everything else does") {
  IdStore forward;
  IdStore backward;
  for (int step = 0; step < 100; ++step) {
    static_cast<void>(forward.apply(insert_of(id_at(step), kFirst)));
    static_cast<void>(backward.apply(insert_of(id_at(99 - step), kFirst)));
  }
  CHECK(forward.state_hash() == backward.state_hash());
  const std::uint64_t before = forward.state_hash();
  static_cast<void>(forward.apply(insert_of(id_at(5), kSecond)));  // refused: nothing changes
  CHECK(forward.state_hash() == before);
  static_cast<void>(forward.apply(insert_of(id_at(1000), kFirst)));
  static_cast<void>(backward.apply(insert_of(id_at(1000), kSecond)));
  CHECK(forward.state_hash() != backward.state_hash());
  IdStore collected(1ns);
  static_cast<void>(collected.apply(insert_of(id_at(1), kFirst)));
  static_cast<void>(collected.apply(boundary_at(5)));
  static_cast<void>(collected.apply(collect_up_to(1)));
  IdStore empty(1ns);
  CHECK(collected.state_hash() != empty.state_hash());  // the boundary is state
  static_cast<void>(empty.apply(boundary_at(5)));
  CHECK(collected.state_hash() == empty.state_hash());
}

TEST_CASE("B-28 a transaction reads back as it was built") {
  const bool holds = rc::check([] {
    TransactionBuilder builder;
    std::vector<StoreOperation> operations;
    const int count = *rc::gen::inRange(0, 50);
    for (int step = 0; step < count; ++step) {
      operations.push_back(random_operation());
      builder.add(operations.back());
    }
    const std::size_t bytes = builder.bytes();
    TransactionHeader header{NodeId(3), Incarnation(2), 77, 0};
    const SharedBytes encoded = builder.finish(header);
    RC_ASSERT(encoded.size() == bytes);
    RC_ASSERT(builder.operations() == 0U);
    header.operations = static_cast<std::uint32_t>(count);
    TransactionReader reader(encoded.view());
    RC_ASSERT(reader.header() == header);
    for (const StoreOperation& operation : operations) {
      const auto read = reader.next();
      RC_ASSERT(read.has_value());
      RC_ASSERT(*read == operation);
    }
    RC_ASSERT(!reader.next().has_value());
  });
  CHECK(holds);
}

TEST_CASE("B-23 an insert takes less than 100 bytes of a transaction") {
  TransactionBuilder builder;
  builder.add(insert_of(id_at(1), kFirst));
  CHECK(builder.bytes() == kTransactionHeaderBytes + kInsertBytes);
  CHECK(builder.bytes() < 100);
}

}  // namespace
}  // namespace photon
