// Values of a study file as the text that --set takes.
#pragma once

#include <optional>
#include <string>

#include "scenarios/language/loader_document.h"

namespace photonsim::campaigns {

// Lists are written with commas; lists of tables, such as faults, as TOML: [{at="10s",for="1min"}].
// Nothing for what no key takes: a table, a date.
std::optional<std::string> override_text(const scenarios::Value& value);

}  // namespace photonsim::campaigns
