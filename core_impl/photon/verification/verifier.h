// The verifier: takes every click of its datacenter's input and checks that it is in the output, or
// brings it back.
//
// Life of a case, from the moment when its click is older than `grace`:
//   outputs      ask the auditors of all datacenters: a click that one has seen is finished
//   token        ask the registry for the owner
//   again        no owner, the token is cleared: an auditor has seen the click in the output, which
//                is asked for once more. If it is nowhere, storage has lost it: reported, left
//                alone (F-14)
//   life         ask the owner's registrar whether that life is dead, and fenced; ask the owner
//                whether its attempt is over
//   proof        the auditors read that life's whole file. If storage has lost unknown records of
//                it, nothing can be proven: reported, left alone (F-14)
//   removal      the click is in no output: the intent is made durable, then the id is removed if
//                it is still stored with that token
//   return       the click is written to the log of re-injected clicks, which dispatchers read
//   rest         nothing to do now; saved, to be checked again later
// A click that was brought back rests until it is seen in the output: its next owner may die too.
// If it had been removed and is not registered for some checks, it is brought back again; the
// checks, and with them the pauses between them, begin anew with each return. While all dispatchers
// are down for days, say, a copy of such a click is written every 8 minutes (with the default
// `recheck`).
// If it was never registered, one copy is enough: dispatchers will come to it, and a second copy
// does not help. That it is still unregistered after as many checks is reported once.
// Memory: the click of every open case with its payload, here and in the journal, of which each
// snapshot holds all of them. Cases end at the latest when the click is N old. Most cases end at
// their first check. Clicks that can never be joined, whose number only the joiners know, stay for
// all of N, and cost a check every `recheck.cap`.
//
// Invariants:
//  * An id is removed only after: its owner's life is dead and fenced, or has itself answered that
//    the attempt of this token is over, and every datacenter has then answered that the record is
//    not in that life's file (F-03..F-07, J-S11). Silence vetoes. Why the answer of a living owner
//    suffices: it is about one token, it lasts, and a record of that attempt was durable before the
//    attempt was over, so the file shows it. It is needed for inserts that the network delivers
//    late. Then the id has been removed and is registered anew for an attempt that was refused long
//    ago, in a life that may continue for ever. Any later copy of that insert has the same end.
//  * The removal names the token that was read, so two verifiers cannot undo each other (F-09).
//  * Between removal and return the intent is durable: a later life repeats both (F-08, F-10).
//  * An offset passes a click only if it is finished or saved, as for a dispatcher (C-04).
//
// Needs in its datacenter's cell: verifier/NNNNN/ and reinjected/NNNNN/, of which the incarnation
// registry fences the earlier lives. A slot may have 16,383 lives (logs/log_file.h).
//
// Paper: Photon section 3.3.3; SPEC F-01..F-16, B-65, J-S11.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/photon/incarnations/incarnation_client.h"
#include "core_impl/photon/intake/backoff.h"
#include "core_impl/photon/intake/intake.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/photon/registry_client/registry_client.h"
#include "core_impl/photon/verification/output_witnesses.h"
#include "core_impl/photon/verification/owner_lives.h"
#include "core_impl/rpc/in_flight.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/trace/pipeline.h"

namespace photon {

struct VerifierOptions {
  NodeId incarnations = kNoNode;  // incarnation registry of the datacenter
  VolumeId logs{};
  VolumeId cell{};
  PooledVector<NodeId> auditors{};             // of all datacenters with output
  PooledVector<JoinerRegistrar> registrars{};  // of all joiners
  RegistryClientOptions registry{};            // timers are set by the verifier
  Duration grace = std::chrono::minutes(10);   // younger clicks are not checked
  // An id this old that is not registered was never taken, or was given up: it is brought back,
  // once (F-08), and then followed until it is N old. Longer than any dispatcher keeps trying.
  Duration unregistered_after = std::chrono::hours(12);
  Backoff recheck{std::chrono::seconds(30), 2000, std::chrono::minutes(10), 100};
  Duration answer_timeout = std::chrono::seconds(5);  // silence of auditors, registrars
  Duration scan_period = std::chrono::seconds(5);
  Duration lease = std::chrono::seconds(10);
  Duration cell_retry_delay = std::chrono::milliseconds(200);
  std::uint32_t max_cases = 1000;  // being checked; resting cases do not count
  std::uint32_t read_chunk = 64U << 10U;
  std::uint32_t max_concurrent_reads = 16;
};

struct VerifierStatistics {
  std::uint64_t taken = 0;
  std::uint64_t finished = 0;
  std::uint64_t removals = 0;  // ids removed from the registry, as far as this life knows
  std::uint64_t returned = 0;  // clicks made durable in the log of re-injected ones
  std::uint64_t rests = 0;
};

class Verifier final : public Node {
 public:
  using Inbox = Accepts<IncarnationGrant, IncarnationAnswer, AttemptOver, RegistryReply,
                        ShardingReply, OutputReply, OutputProgress>;
  enum Timer : TimerKind {
    kScan = 0,
    kCases = 1,
    kRegistry = 2,
    kJournal = 3,
    kIncarnation = 4,
    kSharding = 5,
    kWitnesses = 6,
    kReturn = 7
  };

  explicit Verifier(VerifierOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  void on(Context& context, NodeId from, const IncarnationGrant& grant);
  void on(Context& context, NodeId from, const IncarnationAnswer& answer);
  void on(Context& context, NodeId from, const AttemptOver& over);
  void on(Context& context, NodeId from, const RegistryReply& reply);
  void on(Context& context, NodeId from, const ShardingReply& reply);
  void on(Context& context, NodeId from, const OutputReply& reply);
  void on(Context& context, NodeId from, const OutputProgress& progress);

  const VerifierStatistics& statistics() const { return statistics_; }
  std::size_t open_cases() const { return cases_.size(); }
  // Cases that wait for news of their owners, and those that stopped waiting since the last news.
  std::size_t asking_lives() const { return asking_lives_.size(); }

 private:
  enum class Stage : std::uint8_t {
    outputs,
    token,
    again,
    life,
    proof,
    intent,
    removal,
    back,
    rest
  };
  using Stored = Intake::Stored;
  struct Case {
    logs::ForeignEvent event;
    ClickPlace place;              // until it is stored
    Token owner;                   // from `life` on; empty if it comes back unregistered
    std::uint64_t removed_at = 0;  // slot
    LocalTime due{};               // while it rests
    std::uint32_t checks = 0;      // since it was taken, or brought back last
    std::uint32_t returns = 0;
    Stage stage = Stage::outputs;
    Stored stored = Stored::no;
  };
  using Handle = rpc::InFlight<Case>::Handle;
  // Cases that continue once their record is durable in a log, in order of its end.
  struct Written {
    std::uint64_t end = 0;
    Handle handle = 0;
  };

  void recover(Context& context);
  Handle restore(Context& context, SavedRecord record, const IntentRecord* intent);
  // Appends the records of saved cases to its argument.
  auto saved_cases();
  static SavedRecord record_of(const Case& open);

  void pump(Context& context);
  void take_clicks(Context& context);
  void check(Handle handle);
  void on_presence(Context& context, const OutputWitnesses::Outcome& outcome);
  void on_registry(Context& context, const RegistryCompletion& done);
  void on_token(Context& context, Handle handle, const RegistryCompletion& done);
  void on_removal(Context& context, Handle handle, const RegistryCompletion& done);
  void on_unregistered(Context& context, Handle handle, std::uint64_t slot);
  void ask_life(Context& context, Handle handle);
  void prove_those_of_the_dead();
  void prove(Handle handle);
  void intend(Handle handle);
  void bring_back(Handle handle);
  void take_due_cases(Context& context);
  void continue_written(Context& context);
  void save(Case& open);
  void rest(Context& context, Handle handle);
  void finish(Context& context, Handle handle, trace::Verified verdict);
  void stop() { stopped_ = true; }

  VerifierOptions options_;
  IncarnationClient life_;
  RegistryClient registry_;
  OutputWitnesses witnesses_;
  OwnerLives lives_;
  Intake intake_;
  GroupLog returned_;
  rpc::InFlight<Case> cases_;
  PooledVector<Handle> asking_lives_;
  PooledDeque<Written> intended_;
  PooledDeque<Written> returning_;
  PooledDeque<Handle> waiting_;  // due cases that wait for a free place
  std::size_t busy_ = 0;         // cases that do not rest
  bool ready_ = false;
  bool stopped_ = false;
  VerifierStatistics statistics_;
};

}  // namespace photon
