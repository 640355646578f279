// Names and meanings of the fates of a click that is not joined (SPEC J.2).
#include <array>

#include "analysis/accounting/accounting.h"

namespace photon::analysis {
namespace {

constexpr std::array<FateRow, kLossClasses> kLosses{{
    {"L-crash",
     "The click was registered, and the joiner that had registered it died before the output "
     "was durable. The registry says that it is joined, and it is not.",
     "Verification and recovery bring such clicks back. Without them the loss per crash is "
     "bounded by the joiner's window (D-15): make that smaller."},
    {"L-storage",
     "The output was durable, and its storage lost it afterwards; no verification joined the "
     "click once more.",
     "Copy the output to other datacenters, or let verification read it while the click is "
     "younger than N."},
    {"L-bug",
     "A defect in the joiner that was injected after its commit lost the output. No fault of "
     "the program injects one, so the count is 0.",
     "Nothing: the class is reserved for such defects."},
    {"L-crossedN",
     "A pipeline that was held up came to the click when it was older than N, or verification "
     "could not bring it back before that.",
     "Raise N (registry.gc_age), or the capacity with which a backlog is worked off after an "
     "outage."},
    {"L-operator",
     "An operator let a dispatcher begin without its state, and it skipped the click before "
     "any pipeline had finished it.",
     "Skip only what another pipeline has finished; verification brings the rest back while "
     "there is time."},
    {"L-input",
     "The click or its query is damaged in each copy of the logs, so no pipeline can read both.",
     "More copies of the input logs, or sound storage."},
    {"L-reply",
     "The registration took effect, its answer was lost or late, and its repetition with "
     "another token was refused as a second join.",
     "Repeat registrations with their token (joiner.tokens = true): this class exists only "
     "without them."},
    {"L-indeterminate",
     "A joiner died with the click as in L-crash, but storage has lost records of that joiner, "
     "so that it is not certain that the output does not exist. Recovery must not risk a second "
     "join.",
     "Output that is copied, so that the proof is in another datacenter."},
    {"unclassified",
     "No evidence in the trace explains why the click is lost. This is always a violation "
     "(J.2).",
     "The sentence beside it says where the click stopped; follow its id with `photonsim "
     "trace`."},
}};

constexpr std::array<FateRow, kNeverJoinables> kNeverJoinable{{
    {"unjoinable",
     "The query never came, or not before the click was given up after enough attempts and "
     "enough age.",
     "Expected for a small share. If it grows: the age and the attempts after which clicks are "
     "given up, and how late queries are shipped."},
    {"skipped", "The adapter of the application filters this click out.",
     "Nothing: the workload determines how many."},
    {"too_old", "The click or its query became readable only when the click was older than N.",
     "Shipping of the logs, or N."},
    {"input_lost",
     "The click has no query that could be joined, and its own record cannot be read anywhere.",
     "Sound storage for the input logs; nothing could have been joined."},
}};

}  // namespace

std::span<const FateRow, kLossClasses> loss_rows() { return kLosses; }

std::span<const FateRow, kNeverJoinables> never_joinable_rows() { return kNeverJoinable; }

std::string_view name_of(LossClass loss) { return kLosses[static_cast<std::size_t>(loss)].name; }

std::string_view name_of(NeverJoinable reason) {
  return kNeverJoinable[static_cast<std::size_t>(reason)].name;
}

std::string_view name_of(Place place) {
  static constexpr std::array<std::string_view, 5> kNames{"joined", "lost", "never_joinable",
                                                          "borderline", "pending"};
  return kNames.at(static_cast<std::size_t>(place));
}

std::string_view cause_of(const Fate& fate) {
  if (fate.place == Place::lost) return name_of(static_cast<LossClass>(fate.cause));
  if (fate.place != Place::never_joinable) return {};
  const auto reason = static_cast<NeverJoinable>(fate.cause);
  if (reason != NeverJoinable::unjoinable) return name_of(reason);
  return kUnjoinableNames.at(static_cast<std::size_t>(fate.unjoinable));
}

}  // namespace photon::analysis
