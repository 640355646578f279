// Spellings for messages: ids "7:12@3.5s", tokens "4.1.88", times "12.000003s".
#pragma once

#include <string>

#include "core_impl/base/event_id.h"
#include "core_impl/base/time.h"

namespace photon::analysis {

std::string describe(const EventId& id);
std::string describe(const Token& token);
std::string describe(SimTime at);

}  // namespace photon::analysis
