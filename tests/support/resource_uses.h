// What a process says about its resources.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "core_impl/base/check.h"
#include "core_impl/runtime/context.h"

namespace photon::testing {

using Use = std::array<std::uint64_t, 3>;  // used, limit, waiting

inline std::map<trace::Resource, Use> uses_of(const Node& node) {
  struct Sink final : UseSink {
    void use(const ResourceUse& now) override {
      PHOTON_CHECK(all.emplace(now.resource, Use{now.used, now.limit, now.waiting}).second,
                   "a resource is reported once");
    }
    std::map<trace::Resource, Use> all;
  } sink;
  node.report_use(sink);
  return sink.all;
}

}  // namespace photon::testing
