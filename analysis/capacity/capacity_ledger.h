// Load, service and use of resources in the measured window: from the first click (or operation of
// a registry-only load) to the end of generation.
//
// Offered: clicks generated, or operations requested. Served: clicks that some dispatcher finished
// for the first time, or operations answered. The backlog of a pipeline is the clicks that can be
// read there and are not finished, but for those that do not wait for capacity: their query could
// not be found yet, their record is damaged there, or an operator has skipped them (until
// verification brings them back).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/capacity/stationarity.h"
#include "analysis/capacity/use_over_time.h"
#include "analysis/evidence/chunked_array.h"
#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"

namespace photon::analysis {

// One resource of one process or volume, over the window.
struct ResourceTotals {
  trace::Resource resource{};
  NodeId node{kNoNode};  // kNoNode: a volume
  VolumeId volume{};
  DatacenterId datacenter{};
  std::uint64_t limit = 0;              // 0: none
  double used_mean = 0;                 // over time
  double full = 0;                      // share of the time in which it was used up
  double late_used = 0, late_full = 0;  // the same two of the window's last quarter
  // Of the answers that the dispatchers there had from joiners: refusals for want of it.
  double refused = 0;
  double queue_mean = 0;  // what waited for it
  BacklogTrend queue;     // of what waited; arrivals are those of the deployment
  std::uint64_t used_max = 0;
  std::uint64_t queue_max = 0;

  // Share of the limit that is used; 0 without one.
  double utilisation() const { return limit == 0 ? 0 : used_mean / static_cast<double>(limit); }
};

class CapacityLedger final : public FactReader {
 public:
  explicit CapacityLedger(const Evidence& evidence);

  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;
  // After the last record.
  void finish();

  // Until now, before and after the window too.
  std::uint64_t offered_ever() const { return offered_; }
  std::uint64_t served_ever() const { return served_; }
  std::uint64_t backlog(std::size_t pipeline) const {
    return readable_[pipeline] - settled_[pipeline];
  }
  // Clicks that the pipeline's dispatchers finished, each once, until now.
  std::uint64_t finished(std::size_t pipeline) const { return finished_[pipeline]; }
  std::size_t pipelines() const { return pipelines_; }

  // After finish(). The window in seconds: whole sampling intervals; 0 if there is none.
  double seconds() const { return seconds_; }
  double offered_per_second() const { return offered_per_second_; }
  double served_per_second() const { return served_per_second_; }
  // The pipeline whose backlog grows fastest; of a registry alone: 0.
  const BacklogTrend& trend() const { return trend_; }
  std::uint32_t growing_pipeline() const { return growing_; }
  // Of the clicks that wait in a pipeline and that none has finished. With one pipeline, or a
  // registry alone, the same as trend().
  const BacklogTrend& unfinished_trend() const { return unfinished_trend_; }
  const std::vector<ResourceTotals>& resources() const { return resources_; }

 private:
  static constexpr Interest kKinds[] = {trace::Kind::run_phase,
                                        trace::Kind::click_generated,
                                        trace::Kind::load_asked,
                                        trace::Kind::load_done,
                                        trace::Kind::process_crashed,
                                        trace::Kind::resource_used,
                                        trace::Kind::log_visible,
                                        trace::Kind::click_done,
                                        delivered(trace::Kind::join_answer),
                                        sent(trace::Kind::join_ask),
                                        durable(trace::Kind::range_skipped),
                                        durable(trace::Kind::click_reinjected),
                                        trace::Kind::input_damaged};

  struct Sample {
    std::uint64_t offered = 0;
    std::uint64_t served = 0;
    std::vector<double> backlog;  // by pipeline
    std::vector<double> arrived;  // in it, ever
    double unfinished = 0;
    double arrived_somewhere = 0;
  };
  struct Use {
    DatacenterId datacenter{};
    std::uint64_t limit = 0;
    std::uint64_t used_max = 0;
    std::uint64_t waiting_max = 0;
    double used_sum = 0;
    double full = 0;
    UseOverTime over_time{};
    std::vector<std::pair<std::uint32_t, double>> waiting;  // by number of the sample, in ns
  };
  using Key = std::tuple<trace::Resource, NodeId, VolumeId>;
  // Answers of joiners that reached the dispatchers of a datacenter in the window.
  struct Answers {
    std::uint64_t all = 0;
    std::uint64_t too_many = 0;   // joiner.max_in_flight
    std::uint64_t throttled = 0;  // joiner.max_window or joiner.max_outstanding_registry
  };

  bool measuring() const { return began_ && !ended_; }
  void take_sample();
  void on_generated();
  void on_used(const Fact& fact);
  void on_visible(const Fact& fact);
  void on_done(const Fact& fact);
  void on_join_answer(const Fact& fact);
  void on_join_ask(const Fact& fact);
  void on_skipped(const Fact& fact);
  // What is known of a click at a pipeline: sets these bits, clears those.
  void change(std::uint32_t click, std::uint32_t pipeline, std::uint8_t set, std::uint8_t cleared);
  // The same of the click of the record, at the pipeline of its datacenter, if there is one.
  void change(const Fact& fact, std::uint8_t set, std::uint8_t cleared);
  std::uint8_t& state_of(std::uint32_t click, std::uint32_t pipeline);
  // It waits in a pipeline, and none has finished it.
  bool is_unfinished(std::uint32_t click);
  bool is_readable_somewhere(std::uint32_t click);
  void judge_backlogs();
  void total_resources();
  // Charges refusals to the limits of joiners. Of the two that throttle, the one that is used more.
  void charge_refusals();
  BacklogTrend queue_trend(const Use& use) const;

  const JoinEvidence& join_;
  std::size_t pipelines_;
  Duration interval_{};
  SimTime sampled_{};  // the last boundary
  bool began_ = false;
  bool ended_ = false;
  std::vector<Sample> samples_;
  std::uint64_t offered_ = 0;
  std::uint64_t served_ = 0;
  std::uint64_t abandoned_ = 0;           // operations whose client died
  std::map<NodeId, std::uint64_t> open_;  // operations without an answer, by client
  std::vector<std::uint64_t> readable_;   // by pipeline
  std::vector<std::uint64_t> settled_;    // of these: finished, or not waiting for capacity
  std::vector<std::uint64_t> finished_;   // by pipeline, readable there or not
  std::uint64_t unfinished_ = 0;
  std::uint64_t readable_somewhere_ = 0;
  ChunkedArray<std::uint8_t> states_{};  // by click and pipeline
  std::vector<bool> served_clicks_;
  boost::unordered_flat_map<std::uint64_t, std::size_t, Hasher> known_;  // clicks of a file
  std::map<Key, Use> uses_;
  std::map<DatacenterId, Answers> answers_;
  double seconds_ = 0;
  double offered_per_second_ = 0;
  double served_per_second_ = 0;
  BacklogTrend trend_;
  BacklogTrend unfinished_trend_;
  std::uint32_t growing_ = 0;
  std::vector<ResourceTotals> resources_;
};

}  // namespace photon::analysis
