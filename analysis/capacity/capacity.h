// The capacity of a deployment in one run: what it was offered and served, what it used, and what
// held it up.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace photon::analysis {

class CapacityLedger;
struct JudgeConfig;
struct TracePlaces;

// Work that comes in bursts uses a limit up for a part of the time only: from this use on it may be
// what holds the work up.
inline constexpr double kPerhapsSaturated = 0.5;

struct ResourceFigures {
  std::string name;   // of the limit, as the scenario key
  std::string where;  // path of the process or volume
  std::string datacenter;
  double utilisation = 0;  // share of the limit, 0 to 1; without a limit 0
  double used_mean = 0;
  double limit = 0;    // 0: none
  double full = 0;     // share of the time in which it was used up
  double late = 0;     // how near its limit it was in the window's last quarter
  double refused = 0;  // share of the requests to joiners there that were refused for want of it
  double queue_mean = 0, queue_growth = 0;  // the growth a second
  bool queue_grows = false;                 // throughout the window
  double queue_max = 0, used_max = 0;
  int depth = 0;  // ResourceRow::depth, or that of the processor

  // How near its limit it was.
  double saturation() const { return full > utilisation ? full : utilisation; }
};

struct CapacityFigures {
  bool measured = false;  // the window was long enough for rates
  // Nothing: the run is too short to tell. It has too few samples, or its backlog grew while every
  // resource had room, by no more than chance explains, or in a pipeline whose clicks another
  // joins; or it ends with a backlog.
  std::optional<bool> stationary{};
  double seconds = 0;  // of the window
  double offered_per_second = 0, served_per_second = 0;
  double backlog_growth_per_second = 0;  // of the pipeline where it grows fastest
  // Of the clicks that wait in some pipeline and that none has finished.
  double unfinished_growth_per_second = 0;
  // That pipeline, if it grew throughout, or ends long while a limit is used up or refuses
  // requests.
  std::string growing_where{};
  bool ends_behind = false;  // the latter
  // The former, by more than chance explains; but another pipeline keeps up, and joins its clicks.
  bool joined_elsewhere = false;
  // Of its limits, what may hold it up: the deepest that is used up or refuses requests, otherwise
  // the nearest. Empty without such a pipeline.
  std::string suspect{};
  double suspect_used = 0;     // how near its limit it was, at the window's end if that is nearer
  double suspect_refused = 0;  // ResourceFigures::refused
  // "processor in us-east1/cache/0": where work goes around it, the queue of a resource that is
  // used up grows, and no backlog.
  std::string growing_queue{};
  double queue_growth_per_second = 0;  // of that queue
  // "dispatcher.max_outstanding_lookups in us-west1": what holds the work up. Empty if it keeps up,
  // or if it is not sure that it does not; of a backlog at the end the suspect.
  std::string binding{};
  std::string closest{};  // the resource nearest to its limit, in the same words
  double closest_saturation = 0;
  std::vector<ResourceFigures> resources{};  // the nearest to its limit first
};

CapacityFigures capacity_figures(const CapacityLedger& ledger, const JudgeConfig& config,
                                 const TracePlaces& places);

// One sentence on a run that cannot keep up, or perhaps cannot; empty otherwise.
std::string overload_sentence(const CapacityFigures& capacity);

}  // namespace photon::analysis
