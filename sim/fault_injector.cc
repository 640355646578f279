#include "sim/fault_injector.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/narrow.h"
#include "sim/quiet_rounds.h"

namespace photon::sim {
namespace {

// The interval at which a fault that cannot begin yet is asked again.
constexpr Duration kPause = std::chrono::milliseconds(10);

}  // namespace

FaultInjector::FaultInjector(Kernel& kernel, const Topology& topology, Tap& tap,
                             Processes& processes)
    : kernel_(kernel),
      topology_(topology),
      tap_(tap),
      processes_(processes),
      self_(kernel.add(*this)) {}

void FaultInjector::connect(Network& network, Volumes& volumes, Slowness& slowness,
                            QuietRounds& rounds) {
  rounds_ = &rounds;
  network_ = &network;
  volumes_ = &volumes;
  slowness_ = &slowness;
}

void FaultInjector::set_faults(std::vector<Fault> faults) {
  faults_ = std::move(faults);
  state_.assign(faults_.size(), State::waiting);
  effective_.assign(faults_.size(), 0);
}

FaultScene FaultInjector::scene_of(std::uint32_t index) {
  PHOTON_CHECK(index < faults_.size(), "a scene is one of a known fault");
  PHOTON_CHECK(network_ != nullptr && volumes_ != nullptr && slowness_ != nullptr,
               "faults begin when the injector is connected");
  return {index,
          faults_[index].duration,
          faults_[index].series,
          kernel_,
          topology_,
          tap_,
          processes_,
          *network_,
          *volumes_,
          *slowness_,
          chooser_,
          probe_,
          *this};
}

void FaultInjector::schedule(EventKind kind, std::uint32_t index, SimTime at) {
  kernel_.schedule(at, kernel_.environment(), self_, make_tag(kind), index);
}

void FaultInjector::prepare(std::uint32_t index) {
  FaultScene scene = scene_of(index);
  faults_[index].action.prepare(scene);
}

void FaultInjector::start() {
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    prepare(i);
    schedule(EventKind::fault_begin, i, faults_[i].at);
  }
}

void FaultInjector::on_event(Kernel& kernel, const Event& event) {
  const auto index = static_cast<std::uint32_t>(event.payload);
  PHOTON_CHECK(index < state_.size(), "an event is about a known fault");
  kernel.witness(kernel.environment(), 0, index);
  if (kind_of(event.tag) == EventKind::fault_begin) {
    if (state_[index] == State::waiting) begin(index);
  } else if (state_[index] == State::active) {
    end(index);
  }
}

void FaultInjector::heal_all() {
  healed_ = true;
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    if (state_[i] == State::active) {
      cut_short(i);
      end(i);
    }
    // A process that was asked to stop accepts nothing new, but still has to finish.
    const bool stopping = state_[i] == State::waiting && faults_[i].action.under_way();
    if (!stopping) state_[i] = State::over;
  }
}

void FaultInjector::begin_now(Fault fault) {
  fault.at = kernel_.now();
  faults_.push_back(std::move(fault));
  state_.push_back(State::waiting);
  effective_.push_back(0);
  healed_ = false;
  const auto index = narrow<std::uint32_t>(faults_.size() - 1);
  prepare(index);
  begin(index);
}

void FaultInjector::cut_short(std::uint32_t index) {
  FaultScene scene = scene_of(index);
  faults_[index].action.cut_short(scene);
}

void FaultInjector::took_effect(std::uint32_t fault) {
  if (had_effect(fault)) return;
  if (const std::uint32_t series = faults_[fault].series; series > 0) {
    if (first_of_series_.try_emplace(series, fault).first->second == fault) return;
  }
  effective_[fault] = 1;
  Party about;
  about.datacenter = place_of(faults_[fault], topology_);
  tap_.record(trace::Source::environment, about, trace::FaultEffect{fault});
}

bool FaultInjector::is_ready(std::uint32_t index, FaultScene& scene) {
  const Readiness readiness = faults_[index].action.ready(scene);
  if (readiness == Readiness::later)
    schedule(EventKind::fault_begin, index, kernel_.now() + kPause);
  if (readiness == Readiness::obsolete) state_[index] = State::over;
  return readiness == Readiness::now;
}

void FaultInjector::begin(std::uint32_t index) {
  PHOTON_CHECK(state_[index] == State::waiting, "a fault begins once");
  rounds_->wake_all();
  FaultScene scene = scene_of(index);
  if (!is_ready(index, scene)) return;
  state_[index] = State::active;
  ++active_;
  faults_[index].action.begin(scene);
  if (healed_) return end(index);
  if (faults_[index].duration != kForever) {
    schedule(EventKind::fault_end, index, kernel_.now() + faults_[index].duration);
  }
}

void FaultInjector::end(std::uint32_t index) {
  FaultScene scene = scene_of(index);
  PHOTON_CHECK(state_[index] == State::active, "only a fault that has begun ends");
  state_[index] = State::over;
  --active_;
  faults_[index].action.end(scene);
}

}  // namespace photon::sim
