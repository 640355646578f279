// The application's part of the join, as joiner.adapter names it.
#pragma once

#include <memory>

#include "core_impl/photon/joiner/adapter.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

std::unique_ptr<photon::Adapter> adapter_of(const Config& config);

}  // namespace photonsim::scenarios
