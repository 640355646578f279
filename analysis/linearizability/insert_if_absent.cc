#include "analysis/linearizability/insert_if_absent.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::analysis {

void InsertIfAbsentCheck::add(const Op& op) {
  if (op.completion == Completion::failed) return;
  switch (op.input.action) {
    case RegistryAction::expire:
      expired_called_ = std::min(expired_called_.value_or(op.called), op.called);
      return;
    case RegistryAction::insert:
    case RegistryAction::lookup:
      if (op.completion == Completion::returned) {
        add_answer(op);
      } else if (op.input.action == RegistryAction::insert) {
        Candidate& owner = candidate(op.input.token);
        owner.first_called = std::min(owner.first_called.value_or(op.called), op.called);
      }
      return;
    case RegistryAction::remove_if:
    case RegistryAction::clear_if:
      break;
  }
  PHOTON_CHECK(false, "this check knows inserts, look-ups and expiry only");
}

void InsertIfAbsentCheck::add_answer(const Op& op) {
  const bool inserts = op.input.action == RegistryAction::insert;
  if (op.output == RegistryAnswer::too_old) {
    seen_too_old_ = true;
    first_too_old_returned_ = std::min(first_too_old_returned_, op.returned);
    return;
  }
  last_young_called_ = std::max(last_young_called_, op.called);
  if (!inserts && op.output == RegistryAnswer::not_found) {
    last_absent_called_ = std::max(last_absent_called_, op.called);
    return;
  }
  const bool positive =
      inserts ? op.output == RegistryAnswer::ok || op.output == RegistryAnswer::already_exists
              : op.output == RegistryAnswer::exists;
  if (!positive) {
    impossible_ = true;
    return;
  }
  seen_present_ = true;
  first_present_returned_ = std::min(first_present_returned_, op.returned);
  if (!inserts) return;
  Candidate& owner = candidate(op.input.token);
  if (op.output == RegistryAnswer::ok) {
    owner.told_ok = true;
    owner.first_called = std::min(owner.first_called.value_or(op.called), op.called);
  } else {
    owner.told_already_exists = true;
  }
}

InsertIfAbsentCheck::Candidate& InsertIfAbsentCheck::candidate(const Token& token) {
  const auto found = std::find_if(candidates_.begin(), candidates_.end(),
                                  [&](const Candidate& one) { return one.token == token; });
  if (found != candidates_.end()) return *found;
  return candidates_.emplace_back(Candidate{.token = token});
}

bool InsertIfAbsentCheck::explains(const Candidate& owner) const {
  if (!owner.first_called || owner.told_already_exists) return false;
  const HistoryTime earliest = std::max(last_absent_called_, *owner.first_called);
  return earliest <= first_present_returned_ && earliest <= first_too_old_returned_;
}

bool InsertIfAbsentCheck::linearizable() const {
  if (impossible_) return false;
  if (seen_too_old_) {
    if (!expired_called_) return false;
    if (std::max(*expired_called_, last_young_called_) > first_too_old_returned_) return false;
  }
  if (!seen_present_) return true;
  const auto told_ok = [](const Candidate& one) { return one.told_ok; };
  if (std::any_of(candidates_.begin(), candidates_.end(), told_ok)) {
    return std::all_of(candidates_.begin(), candidates_.end(),
                       [&](const Candidate& one) { return !one.told_ok || explains(one); }) &&
           std::count_if(candidates_.begin(), candidates_.end(), told_ok) == 1;
  }
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& one) { return explains(one); });
}

}  // namespace photon::analysis
