#include "models/reference_join.h"

#include <limits>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::models {
namespace {

std::uint32_t whole_steps(Duration delay, Duration step) {
  PHOTON_CHECK(step.count() > 0, "a class of delay has a width");
  if (delay.count() <= 0) return 0;
  const std::int64_t steps = delay / step;
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(steps < kMost ? steps : kMost);
}

void state_custom_join(const JoinRule& rule, const JoinedPair& pair, trace::ClickGenerated& truth) {
  PHOTON_CHECK(rule.custom != nullptr, "a custom join has a reference");
  const std::optional<Bytes> payload =
      rule.custom({truth.query, pair.query_payload}, {truth.click, pair.click_payload});
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(truth.click, truth.query);
  if (payload) encoder.raw(*payload);
  truth.joined_hash = hash_bytes(bytes);
  truth.expect_skip = payload ? 0 : 1;
}

}  // namespace

void state_join(const JoinRule& rule, const JoinedPair& pair, trace::ClickGenerated& truth) {
  if (rule.kind == JoinRule::Kind::custom) return state_custom_join(rule, pair, truth);
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(truth.click, truth.query, static_cast<std::uint32_t>(pair.click_payload.size()));
  encoder.raw(pair.click_payload);
  encoder(static_cast<std::uint32_t>(pair.query_payload.size()));
  encoder.raw(pair.query_payload);
  if (rule.kind == JoinRule::Kind::enrich) {
    const Duration delay = truth.click.stamp - truth.query.stamp;
    encoder(pair.campaign, whole_steps(delay, rule.delay_step));
  }
  truth.joined_hash = hash_bytes(bytes);
  const bool skipped = rule.kind == JoinRule::Kind::filter && pair.campaign % rule.skip_modulo == 0;
  truth.expect_skip = skipped ? 1 : 0;
}

}  // namespace photon::models
