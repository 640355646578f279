// The running history of one registry id: questions, answers, linearizable so far?
//
// Inserts and look-ups are judged in constant time (insert_if_absent.h). From the first removal,
// clearing or reading of a token on, the generic check takes over (online_check.h), beginning with
// the knowledge of the other one. It hands back when nothing is open and the state is certain. So
// the memory is that of the open questions and a summary, however long the history.
//
// A question is one operation: called when it was first sent, returned when its first definitive
// answer was delivered to its client. Sending it again under the same number adds nothing: copies
// of an insert or a read that take effect twice do at most what one does that took effect at the
// first moment; only their first answer is read. This does not hold for ids that are removed: there
// a late copy of an insert can bring the id back. `delivered` counts the copies that reached a
// server, and each but the first is an indefinite operation of its own: it may have been waiting
// there since before the removal was asked for. The answer may be any copy's: a removal whose first
// copy took effect may be answered `not found` by the second, an insert whose token was cleared
// in between `already exists` (BC-10).
//
// SPEC J-S4.
#pragma once

#include <memory>
#include <optional>

#include "analysis/linearizability/insert_if_absent.h"
#include "analysis/linearizability/online_check.h"
#include "core_impl/base/strong_id.h"

namespace photon::analysis {

// `stale`: a lagging replica may answer. The answer must have been true at some time since the last
// removal that had returned when the question was asked.
enum class ReadRule : std::uint8_t { current, stale };

struct RegistryQuestion {
  std::uint64_t request = 0;
  NodeId client{};
  ModelAction action = ModelAction::lookup;
  ReadRule rule = ReadRule::current;
  Token token{};  // insert, remove, clear
  HistoryTime called = 0;

  // Kept by the history.
  bool repeated = false;         // it was sent again
  bool beside_removal = false;   // a removal was under way at some time since the call
  std::uint32_t deliveries = 0;  // to servers
  std::uint32_t general = 0;     // its handle at the generic check; 0: not passed to it
};

class KeyHistory {
  using General = OnlineCheck<RegistryModel>;

 public:
  KeyHistory() = default;
  explicit KeyHistory(const InsertIfAbsentCheck::Summary& summary) : summary_(summary) {}
  // All of the history, while it consists of answered inserts and look-ups; else nothing.
  std::optional<InsertIfAbsentCheck::Summary> at_rest() const {
    const bool rests = quiet() && !general() && left_.empty() && !ever_removed_;
    return rests ? summary_.summary() : std::nullopt;
  }

  // The question is asked. `expired`: since when the boundary has passed the id; kNeverReturned if
  // it has not. A repetition is no question of its own.
  void ask(RegistryQuestion question, HistoryTime expired);

  // The question with that number, if it is open.
  const RegistryQuestion* find(NodeId client, std::uint64_t request, ModelAction action,
                               const Token& token) const;

  // An open question is answered at `returned`, and is closed. False if no order of the operations
  // explains all answers so far; do not use the history any more then.
  bool answer(const RegistryQuestion& asked, const RegistryModel::Output& output,
              HistoryTime returned, HistoryTime expired);

  // A removal, clearing or insert, or a copy of one, reached a server.
  void delivered(NodeId client, std::uint64_t request, const RegistryModel::Input& input);

  bool quiet() const { return open_.empty(); }
  bool general() const { return general_ != nullptr; }
  // Which of its limits (OnlineLimits) the generic check met: from then on only violations of the
  // boundary are reported.
  SearchLimit undecided() const { return general() ? general_->limit() : SearchLimit::none; }
  const InsertIfAbsentCheck& summary() const { return summary_; }

 private:
  bool answer_generally(const RegistryQuestion& asked, const RegistryModel::Output& output);
  bool answer_specially(const RegistryQuestion& asked, const RegistryModel::Output& output,
                        HistoryTime returned, HistoryTime expired);
  void generalise();
  void report_copies();
  void leave(const Token& token, std::uint32_t copies);
  void settle();

  InsertIfAbsentCheck summary_{};
  // Copies of inserts whose answers are not awaited any more, as long as no removal was asked for.
  struct Copies {
    Token token{};
    std::uint32_t count = 0;
  };

  PooledVector<RegistryQuestion> open_{};
  PooledVector<Copies> left_{};
  bool ever_removed_ = false;  // a removal was asked for
  std::unique_ptr<General> general_{};
};

}  // namespace photon::analysis
