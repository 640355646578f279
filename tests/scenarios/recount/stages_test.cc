// The stages of a join beside a second computation from the raw trace.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaigns/studies/metric_names.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;

namespace {

constexpr std::array<const char*, 7> kNames{"shipping",    "scan",     "lookup", "dispatch",
                                            "event_store", "register", "output"};

// The moments of one click at one datacenter, and of one joiner's attempts.
struct Moments {
  std::optional<double> read{}, looked_up{};
};
struct Attempt {
  std::optional<double> received{}, decided{}, answered{};
};

class Stages {
 public:
  std::array<std::vector<double>, 7> stages{};
  std::vector<double> inserts{}, handed_over{}, biased{};

  void take(const trace::Record& record) {
    const trace::Header& header = record.header;
    const double at = seconds(header.at);
    const bool sent = header.source == trace::Source::sent;
    const std::uint32_t node = header.node.value();
    switch (header.kind) {
      case trace::Kind::click_generated: {
        const auto& click = record.as<trace::ClickGenerated>();
        clicks_[key(click.click)] = {at, click.click_file, click.click_end};
        return;
      }
      case trace::Kind::log_visible: {
        const auto& visible = record.as<trace::LogVisible>();
        visible_[{header.datacenter.value(), visible.file}].emplace_back(visible.length, at);
        return;
      }
      case trace::Kind::click_read: {
        auto& moments = at_[{key(record.as<trace::ClickRead>().click), header.datacenter.value()}];
        if (!moments.read) moments.read = at;
        return;
      }
      case trace::Kind::join_ask:
        // A copy of a request is no new one.
        if (!sent && requests_.insert({node, header.peer.value(), request_of(record)}).second) {
          received_[{key(record.as<trace::JoinAsk>().click), node}] = at;
        }
        return;
      case trace::Kind::adapter_decided:
        decided_[{key(record.as<trace::AdapterDecided>().click), node}] = at;
        return;
      case trace::Kind::registry_ask: {
        const auto& ask = record.as<trace::RegistryAsk>();
        if (!sent || ask.operation != trace::RegistryOperation::insert) return;
        const auto [attempt, fresh] = attempts_.try_emplace(key(ask.token));
        if (!fresh) return;
        asked_[key(ask.token)] = at;
        attempt->second = {
            found(received_, {key(ask.id), node}), found(decided_, {key(ask.id), node}), {}};
        return;
      }
      case trace::Kind::registry_answer:
        if (header.source == trace::Source::delivered) on_answer(header, record, at);
        return;
      case trace::Kind::output_record:
        return on_output(header, record.as<trace::OutputRecord>(), at);
      default:
        return;
    }
  }

 private:
  struct Click {
    double at = 0;
    std::uint32_t file = 0;
    std::uint64_t end = 0;
  };
  template <class Map>
  static std::optional<double> found(const Map& map, const typename Map::key_type& of) {
    const auto place = map.find(of);
    return place == map.end() ? std::nullopt : std::optional(place->second);
  }

  static std::uint64_t request_of(const trace::Record& record) {
    return record.as<trace::JoinAsk>().request;
  }

  void on_answer(const trace::Header& header, const trace::Record& record, double at) {
    const auto& answer = record.as<trace::RegistryAnswer>();
    if (!trace::is_definitive(answer.code)) return;
    if (answer.operation == trace::RegistryOperation::lookup) {
      auto& moments = at_[{key(answer.id), header.datacenter.value()}];
      if (!moments.looked_up) moments.looked_up = at;
      return;
    }
    if (answer.operation != trace::RegistryOperation::insert) return;
    const auto attempt = attempts_.find(key(answer.token));
    if (attempt == attempts_.end() || !answered_.insert(key(answer.token)).second) return;
    inserts.push_back(at - asked_[key(answer.token)]);
    if (answer.code == trace::RegistryCode::inserted) attempt->second.answered = at;
  }

  void on_output(const trace::Header& header, const trace::OutputRecord& output, double end) {
    const auto click = clicks_.find(key(output.click));
    if (click == clicks_.end() || joined_.contains(key(output.click))) return;
    if (header.source == trace::Source::issued) {
      if (issued_.insert(key(output.token)).second) {
        handed_over.push_back(end - click->second.at);
        // By the joiner's clock, and the stamp of the click's server.
        biased.push_back(static_cast<double>(photon::nanoseconds_of(header.local) -
                                             photon::nanoseconds_of(output.click.stamp)) /
                         1e9);
      }
      return;
    }
    if (header.source != trace::Source::durable) return;
    joined_.insert(key(output.click));
    const std::uint32_t place = header.datacenter.value();
    const Moments& moments = at_[{key(output.click), place}];
    const auto attempt = attempts_.find(key(output.token));
    const Attempt tried = attempt == attempts_.end() ? Attempt{} : attempt->second;
    std::optional<double> shipped;
    for (const auto& [length, at] : visible_[{place, click->second.file}]) {
      if (length < click->second.end) continue;
      shipped = at;
      break;
    }
    const std::array<std::optional<double>, 7> reached{
        shipped,        moments.read, moments.looked_up, tried.received, tried.decided,
        tried.answered, end};
    double last = click->second.at;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const double at = reached.at(i) ? std::clamp(*reached.at(i), last, end) : last;
      stages.at(i).push_back(at - last);
      last = at;
    }
  }

  std::map<Id, Click> clicks_{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint64_t, double>>>
      visible_{};
  std::map<std::pair<Id, std::uint32_t>, Moments> at_{};  // by click and datacenter
  std::map<std::pair<Id, std::uint32_t>, double> received_{}, decided_{};  // by click and joiner
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> requests_{};
  std::map<TokenKey, Attempt> attempts_{};
  std::map<TokenKey, double> asked_{};
  std::set<TokenKey> answered_{}, issued_{};
  std::set<Id> joined_{};
};

// Of the clicks whose total lies in the bucket of p99 or above: 64 buckets in each power of two.
struct Slowest {
  std::uint64_t count = 0;
  std::array<double, 7> means{};
};

Slowest slowest_of(const Stages& again) {
  const std::size_t clicks = again.stages.front().size();
  std::vector<std::uint64_t> totals(clicks);
  for (std::size_t click = 0; click < clicks; ++click) {
    double total = 0;
    for (const auto& stage : again.stages) total += stage.at(click);
    totals.at(click) = static_cast<std::uint64_t>(std::llround(total * 1e9));
  }
  std::vector<std::uint64_t> sorted = totals;
  std::ranges::sort(sorted);
  const std::uint64_t p99 = sorted.at((clicks * 99 + 99) / 100 - 1);
  std::uint64_t width = 1;
  while (p99 / width >= 128) width *= 2;
  Slowest slowest;
  for (std::size_t click = 0; click < clicks; ++click) {
    if (totals.at(click) < p99 / width * width) continue;
    ++slowest.count;
    for (std::size_t i = 0; i < 7; ++i) slowest.means.at(i) += again.stages.at(i).at(click);
  }
  for (double& each : slowest.means) each /= static_cast<double>(slowest.count);
  return slowest;
}

// The histogram's bucket of the bound counts as not above it, so the share lies between those above
// the bound and above what is 1/64 longer. Returns how many are neither none nor all.
std::size_t check_shares(const photon::analysis::RunRecord& record, const std::string& name,
                         std::vector<double> values) {
  std::ranges::sort(values);
  std::size_t between = 0;
  for (const double quantile : {0.1, 0.5, 0.9}) {
    if (values.empty()) continue;
    const double at =
        values.at(static_cast<std::size_t>(quantile * static_cast<double>(values.size() - 1)));
    const auto microseconds = std::llround(at * 1e6);
    if (microseconds <= 0) continue;
    const std::string figure = name + ".above." + std::to_string(microseconds) + "us";
    CAPTURE(figure);
    const double bound = static_cast<double>(microseconds) / 1e6;
    const auto above = [&](double limit) {
      const auto count = std::ranges::count_if(values, [&](double each) { return each > limit; });
      return static_cast<double>(count) / static_cast<double>(values.size());
    };
    const auto share = photonsim::campaigns::metric_of(record, figure);
    REQUIRE(share);
    CHECK(*share <= above(bound));
    CHECK(*share >= above(bound * (1 + 1.0 / 64) + 2e-9));
    between += *share > 0 && *share < 1 ? 1 : 0;
  }
  return between;
}

}  // namespace

TEST_CASE("recount: the stages of a join, inserts and hand-over are those of the raw trace") {
  const std::vector<Recipe> recipes{{"scenarios/healthy.toml", {}},
                                    {"scenarios/healthy.toml", {"registry.lookup_mode=bypass"}},
                                    {"scenarios/late_queries.toml", {}},
                                    {"scenarios/trace_kills.toml", {}},
                                    {"scenarios/quickstart.toml",
                                     {"run.duration=3min", "workload.synthetic.clicks=6000",
                                      "faults.inert=allow", "faults.outage=[]"}}};
  int with_slowest = 0;
  std::size_t shares = 0;
  for (const Recipe& recipe : recipes) {
    CAPTURE(recipe.scenario, recipe.overrides);
    Recorded recorded;
    const Ran ran = run(recipe.scenario, 1, recipe.overrides, &recorded);
    Stages again;
    for (const trace::Record& record : recorded.records) again.take(record);
    const auto& summary = ran.outcome.summary;
    const auto record = photon::analysis::run_record_of(summary, ran.outcome.histograms);
    std::size_t compared = 0;
    for (const auto& [name, figures] : summary.stages) {
      const auto place = std::ranges::find(kNames, name);
      if (place == kNames.end()) continue;
      const auto& values = again.stages.at(static_cast<std::size_t>(place - kNames.begin()));
      check_latency(name, figures, values);
      shares += check_shares(record, "latency." + name, values);
      ++compared;
    }
    CHECK(compared == kNames.size());
    if (again.stages.front().size() < 1000) {
      CHECK(summary.slowest.count == 0);
    } else {
      const Slowest slowest = slowest_of(again);
      CHECK(summary.slowest.count == slowest.count);
      REQUIRE(summary.slowest.stages.size() == slowest.means.size());
      for (std::size_t i = 0; i < slowest.means.size(); ++i) {
        CHECK(summary.slowest.stages.at(i).first == kNames.at(i));
        CHECK(summary.slowest.stages.at(i).second == Approx(slowest.means.at(i)).margin(1e-9));
      }
      with_slowest += 1;
    }
    check_latency("insert", summary.registry.insert_latency, again.inserts);
    shares += check_shares(record, "latency.registry_insert", again.inserts);
    check_latency("at hand-over", summary.latency_at_output, again.handed_over);
    check_latency("by server clocks", summary.latency_biased, again.biased);
  }
  CHECK(with_slowest >= 3);
  CHECK(shares >= 60);
}
