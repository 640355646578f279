#include "analysis/linearizability/key_history.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

bool is_special(ModelAction action) {
  return action == ModelAction::insert || action == ModelAction::lookup;
}

bool removes(const RegistryQuestion& question) { return question.action == ModelAction::remove; }

RegistryModel::Input input_of(const RegistryQuestion& question) {
  return {question.action, {}, question.token};
}

}  // namespace

const RegistryQuestion* KeyHistory::find(NodeId client, std::uint64_t request, ModelAction action,
                                         const Token& token) const {
  const auto same = [&](const RegistryQuestion& open) {
    return open.request == request && open.client == client && open.action == action &&
           (open.token == token || action == ModelAction::read_token);
  };
  const auto found = std::find_if(open_.begin(), open_.end(), same);
  return found == open_.end() ? nullptr : &*found;
}

void KeyHistory::ask(RegistryQuestion question, HistoryTime expired) {
  const RegistryQuestion* known =
      find(question.client, question.request, question.action, question.token);
  if (known != nullptr) {
    open_[static_cast<std::size_t>(known - open_.data())].repeated = true;
    return;
  }
  if (!is_special(question.action) && !general() && expired == kNeverReturned) generalise();
  if (removes(question)) {
    ever_removed_ = true;
    for (RegistryQuestion& other : open_) other.beside_removal = true;
  }
  question.beside_removal = std::any_of(open_.begin(), open_.end(), removes);
  if (general()) {
    if (question.rule == ReadRule::current) question.general = general_->call(input_of(question));
  } else if (question.action == ModelAction::insert) {
    summary_.add({.input = input_of(question), .called = question.called});
  }
  open_.push_back(question);
}

bool KeyHistory::answer(const RegistryQuestion& open, const RegistryModel::Output& output,
                        HistoryTime returned, HistoryTime expired) {
  const RegistryQuestion asked = open;
  const auto place = std::find_if(open_.begin(), open_.end(),
                                  [&](const RegistryQuestion& each) { return &each == &open; });
  PHOTON_CHECK(place != open_.end(), "what is answered is open");
  open_.erase(place);
  if (asked.action == ModelAction::insert && asked.deliveries > 1 && !general()) {
    leave(asked.token, asked.deliveries - 1);
  }
  if (open_.empty()) open_ = {};  // most ids are never asked about again
  const bool too_old = output.answer == ModelAnswer::too_old;
  const bool possible = too_old ? expired != kNeverReturned
                                : asked.rule == ReadRule::stale || asked.called <= expired;
  if (!possible) return false;
  // An answer that was true before the boundary passed is valid for ever, and constrains nothing.
  if (asked.rule == ReadRule::stale && !too_old && expired != kNeverReturned) return true;
  if (!general()) return answer_specially(asked, output, returned, expired);
  const bool explained = answer_generally(asked, output);
  settle();
  return explained;
}

bool KeyHistory::answer_specially(const RegistryQuestion& asked,
                                  const RegistryModel::Output& output, HistoryTime returned,
                                  HistoryTime expired) {
  InsertIfAbsentCheck::Op op{input_of(asked), output, asked.called, returned, Completion::returned};
  if (expired != kNeverReturned) {
    summary_.add({{ModelAction::expire, {}, {}}, {}, expired, expired, Completion::returned});
  }
  if (!is_special(asked.action)) {
    // Asked when the id was expired, or nearly: only `too old` is distinguished.
    if (output.answer != ModelAnswer::too_old) return true;
    op.input = {ModelAction::lookup, {}, {}};
  }
  if (asked.rule == ReadRule::stale) op.called = InsertIfAbsentCheck::kLongAgo;
  summary_.add(op);
  return summary_.linearizable();
}

bool KeyHistory::answer_generally(const RegistryQuestion& asked,
                                  const RegistryModel::Output& output) {
  if (output.answer == ModelAnswer::too_old) {
    // All earlier answers were given before the expiry, so it is early enough to add it now.
    const auto expiry = general_->call({ModelAction::expire, {}, {}});
    // A repetition is too old whatever the first copy did (BC-11): that stays as it was.
    const bool changes = !RegistryModel::is_read(input_of(asked));
    if (changes && asked.repeated) {
      if (asked.general != 0) general_->abandon(asked.general);
    } else {
      const auto handle = asked.general != 0 ? asked.general : general_->call(input_of(asked));
      if (!general_->returned(handle, output)) return false;
    }
    return general_->returned(expiry, ModelAnswer::ok);
  }
  if (asked.rule == ReadRule::current) return general_->returned(asked.general, output);
  // It was absent once; and an insert that a removal may have overtaken may have been there
  // before it.
  if (output.answer == ModelAnswer::not_found || asked.beside_removal) return true;
  return general_->returned(general_->call(input_of(asked)), output);
}

void KeyHistory::delivered(NodeId client, std::uint64_t request,
                           const RegistryModel::Input& input) {
  for (RegistryQuestion& open : open_) {
    const bool same = open.client == client && open.request == request &&
                      open.action == input.action && open.token == input.token;
    if (!same) continue;
    // The first copy is the operation that the check knows.
    if (open.deliveries++ > 0 && general()) general_->call_again(open.general);
    return;
  }
  if (input.action == ModelAction::insert && !ever_removed_) return leave(input.token, 1);
  if (!general()) generalise();
  general_->call_unanswered({input.action, {}, input.token});
}

void KeyHistory::leave(const Token& token, std::uint32_t copies) {
  const auto known = std::ranges::find(left_, token, &Copies::token);
  if (known == left_.end()) {
    left_.push_back({token, copies});
  } else {
    known->count += copies;
  }
}

// An operation that was delivered more than once may take effect more than once, answered or not.
void KeyHistory::report_copies() {
  for (const RegistryQuestion& open : open_) {
    if (open.rule != ReadRule::current) continue;
    for (std::uint32_t i = 1; i < open.deliveries; ++i) general_->call_again(open.general);
  }
  for (const Copies& left : left_) {
    for (std::uint32_t i = 0; i < left.count; ++i) {
      general_->call_unanswered({ModelAction::insert, {}, left.token});
    }
  }
  left_ = {};
}

// Passes the knowledge of the specialised check to the generic one, as the shortest history with
// the same constraints: everything that returned before this moment did so before any later call.
void KeyHistory::generalise() {
  using Handle = General::Handle;
  struct Asked {
    RegistryModel::Input input{};
    RegistryModel::Output output{};
    HistoryTime called = 0;
    RegistryQuestion* open = nullptr;
    Handle handle = 0;
  };
  const HistoryTime absent = summary_.last_absent_called();
  const HistoryTime present = summary_.first_present_returned();
  RegistryModel::State initial;
  PooledVector<Asked> answered;
  for (const auto& each : summary_.candidates()) {
    const RegistryModel::Input input{ModelAction::insert, {}, each.token};
    if (each.token.is_empty()) {
      initial.value = RegistryModel::Value::cleared;
    } else if (each.answered_ok) {
      answered.push_back({input, ModelAnswer::ok, each.first_called});
    } else if (each.answered_already_exists) {
      answered.push_back({input, ModelAnswer::already_exists, InsertIfAbsentCheck::kLongAgo});
    }
  }
  if (absent != InsertIfAbsentCheck::kLongAgo) {
    answered.push_back({{ModelAction::lookup, {}, {}}, ModelAnswer::not_found, absent});
  }
  for (RegistryQuestion& open : open_) {
    if (open.rule == ReadRule::current)
      answered.push_back({input_of(open), {}, open.called, &open});
  }
  std::stable_sort(answered.begin(), answered.end(), [](const Asked& left, const Asked& right) {
    return left.called < right.called;
  });

  general_ = std::make_unique<General>(initial);
  const Handle seen = general_->call({ModelAction::lookup, {}, {}});
  bool shown = present == kNeverReturned;
  if (shown) general_->forget(seen);
  const auto show = [&] { general_->returned(seen, ModelAnswer::exists); };
  for (Asked& each : answered) {
    if (!shown && each.called > present) {
      show();
      shown = true;
    }
    each.handle = general_->call(each.input);
    if (each.open != nullptr) each.open->general = each.handle;
  }
  if (!shown) show();
  for (const Asked& each : answered) {
    if (each.open == nullptr) general_->returned(each.handle, each.output);
  }
  report_copies();
  summary_ = {};
}

void KeyHistory::settle() {
  if (!open_.empty()) return;
  const auto state = general_->settled();
  if (!state) return;
  if (state->age == RegistryModel::Age::expired) {
    constexpr HistoryTime kBefore = InsertIfAbsentCheck::kLongAgo;
    summary_.add({{ModelAction::expire, {}, {}}, {}, kBefore, kBefore, Completion::returned});
  }
  if (state->value != RegistryModel::Value::absent) summary_.begin_held(state->token);
  general_.reset();
}

}  // namespace photon::analysis
