// The clicks that a trace shows as joined, with their latencies: plain maps, no code of analysis/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core_impl/trace/environment.h"
#include "tests/scenarios/recount/recorded.h"

namespace photonsim::tests {

// In seconds.
struct JoinedClick {
  double generated = 0;
  double at = 0;                 // its first output record became durable
  double shipping = 0;           // generation -> its bytes could be read there
  double own = 0;                // without the shipping of click and query
  std::uint32_t datacenter = 0;  // that joined it

  double total() const { return at - generated; }
};

class JoinedClicks {
 public:
  void take(const photon::trace::Record& record);

  // In the order of their outputs.
  const std::vector<JoinedClick>& all() const { return all_; }
  std::uint64_t generated() const { return clicks_.size(); }
  std::uint64_t duplicates() const { return duplicates_; }
  std::uint64_t held_at_end() const;  // clicks that some datacenter's output holds

 private:
  struct Generated {
    double at = 0;
    photon::trace::ClickGenerated facts{};
  };

  void on_visible(const photon::trace::Header& header, const photon::trace::LogVisible& visible);
  void on_output(const photon::trace::Header& header, const photon::trace::Record& record);
  std::optional<double> visible_at(std::uint32_t datacenter, std::uint32_t file,
                                   std::uint64_t end) const;

  std::vector<JoinedClick> all_{};
  std::uint64_t duplicates_ = 0;
  std::map<Id, Generated> clicks_{};
  std::map<Id, std::map<std::uint32_t, TokenKey>> held_{};  // output records, by datacenter
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint64_t, double>>>
      visible_{};
};

}  // namespace photonsim::tests
