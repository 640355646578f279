// The cache side of the EventStore: LRU cache, cache node, hash ring.
#include <list>
#include <map>

#include "core_impl/base/random.h"
#include "core_impl/photon/event_store/cache_node.h"
#include "core_impl/photon/event_store/hash_ring.h"
#include "tests/photon/event_store/primary_logs.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"
#include "tests/support/known_log.h"

namespace photon {
namespace {

using namespace photon::testing;

constexpr NodeId kCache{10};
constexpr NodeId kAsker{20};

EventId numbered(std::uint64_t number) {
  return event_at(1, 1, Duration(static_cast<std::int64_t>(number)));
}

// A simple LRU, with which the real one is compared.
class ModelCache {
 public:
  explicit ModelCache(std::uint64_t capacity) : capacity_(capacity) {}
  void insert(const EventId& id, const Bytes& payload) {
    erase(id);
    const std::uint64_t needed = LruCache::kEntryBytes + payload.size();
    if (needed > capacity_) return;
    while (bytes() + needed > capacity_) entries_.pop_back();
    entries_.emplace_front(id, payload);
  }
  const Bytes* find(const EventId& id) {
    const auto found = place(id);
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return &entries_.front().second;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [id, payload] : entries_) sum += LruCache::kEntryBytes + payload.size();
    return sum;
  }
  std::size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<EventId, Bytes>>;
  Entries::iterator place(const EventId& id) {
    return std::ranges::find(entries_, id, &Entries::value_type::first);
  }
  void erase(const EventId& id) {
    if (const auto found = place(id); found != entries_.end()) entries_.erase(found);
  }
  std::uint64_t capacity_;
  Entries entries_;
};

QueryReply ask(CacheNode& node, FakeContext& context, const EventId& id) {
  context.sent.clear();
  node.on_message(context, kAsker, Body::make(QueryRequest{7, id, QueryTier::cache}));
  const auto replies = context.sent_of<QueryReply>();
  REQUIRE(replies.size() == 1);
  CHECK(replies.front().first == kAsker);
  CHECK(replies.front().second.request == 7);
  return replies.front().second;
}

void fill(CacheNode& node, FakeContext& context, const std::vector<EventId>& ids) {
  Bytes records;
  for (const EventId& id : ids) append_encoded(logs::PrimaryEvent{id, payload_of(id)}, records);
  node.on_message(context, NodeId{1},
                  Body::make(CacheFill{logs::PrimaryBatch(std::move(records))}));
}

}  // namespace

TEST_CASE("E-07 the cache evicts the least recently used, where use is insert or hit") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  INFO("seed " << seed);
  LruCache cache(5000);
  ModelCache model(5000);
  const KnownPayloads source;
  const RandomStream random(seed, Purpose::test, 0);
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    const auto word = random.block(step);
    const EventId id = numbered(uniform_below(word[0], 80));
    if (word[1] % 3 == 0) {
      // Sometimes a payload that differs from the last, or does not fit at all.
      const auto size =
          static_cast<std::uint32_t>(word[1] % 100 == 0 ? 6000 : uniform_below(word[1], 400));
      Bytes payload(size, std::byte{1});
      PayloadView view(payload);
      if (word[0] % 2 == 0) {  // by reference: charged the same
        view = PayloadView(source, word[1], size);
        view.bytes(payload);
      }
      cache.insert(id, view);
      model.insert(id, payload);
    } else {
      const auto found = cache.find(id);
      const Bytes* expected = model.find(id);
      REQUIRE(found.has_value() == (expected != nullptr));
      if (found) REQUIRE(Payload(*found) == *expected);
    }
    REQUIRE(cache.bytes() == model.bytes());
    REQUIRE(cache.size() == model.size());
    REQUIRE(cache.bytes() <= 5000);
  }
  CHECK(cache.evictions() > 100);
}

TEST_CASE("E-07 entries larger than a segment of the cache are kept like any other") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  INFO("seed " << seed);
  constexpr std::uint64_t kCapacity = 1'000'000;
  LruCache cache(kCapacity);
  ModelCache model(kCapacity);
  const RandomStream random(seed, Purpose::test, 1);
  for (std::uint64_t step = 0; step < effort(3000); ++step) {
    const auto word = random.block(step);
    const EventId id = numbered(uniform_below(word[0], 60));
    const Bytes payload(uniform_below(word[1], 100'000), static_cast<std::byte>(step));
    if (word[1] % 2 == 0) {
      cache.insert(id, PayloadView(payload));
      model.insert(id, payload);
    } else {
      const auto found = cache.find(id);
      const Bytes* expected = model.find(id);
      REQUIRE(found.has_value() == (expected != nullptr));
      if (found) REQUIRE(Payload(*found) == *expected);
    }
    REQUIRE(cache.bytes() == model.bytes());
    REQUIRE(cache.size() == model.size());
  }
}

TEST_CASE("E-05 hits and replacements without limit do not make the cache's memory grow") {
  LruCache cache(10'000'000);
  constexpr std::uint64_t kQueries = 1000;
  const Bytes payload(100, std::byte{7});
  for (std::uint64_t i = 0; i < kQueries; ++i) cache.insert(numbered(i), PayloadView(payload));
  const RandomStream random(1, Purpose::test, 2);
  for (std::uint64_t step = 0; step < 200'000; ++step) {
    const auto word = random.block(step);
    const EventId id = numbered(uniform_below(word[0], kQueries));
    if (word[1] % 4 == 0) {
      cache.insert(id, PayloadView(payload));
    } else {
      REQUIRE(cache.find(id).has_value());
    }
    REQUIRE(cache.memory_bytes() <= 2 * kQueries * LruCache::charge(payload.size()) + 4 * 32'768);
  }
  CHECK(cache.size() == kQueries);
  CHECK(cache.evictions() == 0);
}

TEST_CASE("E-05 dead entries are kept until they outweigh the others by more than a segment") {
  LruCache cache(10'000);
  constexpr std::uint64_t kSegment = 32'768;
  constexpr int kInOne = 512;  // of 64 bytes: an id, 8 bytes about the entry, the payload
  const Bytes payload(40, std::byte{7});
  for (int i = 1; i <= 4 * kInOne; ++i) {
    CAPTURE(i);
    cache.insert(numbered(1), PayloadView(payload));
    REQUIRE(cache.memory_bytes() == (i <= kInOne ? kSegment : 2 * kSegment));
  }
  CHECK(cache.size() == 1);
}

TEST_CASE("E-05 a payload by reference takes some tens of bytes of memory, whatever its size") {
  constexpr std::uint64_t kQueries = 10'000;
  LruCache cache(kQueries * LruCache::charge(512));
  const KnownPayloads source;
  for (std::uint64_t i = 0; i < 3 * kQueries; ++i) {
    cache.insert(numbered(i), PayloadView(source, i, 512));
  }
  CHECK(cache.size() == kQueries);
  CHECK(cache.evictions() == 2 * kQueries);
  CHECK(cache.bytes() == kQueries * LruCache::charge(512));
  CHECK(cache.memory_bytes() <= kQueries * 40 + 3 * 32'768);
  CHECK(source.written() == 0);
}

TEST_CASE("the index of places behaves like a map") {
  const std::uint64_t seed = GENERATE(1, 2, 3, 4);
  INFO("seed " << seed);
  PlaceIndex index;
  std::map<std::uint32_t, std::uint32_t> model;  // key -> place
  const RandomStream random(seed, Purpose::test, 3);
  // Few tags for many keys, at the end of the table too: long runs that wrap around.
  const auto tag_of = [](std::uint32_t key) {
    return key % 3 == 0 ? 0xffffffffU - key % 5 : static_cast<std::uint32_t>(mix(key) << 16U);
  };
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const auto word = random.block(step);
    const auto key = static_cast<std::uint32_t>(uniform_below(word[0], 300));
    const auto known = model.find(key);
    const std::uint32_t place = index.find(tag_of(key), [&](std::uint32_t candidate) {
      return known != model.end() && candidate == known->second;
    });
    REQUIRE(place == (known == model.end() ? PlaceIndex::kNowhere : known->second));
    if (known == model.end()) {
      index.insert(tag_of(key), step);
      model.emplace(key, step);
    } else if (word[1] % 2 == 0) {
      index.erase(tag_of(key), place);
      model.erase(known);
    } else {
      index.move(tag_of(key), place, step);
      known->second = step;
    }
    REQUIRE(index.size() == model.size());
  }
}

TEST_CASE("E-05 E-07 a cache node returns what the reader filled in, whole") {
  FakeContext context(kCache);
  CacheNode node(CacheNodeOptions{});
  node.on_start(context);
  const std::vector<EventId> ids{numbered(1), numbered(2), numbered(3)};
  fill(node, context, ids);
  for (const EventId& id : ids) {
    const QueryReply reply = ask(node, context, id);
    CHECK(reply.status == QueryStatus::found);
    CHECK(reply.returned == id);
    CHECK(reply.payload == payload_of(id));
  }
  CHECK(ask(node, context, numbered(4)).status == QueryStatus::not_found);
  CHECK(ask(node, context, EventId{}).status == QueryStatus::not_found);
}

TEST_CASE("E-07 a cache node is filled by references and bytes alike, in the order of the fill") {
  const std::size_t lost = GENERATE(0, 2, 6);  // the capacity is that of the others
  CAPTURE(lost);
  KnownLog log(EventKind::primary, 12, 1);
  std::uint64_t capacity = 0;
  logs::PrimaryBatch batch;
  for (std::size_t i = 0; i < log.events().size(); ++i) {
    const StoredEvent& event = log.events()[i];
    if (i >= lost) capacity += LruCache::charge(event.payload.size());
    if (i % 5 == 4) {
      batch.append_record(std::span(log.bytes()).subspan(event.begin, event.end - event.begin));
    } else {
      batch.append(event.id, event.payload);
    }
  }
  FakeContext context(kCache);
  CacheNode node(CacheNodeOptions{capacity});
  node.on_message(context, NodeId{1}, Body::make(CacheFill{std::move(batch)}));
  CHECK(node.statistics().filled == 12);
  for (std::size_t i = 0; i < log.events().size(); ++i) {
    CAPTURE(i);
    const StoredEvent& event = log.events()[i];
    const QueryReply reply = ask(node, context, event.id);
    REQUIRE(reply.status == (i < lost ? QueryStatus::not_found : QueryStatus::found));
    if (i < lost) continue;
    CHECK(reply.payload == Payload(event.payload));
    CHECK(reply.payload.is_reference() == (i < 4));  // the first record made the rest bytes
  }
}

TEST_CASE("E-03 a cache node remembers nothing about a miss") {
  FakeContext context(kCache);
  CacheNode node(CacheNodeOptions{});
  CHECK(ask(node, context, numbered(1)).status == QueryStatus::not_found);
  fill(node, context, {numbered(1)});
  CHECK(ask(node, context, numbered(1)).status == QueryStatus::found);
}

TEST_CASE("E-08 damaged fill bytes cost records of that fill and nothing else") {
  FakeContext context(kCache);
  CacheNode node(CacheNodeOptions{});
  Bytes records;
  for (std::uint64_t i = 0; i < 3; ++i) {
    append_encoded(logs::PrimaryEvent{numbered(i), payload_of(numbered(i))}, records);
  }
  records[kRecordOverhead + 3] ^= std::byte{1};  // inside the first body
  node.on_message(context, NodeId{1},
                  Body::make(CacheFill{logs::PrimaryBatch(std::move(records))}));
  CHECK(ask(node, context, numbered(0)).status == QueryStatus::not_found);
  CHECK(ask(node, context, numbered(2)).status == QueryStatus::found);
  CHECK(node.statistics().malformed == 1);
}

TEST_CASE("E-06 a query belongs to the node of the first of all points at or after its hash") {
  const PooledVector<NodeId> nodes{NodeId{4}, NodeId{9}, NodeId{30}};
  std::map<std::uint64_t, NodeId> points;
  for (const NodeId node : nodes) {
    for (std::uint32_t i = 0; i < HashRing::kVirtualNodes; ++i) {
      points.emplace(combine(mix(node.value() + 1ULL), i), node);
    }
  }
  const HashRing ring(nodes);
  for (std::uint64_t key = 0; key < 40'000; ++key) {
    const EventId id = numbered(key);
    const auto next = points.lower_bound(hash_of(id));
    REQUIRE(ring.owner(id) == (next == points.end() ? points.begin() : next)->second);
  }
}

TEST_CASE("E-06 one node more moves 1/(n+1) of the keys, and only to the new node") {
  constexpr std::uint64_t kKeys = 40'000;
  STATIC_REQUIRE(HashRing::kVirtualNodes >= 100);
  for (std::uint32_t count = 1; count <= 12; ++count) {
    PooledVector<NodeId> nodes;
    for (std::uint32_t i = 0; i < count; ++i) nodes.push_back(NodeId{100 + 3 * i});
    const HashRing before(nodes);
    nodes.insert(nodes.begin() + count / 2, NodeId{7});
    const HashRing after(nodes);
    std::uint64_t moved = 0;
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      const EventId id = event_at(static_cast<std::uint32_t>(key % 17), 1, Duration(1000 * key));
      REQUIRE(nodes[after.owner_index(id)] == after.owner(id));
      if (before.owner(id) == after.owner(id)) continue;
      REQUIRE(after.owner(id) == NodeId{7});
      ++moved;
    }
    const double share = static_cast<double>(moved) / kKeys * (count + 1);
    INFO(count << " nodes, moved share times n+1: " << share);
    CHECK(share > 0.7);
    CHECK(share < 1.3);
  }
}

TEST_CASE("E-06 one node less moves the keys of that node alone, whichever it is") {
  constexpr std::uint64_t kKeys = 8'000;
  for (std::uint32_t count = 2; count <= 12; ++count) {
    PooledVector<NodeId> nodes;
    for (std::uint32_t i = 0; i < count; ++i) nodes.push_back(NodeId{100 + 3 * i});
    const HashRing before(nodes);
    for (const NodeId gone : nodes) {
      PooledVector<NodeId> rest = nodes;
      std::erase(rest, gone);
      const HashRing after(rest);
      for (std::uint64_t key = 0; key < kKeys; ++key) {
        const EventId id = event_at(static_cast<std::uint32_t>(key % 17), 1, Duration(1000 * key));
        const bool moved = before.owner(id) != after.owner(id);
        REQUIRE(moved == (before.owner(id) == gone));
      }
    }
  }
}

}  // namespace photon
