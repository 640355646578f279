#include "analysis/accounting/accounting.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "analysis/accounting/chance.h"
#include "analysis/accounting/crossing.h"
#include "analysis/evidence/describe.h"
#include "analysis/evidence/evidence.h"

namespace photon::analysis {

namespace {

enum class Prospect : std::uint8_t { joinable, unjoinable };

// "already exists, joined"
std::string spelled_answers(std::uint8_t answers) {
  static constexpr std::array<std::string_view, 8> kWords{
      "joined",     "already exists",  "too old",          "skipped",
      "unjoinable", "look-up: exists", "look-up: too old", "skipped by an operator"};
  std::string text;
  for (std::size_t bit = 0; bit < kWords.size(); ++bit) {
    if ((answers >> bit & 1U) == 0) continue;
    text += text.empty() ? "" : ", ";
    text += kWords[bit];
  }
  return text;
}

Unjoinable unjoinable_by(const Click& click) {
  if (click.query.is_null()) return Unjoinable::empty_key;
  return click.query_file == trace::ClickGenerated::kNoFile ? Unjoinable::unknown_key
                                                            : Unjoinable::query_late;
}

class Accountant {
 public:
  explicit Accountant(const Evidence& evidence) : evidence_(evidence), joiner_costs_(evidence) {}

  Accounting run() {
    accounts_.fates.resize(evidence_.join().clicks());
    for (std::uint32_t i = 0; i < evidence_.join().clicks(); ++i) {
      if (i % Evidence::kTickRows == 0) evidence_.tick();
      if (!evidence_.join().click(i).generated) continue;
      place(i);
      find_lingering(i);
    }
    accounts_.joiner_ends = joiner_costs_.finish();
    accounts_.joinable = accounts_.joined + accounts_.lost_total() + accounts_.pending_joinable;
    accounts_.generated = evidence_.join().generated();
    return std::move(accounts_);
  }

 private:
  void place(std::uint32_t index) {
    const Click& click = evidence_.join().click(index);
    const Registration& registration = evidence_.registry().registration(index);
    if (click.is_joined()) {
      ++accounts_.joined;
      accounts_.fates[index].place = Place::joined;
      if (evidence_.join().awaits_copies(click)) find_uncopied(index);
    } else if (click.output_lost_at != kNever) {
      lose(index, LossClass::storage,
           fmt::format("its output was durable, and its storage lost it at {}",
                       describe(click.output_lost_at)));
    } else if (registration.is_owned()) {
      place_registered(index);
    } else if (click.expect_skip) {
      place_by_completion(index, NeverJoinable::skipped);
    } else {
      place_unregistered(index);
    }
  }

  void find_uncopied(std::uint32_t index) {
    const Click& click = evidence_.join().click(index);
    const JudgeConfig& config = evidence_.config();
    std::string where;
    for (std::size_t p = 0; p < config.pipelines.size(); ++p) {
      if ((click.joined_in & Click::bit_of(config.pipelines[p])) != 0) continue;
      where += (where.empty() ? "" : ", ") + config.name_of(p);
    }
    remark(index, Remark::What::not_copied,
           fmt::format("joined at {}, and its record has never come into the cell of {}",
                       describe(click.joined_at), where));
  }

  // A dispatcher that received a success and still keeps the click tries it again for ever.
  void find_lingering(std::uint32_t index) {
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      const AtPipeline& at = evidence_.join().at(index, p);
      if (!at.lingers()) continue;
      // A restarted dispatcher may read a click again that was finished long before.
      const SimTime since = std::max(at.answered_at, at.kept_since);
      if (evidence_.now() - since <= evidence_.config().removal_grace) continue;
      remark(index, Remark::What::lingers,
             fmt::format("a click that is finished since {} is still in the retry store: {}",
                         describe(at.answered_at), stage(index)));
    }
  }

  // The click has an owner and no output: lost, unless its joiner is still at work.
  void place_registered(std::uint32_t index) {
    const Registration& registration = evidence_.registry().registration(index);
    const Attempt* owner = evidence_.join().find_attempt(index, registration.owner);
    if (owner == nullptr) {
      return lose(index, LossClass::unclassified,
                  fmt::format("registered with token {}, which no process ever sent",
                              describe(registration.owner)));
    }
    const Duration bound = evidence_.config().attempt_silence_bound;
    const SimTime end = owner->died_in_window ? owner->died_at : evidence_.now();
    // What waits for a processor that is behind is not abandoned.
    const SimTime busy = evidence_.busy_until(owner->node);
    const SimTime heard =
        busy == kNever ? owner->active_at : std::max(owner->active_at, std::min(busy, end));
    const bool silent = bound.count() > 0 && end - heard > bound;
    const std::string owner_text =
        fmt::format("token {} of {}, life {}: inserted at slot {} of shard {} ({}), last active {}",
                    describe(owner->token), evidence_.process(owner->node), owner->life.value(),
                    registration.owner_slot, registration.owner_shard.value(),
                    describe(registration.owned_at), describe(owner->active_at));
    if (owner->answer == trace::RegistryCode::too_old && owner->answered_at != kNever) {
      return lose(index, LossClass::crossed_n,
                  fmt::format("{}; its retry was answered too old at {}", owner_text,
                              describe(owner->answered_at)));
    }
    if (owner->superseded) return place_superseded(index, *owner, owner_text);
    if (owner->died_in_window && !silent) {
      const std::string died =
          fmt::format("{}; that life crashed at {} before the output was durable", owner_text,
                      describe(owner->died_at));
      if (evidence_.config().verified()) return place_unrecovered(index, owner->died_at, died);
      return lose(index, LossClass::crash, died);
    }
    if (was_refused(*owner) && evidence_.config().verified()) {
      const std::string refused =
          fmt::format("{}; it was refused at {}, and a copy of its insert took the id all the same",
                      owner_text, describe(owner->answered_at));
      if (evidence_.join().indeterminate_since(index) != kNever)
        return lose_indeterminate(index, refused);
      if (out_of_time(index, registration.owned_at)) return lose_late(index, refused);
    }
    if (owner->died_in_window || silent || !owner->in_window) {
      return lose(
          index, LossClass::unclassified,
          fmt::format("{}; {}", owner_text,
                      owner->died_in_window ? "it had long been abandoned when that life crashed"
                                            : "its life is up and has abandoned it"));
    }
    pend(index, Prospect::joinable, fmt::format("registered, no output yet ({})", owner_text));
  }

  // No living process will write it. Verification had to bring it back, unless there was no time
  // for that from `since` until the click was N old.
  void place_unrecovered(std::uint32_t index, SimTime since, const std::string& why) {
    if (evidence_.join().indeterminate_since(index) != kNever)
      return lose_indeterminate(index, why);
    if (out_of_time(index, since)) return lose_late(index, why);
    remark(index, Remark::What::not_brought_back, "verification did not bring it back: " + why);
    lose(index, LossClass::crash, why);
  }

  // It is N old, and no fault-free interval was as long as recovery takes.
  bool out_of_time(std::uint32_t index, SimTime since) const {
    const SimTime expires = evidence_.join().expiry_of(evidence_.join().click(index));
    const SimTime end = std::min(expires, evidence_.now());
    const Duration fault_free = evidence_.join().longest_fault_free(since, end, Duration{});
    return expires <= evidence_.now() && fault_free <= evidence_.config().recovery_bound;
  }

  void lose_late(std::uint32_t index, const std::string& why) {
    lose(index, LossClass::crossed_n,
         fmt::format("{}, and there was no time to bring it back until it was N old at {}", why,
                     describe(evidence_.join().expiry_of(evidence_.join().click(index)))));
  }

  // An attempt that ended without the right to write. A copy of its insert that arrives after the
  // id was removed from its first owner makes it the owner.
  static bool was_refused(const Attempt& owner) {
    return owner.answer == trace::RegistryCode::already_exists && owner.answered_at != kNever &&
           !owner.in_window && !owner.died_in_window;
  }

  // The auditor reads the owner's file, and its damage leaves the question open.
  void lose_indeterminate(std::uint32_t index, const std::string& why) {
    lose(index, LossClass::indeterminate,
         fmt::format("{}; storage lost records of that life at {}, and no evidence shows whether "
                     "this was one of them",
                     why, describe(evidence_.join().indeterminate_since(index))));
  }

  // The owner's answer was lost or late, and its registration was repeated with another token. The
  // dispatcher may have had that life try it anew, whatever it answered.
  void place_superseded(std::uint32_t index, const Attempt& owner, const std::string& owner_text) {
    const auto again = [&](const Attempt& by) {
      return fmt::format("{}; repeated with token {} at {}", owner_text, describe(by.token),
                         describe(by.asked_at));
    };
    const auto* known = evidence_.join().later_try(owner, trace::RegistryCode::already_exists);
    if (known != nullptr) {
      return lose(index, LossClass::lost_reply,
                  fmt::format("{}, which was answered `already exists` at {}", again(*known),
                              describe(known->answered_at)));
    }
    const auto* late = evidence_.join().later_try(owner, trace::RegistryCode::too_old);
    if (late != nullptr) {
      return lose(index, LossClass::crossed_n,
                  fmt::format("{}, which was answered too old at {}", again(*late),
                              describe(late->answered_at)));
    }
    const Attempt& last = evidence_.join().last_try(owner);
    const std::string repeated = again(last);
    if (last.died_in_window) {
      return lose(index, LossClass::crash,
                  fmt::format("{}, and that life crashed at {} before it was answered", repeated,
                              describe(last.died_at)));
    }
    if (last.in_window) return pend(index, Prospect::joinable, repeated);
    lose(index, LossClass::unclassified, repeated);
  }

  // The click has no owner.
  void place_unregistered(std::uint32_t index) {
    const Click& click = evidence_.join().click(index);
    const Registration& registration = evidence_.registry().registration(index);
    if (click.query.is_null() || click.query_file == trace::ClickGenerated::kNoFile) {
      return place_by_completion(index, NeverJoinable::unjoinable);
    }
    bool good = false;
    bool borderline = false;
    bool too_old = false;
    bool readable = false;
    bool lost = false;
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      const Chance chance = chance_at(evidence_, index, p);
      good |= chance == Chance::good;
      borderline |= chance == Chance::borderline;
      too_old |= chance == Chance::too_old;
      readable |= chance != Chance::never && chance != Chance::lost;
      lost |= chance == Chance::lost;
    }
    if (good && finished_everywhere(index) && passed_over(index)) return place_passed_over(index);
    if (good && finished_everywhere(index) && found_too_old(index)) return place_crossed(index);
    if (good && finished_everywhere(index) && registration.was_owned()) return place_removed(index);
    if (good && finished_everywhere(index)) {
      return lose(
          index, LossClass::unclassified,
          fmt::format("joinable and never registered, yet every pipeline is done with it: {}",
                      stage(index)));
    }
    if (good) return pend(index, Prospect::joinable, stage(index));
    if (borderline && finished_somewhere(index)) {
      ++accounts_.borderline;
      accounts_.fates[index].place = Place::borderline;
      return;
    }
    if (!readable && lost) return place_unreadable(index);
    if (!readable) return place_by_completion(index, NeverJoinable::unjoinable);
    place_by_completion(index, too_old ? NeverJoinable::too_old : NeverJoinable::unjoinable);
  }

  // Readable in time, but the pipelines came to it when it was older than N (C-34); J-S18 has
  // checked that each `too old` was true when it was sent. Could none of them come earlier?
  void place_crossed(std::uint32_t index) {
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      if (chance_at(evidence_, index, p) != Chance::good) continue;
      const std::string sat = crossing_.sat_on(index, p);
      if (sat.empty()) continue;
      return lose(index, LossClass::unclassified,
                  fmt::format("never registered, and too old when it was come to, although {}: {}",
                              sat, stage(index)));
    }
    lose(index, LossClass::crossed_n,
         fmt::format("never registered, and older than N when a pipeline that was held up came to "
                     "it: {}",
                     stage(index)));
  }

  // Verification removed it from its owner, and its return had no result.
  void place_removed(std::uint32_t index) {
    const SimTime removed = evidence_.registry().removed_at(index);
    const std::string why = fmt::format("removed by verification at {}, without an owner since: {}",
                                        describe(removed), stage(index));
    if (out_of_time(index, removed)) return lose_late(index, why);
    pend(index, Prospect::joinable, why);
  }

  bool passed_over(std::uint32_t index) const {
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      if (by_operator(evidence_.join().at(index, p).answers)) return true;
    }
    return false;
  }

  // An operator skipped it there. Pipelines that came to it later, after verification had brought
  // it back, came too late.
  static bool by_operator(std::uint8_t answers) {
    return (answers & kSkippedByOperator) != 0 &&
           (answers & ~(kSkippedByOperator | kAnsweredTooOld | kLookupTooOld)) == 0;
  }

  // C-32: each pipeline that could have joined it had to skip it, or came to it too late.
  void place_passed_over(std::uint32_t index) {
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      if (chance_at(evidence_, index, p) != Chance::good) continue;
      const std::uint8_t answers = evidence_.join().at(index, p).answers;
      if (by_operator(answers)) continue;
      const bool late = (answers & (kAnsweredTooOld | kLookupTooOld)) != 0;
      if (late && crossing_.sat_on(index, p).empty()) continue;
      return lose(index, LossClass::unclassified,
                  fmt::format("one pipeline had to skip it, but {} is done with it for "
                              "another reason: {}",
                              evidence_.config().name_of(p), stage(index)));
    }
    const Click& click = evidence_.join().click(index);
    find_passed_over(index);
    lose(index, LossClass::operator_skip,
         fmt::format("never registered; the record that ends at {} of file {} was skipped by an "
                     "operator, and no other pipeline covered it: {}",
                     click.click_end, click.click_file, stage(index)));
  }

  // With verification no click stays skipped (F-08), unless it became too old. A verifier's report
  // about it is no exemption.
  void find_passed_over(std::uint32_t index) {
    const bool in_time =
        evidence_.join().expiry_of(evidence_.join().click(index)) > evidence_.now();
    if (!evidence_.config().verified() || !in_time) return;
    remark(index, Remark::What::not_brought_back,
           "verification did not bring back what an operator has skipped");
  }

  // One of the two, the click or its query, is damaged wherever it is.
  void place_unreadable(std::uint32_t index) {
    const JudgeConfig& config = evidence_.config();
    std::string where;
    for (std::uint32_t p = 0; p < config.pipelines.size(); ++p) {
      if (!evidence_.join().input_lost(index, p)) continue;
      where += fmt::format("{}{} at {}", where.empty() ? "" : ", ",
                           evidence_.join().at(index, p).damaged ? "its record" : "its query",
                           config.name_of(p));
    }
    lose(index, LossClass::input, "no sound copy of the input: damaged are " + where);
  }

  // No pipeline can read the click or its query, so none can decide that it never joins.
  bool lost_everywhere(std::uint32_t index) const {
    const auto pipelines = static_cast<std::uint32_t>(evidence_.config().pipelines.size());
    for (std::uint32_t p = 0; p < pipelines; ++p) {
      if (!evidence_.join().input_lost(index, p)) return false;
    }
    return pipelines > 0;
  }

  // Never joinable once some pipeline has completed it as such; until then it is pending.
  void place_by_completion(std::uint32_t index, NeverJoinable reason) {
    const bool finished = finished_somewhere(index);
    const bool lost = lost_everywhere(index);
    if (!finished && lost) reason = NeverJoinable::input_lost;
    if (finished || lost) {
      ++accounts_.never_joinable[static_cast<std::size_t>(reason)];
      Fate& fate = accounts_.fates[index];
      fate = {Place::never_joinable, static_cast<std::uint8_t>(reason),
              unjoinable_by(evidence_.join().click(index))};
      if (reason == NeverJoinable::unjoinable) {
        ++accounts_.unjoinable[static_cast<std::size_t>(fate.unjoinable)];
      }
    } else {
      pend(index, Prospect::unjoinable, stage(index));
    }
  }

  bool finished_everywhere(std::uint32_t index) const {
    const auto pipelines = static_cast<std::uint32_t>(evidence_.config().pipelines.size());
    for (std::uint32_t p = 0; p < pipelines; ++p) {
      if (!evidence_.join().finished(index, p) && !evidence_.join().input_lost(index, p))
        return false;
    }
    return pipelines > 0;
  }

  bool found_too_old(std::uint32_t index) const {
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      if ((evidence_.join().at(index, p).answers & (kAnsweredTooOld | kLookupTooOld)) != 0)
        return true;
    }
    return false;
  }

  bool finished_somewhere(std::uint32_t index) const {
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      if (evidence_.join().finished(index, p)) return true;
    }
    return false;
  }

  // The state of the click at each pipeline, for messages.
  std::string stage(std::uint32_t index) const {
    const Click& click = evidence_.join().click(index);
    std::string text;
    for (std::uint32_t p = 0; p < evidence_.config().pipelines.size(); ++p) {
      const AtPipeline& at = evidence_.join().at(index, p);
      std::string where;
      if (at.answers != 0) {
        where = "finished (answered " + spelled_answers(at.answers) + ")";
      } else if (at.asked > 0) {
        where = fmt::format("{} joins asked{}", at.asked,
                            at.in_retry_store ? ", in the retry store" : "");
      } else if (at.looked_up_at != kNever) {
        where = "looked up";
      } else if (at.read_at != kNever) {
        where = "read";
      } else if (evidence_.join().visible_at(p, click.click_file, click.click_end) != kNever) {
        where = "readable, not read";
      } else {
        where = "not shipped";
      }
      const SimTime query = click.query_file == trace::ClickGenerated::kNoFile
                                ? kNever
                                : evidence_.join().visible_at(p, click.query_file, click.query_end);
      text +=
          fmt::format("{}{}: {}, query {}", text.empty() ? "" : "; ", evidence_.config().name_of(p),
                      where, query == kNever ? "not readable" : "readable");
    }
    return text;
  }

  void pend(std::uint32_t index, Prospect prospect, const std::string& where) {
    ++accounts_.pending;
    if (prospect == Prospect::joinable) ++accounts_.pending_joinable;
    remark(index, Remark::What::pending,
           fmt::format("a {} click generated at {} is stuck: {}",
                       prospect == Prospect::joinable ? "joinable" : "never joinable",
                       describe(evidence_.join().click(index).generated_at), where));
  }

  void remark(std::uint32_t index, Remark::What what, std::string why) {
    const bool explained = remarks_[static_cast<std::size_t>(what)]++ < Accounting::kExplained;
    accounts_.remarks.push_back({index, what, explained ? std::move(why) : std::string()});
  }

  void lose(std::uint32_t index, LossClass cause, std::string why) {
    const Click& click = evidence_.join().click(index);
    const Registration& registration = evidence_.registry().registration(index);
    ++accounts_.lost[static_cast<std::size_t>(cause)];
    accounts_.fates[index] = {Place::lost, static_cast<std::uint8_t>(cause)};
    joiner_costs_.charge(index);
    if (cause == LossClass::unclassified) {
      remark(index, Remark::What::lost_unclassified, "lost without a class: " + why);
    }
    if (accounts_.losses.size() == Accounting::kLossesKept) return;
    Loss& loss = accounts_.losses.emplace_back();
    loss.click = click.id;
    loss.cause = cause;
    loss.evidence = std::move(why);
    if (!registration.is_owned()) return;
    loss.token = registration.owner;
    loss.registered_at = registration.owned_at;
    const Attempt* owner = evidence_.join().find_attempt(index, registration.owner);
    if (owner == nullptr) return;
    loss.process = evidence_.process(owner->node);
    loss.life = owner->life;
    if (owner->died_in_window) loss.crashed_at = owner->died_at;
  }

  const Evidence& evidence_;
  JoinerCosts joiner_costs_;
  Accounting accounts_;
  std::array<std::uint64_t, 5> remarks_{};  // by Remark::What
  Crossing crossing_{evidence_};
};

}  // namespace

std::uint64_t Accounting::lost_total() const {
  return std::accumulate(lost.begin(), lost.end(), std::uint64_t{0});
}

std::uint64_t Accounting::never_joinable_total() const {
  return std::accumulate(never_joinable.begin(), never_joinable.end(), std::uint64_t{0});
}

bool Accounting::adds_up() const {
  return generated == joined + lost_total() + never_joinable_total() + borderline + pending;
}

Accounting account(const Evidence& evidence) { return Accountant(evidence).run(); }

}  // namespace photon::analysis
