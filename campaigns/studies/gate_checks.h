// Gates and terms of an answer that no number can meet.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaigns/studies/condition.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

struct GateFault {
  const Condition* gate = nullptr;  // of two that contradict each other: the later one
  std::string message{};
  std::string hint{};
};

// Each that can never be met, and each two that contradict each other.
std::vector<GateFault> gate_faults(const std::vector<const Condition*>& gates);

// Reports them at their places.
void check_gates(const std::vector<const Condition*>& gates, scenarios::Report& report);

// Pointers to all of both.
std::vector<const Condition*> all_of(std::span<const Condition> first,
                                     std::span<const Condition> second = {});

}  // namespace photonsim::campaigns
