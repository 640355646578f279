#include "tests/analysis/linearizability/random_history.h"

#include <algorithm>

#include "core_impl/base/random.h"

namespace photon::analysis::testing {
namespace {

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed, Purpose::test, 0) {}
  std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>(uniform_below(stream_.word(next_++), bound));
  }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

using Op = Operation<RegistryModel::Input, RegistryModel::Output>;

constexpr ModelAnswer kAnswers[] = {
    ModelAnswer::ok,      ModelAnswer::already_exists, ModelAnswer::exists, ModelAnswer::not_found,
    ModelAnswer::too_old, ModelAnswer::no_match,       ModelAnswer::cleared};

ModelAction draw_action(Draws& draws, const HistoryShape& shape) {
  const std::uint32_t kind = draws.below(shape.removals ? 11 : 7);
  if (kind < 4) return ModelAction::insert;
  if (kind < 7) return ModelAction::lookup;
  if (kind == 10) return ModelAction::read_token;
  return kind < 9 ? ModelAction::remove : ModelAction::clear;
}

}  // namespace

History<RegistryModel> legal_history(std::uint64_t seed, const HistoryShape& shape) {
  Draws draws(seed);
  History<RegistryModel> history;
  RegistryModel::State state;
  const std::uint32_t expires_at = shape.expiry ? draws.below(shape.operations) : shape.operations;
  for (std::uint32_t i = 0; i < shape.operations; ++i) {
    // Effects happen at 10, 20, 30...; the wider the intervals, the more clients are concurrent.
    const HistoryTime at = 10 * (HistoryTime{i} + 1);
    const auto reach = static_cast<std::uint64_t>(10 * shape.clients);
    Op op;
    op.input.action = i == expires_at ? ModelAction::expire : draw_action(draws, shape);
    op.input.token = Token{1, 1, 1 + draws.below(shape.tokens)};
    op.called = at - draws.below(reach);
    if (op.input.action == ModelAction::expire) {
      op.output = RegistryModel::answer(state, op.input);
      if (draws.below(2) == 0) {
        op.completion = Completion::returned;
        op.returned = at + draws.below(reach);
      }
      history.push_back(op);
      continue;
    }
    const bool lost = draws.below(shape.operations) < shape.indefinite;
    const bool without_effect = lost && draws.below(2) == 0;
    if (!without_effect) op.output = RegistryModel::answer(state, op.input);
    if (!lost) {
      op.completion = Completion::returned;
      op.returned = at + draws.below(reach);
    }
    history.push_back(op);
  }
  return history;
}

void damage(History<RegistryModel>& history, std::uint64_t seed) {
  Draws draws(seed ^ 0x5eedU);
  for (int tries = 0; tries < 100; ++tries) {
    Op& op = history[draws.below(history.size())];
    if (op.completion != Completion::returned) continue;
    if (draws.below(3) == 0) {
      const HistoryTime by =
          10 * (1 + HistoryTime{draws.below(6)}) * (draws.below(2) == 0 ? 1 : -1);
      op.called += by;
      op.returned += by;
      return;
    }
    if (op.input.action == ModelAction::expire) continue;  // no client reads its answer
    const RegistryModel::Output before = op.output;
    op.output = kAnswers[draws.below(std::size(kAnswers))];
    if (op.output != before) return;
  }
}

}  // namespace photon::analysis::testing
