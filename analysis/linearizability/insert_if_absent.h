// The same question for histories of inserts and look-ups only, in constant time per operation.
//
// Without removal an id changes at most twice: at p it becomes held by one token, at q the boundary
// passes it. A history of one id is linearizable if and only if instants p <= q can be chosen so
// that every answer lies on its side of them, and each side needs only a maximum of calls or a
// minimum of returns:
//   not_found                 is called no later than p
//   exists, already_exists,
//   ok of the owner           return no earlier than p
//   the owner's insert        is called no later than p
//   any answer but too_old    is called no later than q
//   too_old                   returns no earlier than q
//   the expiry                is called no later than q, and returns no earlier if it returns
// The owner is the token of every `ok`; without one, a token whose insert is indefinite and which
// was never answered `already_exists`.
//
// A look-up that a lagging replica may answer has a weaker rule (J-S4): its answer was true at some
// earlier time. Give it as called at the beginning of time: then it constrains only by what it saw,
// not by what it missed.
//
// One object per id, some 110 bytes with one attempt. Prefix-closed: once false, false for ever, so
// asking after every answer finds the first that no order explains. SPEC J-S4; agrees with
// check_linearizable<RegistryModel> (property test).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "analysis/linearizability/history.h"
#include "analysis/linearizability/registry_model.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon::analysis {

class InsertIfAbsentCheck {
 public:
  using Op = Operation<RegistryModel::Input, RegistryModel::Output>;

  static constexpr HistoryTime kLongAgo = std::numeric_limits<HistoryTime>::min();

  // A token that asked for the id.
  struct Candidate {
    Token token{};
    HistoryTime first_called = kNeverReturned;  // of its inserts that had or may have had effect
    bool answered_ok = false;
    bool answered_already_exists = false;
  };

  // All that it knows, as a plain value, where few tokens have asked: for ids that no client asks
  // about now.
  struct Summary {
    std::array<Candidate, 2> candidates{};
    std::uint64_t known = 0;  // how many of them
    HistoryTime last_absent_called = kLongAgo;
    HistoryTime first_present_returned = kNeverReturned;
    HistoryTime last_young_called = kLongAgo;
    HistoryTime first_too_old_returned = kNeverReturned;
    HistoryTime expired_called = kNeverReturned;
    HistoryTime expired_returned = kNeverReturned;
  };
  InsertIfAbsentCheck() = default;
  explicit InsertIfAbsentCheck(const Summary& summary);
  // Nothing if a summary cannot hold it.
  std::optional<Summary> summary() const;

  // `op` must be an insert, a look-up or an expire of this id. An operation may be given while it
  // is still open (indefinite), and again when it has returned.
  void add(const Op& op);
  bool linearizable() const;

  // The history begins with the id held by `token`; empty: by a token that was cleared.
  void begin_held(const Token& token);

  // The constraints, as times; kLongAgo and kNeverReturned where there is none.
  HistoryTime last_absent_called() const { return last_absent_called_; }
  HistoryTime first_present_returned() const { return first_present_returned_; }
  std::span<const Candidate> candidates() const { return candidates_; }

 private:
  void add_answer(const Op& op);
  Candidate& candidate(const Token& token);
  // Can `owner` have become the holder early enough for every answer that saw the id?
  bool explains(const Candidate& owner) const;

  PooledVector<Candidate> candidates_{};  // few: attempts that raced for one id
  HistoryTime last_absent_called_ = kLongAgo;
  HistoryTime first_present_returned_ = kNeverReturned;
  HistoryTime last_young_called_ = kLongAgo;
  HistoryTime first_too_old_returned_ = kNeverReturned;
  HistoryTime expired_called_ = kNeverReturned;
  HistoryTime expired_returned_ = kNeverReturned;
  bool impossible_ = false;  // an answer that its action never gives
};

}  // namespace photon::analysis
