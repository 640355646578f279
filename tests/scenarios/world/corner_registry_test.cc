// The corner cases of the registry that are scenarios with one shard (scenarios/corner): each test
// shows from the trace that its row really occurred, and its outcome.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/record.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;
using namespace std::chrono_literals;

namespace {

namespace trace = photon::trace;
using photon::Duration;
using photon::EventId;
using photon::NodeId;
using photon::Token;
using Code = trace::RegistryCode;
using Operation = trace::RegistryOperation;

constexpr Duration kNever = Duration::max();

// An insert at a place of the log: when the first replica applied it, and with what result.
struct Applied {
  EventId id;
  Token token;
  std::uint64_t slot;
  Code code;
  bool fresh;
  Duration at;
};

struct Message {
  EventId id;
  Token token;  // empty for look-ups
  Code code;    // of an answer
  std::uint64_t slot;
  NodeId server;
  NodeId client;
  Duration at;
};

struct Term {
  NodeId node;
  Duration from;
  Duration until = kNever;
};

// The events at the registry's one shard.
class Diary final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    const trace::Header& header = record.header;
    const Duration at = header.at.time_since_epoch();
    last = at;
    const bool sent = header.source == trace::Source::sent;
    switch (header.kind) {
      case trace::Kind::master_elected:
        terms.push_back({header.node, at});
        break;
      case trace::Kind::master_ended:
      case trace::Kind::process_crashed:
        for (Term& term : terms) {
          if (term.node == header.node && term.until == kNever) term.until = at;
        }
        break;
      case trace::Kind::batch_proposed:
        proposed.emplace(record.as<trace::BatchProposed>().slot, std::pair(header.node, at));
        break;
      case trace::Kind::boundary_moved:
        boundaries.emplace(record.as<trace::BoundaryMoved>().slot,
                           std::pair(at, record.as<trace::BoundaryMoved>().boundary));
        break;
      case trace::Kind::operation_applied:
        on_applied(record.as<trace::OperationApplied>(), at);
        break;
      case trace::Kind::registry_ask: {
        const auto& ask = record.as<trace::RegistryAsk>();
        (sent ? asked : arrived)
            .push_back({ask.id,
                        ask.token,
                        {},
                        0,
                        sent ? header.peer : header.node,
                        sent ? header.node : header.peer,
                        at});
        break;
      }
      case trace::Kind::registry_answer: {
        const auto& answer = record.as<trace::RegistryAnswer>();
        (sent ? answered : heard)
            .push_back({answer.id, answer.token, answer.code, answer.slot,
                        sent ? header.node : header.peer, sent ? header.peer : header.node, at});
        break;
      }
      default:
        break;
    }
  }

  // Inserts in the order of the log.
  std::vector<Applied> inserts() const {
    std::vector<Applied> list;
    for (const auto& [place, applied] : applied_) list.push_back(applied);
    return list;
  }
  // The master that the fault hit: the first one.
  const Term& crashed() const { return terms.at(0); }
  bool proposed_by_crashed(std::uint64_t slot) const {
    const auto found = proposed.find(slot);
    return found != proposed.end() && found->second.first == crashed().node;
  }

  Duration last{};  // record of the run
  std::vector<Term> terms{};
  std::map<std::uint64_t, std::pair<NodeId, Duration>> proposed{};  // by slot; the first proposal
  std::map<std::uint64_t, std::pair<Duration, photon::Stamp>> boundaries{};  // by slot
  std::vector<Message> asked{};                                              // by clients
  std::vector<Message> arrived{};                                            // at servers
  std::vector<Message> answered{};                                           // by servers
  std::vector<Message> heard{};                                              // by clients

 private:
  void on_applied(const trace::OperationApplied& operation, Duration at) {
    if (operation.operation != Operation::insert) return;
    applied_.try_emplace({operation.slot, operation.index},
                         Applied{operation.id, operation.token, operation.slot, operation.code,
                                 operation.fresh == 1, at});
  }

  std::map<std::pair<std::uint64_t, std::uint32_t>, Applied> applied_{};  // by slot and index
};

Ran corner(const std::string& name, std::uint64_t seed, Diary& diary,
           const std::vector<std::string>& overrides = {}) {
  Ran ran = run("scenarios/corner/" + name + ".toml", seed, overrides, &diary);
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.inert_faults.empty());
  CHECK(ran.outcome.summary.joined + lost(ran) == ran.outcome.summary.generated);
  return ran;
}

constexpr std::uint64_t kAllSeeds = 5;
constexpr std::uint64_t kSeeds = photon::testing::effort(kAllSeeds);

// Counts over some seeds how often a row occurred. Only registrations of dead joiners may be lost.
std::uint64_t occurrences(const std::string& name,
                          const std::function<std::uint64_t(const Diary&)>& count) {
  std::uint64_t total = 0;
  for (std::uint64_t seed = 1; photon::testing::another_seed(seed, kAllSeeds, total > 0); ++seed) {
    Diary diary;
    const Ran ran = corner(name, seed, diary);
    CHECK(lost(ran) == lost_by(ran, "L-crash"));
    total += count(diary);
  }
  return total;
}

// The time at which the first such message was delivered; kNever if none was.
Duration first_heard(const Diary& diary, const Token& token, Code code) {
  const auto found = std::ranges::find_if(diary.heard, [&](const Message& message) {
    return message.token == token && message.code == code;
  });
  return found == diary.heard.end() ? kNever : found->at;
}

// Retries of inserts whose answers were lost after they took effect, answered in the end: by the
// master that had committed them or by another.
std::uint64_t unheard_winners(const Diary& diary, bool same_master) {
  std::uint64_t count = 0;
  for (const Applied& insert : diary.inserts()) {
    if (!insert.fresh || insert.at < 30s || insert.at > diary.crashed().until) continue;
    const Duration heard = first_heard(diary, insert.token, Code::inserted);
    if (heard == kNever || heard < insert.at + 500ms) continue;
    const auto answer = std::ranges::find_if(diary.heard, [&](const Message& message) {
      return message.token == insert.token && message.code == Code::inserted;
    });
    count += (answer->server == diary.crashed().node) == same_master ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("BC-06 B-41 in the whole of Photon: lost answers, the retry at the same master wins") {
  CHECK(occurrences("BC-06", [](const Diary& diary) {
          CHECK(diary.terms.size() == 1);
          return unheard_winners(diary, true);
        }) >= kSeeds);
}

TEST_CASE("BC-07 B-41 in the whole of Photon: lost answers, the retry at a new master wins") {
  CHECK(occurrences("BC-07", [](const Diary& diary) {
          CHECK(diary.terms.size() == 2);
          CHECK(diary.crashed().until == 30500ms);
          return unheard_winners(diary, false);
        }) >= kSeeds);
}

TEST_CASE("BC-08 B-15 B-16 in the whole of Photon: an old proposal surfaces, and its retry too") {
  CHECK(occurrences("BC-08", [](const Diary& diary) {
          std::uint64_t count = 0;
          const std::vector<Applied> inserts = diary.inserts();
          for (const Applied& old : inserts) {
            // Proposed by the master that died, and not applied before its death.
            if (!old.fresh || !diary.proposed_by_crashed(old.slot)) continue;
            if (old.at <= diary.crashed().until) continue;
            for (const Applied& again : inserts) {
              if (again.token != old.token || again.slot <= old.slot) continue;
              CHECK(again.code == Code::inserted);
              CHECK_FALSE(again.fresh);
              ++count;
            }
          }
          return count;
        }) > 0);
}

TEST_CASE("BC-09 B-15 in the whole of Photon: another joiner registers in between") {
  CHECK(occurrences("BC-09", [](const Diary& diary) {
          std::map<EventId, Token> owners;
          for (const Applied& insert : diary.inserts()) {
            if (insert.fresh) owners.emplace(insert.id, insert.token);
          }
          std::set<Token> beaten;
          for (const Message& ask : diary.arrived) {
            // Requested before the old master died, and owned by another token in the end.
            if (ask.token.is_empty() || ask.at < 30s || ask.at > diary.crashed().until) continue;
            if (owners.at(ask.id) == ask.token) continue;
            const Duration answered = first_heard(diary, ask.token, Code::already_exists);
            CHECK(answered != kNever);
            CHECK(first_heard(diary, ask.token, Code::inserted) == kNever);
            if (answered > diary.crashed().until + 1s) beaten.insert(ask.token);
          }
          return beaten.size();
        }) > 0);
}

TEST_CASE("BC-14 B-62 B-63 in the whole of Photon: masters with slow clocks") {
  CHECK(occurrences("BC-14", [](const Diary& diary) {
          CHECK(diary.terms.size() >= 5);
          std::optional<photon::Stamp> before;
          for (const auto& [slot, move] : diary.boundaries) {
            if (before) CHECK(move.second >= *before);
            before = move.second;
          }
          // A master moves the boundary as soon as it is elected, if its clock lets it. One that
          // does not for a second had a clock earlier than the boundary.
          std::uint64_t after = 0;
          for (const Term& term : diary.terms) {
            if (term.from < 20s) continue;
            const auto moved = std::ranges::any_of(diary.boundaries, [&](const auto& entry) {
              return entry.second.first >= term.from && entry.second.first < term.from + 900ms;
            });
            after += !moved && term.until > term.from + 1s ? 1 : 0;
          }
          return after;
        }) > 0);
}

TEST_CASE("BC-23 B-17 B-27 in the whole of Photon: a majority is lost in the middle of a batch") {
  CHECK(occurrences("BC-23", [](const Diary& diary) {
          std::uint64_t in_doubt = 0;
          for (const Applied& insert : diary.inserts()) {
            const auto proposed = diary.proposed.find(insert.slot);
            if (proposed == diary.proposed.end() || proposed->second.second > 30s) continue;
            in_doubt += insert.at > 45s ? 1 : 0;
          }
          for (const Message& answer : diary.answered) {
            if (answer.token.is_empty() || answer.at < 30200ms || answer.at > 45s) continue;
            CHECK_FALSE(trace::is_definitive(answer.code));
          }
          return in_doubt;
        }) > 0);
}

TEST_CASE(
    "BC-24 B-04 in the whole of Photon: a region is lost, the master and a pipeline with it") {
  CHECK(occurrences("BC-24", [](const Diary& diary) {
          CHECK(diary.crashed().until == 30s);
          REQUIRE(diary.terms.size() >= 2);
          CHECK(diary.terms[1].from < 36s);
          CHECK(diary.terms[1].node != diary.crashed().node);
          return static_cast<std::uint64_t>(
              std::ranges::count_if(diary.answered, [&](const Message& answer) {
                return answer.server == diary.terms[1].node && answer.at < 55s &&
                       trace::is_definitive(answer.code);
              }));
        }) > 100 * kSeeds);
}

TEST_CASE("BC-25 D-17 in the whole of Photon: inserts arrive again long after their answer") {
  CHECK(occurrences("BC-25", [](const Diary& diary) {
          std::uint64_t again = 0;
          for (const Message& ask : diary.arrived) {
            if (ask.token.is_empty() || ask.server != diary.crashed().node) continue;
            const Duration heard = first_heard(diary, ask.token, Code::inserted);
            if (heard == kNever || ask.at < heard + 5s) continue;
            const auto answer = std::ranges::find_if(diary.answered, [&](const Message& message) {
              return message.token == ask.token && message.at >= ask.at &&
                     message.server == ask.server;
            });
            if (answer == diary.answered.end()) {
              CHECK(ask.at > diary.last - 1s);  // the run ends while it is being decided
              continue;
            }
            CHECK(answer->code == Code::inserted);
            ++again;
          }
          return again;
        }) >= kSeeds);
}

TEST_CASE("BC-28 D-17 in the whole of Photon: answers arrive after the retry's answer") {
  CHECK(occurrences("BC-28", [](const Diary& diary) {
          std::uint64_t overtaken = 0;
          std::map<Token, std::uint64_t> latest;  // slot of the latest answer delivered
          for (const Message& answer : diary.heard) {
            if (answer.token.is_empty() || answer.code != Code::inserted) continue;
            const auto [entry, first] = latest.try_emplace(answer.token, answer.slot);
            overtaken += !first && answer.slot < entry->second ? 1 : 0;
            entry->second = std::max(entry->second, answer.slot);
          }
          return overtaken;
        }) > 0);
}

TEST_CASE("BC-31 B-65 in the whole of Photon: unseen and too old, skipped permanently") {
  for (const bool lookups : {true, false}) {
    Diary diary;
    const Ran ran =
        corner("BC-31", 1, diary,
               {lookups ? "dispatcher.pre_lookup=true" : "dispatcher.pre_lookup=false"});
    std::set<EventId> stored;
    for (const Applied& insert : diary.inserts()) {
      if (insert.fresh) stored.insert(insert.id);
    }
    std::map<EventId, Duration> refused;  // when its client received it
    for (const Message& answer : diary.heard) {
      if (answer.code != Code::too_old || stored.contains(answer.id)) continue;
      CHECK(answer.token.is_empty() == lookups);
      refused.try_emplace(answer.id, answer.at);
    }
    CHECK(refused.size() > 100);
    CHECK(lost_by(ran, "L-crossedN") == refused.size());
    for (const Message& ask : diary.asked) {
      const auto found = refused.find(ask.id);
      if (found != refused.end()) CHECK(ask.at <= found->second);
    }
  }
}
