#include "analysis/reports/joined_pairs.h"

#include <map>

#include "analysis/evidence/evidence.h"

namespace photon::analysis {

JoinedPairs joined_pairs(const Evidence& evidence, const Accounting& accounts) {
  JoinedPairs pairs;
  std::map<NodeId, std::uint32_t> writers;
  const auto writer_of = [&](std::uint32_t index, const Click& click) {
    const Attempt* attempt = evidence.join().find_attempt(index, click.joined_by);
    if (attempt == nullptr) return kNoIndex;
    const auto next = static_cast<std::uint32_t>(pairs.writers.size());
    const auto [known, added] = writers.emplace(attempt->node, next);
    if (added) pairs.writers.push_back(evidence.process(attempt->node));
    return known->second;
  };
  for (std::uint32_t i = 0; i < evidence.join().clicks(); ++i) {
    if (i % Evidence::kTickRows == 0) evidence.tick();
    const Click& click = evidence.join().click(i);
    if (!click.generated) continue;
    JoinedPair& pair = pairs.rows.emplace_back();
    pair.click = click.id;
    pair.query = click.is_joined() ? click.joined_with : click.query;
    pair.fate = accounts.fates[i];
    pair.generated_at = click.generated_at;
    const Registration& registration = evidence.registry().registration(i);
    if (registration.is_owned()) pair.registered_at = registration.owned_at;
    if (!click.is_joined()) continue;
    pair.written_at = click.joined_at;
    pair.writer = writer_of(i, click);
  }
  return pairs;
}

}  // namespace photon::analysis
