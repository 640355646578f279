#include "campaigns/pool/run_pool.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/pool/cluster.h"
#include "campaigns/pool/local_slot.h"
#include "core_impl/base/check.h"
#include "scenarios/language/loader.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

RunPool::RunPool(PoolLimits limits, PoolWork work) : limits_(limits), work_(std::move(work)) {
  if (limits_.cluster != nullptr) {
    PHOTON_CHECK(!work_.probe, "ranks of a cluster cannot call a probe of this process");
    PHOTON_CHECK(!work_.moments, "ranks of a cluster send no moments");
    slots_ = limits_.cluster->slots(limits_);
    return;
  }
  for (unsigned i = 0; i < std::max(limits_.jobs, 1U); ++i) {
    slots_.push_back(make_local_slot(work_, limits_));
  }
}

RunPool::~RunPool() = default;

bool RunPool::any_in_hand() const {
  return std::ranges::any_of(slots_, [](const auto& slot) { return !slot->is_idle(); });
}

// Those that a lost slot had in hand come first.
std::optional<std::uint64_t> RunPool::next() {
  if (lost_.empty()) {
    if (exhausted_) return std::nullopt;
    const auto number = work_.next();
    exhausted_ = !number;
    return number;
  }
  const std::uint64_t number = lost_.back();
  lost_.pop_back();
  return number;
}

bool RunPool::begin_runs(Listener& listener) {
  for (std::size_t i = 0; i < slots_.size();) {
    RunSlot& slot = *slots_[i];
    const auto number = slot.is_idle() && !stopped_ ? next() : std::nullopt;
    if (!number) {
      ++i;
      continue;
    }
    RunOrder order{*number, work_.is_rerun && work_.is_rerun(*number), {}};
    if (limits_.cluster != nullptr) order.text = scenarios::to_toml(work_.spec_of(*number).config);
    if (slot.begin(order)) {
      ++i;
    } else if (limits_.cluster != nullptr) {
      lose(i, *number, listener);
    } else {
      return false;
    }
  }
  return !slots_.empty();
}

// Another slot does its run.
void RunPool::lose(std::size_t place, std::uint64_t number, Listener& listener) {
  const std::string name = slots_[place]->name();
  slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(place));
  lost_.push_back(number);
  listener.on_problem(fmt::format("{} is gone, and its run goes to another; {} left", name,
                                  analysis::counted(slots_.size(), "rank")));
}

bool RunPool::over(Listener& listener) const {
  return stopped_ || listener.stop_requested() ||
         (limits_.deadline && WallClock::now() >= *limits_.deadline);
}

void RunPool::listen(Listener& listener) {
  std::vector<int> channels;
  for (const auto& slot : slots_) channels.push_back(slot->channel());
  std::vector<std::size_t> heard = readable(channels);
  const auto take = [&](std::size_t place, std::uint64_t number, RunSlot::Heard from) {
    if (from.result) work_.take(number, *std::move(from.result));
    if (from.lost) lose(place, number, listener);
  };
  // From the last: a lost slot leaves the list.
  for (auto i = heard.rbegin(); i != heard.rend(); ++i) {
    const std::uint64_t number = slots_[*i]->number();
    take(*i, number, slots_[*i]->listen());
  }
  const auto now = WallClock::now();
  for (std::size_t i = slots_.size(); i-- > 0;) {
    if (!slots_[i]->is_late(now)) continue;
    const std::uint64_t number = slots_[i]->number();
    take(i, number, slots_[i]->give_up());
  }
}

void RunPool::cut_off() {
  for (const auto& slot : slots_) {
    if (slot->is_idle()) continue;
    const std::uint64_t number = slot->number();
    work_.take(number, slot->cut_off());
  }
}

std::string no_process_text(const PoolLimits& limits) {
  return limits.cluster == nullptr
             ? "cannot start a process for the runs; ask for fewer with --jobs"
             : "no rank of the cluster is left; with --out the same command does the rest";
}

RunPool::End RunPool::run(Listener& listener, const std::function<void()>& between) {
  for (;;) {
    if (over(listener)) {
      const bool late = !stopped_ && !listener.stop_requested();
      const bool in_hand = any_in_hand();
      cut_off();
      if (!in_hand && exhausted_ && lost_.empty()) return End::complete;
      return late ? End::deadline : End::stopped;
    }
    if (!begin_runs(listener)) {
      cut_off();
      return End::no_process;
    }
    if (!any_in_hand()) return End::complete;
    listen(listener);
    if (between) between();
  }
}

}  // namespace photonsim::campaigns
