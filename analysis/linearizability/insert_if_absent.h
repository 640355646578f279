// The same question for histories of inserts and look-ups only, in constant time per operation.
//
// Without removal an id changes at most twice: at p it becomes held by one token, at q the boundary
// passes it. A history of one id is linearizable if and only if instants p <= q can be chosen so
// that every answer lies on its side of them, and each side asks only for a maximum of calls or a
// minimum of returns:
//   not_found                 is called no later than p
//   exists, already_exists,
//   ok of the owner           return no earlier than p
//   the owner's insert        is called no later than p
//   any answer but too_old    is called no later than q
//   too_old                   returns no earlier than q
// The owner is the token of every `ok`; without one, a token whose insert is indefinite and which
// was never told `already_exists`.
//
// One object per id. SPEC J-S4; agrees with check_linearizable<RegistryModel> (property test).
#pragma once

#include <optional>
#include <vector>

#include "analysis/linearizability/history.h"
#include "analysis/linearizability/registry_model.h"

namespace photon::analysis {

class InsertIfAbsentCheck {
 public:
  using Op = Operation<RegistryModel::Input, RegistryModel::Output>;

  // `op` must be an insert, a look-up or an expire of this id.
  void add(const Op& op);
  bool linearizable() const;

 private:
  struct Candidate {
    Token token{};
    std::optional<HistoryTime> first_called{};  // of its inserts that had or may have had effect
    bool told_ok = false;
    bool told_already_exists = false;
  };

  void add_answer(const Op& op);
  Candidate& candidate(const Token& token);
  // Can `owner` have become the holder early enough for every answer that saw the id?
  bool explains(const Candidate& owner) const;

  static constexpr HistoryTime kLongAgo = std::numeric_limits<HistoryTime>::min();

  std::vector<Candidate> candidates_{};  // few: attempts that raced for one id
  HistoryTime last_absent_called_ = kLongAgo;
  HistoryTime first_present_returned_ = kNeverReturned;
  HistoryTime last_young_called_ = kLongAgo;
  HistoryTime first_too_old_returned_ = kNeverReturned;
  std::optional<HistoryTime> expired_called_{};
  bool seen_present_ = false;
  bool seen_too_old_ = false;
  bool impossible_ = false;  // an answer that its action never gives
};

}  // namespace photon::analysis
