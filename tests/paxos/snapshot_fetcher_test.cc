// Fetching a snapshot piece by piece: which pieces count, when a question is repeated, and when
// another sender takes over.
#include "core_impl/paxos/snapshot_fetcher.h"

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon::paxos {
namespace {

using namespace std::chrono_literals;

constexpr ShardId kFetchGroup{5};
constexpr Duration kAnswerTime = 100ms;

struct Fetch {
  SnapshotFetcher fetcher{kFetchGroup, kAnswerTime};
  MonotonicTime now{10s};
  Bytes file = Bytes(100, std::byte{7});
  Slot through = 20;

  SnapshotChunk piece(std::uint64_t offset, std::size_t size) const {
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(offset);
    return {kFetchGroup,      through, file.size(),
            hash_bytes(file), offset,  Bytes(begin, begin + static_cast<std::ptrdiff_t>(size))};
  }
  bool take(const SnapshotChunk& chunk, ReplicaIndex from = 1) {
    return fetcher.on_chunk(from, chunk, now);
  }
  // The offset that is asked for now; nothing if no question is due.
  std::optional<std::uint64_t> asks() {
    const auto question = fetcher.next_question(now);
    if (!question) return std::nullopt;
    CHECK(question->fetch.group == kFetchGroup);
    asked = question->to;
    asked_through = question->fetch.through;
    return question->fetch.offset;
  }
  ReplicaIndex asked = kNoReplica;
  Slot asked_through = 0;
};

}  // namespace

TEST_CASE(
    "B-18 pieces are asked for one after the other, each again after the time for an answer") {
  Fetch fetch;
  CHECK_FALSE(fetch.asks().has_value());
  CHECK(fetch.fetcher.due() == MonotonicTime::max());
  fetch.fetcher.offered({1, 20}, fetch.now);
  CHECK(fetch.fetcher.due() == fetch.now);
  CHECK(fetch.asks() == 0);
  CHECK(fetch.asked == 1);
  CHECK(fetch.asked_through == 20);
  CHECK(fetch.fetcher.due() == fetch.now + kAnswerTime);
  CHECK_FALSE(fetch.asks().has_value());
  fetch.now += kAnswerTime - 1ns;
  CHECK_FALSE(fetch.asks().has_value());
  fetch.now += 1ns;
  CHECK(fetch.asks() == 0);
  CHECK_FALSE(fetch.take(fetch.piece(0, 60)));
  CHECK(fetch.asks() == 60);                    // at once
  CHECK_FALSE(fetch.take(fetch.piece(0, 60)));  // twice
  CHECK_FALSE(fetch.asks().has_value());
  CHECK_FALSE(fetch.take(fetch.piece(61, 39)));  // with a gap
  CHECK_FALSE(fetch.take(fetch.piece(60, 39)));
  CHECK(fetch.asks() == 99);
  CHECK(fetch.take(fetch.piece(99, 1)));
  CHECK(fetch.fetcher.take() == fetch.file);
  CHECK(fetch.fetcher.due() == MonotonicTime::max());
}

TEST_CASE("B-18 questions that are answered at last never make a transfer begin anew") {
  Fetch fetch;
  fetch.fetcher.offered({1, 20}, fetch.now);
  for (std::uint64_t offset = 0; offset < 96; offset += 4) {
    CHECK(fetch.asks() == offset);
    fetch.now += kAnswerTime;
    CHECK(fetch.asks() == offset);  // the first one, or its answer, was lost
    CHECK_FALSE(fetch.take(fetch.piece(offset, 4)));
  }
  fetch.fetcher.offered({1, 20}, fetch.now);
  fetch.fetcher.offered({2, 20}, fetch.now);
  CHECK(fetch.asks() == 96);
  CHECK(fetch.asked == 1);
}

TEST_CASE("B-18 pieces from elsewhere, without bytes or of an older snapshot count nowhere") {
  Fetch fetch;
  CHECK_FALSE(fetch.take(fetch.piece(0, 60)));  // nothing was offered
  fetch.fetcher.offered({1, 20}, fetch.now);
  CHECK(fetch.asks() == 0);
  CHECK_FALSE(fetch.take(fetch.piece(0, 60), 2));
  CHECK_FALSE(fetch.take(fetch.piece(0, 0)));
  CHECK_FALSE(fetch.take(fetch.piece(10, 60)));  // the first one must be the first
  fetch.through = 19;
  CHECK_FALSE(fetch.take(fetch.piece(0, 100)));
  CHECK_FALSE(fetch.asks().has_value());  // none of them was an answer
  fetch.through = 20;
  CHECK_FALSE(fetch.take(fetch.piece(0, 60)));
  CHECK(fetch.asks() == 60);
}

TEST_CASE("B-18 a snapshot that changes on the way begins again, with its first piece") {
  Fetch fetch;
  fetch.fetcher.offered({1, 20}, fetch.now);
  CHECK(fetch.asks() == 0);
  CHECK_FALSE(fetch.take(fetch.piece(0, 60)));
  CHECK(fetch.asks() == 60);
  SECTION("a newer one") { fetch.through = 21; }
  SECTION("another one of the same slots") { fetch.file[80] = std::byte{8}; }
  SECTION("a longer one") { fetch.file.push_back(std::byte{8}); }
  CHECK_FALSE(fetch.take(fetch.piece(60, 40)));  // its beginning is missing
  CHECK_FALSE(fetch.asks().has_value());
  CHECK_FALSE(fetch.take(fetch.piece(0, 60)));
  CHECK(fetch.asks() == 60);
  CHECK(fetch.asked_through == fetch.through);
  CHECK(fetch.take(fetch.piece(60, fetch.file.size() - 60)));
  CHECK(fetch.fetcher.take() == fetch.file);
}

TEST_CASE("B-18 pieces that do not give the stated bytes are dropped, until the next offer") {
  Fetch fetch;
  fetch.fetcher.offered({1, 20}, fetch.now);
  SnapshotChunk whole = fetch.piece(0, 100);
  whole.bytes[50] = std::byte{9};
  CHECK_FALSE(fetch.take(whole));
  CHECK_FALSE(fetch.asks().has_value());
  fetch.fetcher.offered({1, 20}, fetch.now);
  CHECK(fetch.asks() == 0);
  CHECK(fetch.take(fetch.piece(0, 100)));
}

TEST_CASE("B-18 another sender takes over after two questions without answer, the same after ten") {
  const ReplicaIndex next = GENERATE(ReplicaIndex{2}, ReplicaIndex{1});
  const int most = next == 1 ? 10 : 2;
  Fetch fetch;
  fetch.fetcher.offered({1, 20}, fetch.now);
  std::uint64_t offset = 0;
  SECTION("counted from the offer") {}
  SECTION("counted from the last answer") {
    CHECK(fetch.asks() == 0);
    offset = 60;
    CHECK_FALSE(fetch.take(fetch.piece(0, offset)));
  }
  for (int question = 1; question <= most; ++question) {
    fetch.fetcher.offered({next, 22}, fetch.now);
    CHECK(fetch.asks() == offset);
    CHECK(fetch.asked == 1);
    CHECK(fetch.asked_through == 20);
    fetch.now += kAnswerTime;
  }
  fetch.fetcher.offered({next, 22}, fetch.now);
  CHECK(fetch.asks() == 0);
  CHECK(fetch.asked == next);
  CHECK(fetch.asked_through == 22);
}

}  // namespace photon::paxos
