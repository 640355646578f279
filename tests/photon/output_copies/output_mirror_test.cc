// The mirror: copies are prefixes, despite loss, duplication, torn writes and restarts.

#include "core_impl/photon/output_copies/output_mirror.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/runtime/file_name.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

constexpr NodeId kHere{30};
constexpr NodeId kThere{31};
constexpr VolumeId kHomeCell{2};

// Two mirrors; each message is delivered to the other one `copies` times. They run in step.
struct TwoMirrors {
  explicit TwoMirrors(std::uint64_t seed) : here(kHere, seed), there(kThere, seed + 1) {
    here.world = [this](NodeId, const Body& body) { carry(there, kHere, body); };
    there.world = [this](NodeId, const Body& body) { carry(here, kThere, body); };
    start(here, kThere);
    start(there, kHere);
  }
  void start(Harness& which, NodeId peer) {
    which.start([this, &which, peer] {
      OutputMirrorOptions options;
      options.cell = kHomeCell;
      options.peers = {peer};
      options.piece_bytes = 700;
      auto mirror = std::make_unique<OutputMirror>(options);
      (&which == &here ? sender : receiver) = mirror.get();
      return mirror;
    });
  }
  void carry(Harness& to, NodeId from, const Body& body) {
    const int count = copies ? copies() : 1;
    for (int i = 0; i < count; ++i) {
      const Duration delay = 1ms + (jitter ? jitter() : Duration{});
      if (body.type() == CopyPiece::kType) {
        to.deliver(from, Body::make(body.as<CopyPiece>()), delay);
      } else {
        to.deliver(from, Body::make(body.as<CopyAck>()), delay);
      }
    }
  }
  void run_for(Duration span) {
    for (Duration done{0}; done < span; done += 1ms) {
      here.run_for(1ms);
      there.run_for(1ms);
    }
  }
  void write(std::uint32_t joiner, std::uint32_t life, std::string_view text) {
    here.volumes[kHomeCell.value()].add(
        std::string_view(name(joiner, life).data(), name(joiner, life).size()), bytes_of(text));
  }
  static FileName name(std::uint32_t joiner, std::uint32_t life) {
    return output_file(NodeId(joiner), Incarnation(life));
  }
  const Bytes& original(std::uint32_t joiner, std::uint32_t life) {
    const FileName file = name(joiner, life);
    return here.volumes[kHomeCell.value()].content(view_of(file));
  }
  const Bytes& copy(std::uint32_t joiner, std::uint32_t life) {
    const FileName file = copied_output_file(NodeId(joiner), Incarnation(life));
    return there.volumes[kHomeCell.value()].content(view_of(file));
  }
  bool is_prefix(std::uint32_t joiner, std::uint32_t life) {
    const Bytes& whole = original(joiner, life);
    const Bytes& part = copy(joiner, life);
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
  }

  Harness here, there;
  const OutputMirror* sender = nullptr;
  const OutputMirror* receiver = nullptr;
  std::function<int()> copies;
  std::function<Duration()> jitter;
};

}  // namespace

TEST_CASE("D-08 what a joiner writes is copied to the other datacenter as it grows") {
  TwoMirrors mirrors(1);
  mirrors.write(5, 1, "one");
  mirrors.run_for(1s);
  CHECK(mirrors.copy(5, 1) == mirrors.original(5, 1));
  mirrors.write(5, 1, "two");
  mirrors.write(6, 3, "another joiner's");
  mirrors.run_for(1s);
  CHECK(mirrors.copy(5, 1) == bytes_of("onetwo"));
  CHECK(mirrors.copy(6, 3) == mirrors.original(6, 3));
  CHECK(mirrors.here.volumes[kHomeCell.value()].contents(kOutputCopyPrefix).empty());
}

TEST_CASE("D-08 D-16 J.3-10 copies are prefixes at every instant, and whole at the end") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, Purpose::test, 9);
    std::uint64_t draw = 0;
    const auto below = [&](std::uint64_t limit) {
      return uniform_below(random.word(++draw), limit);
    };
    TwoMirrors mirrors(seed);
    mirrors.copies = [&] { return static_cast<int>(below(3)); };
    mirrors.jitter = [&] { return Duration(below(3'000'000'000)); };
    mirrors.there.io_fate = [&](const VolumeRequest&) {
      const auto word = below(6);
      return word == 0 ? IoFate::lost : word == 1 ? IoFate::unconfirmed : IoFate::done;
    };
    for (int step = 0; step < 60; ++step) {
      const auto joiner = static_cast<std::uint32_t>(below(2));
      mirrors.write(joiner, 1, std::string(below(900), static_cast<char>('a' + below(26))));
      mirrors.run_for(Duration(below(300'000'000)));
      // A mirror that dies may leave the beginning of a piece.
      if (below(10) == 0) {
        mirrors.there.crash([&](const VolumeRequest& request) -> std::size_t {
          return request.data.empty() ? 0 : below(request.data.size() + 1);
        });
        mirrors.start(mirrors.there, kHere);
      }
      if (below(10) == 0) {
        mirrors.here.crash([](const VolumeRequest&) { return 0; });
        mirrors.start(mirrors.here, kThere);
      }
      REQUIRE(mirrors.is_prefix(0, 1));
      REQUIRE(mirrors.is_prefix(1, 1));
    }
    mirrors.copies = nullptr;
    mirrors.there.io_fate = nullptr;
    mirrors.jitter = nullptr;
    mirrors.run_for(60s);
    CHECK(mirrors.copy(0, 1).size() == mirrors.original(0, 1).size());
    CHECK(mirrors.copy(1, 1).size() == mirrors.original(1, 1).size());
    CHECK(mirrors.is_prefix(0, 1));
    CHECK(mirrors.is_prefix(1, 1));
  }
}

TEST_CASE("D-08 an empty file has no copy: asking for its length makes none") {
  TwoMirrors mirrors(1);
  mirrors.write(5, 1, "");
  mirrors.run_for(10s);
  CHECK(mirrors.sender->statistics().pieces == 1);
  CHECK(mirrors.there.volumes[kHomeCell.value()].contents(kOutputCopyPrefix).empty());
  mirrors.write(5, 1, "one");
  mirrors.run_for(1s);
  CHECK(mirrors.copy(5, 1) == bytes_of("one"));
}

TEST_CASE("D-08 an original that has lost its end since it was listed: nothing is sent for it") {
  TwoMirrors mirrors(1);
  mirrors.write(5, 1, "one");
  mirrors.run_for(1s);
  REQUIRE(mirrors.copy(5, 1) == bytes_of("one"));
  const std::uint64_t pieces = mirrors.sender->statistics().pieces;
  mirrors.write(5, 1, "two");
  std::size_t reads = 0;
  mirrors.here.io_fate = [&](const VolumeRequest& request) {
    if (request.operation != VolumeOperation::read) return IoFate::done;
    ++reads;
    VolumeRequest shorter;
    shorter.operation = VolumeOperation::replace;
    shorter.file = request.file;
    shorter.data = bytes_of("one");
    static_cast<void>(mirrors.here.volumes[kHomeCell.value()].execute(shorter));
    return IoFate::done;
  };
  mirrors.run_for(2s);
  CHECK(reads == 1);  // the next list has the present length
  CHECK(mirrors.sender->statistics().pieces == pieces);
  mirrors.here.io_fate = nullptr;
  mirrors.write(5, 1, "three");
  mirrors.run_for(1s);
  CHECK(mirrors.copy(5, 1) == bytes_of("onethree"));
}

TEST_CASE("D-08 a mirror counts what it sends, asks and keeps") {
  TwoMirrors mirrors(1);
  mirrors.write(5, 1, std::string(2000, 'x'));
  mirrors.write(6, 1, "one");
  mirrors.run_for(10s);
  // A question for each file's length, three pieces of the one and one of the other.
  CHECK(mirrors.sender->statistics().pieces == 6);
  CHECK(mirrors.sender->statistics().repetitions == 0);
  CHECK(mirrors.sender->statistics().appended == 0);
  CHECK(mirrors.receiver->statistics().pieces == 0);
  CHECK(mirrors.receiver->statistics().appended == 2003);
}

TEST_CASE("D-08 an answer to an earlier life of a mirror counts for nothing, however long ago") {
  const std::uint32_t life = GENERATE(2U, (1U << 31U) + 1);
  CAPTURE(life);
  const FileName original = TwoMirrors::name(5, 1);
  OutputMirrorOptions options;
  options.cell = kHomeCell;
  options.peers = {kThere};
  // The number of its first question.
  const auto ask = [&](FakeContext& context, OutputMirror& mirror) {
    context.disks[kHomeCell][std::string(view_of(original))] = bytes_of("one");
    mirror.on_start(context);
    context.complete_all(mirror);
    const auto pieces = context.sent_of<CopyPiece>();
    REQUIRE(pieces.size() == 1);
    return pieces[0].second.request;
  };
  FakeContext before(kHere);
  OutputMirror first(options);
  const std::uint64_t earlier = ask(before, first);
  FakeContext now(kHere, life);
  OutputMirror mirror(options);
  const std::uint64_t latest = ask(now, mirror);
  mirror.on(now, kThere, CopyAck{earlier, 2});
  CHECK(now.pending.empty());
  mirror.on(now, kThere, CopyAck{latest, 1});
  REQUIRE(now.pending.size() == 1);
  CHECK(now.pending.front().request.offset == 1);
}

TEST_CASE("J.3-10 a silent peer is asked after 2, 4, 8, 16 and then every 32 seconds") {
  TwoMirrors mirrors(1);
  std::vector<Duration> asked;
  bool silent = true;
  mirrors.copies = [&] {
    const Duration now = mirrors.here.now().time_since_epoch();
    if (silent) asked.push_back(now);
    return silent ? 0 : 1;
  };
  mirrors.write(5, 1, "one");
  mirrors.run_for(120s);
  REQUIRE(asked.size() == 7);
  const Duration pauses[] = {2s, 4s, 8s, 16s, 32s, 32s};
  for (std::size_t i = 0; i < 6; ++i) {
    const Duration pause = asked[i + 1] - asked[i];
    CHECK(pause >= pauses[i]);
    CHECK(pause < pauses[i] + 300ms);  // found by the next poll
  }
  CHECK(mirrors.sender->statistics().repetitions == 6);
  // Once it answers, the next silence is short again.
  silent = false;
  mirrors.run_for(40s);
  REQUIRE(mirrors.copy(5, 1) == bytes_of("one"));
  silent = true;
  asked.clear();
  mirrors.write(5, 1, "two");
  mirrors.run_for(4s);
  REQUIRE(asked.size() == 2);
  CHECK(asked[1] - asked[0] < 2300ms);
}

TEST_CASE("D-16 answers later than the mirror's time-out still count") {
  TwoMirrors mirrors(3);
  mirrors.jitter = [] { return Duration(3s); };
  mirrors.write(5, 1, std::string(2000, 'x'));
  mirrors.run_for(120s);
  CHECK(mirrors.copy(5, 1).size() == 2000);
}
