// Clicks that wait at each datacenter, counted again from the raw trace.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "tests/scenarios/recount/recorded.h"

namespace photonsim::tests {

// What becomes readable, is finished, and waits for its query only, at each datacenter.
class Backlogs {
 public:
  void take(const photon::trace::Record& record) {
    const photon::trace::Header& header = record.header;
    const std::uint32_t place = header.datacenter.value();
    switch (header.kind) {
      case photon::trace::Kind::click_generated: {
        const auto& click = record.as<photon::trace::ClickGenerated>();
        ends_[click.click_file].emplace_back(click.click_end, key(click.click));
        return;
      }
      case photon::trace::Kind::log_visible: {
        const auto& visible = record.as<photon::trace::LogVisible>();
        for (const auto& [end, id] : ends_[visible.file]) {
          if (end <= visible.length) readable_[place].insert(id);
        }
        return;
      }
      case photon::trace::Kind::click_done:
        finished_[place].insert(key(record.as<photon::trace::ClickDone>().click));
        served_.insert(key(record.as<photon::trace::ClickDone>().click));
        return;
      case photon::trace::Kind::join_answer: {
        const auto& answer = record.as<photon::trace::JoinAnswer>();
        const bool missing = answer.outcome == photon::trace::JoinOutcome::query_not_found;
        if (missing && header.source == photon::trace::Source::delivered) {
          without_query_[place].insert(key(answer.click));
        }
        return;
      }
      case photon::trace::Kind::join_ask:
        if (header.source == photon::trace::Source::sent) {
          without_query_[place].erase(key(record.as<photon::trace::JoinAsk>().click));
        }
        return;
      default:
        return;
    }
  }

  std::uint64_t backlog(std::uint32_t place) {
    std::uint64_t waiting = 0;
    for (const Id& id : readable_[place]) {
      waiting += finished_[place].contains(id) || without_query_[place].contains(id) ? 0 : 1;
    }
    return waiting;
  }
  std::uint64_t served() const { return served_.size(); }
  std::uint64_t finished(std::uint32_t place) { return finished_[place].size(); }

 private:
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, Id>>> ends_{};  // by file
  std::map<std::uint32_t, std::set<Id>> readable_{}, finished_{}, without_query_{};
  std::set<Id> served_{};
};

}  // namespace photonsim::tests
