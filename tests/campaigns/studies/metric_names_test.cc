// Every figure that a run may have is explained.
#include "campaigns/studies/metric_names.h"

#include <set>

#include "analysis/explain/metric_texts.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {

TEST_CASE("DESIGN-6 metrics: each has a meaning of its own, a sentence") {
  std::set<std::string> meanings, stored;
  for (const std::string& name : metric_names()) stored.insert(stored_name(name));
  for (const std::string& name : stored) {
    INFO(name);
    const std::string meaning = photon::analysis::meaning_of_metric(name);
    CHECK(meaning.size() > 10);
    CHECK(meaning.ends_with('.'));
    meanings.insert(meaning);
  }
  // Families such as answers of a load share theirs, and so do the whole latency and its stage.
  CHECK(meanings.size() + 20 >= stored.size());
  CHECK(photon::analysis::meaning_of_metric("latency_own.p98").empty());
  CHECK(photon::analysis::meaning_of_metric("lost.L-none").empty());
  CHECK(photon::analysis::meaning_of_metric("mark.").empty());
}

}  // namespace photonsim::campaigns
