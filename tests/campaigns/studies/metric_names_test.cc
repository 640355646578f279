// Every figure that a run may have is explained.
#include "campaigns/studies/metric_names.h"

#include <algorithm>
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

TEST_CASE("DESIGN-6 metrics: those of intervals are one name in lists, and each has its number") {
  const std::vector<std::string>& names = metric_names();
  const auto of_joins = [](const std::string& name) {
    return name.starts_with("series.joins.first_pipeline.");
  };
  CHECK(std::ranges::count_if(names, of_joins) == 1);
  for (const char* name :
       {"series.joins.first_pipeline.0000", "series.joins.last_pipeline.0007",
        "series.backlog.first_pipeline.4095", "series.finished.last_pipeline.0119",
        "series.own_p90.first_pipeline.0010", "series.total_p90.last_pipeline.0001",
        "series.queries_from_caches.0002", "series.queries_from_logs.0003", "series.offered.0004",
        "series.served.0005", "series.interval_seconds"}) {
    CAPTURE(name);
    CHECK(is_metric(name));
    CHECK_FALSE(photon::analysis::meaning_of_metric(name).empty());
  }
  for (const char* name :
       {"series.foo", "series.foo.0007", "series.offered", "series.offered.", "series.offered.7",
        "series.offered.4096", "series.offered.00007", "series.offered.NNNN", "series.offered0007",
        "series.interval_seconds.0007", "series.0007", "joins.first_pipeline.0007"}) {
    CAPTURE(name);
    CHECK_FALSE(is_metric(name));
  }
  CHECK(closest_metric("series.joins.first_pipelin.0007") == "series.joins.first_pipeline.0007");
  CHECK(closest_metric("series.offered.12") == "series.offered.0000");
  CHECK(is_metric(closest_metric("series.foo")));
  CHECK(metric_hint("series.srved.0012") == "did you mean \"series.served.0012\"?");
  CHECK(metric_hint("nothing of this kind").empty());
  using photon::analysis::Unit;
  CHECK(unit_of_metric("series.own_p90.first_pipeline.0007") == Unit::seconds);
  CHECK(unit_of_metric("series.joins.first_pipeline.0007") == Unit::count);
  CHECK(is_measured("series.offered.0007", true));
  CHECK_FALSE(is_measured("series.joins.first_pipeline.0007", true));
  CHECK(is_measured("series.joins.first_pipeline.0007", false));
}

TEST_CASE("DESIGN-6 metrics: any bound has a share of latencies above it") {
  using photon::analysis::Unit;
  for (const char* name :
       {"latency.total.above.7s", "latency.insert.above.500ms", "latency_own.above.0.5s",
        "registry.commit_latency.above.2min", "latency.lookup.above.0s"}) {
    CAPTURE(name);
    CHECK(is_metric(name));
    CHECK(unit_of_metric(name) == Unit::ratio);
    CHECK_FALSE(photon::analysis::meaning_of_metric(stored_name(name)).empty());
    CHECK(is_rate(name));
  }
  for (const char* name :
       {"latency.total.above", "latency.total.above.", "latency.total.above.7",
        "latency.total.above.-7s", "latency.total.above.7x", "latency.totl.above.7s",
        "lost.above.7s", "recovery.seconds.above.7s", "latency.total.p99.above.7s",
        "latency.total.above.DURATION", ".above.7s"}) {
    CAPTURE(name);
    CHECK_FALSE(is_metric(name));
  }
  CHECK(is_measured("latency.insert.above.10s", true));
  CHECK_FALSE(is_measured("latency.insert.above.10s", false));
  CHECK(is_measured("latency.own.above.10s", false));
  CHECK_FALSE(is_measured("latency.own.above.10s", true));
  CHECK(closest_metric("latency.totl.above.7s") == "latency.total.above.7s");
  CHECK(listed_name("latency.total.above.7s") == "latency.total.above.DURATION");
  CHECK(is_metric(of_listed_name("latency.total.above.DURATION")));
  CHECK(of_listed_name("latency.total.p99") == "latency.total.p99");
}

}  // namespace photonsim::campaigns
