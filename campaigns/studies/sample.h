// Points drawn from ranges of keys, instead of all combinations of a few values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "campaigns/studies/factor.h"

namespace photonsim::campaigns {

enum class DesignKind : std::uint8_t {
  latin_hypercube,  // each factor takes each of its strata once
  sobol,            // Sobol's sequence, scrambled: even in all projections
  morris,           // trajectories that change one factor at a time: which ones matter
  saltelli,         // pairs of points that differ in one factor: how much of the variance is its
};
// "lhs", "sobol", "morris", "saltelli".
std::string_view name_of(DesignKind kind);

// Rows of saltelli are drawn as so many designs, each scrambled on its own: how unlike they are
// tells how sure their mean is.
inline constexpr std::uint64_t kSaltelliDesigns = 16;

struct Sample {
  DesignKind kind = DesignKind::sobol;
  std::uint64_t size = 0;  // points; of morris trajectories; of saltelli rows, in designs
  std::uint64_t seed = 1;
  std::uint64_t levels = 4;  // of morris: values of each factor
  std::vector<Factor> factors{};
  // Of each row of the design: the choice of the study's only axis that it became. Rows with equal
  // values share one.
  std::vector<std::size_t> choice_of_row{};

  // Rows of the design: the runs that it asks for, before equal ones are put together.
  std::uint64_t rows() const;
};

// Rows of the design by factor, each at 0 to 1 of its way.
std::vector<std::vector<double>> rows_of(const Sample& sample);

}  // namespace photonsim::campaigns
