#include "analysis/theory/erlang.h"

#include <cmath>

namespace photon::analysis::theory {

std::optional<double> erlang_b(double offered_erlangs, std::uint32_t servers) {
  if (!std::isfinite(offered_erlangs) || offered_erlangs < 0) return {};
  double blocked = 1;
  for (std::uint32_t server = 1; server <= servers; ++server) {
    const double offered = offered_erlangs * blocked;
    blocked = offered / (server + offered);
  }
  return blocked;
}

std::optional<double> erlang_c(double offered_erlangs, std::uint32_t servers) {
  const auto blocked = erlang_b(offered_erlangs, servers);
  if (!blocked || offered_erlangs >= servers) return {};
  const double utilisation = offered_erlangs / servers;
  return *blocked / (1 - utilisation * (1 - *blocked));
}

}  // namespace photon::analysis::theory
