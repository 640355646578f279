// What one run of a scenario costs. It happens in a process of its own, so that its memory and its
// processor time are those of this run alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace photon::bench {

// Trivially copyable: the run's process sends it.
struct RunFigures {
  std::uint64_t events = 0;  // of the kernel
  std::uint64_t clicks = 0;
  std::uint64_t joined = 0;
  std::uint64_t join_requests = 0;
  std::uint64_t log_lookups = 0;
  std::uint64_t operations = 0;    // of a load of the registry alone
  std::uint64_t transactions = 0;  // committed
  std::uint64_t violations = 0;
  double sim_seconds = 0;
};

struct RunCost {
  RunFigures figures{};
  double user_seconds = 0;
  double system_seconds = 0;
  double peak_megabytes = 0;
};

// Nothing if the run fails or is not judged clean: it has said why.
std::optional<RunCost> cost_of_run(const std::string& scenario,
                                   const std::vector<std::string>& overrides);

// The costs of one scenario in several rounds.
class RunCosts {
 public:
  void add(const RunCost& cost);
  // Of the last run: equal in all.
  const RunFigures& figures() const { return figures_; }
  double user_seconds() const;
  double system_seconds() const;
  double peak_megabytes() const;

 private:
  RunFigures figures_{};
  std::vector<double> user_;
  std::vector<double> system_;
  std::vector<double> peaks_;
};

}  // namespace photon::bench
