#include "sim/simulation.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "sim/purposes.h"

namespace photon::sim {

namespace {

std::uint64_t ties_of(const Options& options) {
  if (!options.shuffle_ties) return 0;
  return RandomStream(options.seed, purpose::kTies, 0).word(0);
}

}  // namespace

Simulation::Simulation(Topology topology, const Models& models, const Options& options,
                       const Observers& observers)
    : topology_(std::move(topology)),
      seed_(options.seed),
      sample_interval_(options.sample_interval),
      kernel_(topology_.datacenters().size(), ties_of(options), options.tick),
      tap_(kernel_, models.clocks, topology_.hosts().size(), observers.sink, observers.projector),
      meter_(kernel_, topology_, tap_),
      processes_(Services{kernel_, topology_, models.clocks, tap_, options.seed}),
      injector_(kernel_, topology_, tap_, processes_),
      network_(kernel_, topology_,
               Network::Setup{models.delays, injector_, slowness_, options.seed}),
      volumes_(kernel_, topology_,
               Volumes::Setup{models.storage, tap_, injector_, processes_, slowness_, meter_,
                              options.seed, options.unavailable_after}),
      rounds_(QuietRounds::Setup{kernel_, models.clocks, tap_, processes_, network_, injector_,
                                 options.idle_rounds}) {
  processes_.connect(network_, volumes_, slowness_, injector_, meter_, rounds_);
  injector_.connect(network_, volumes_, slowness_, rounds_);
  network_.set_all_links(options.links);
}

// Frees the bodies that are still under way.
Simulation::~Simulation() {
  Event event;
  while (kernel_.discard(event)) {
    if (kind_of(event.tag) == EventKind::message) Body::adopt(event.payload);
  }
}

void Simulation::set_factory(NodeId node, NodeFactory factory) {
  PHOTON_CHECK(!started_, "processes are set up before the start");
  processes_.at(node).set_factory(std::move(factory));
}

Environment& Simulation::add(EnvironmentActor& actor) {
  PHOTON_CHECK(!started_, "the environment is set up before the start");
  environment_.push_back(std::make_unique<Environment>(kernel_, tap_, actor));
  return *environment_.back();
}

void Simulation::start() {
  ThrowingCheckSink checks(kernel_);
  const ScopedCheckSink scope(checks);
  PHOTON_CHECK(!started_, "a run starts once");
  started_ = true;
  mark_phase(trace::Phase::started);
  if (sample_interval_ > Duration::zero() && tap_.active()) meter_.start(sample_interval_);
  injector_.start();
  for (const auto& actor : environment_) actor->start();
  processes_.start_all();
}

std::uint64_t Simulation::run_until(SimTime limit, std::uint64_t most) {
  ThrowingCheckSink checks(kernel_);
  const ScopedCheckSink scope(checks);
  PHOTON_CHECK(started_, "a run starts before it runs");
  return kernel_.run_until(limit, most);
}

void Simulation::catch_up() {
  ThrowingCheckSink checks(kernel_);
  const ScopedCheckSink scope(checks);
  rounds_.wake_all();
}

void Simulation::renew(std::uint64_t seed) {
  catch_up();
  processes_.renew(seed);
  network_.message_faults().renew(seed);
  volumes_.renew(seed);
}

void Simulation::heal_but(std::vector<Fault> lasting) {
  ThrowingCheckSink checks(kernel_);
  const ScopedCheckSink scope(checks);
  rounds_.wake_all();
  injector_.heal_all();
  network_.clear_faults();
  for (Fault& fault : lasting) injector_.begin_now(std::move(fault));
}

void Simulation::heal_all() {
  ThrowingCheckSink checks(kernel_);
  const ScopedCheckSink scope(checks);
  rounds_.wake_all();
  injector_.heal_all();
  network_.clear_faults();
  mark_phase(trace::Phase::faults_ended);
}

void Simulation::mark_phase(trace::Phase phase) {
  tap_.record(trace::Source::environment, Party{}, trace::RunPhase{phase});
}

}  // namespace photon::sim
