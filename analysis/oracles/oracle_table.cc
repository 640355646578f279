#include "analysis/oracles/oracle_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/oracles/b_18_redundancy.h"
#include "analysis/oracles/b_68_boundary_moves.h"
#include "analysis/oracles/d_08_output_copied.h"
#include "analysis/oracles/j_2_accounts.h"
#include "analysis/oracles/j_p0_all_settles.h"
#include "analysis/oracles/j_p10_election_causes.h"
#include "analysis/oracles/j_p11_tokens_cleared.h"
#include "analysis/oracles/j_p12_repetitions.h"
#include "analysis/oracles/j_p13_reads.h"
#include "analysis/oracles/j_p14_heartbeats.h"
#include "analysis/oracles/j_p1_core.h"
#include "analysis/oracles/j_p2_commits.h"
#include "analysis/oracles/j_p3_backlog.h"
#include "analysis/oracles/j_p4_brought_back.h"
#include "analysis/oracles/j_p5_garbage_removed.h"
#include "analysis/oracles/j_p5_intervals_forgotten.h"
#include "analysis/oracles/j_p6_retries.h"
#include "analysis/oracles/j_p7_requests_answered.h"
#include "analysis/oracles/j_p8_return_follows.h"
#include "analysis/oracles/j_p9_price.h"
#include "analysis/oracles/j_s10_tokens.h"
#include "analysis/oracles/j_s11_recovery.h"
#include "analysis/oracles/j_s11_removals_proven.h"
#include "analysis/oracles/j_s11_verdicts.h"
#include "analysis/oracles/j_s12_caps.h"
#include "analysis/oracles/j_s13_no_premature_answer.h"
#include "analysis/oracles/j_s14_dispatcher_durability.h"
#include "analysis/oracles/j_s14_journal_fencing.h"
#include "analysis/oracles/j_s14_journal_leases.h"
#include "analysis/oracles/j_s14_saved_attempts.h"
#include "analysis/oracles/j_s15_right_join.h"
#include "analysis/oracles/j_s16_nothing_from_nowhere.h"
#include "analysis/oracles/j_s18_justified_completion.h"
#include "analysis/oracles/j_s18_load_answers.h"
#include "analysis/oracles/j_s19_event_store.h"
#include "analysis/oracles/j_s1_at_most_once.h"
#include "analysis/oracles/j_s20_answer_last.h"
#include "analysis/oracles/j_s2_register_first.h"
#include "analysis/oracles/j_s3_one_owner.h"
#include "analysis/oracles/j_s4_linearizable.h"
#include "analysis/oracles/j_s4_returned_lookups.h"
#include "analysis/oracles/j_s5_history_reads.h"
#include "analysis/oracles/j_s5_routing.h"
#include "analysis/oracles/j_s5_stable_mapping.h"
#include "analysis/oracles/j_s6_consensus.h"
#include "analysis/oracles/j_s6_elections.h"
#include "analysis/oracles/j_s7_lease_grants.h"
#include "analysis/oracles/j_s7_one_master.h"
#include "analysis/oracles/j_s8_gc_boundary.h"
#include "analysis/oracles/j_s9_no_early_drop.h"

namespace photon::analysis {
namespace {

template <class... Classes>
void make(const OracleRow& row, const Evidence& evidence, const Ledgers& ledgers, ViolationLog& log,
          Oracles& oracles) {
  const OracleInput input{row.name, row.severity, evidence, ledgers, log};
  (oracles.push_back(std::make_unique<Classes>(input)), ...);
}

constexpr OracleRow kRows[] = {
    {"J-S1", "joined at most once", Severity::safety,
     "Each click has at most one joined record in the durable output. Copies of that one record in "
     "other datacenters do not count as a second one.",
     "SPEC J-S1; Photon section 1.1",
     "The two tokens and the time when the first record became durable. Equal tokens mean that one "
     "attempt was written twice; different ones, that two attempts owned the click.",
     "Follow the click: which attempt wrote first, and which registry answer allowed the second "
     "one. If the id was removed in between, the removal is to blame.",
     make<AtMostOnce>},
    {"J-S2", "register first, then write", Severity::safety,
     "A joiner writes a joined record only after the IdRegistry has answered that this very "
     "attempt owns the click. A record that becomes durable carries the token of the owner.",
     "SPEC J-S2, D-07; Photon section 3.3.1",
     "The token that was written and the token that the registry had applied at that moment.",
     "The joiner between its insert and its write: does it take a late, repeated or refused answer "
     "for its own success?",
     make<RegisterFirst>},
    {"J-S3", "one owner", Severity::safety,
     "The registry gives an id to one token at a time, and recognises a repetition by its token. "
     "What it answers and what it stores agree.",
     "SPEC J-S3, B-25, B-40; Photon sections 2.2.1 and 3.3.2",
     "The slot, the shard and the place in the batch where an operation had an outcome that the "
     "operations before it do not allow.",
     "The store that applies batches (core_impl/photon/registry): insert, clear and remove against "
     "the token that is stored.",
     make<OneOwner>},
    {"J-S4", "linearizable", Severity::safety,
     "All answers about one id fit one order of the operations, each taking effect between its "
     "request and its answer. From the moment the boundary passes an id, `too old` is the only "
     "answer, and a look-up of a click that was brought back names the slot of its removal.",
     "SPEC J-S4; Herlihy and Wing 1990; Photon section 2.1",
     "An answer that no order explains, and what was known of the id: when it was seen absent, "
     "when present, and which tokens were tried. Or a look-up, the slot that it names, and the "
     "slot of the removal.",
     "Which replica answered, and why it could: a stale lease, a replica that lags, or two shards "
     "that own the id.",
     make<Linearizability, ReturnedLookups>},
    {"J-S5", "one shard for each id", Severity::safety,
     "For each time stamp there is one number of shards, and all shards decide by it which of them "
     "owns an id. A change of that number never moves an id that was accepted before, and a client "
     "routes an id only by a history that it read late enough for the id's stamp, and that decides "
     "about it.",
     "SPEC J-S5, B-60a to B-60f; Photon section 2.2.2",
     "The shard that accepted the id, and the shard that owns it by the history of changes that a "
     "majority holds. Or the client, and how long after the start of its read the id was stamped.",
     "Clock bounds and the start of the change: was an id accepted whose stamp lies after the "
     "start, by a server that did not know the change yet?",
     make<StableMapping, ClientRouting, HistoryReads>},
    {"J-S6", "consensus", Severity::safety,
     "In each slot of a group one value is chosen, by a majority of distinct disks, and all "
     "replicas apply the same values in the same order. A promise or a vote counts only if it is "
     "on a disk that the group has admitted.",
     "SPEC J-S6, B-18; Lamport, Paxos Made Simple; Photon section 2.1",
     "Group, slot and ballot, and the two statements that contradict each other: what a message "
     "says, and what the disk of its sender holds.",
     "The disk first: bytes that were lost, replaced or never synced. Then the acceptor's promise, "
     "and what a restart reads back.",
     make<Consensus, Elections>},
    {"J-S7", "one master at a time", Severity::safety,
     "At each moment at most one replica of a group holds the lease, granted by a majority. A "
     "replica answers with authority only while its lease runs.",
     "SPEC J-S7, B-11, B-13, B-14; Photon section 2.1",
     "The replica that held the lease, at which ballot and until when at least; or the answer that "
     "was given outside of it.",
     "Rates of the monotonic clocks, and from which moment the holder counts: the sending of the "
     "message that was acknowledged, never its answer.",
     make<OneMaster, LeaseGrants>},
    {"J-S8", "the boundary of garbage collection", Severity::safety,
     "The boundary of a shard never decreases, and is always at least N before true time. Ids "
     "below it are too old, ids above it are not, and only those below it are collected.",
     "SPEC J-S8, B-62 to B-67; Photon section 2.3",
     "Shard and slot of the move, and the age of the boundary against N in nanoseconds.",
     "TrueTime at the master that proposed the move: the boundary must come from the earliest end "
     "of the interval.",
     make<GcBoundary>},
    {"J-S9", "nothing is dropped early", Severity::safety,
     "An id that was registered is found until it is removed or the boundary passes it. No id "
     "younger than N is called too old.",
     "SPEC J-S9, B-68; Photon section 2.3",
     "The slot in which the id was registered and the slot of the answer that does not find it, or "
     "the age at which it was called too old.",
     "Snapshots and collections between the two slots; for an age, the clock that made the "
     "boundary.",
     make<NoEarlyDrop>},
    {"J-S10", "tokens", Severity::safety,
     "A token names one attempt of one life of one process, is never empty and never used again "
     "for anything else. Each life is granted a number of its own, after the files are fenced "
     "against all earlier ones, and a token is cleared only when its output is durable.",
     "SPEC J-S10, B-40, D-11, F-06, F-13; Photon section 3.3.2",
     "The token, written as process.life.sequence, and its earlier use.",
     "The incarnation registry (core_impl/photon/incarnations): was one number granted to two "
     "lives? Else the joiner's count of attempts after a restart.",
     make<Tokens>},
    {"J-S11", "recovery takes nothing that lives", Severity::safety,
     "Recovery removes an id only from a token that can never be written any more, and only after "
     "each datacenter's auditor has answered that no output of the click exists. The verdicts of "
     "verification about a click are true.",
     "SPEC J-S11, F-04, F-06, F-11, F-14; Photon section 3.3.3",
     "The token that lost the id and the reason why it must not: its life is not over, its files "
     "are not fenced, or its output is durable.",
     "The verifier's proof: did it read the output to its end, after the files of that life were "
     "fenced?",
     make<Recovery, RemovalsProven, Verdicts>},
    {"J-S12", "caps", Severity::safety,
     "No process has more requests outstanding than its configuration allows. No joiner has more "
     "attempts between registration and durable output than its declared window, and no "
     "transaction has more operations than a batch may have.",
     "SPEC J-S12, B-23, C-13, C-33, D-02, D-14, D-15, D-22; Photon sections 3.2.2 and 3.3.1",
     "The number that was counted from messages, and the cap.",
     "What is counted as over when: answers that are lost, time-outs, and repetitions to another "
     "process.",
     make<Caps>},
    {"J-S13", "no premature answer", Severity::safety,
     "A registry server answers only what follows from slots that it has applied in its present "
     "life. A look-up sees at least what its server had applied when the question arrived.",
     "SPEC J-S13, B-07, B-27; Photon section 2.1",
     "The answer, the slot that it names, and the slot that its sender had applied.",
     "The queue between proposal and answer in the registry server: is an answer sent before its "
     "slot is applied, or kept across a change of master?",
     make<NoPrematureAnswer>},
    {"J-S14", "dispatchers forget nothing", Severity::safety,
     "A dispatcher saves an offset only when each click before it is finished or in its retry "
     "store. It removes a click from that store only when the click is finished, never decreases "
     "the attempts and failed tries in it, and works and writes only while it owns a journal.",
     "SPEC J-S14, C-06, C-21, C-26, C-30; Photon section 3.2",
     "The offset, the file and where the click ends in it; or the entry of the retry store that "
     "was removed, or whose number of attempts decreased; or the last claim of a journal.",
     "The order of the records in the dispatcher's journal, and what a rewrite of the journal "
     "leaves out.",
     make<DispatcherDurability, SavedAttempts, JournalLeases, JournalFencing>},
    {"J-S15", "the right join", Severity::safety,
     "A joined record names the query that belongs to its click. Its content is what joining the "
     "two gives.",
     "SPEC J-S15, D-05; Photon section 3.3.1",
     "The query that was joined and the right one, or the two hashes of the record.",
     "The EventStore's answer (did it return another query?), then the adapter.", make<RightJoin>},
    {"J-S16", "nothing from nowhere", Severity::safety,
     "Each record of the output and each registered id belongs to a click that was generated. Ids "
     "are generated once, and clicks that the adapter skips are not written.",
     "SPEC J-S16, A-10, D-06", "The id or the token for which the trace has no origin.",
     "The decoder of log records (damaged bytes that were taken for a click), then the generator "
     "of ids.",
     make<NothingFromNowhere>},
    {"J-S18", "completion is justified", Severity::safety,
     "A process that reports a click or an operation as finished has received such an answer. "
     "`Unjoinable` needs enough attempts, enough age and a look-up in the logs that missed.",
     "SPEC J-S18, C-22, C-25, D-19; Photon sections 3.2.1 and 3.3.1",
     "What was reported, by which process, and the message or the count that is missing.",
     "Answers to earlier requests or lives that are taken for the present one, then the count of "
     "attempts after a restart.",
     make<JustifiedCompletion, LoadAnswers>},
    {"J-S19", "the EventStore's answers are true", Severity::safety,
     "The EventStore returns the query that it was asked for. It answers `not found` only if the "
     "query could not be read there when it was asked.",
     "SPEC J-S19, E-10 to E-17; Photon section 3.4",
     "The query, its place in its log, and since when that place could be read.",
     "The map from ids to offsets (how far had it read?), then entries of the cache for another "
     "id.",
     make<EventStoreTruth>},
    {"J-S20", "a joiner answers last", Severity::safety,
     "While the insert that a joiner sent for a click lacks a definitive answer, it does not "
     "answer "
     "the request that the insert serves, unless its life ends. Each registration serves one "
     "request.",
     "SPEC J-S20, D-12, D-13, D-18; Photon section 3.3.2",
     "The joiner, the dispatcher that it answers, and the token whose insert is still open.",
     "The joiner: which time-out, refusal or stop ends an attempt that is registering?",
     make<AnswerLast>},
    {"J.2", "the accounts add up", Severity::safety,
     "Each generated click is joined, lost with a proven class, never joinable, borderline or "
     "pending. What the end of each joiner's life cost is the same counted by clicks and by "
     "attempts.",
     "SPEC J.2, D-15, D-20, D-23",
     "The click without a class and the stage where it stopped, or the two counts that differ.",
     "The history of the click at each pipeline: `photonsim trace` with its id. A loss without a "
     "class is usually a message that was believed although it was about something else.",
     make<Accounts>},
    {"J-P0", "everything settles", Severity::liveness,
     "When all faults have ended and time was given, no click is pending, no finished click is "
     "still kept for a retry, and each operation of a load has its answer. The time that is given "
     "covers all ages and pauses of the configuration.",
     "SPEC J-P0",
     "Where the click is at each pipeline: read, looked up, asked for, in the retry store; and "
     "whether its query can be read there.",
     "The last process that had the click: does it wait for an answer that cannot come, or hold a "
     "retry that never falls due?",
     make<AllSettles>},
    {"J-P1", "a core that can work does work", Severity::liveness,
     "While datacenters with a majority of the replicas and a pipeline work alone, they finish "
     "each click that they can read. A core is exempt where it has no majority of voting disks, or "
     "does not know that they were admitted.",
     "SPEC J-P1; DESIGN section 6",
     "A click that was readable in the core when it was left alone, and is not finished there.",
     "What the core still waits for outside: a master, a shard, a joiner or an EventStore of a "
     "datacenter that is out.",
     make<CoreWorks>},
    {"J-P2", "commits go on", Severity::liveness,
     "While a majority of a group works and nothing disturbs it, some insert commits within the "
     "promised time. A group that is asked again and again answers something.",
     "SPEC J-P2, B-17; Photon section 2",
     "The shard, since when it has been asked, and the time that is allowed.",
     "Elections: do candidates obstruct each other, or does a replica without a vote hold the "
     "lease? Then the client's search for the master.",
     make<CommitsGoOn>},
    {"J-P3", "a backlog decreases", Severity::liveness,
     "A dispatcher with a backlog, more capacity than arrivals and no fault near it works the "
     "backlog off. It is smaller after each window of time.",
     "SPEC J-P3, C-33; Photon section 3.2.2",
     "The backlog at both ends of the window, what arrived, and what the dispatcher could have "
     "done for certain.",
     "What holds the places among outstanding requests: time-outs, retries of old clicks, a joiner "
     "that refuses.",
     make<BacklogDecreases>, 100},
    {"J-P4", "what was lost is brought back", Severity::liveness,
     "With verification, each click that a joiner's crash or an operator's skip has cost is "
     "brought back before it is N old. It is exempt if faults left no time, or if its absence "
     "from the output cannot be proven.",
     "SPEC J-P4, F-08, F-12; Photon section 3.3.3",
     "The click, the token that owns it and the end of the life that owned the token.",
     "The verifier: has it read that click, is the life known as dead and fenced, was the removal "
     "refused?",
     make<BroughtBack>},
    {"J-P5", "garbage is removed", Severity::liveness,
     "Ids below the boundary are removed within the promised time, while the shard's master works "
     "undisturbed, and so are numbers of shards that no other id needs. Otherwise memory would "
     "grow without end.",
     "SPEC J-P5, B-58, B-60b; Photon section 2.3",
     "The shard, how many ids it still stores, and when the boundary passed them; or the stamp "
     "below which the numbers of shards are still kept.",
     "The collector of that shard's master: does it run, and does it resume after an election? For "
     "numbers of shards, the retirement process.",
     make<GarbageRemoved, IntervalsForgotten>},
    {"J-P6", "no retry starves", Severity::liveness,
     "A click in the retry store is tried again at its time, within a bound that covers its turn "
     "and its pause. Fresh clicks do not postpone it.",
     "SPEC J-P6, C-21; Photon section 3.2.1",
     "Since when the click waits, for when it was saved, and the limit that passed without a "
     "fault.",
     "The dispatcher's order of work: places among outstanding requests, and the due times after a "
     "restart.",
     make<RetriesInTime>},
    {"J-P7", "what is admitted is answered", Severity::liveness,
     "A registry server answers each request that it admits: in the order of its queue, at the "
     "latest when its mastership ends, and within the promised time while nothing disturbs it. Any "
     "other replica refuses at once.",
     "SPEC J-P7, B-20, B-22, B-27; Photon section 2.1",
     "The request, the server, when it was delivered, and the event by which it must have been "
     "answered.",
     "The server's queue, its batch in flight and its outbox: which of them lost the request, and "
     "is a repetition of it taken for one that still waits?",
     make<RequestsAnswered>},
    {"J-P8", "a removal is followed by a return", Severity::liveness,
     "After verification has removed an id, the click is durably brought back or registered anew "
     "within the promised time. A fault or a restart of the verifier begins the time anew.",
     "SPEC J-P8, F-08, F-10; Photon section 3.3.3",
     "The click, the slot of its removal, and when the verifier was answered.",
     "The verifier between the answer to its removal and the append to its log of returned clicks; "
     "after a restart, the intents of its journal.",
     make<ReturnFollows>, 200},
    {"J-P9", "faults pay for extra work", Severity::liveness,
     "A dispatcher looks a click up again, or sends it again, only after a failure, a time-out, a "
     "take-over or a return, and not before the pause for the number of failures. Each join "
     "follows "
     "a look-up that did not find the click.",
     "SPEC J-P9, C-10, C-12, C-16, C-21; Photon sections 3.2 and 3.2.1",
     "The click, the dispatcher, and the cause that the look-up or join lacks.",
     "The dispatcher's retries: what starts a try, and what does it keep from the one before?",
     make<Price>},
    {"J-P10", "elections have a cause", Severity::liveness,
     "A replica stands for election only when mastership is handed to it, when it has followed no "
     "master for the election time-out, or when it is a master and another replica has begun a "
     "higher ballot. Each silence of a master pays for one ballot.",
     "SPEC J-P10, B-11, B-19", "The replica, its new ballot, and why it had no cause.",
     "The replica's election timer: which messages of a master renew it, and what begins a ballot "
     "besides it?",
     make<ElectionCauses>},
    {"J-P11", "tokens of joined clicks are cleared", Severity::liveness,
     "Where there is verification, no id keeps the token of a durable joined record for longer "
     "than recovery may take without a fault. Records that storage has lost and ids that the "
     "boundary has passed are exempt.",
     "SPEC J-P11, F-12; Photon section 3.3.3",
     "The click, since when its record is durable, and the token that is still stored.",
     "The auditor of the cell that holds the record: has it read the record, and what became of "
     "its request to clear the token?",
     make<TokensCleared>},
    {"J-P12", "requests are repeated for a cause", Severity::liveness,
     "A client of the registry sends a request again only after its time-out, which grows with the "
     "silence, or after an answer that is not definitive. What was answered is not sent again, and "
     "a replica is left for another one only when it refuses or is silent, or when the other one "
     "serves.",
     "SPEC J-P12, D-11, B-27, B-72; Photon section 3.3.2",
     "The client, the request, and the cause that its repetition, or its new replica, lacks.",
     "The registry client: what wakes the request, and what does it do with an answer that settles "
     "some of its operations? What moves its belief about the master?",
     make<Repetitions>},
    {"J-P13", "queries are read for a cause", Severity::liveness,
     "A joiner looks a query up once for each join request that it accepts. A look-up asks each "
     "tier once, and the logs only when the cache has missed or is silent.",
     "SPEC J-P13, E-02, E-08, D-18; Photon section 3.4",
     "The query, the joiner, and the cause that its question lacks.",
     "The joiner's look-ups: what begins a second one, and what makes the client ask the next "
     "tier?",
     make<Reads>},
    {"J-P14", "a master sends heartbeats", Severity::liveness,
     "A master sends each replica of its group a heartbeat or values at least once in a heartbeat "
     "and a half, as long as its ballot lasts. Values for a replica that lags are no heartbeat "
     "for the others.",
     "SPEC J-P14, B-11, B-19", "The ballot, the replica, and when the master spoke to it last.",
     "The master's heartbeat timer: which messages postpone it, and do all replicas receive them?",
     make<Heartbeats>},
    {"B-18", "redundancy comes back", Severity::liveness,
     "After all faults have ended, each running replica catches up with its group and each "
     "replaced disk votes again. A group that works without them fails with the next fault.",
     "SPEC B-18, J-P0",
     "The replica, the slot that it has reached and the one that it should have, or since when its "
     "disk has no vote.",
     "Catch-up and snapshot transfer to that replica, then the admission of its disk.",
     make<Redundancy>},
    {"B-68", "the boundary moves on", Severity::liveness,
     "While a shard's master works undisturbed, its boundary stays within the promised distance of "
     "true time minus N. Otherwise nothing is ever collected.",
     "SPEC B-68, B-62; Photon section 2.3",
     "The shard, its master, and when the boundary moved last.",
     "The periodic move at that master: is it proposed, and does TrueTime let it advance?",
     make<BoundaryMoves>},
    {"D-08", "output is copied", Severity::liveness,
     "Where the deployment copies output, each joined record reaches the output of every pipeline. "
     "A record that storage has lost or damaged is exempt.",
     "SPEC D-08; Photon section 3.3.1",
     "The click, when it was joined, and the datacenters that do not have the record.",
     "The copier (core_impl/photon/output_copies) at those datacenters: its offset in the source "
     "file, and damaged records there.",
     make<OutputCopied>},
};

}  // namespace

std::span<const OracleRow> oracle_rows() { return kRows; }

const OracleRow* find_oracle(std::string_view name) {
  const auto* const found = std::ranges::find(kRows, name, &OracleRow::name);
  return found == std::end(kRows) ? nullptr : found;
}

std::string rule_text(std::string_view oracle) {
  const OracleRow* const row = find_oracle(oracle);
  if (row == nullptr) return {};
  return fmt::format("The rule ({}): {} Look first: {}", row->title, row->invariant,
                     row->look_first);
}

Oracles make_oracles(const Evidence& evidence, const Ledgers& ledgers, ViolationLog& log) {
  Oracles oracles;
  for (const OracleRow& row : kRows) row.make(row, evidence, ledgers, log, oracles);
  return oracles;
}

}  // namespace photon::analysis
