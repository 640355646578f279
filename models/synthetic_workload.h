// A synthetic workload: many queries, some of them clicked, some clicked more than once.
//
// Each click happens on a click server (Poisson) and refers *backwards* to the last query that a
// random query server generated a random delay before. That gives the N:1 relation with any delay
// distribution and keeps every byte of every log a pure function of its place (event_log.h).
// The delay is a mixture: a fast exponential part and a slow lognormal one (SPEC G-06); one that is
// longer than the history of queries is replaced by a uniform one inside it.
//
// Where the load changes over time, delays are those of a click, whenever that is: late clicks then
// follow the traffic, as if queries of quiet hours were clicked late more often. With
// `clicks_follow_queries` all queries are clicked alike: a delay d has the density f(d) times the
// load at its query, and late clicks of all hours are about equally many (SPEC G-06).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/arrivals.h"
#include "models/reference_join.h"
#include "models/workload.h"

namespace photon::models {

class SyntheticWorkload final : public Workload {
 public:
  struct Options {
    std::uint64_t seed = 0;
    SimTime queries_start{};        // queries begin here
    SimTime clicks_start{};         // clicks begin here; between the two the logs warm up
    SimTime end{};                  // of both
    double clicks_per_second = 10;  // all servers together
    double queries_per_second = 100;
    std::uint32_t query_servers = 4;
    std::uint32_t click_servers = 4;
    std::uint32_t query_payload = 64;  // bytes, at least kCampaignBytes
    std::uint32_t click_payload = 32;
    double fast_fraction = 0.85;
    Duration fast_mean{std::chrono::seconds(30)};
    Duration slow_median{std::chrono::minutes(5)};
    double slow_sigma = 1.0;
    JoinRule join{};                          // the join of the run's adapter
    std::uint32_t first_host = 0;             // HostId of the first generating server
    std::uint64_t file_bytes = 0;             // at most this, or one record; 0: one file a server
    Duration disorder{0};                     // of the stamps of a file (Arrivals)
    std::optional<logs::ClockBound> bound{};  // of the servers' clocks (Arrivals)
    // Rates of clicks and queries are these times its factor (Arrivals)
    std::shared_ptr<const LoadShape> shape{};
    std::uint16_t processes = 1;         // of each server, that issue ids (Arrivals)
    Duration stamp_resolution{0};        // of the servers' clocks (Arrivals)
    Duration tick{1};                    // events happen at multiples of it (Arrivals)
    bool clicks_follow_queries = false;  // see above; without a shape it changes nothing
  };

  // `clocks` must outlive this object. Server addresses: queries 1..Q, clicks Q+1..Q+C.
  SyntheticWorkload(const Options& options, const HostClocks& clocks);
  ~SyntheticWorkload() override;

  std::span<const std::unique_ptr<EventLog>> logs() const override { return logs_; }
  std::optional<GeneratedClick> next_click() override;
  SimTime end() const override { return options_.end; }
  UnnamedEvents unnamed() override;
  void renew(std::uint64_t seed) override;

 private:
  class QueryLog;
  class ClickLog;
  struct Cursor {  // next click of one server
    SimTime at{};
    std::uint32_t log = 0;
    std::uint64_t ordinal = 0;
  };
  struct Later {
    bool operator()(const Cursor& left, const Cursor& right) const;
  };
  void push_cursor(std::uint32_t log, std::uint64_t ordinal);

  Options options_;
  std::vector<std::unique_ptr<QueryLog>> own_queries_;
  std::vector<QueryLog*> queries_;  // the same
  std::vector<std::unique_ptr<ClickLog>> clicks_;
  std::vector<std::unique_ptr<EventLog>> logs_;  // files of these, by server, in their sequence
  std::vector<Cursor> heap_;                     // earliest on top
};

}  // namespace photon::models
