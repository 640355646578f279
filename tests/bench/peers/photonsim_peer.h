// A model on photonsim's kernel: an actor for each process of the model.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/kernel.h"

namespace photon::bench {

template <class Model>
class PhotonsimPeer {
 public:
  explicit PhotonsimPeer(std::uint32_t pending) : model_(pending) {
    for (std::uint32_t i = 0; i < Model::kTargets; ++i) {
      processes_.push_back(std::make_unique<Process>(model_));
      kernel_.add(*processes_.back());
    }
  }

  void start() { model_.start(Schedule{&kernel_}); }
  void run(std::uint64_t count) { kernel_.run(count); }
  std::uint64_t fingerprint() const { return kernel_.fingerprints().value(); }

 private:
  struct Schedule {
    sim::Kernel* kernel;
    void operator()(std::int64_t at, std::uint32_t target) const {
      kernel->schedule(from_nanoseconds<SimTime>(at), DatacenterId{}, sim::ActorId(target),
                       sim::make_tag(sim::EventKind::environment), 0);
    }
  };

  class Process final : public sim::Actor {
   public:
    explicit Process(Model& model) : model_(&model) {}
    void on_event(sim::Kernel& kernel, const sim::Event& event) override {
      kernel.witness(DatacenterId{}, 0, 0);
      model_->on_event(event.time, event.target, Schedule{&kernel});
    }

   private:
    Model* model_;
  };

  sim::Kernel kernel_{1};
  Model model_;
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace photon::bench
