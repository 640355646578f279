#include <fmt/format.h>

#include "scenarios/faults/all_faults.h"
#include "scenarios/language/config_validate.h"

namespace photonsim::scenarios {

void validate_faults(Validation& validation) {
  for (const FaultTable* const table : kAllFaults) {
    const std::size_t entries = table->schema.size(validation.config());
    for (std::size_t i = 0; i < entries; ++i) {
      table->check(validation, fmt::format("{}.{}", table->schema.path, i), i);
    }
  }
}

}  // namespace photonsim::scenarios
