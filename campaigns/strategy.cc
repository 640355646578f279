#include "campaigns/strategy.h"

#include <utility>

#include <fmt/format.h>

#include "campaigns/guided_strategy.h"

namespace photonsim::campaigns {
namespace {

// All runs of the plan in one round: the configuration of each depends on its seed alone.
class SeedStrategy final : public Strategy {
 public:
  explicit SeedStrategy(CampaignPlan plan) : plan_(std::move(plan)) {}

  std::uint64_t plan_round(std::uint64_t most) override { return most; }
  RunSpec spec_of(std::uint64_t run) const override { return plan_.spec_of(run); }
  std::string replay_of(std::uint64_t run, Shows shows) const override {
    return plan_.replay_of(run, shows);
  }
  std::string repro_name(std::uint64_t run) const override {
    const scenarios::Config config = plan_.spec_of(run).config;
    return fmt::format("{}-{}", config.scenario.name, config.run.seed);
  }

 private:
  CampaignPlan plan_;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(const CampaignPlan& plan) {
  if (plan.spec().guided) return std::make_unique<GuidedStrategy>(plan);
  return std::make_unique<SeedStrategy>(plan);
}

}  // namespace photonsim::campaigns
