#include "analysis/linearizability/insert_if_absent.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::analysis {

InsertIfAbsentCheck::InsertIfAbsentCheck(const Summary& summary)
    : candidates_(summary.candidates.begin(),
                  summary.candidates.begin() + static_cast<std::ptrdiff_t>(summary.known)),
      last_absent_called_(summary.last_absent_called),
      first_present_returned_(summary.first_present_returned),
      last_young_called_(summary.last_young_called),
      first_too_old_returned_(summary.first_too_old_returned),
      expired_called_(summary.expired_called),
      expired_returned_(summary.expired_returned) {}

std::optional<InsertIfAbsentCheck::Summary> InsertIfAbsentCheck::summary() const {
  Summary summary;
  if (impossible_ || candidates_.size() > summary.candidates.size()) return std::nullopt;
  std::ranges::copy(candidates_, summary.candidates.begin());
  summary.known = candidates_.size();
  summary.last_absent_called = last_absent_called_;
  summary.first_present_returned = first_present_returned_;
  summary.last_young_called = last_young_called_;
  summary.first_too_old_returned = first_too_old_returned_;
  summary.expired_called = expired_called_;
  summary.expired_returned = expired_returned_;
  return summary;
}

void InsertIfAbsentCheck::add(const Op& op) {
  if (op.completion == Completion::failed) return;
  switch (op.input.action) {
    case ModelAction::expire:
      expired_called_ = std::min(expired_called_, op.called);
      if (op.completion == Completion::returned) {
        expired_returned_ = std::min(expired_returned_, op.returned);
      }
      return;
    case ModelAction::insert:
    case ModelAction::lookup:
      if (op.completion == Completion::returned) {
        add_answer(op);
      } else if (op.input.action == ModelAction::insert) {
        Candidate& owner = candidate(op.input.token);
        owner.first_called = std::min(owner.first_called, op.called);
      }
      return;
    case ModelAction::read_token:
    case ModelAction::remove:
    case ModelAction::clear:
      break;
  }
  PHOTON_CHECK(false, "this check knows inserts, look-ups and expiry only");
}

void InsertIfAbsentCheck::add_answer(const Op& op) {
  const bool inserts = op.input.action == ModelAction::insert;
  const ModelAnswer answer = op.output.answer;
  if (answer == ModelAnswer::too_old) {
    first_too_old_returned_ = std::min(first_too_old_returned_, op.returned);
    return;
  }
  last_young_called_ = std::max(last_young_called_, op.called);
  if (!inserts && answer == ModelAnswer::not_found) {
    last_absent_called_ = std::max(last_absent_called_, op.called);
    return;
  }
  const bool positive = inserts ? answer == ModelAnswer::ok || answer == ModelAnswer::already_exists
                                : answer == ModelAnswer::exists;
  if (!positive) {
    impossible_ = true;
    return;
  }
  first_present_returned_ = std::min(first_present_returned_, op.returned);
  if (!inserts) return;
  Candidate& owner = candidate(op.input.token);
  if (answer == ModelAnswer::ok) {
    owner.answered_ok = true;
    owner.first_called = std::min(owner.first_called, op.called);
  } else {
    owner.answered_already_exists = true;
  }
}

void InsertIfAbsentCheck::begin_held(const Token& token) {
  Candidate& owner = candidate(token);
  owner.first_called = kLongAgo;
  owner.answered_ok = true;
  first_present_returned_ = kLongAgo;
}

InsertIfAbsentCheck::Candidate& InsertIfAbsentCheck::candidate(const Token& token) {
  const auto found = std::find_if(candidates_.begin(), candidates_.end(),
                                  [&](const Candidate& one) { return one.token == token; });
  if (found != candidates_.end()) return *found;
  return candidates_.emplace_back(Candidate{.token = token});
}

bool InsertIfAbsentCheck::explains(const Candidate& owner) const {
  if (owner.first_called == kNeverReturned || owner.answered_already_exists) return false;
  const HistoryTime earliest = std::max(last_absent_called_, owner.first_called);
  return earliest <= first_present_returned_ && earliest <= first_too_old_returned_ &&
         earliest <= expired_returned_;
}

bool InsertIfAbsentCheck::linearizable() const {
  if (impossible_ || last_young_called_ > expired_returned_) return false;
  if (first_too_old_returned_ != kNeverReturned &&
      std::max(expired_called_, last_young_called_) > first_too_old_returned_) {
    return false;
  }
  if (first_present_returned_ == kNeverReturned) return true;
  const auto answered_ok = [](const Candidate& one) { return one.answered_ok; };
  const auto owner = std::find_if(candidates_.begin(), candidates_.end(), answered_ok);
  if (owner != candidates_.end()) {
    return explains(*owner) && std::none_of(owner + 1, candidates_.end(), answered_ok);
  }
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& one) { return explains(one); });
}

}  // namespace photon::analysis
