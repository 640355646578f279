#include "core_impl/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace photon {
namespace {
thread_local CheckSink* active_sink = nullptr;
}  // namespace

ScopedCheckSink::ScopedCheckSink(CheckSink& sink) : previous_(active_sink) { active_sink = &sink; }
ScopedCheckSink::~ScopedCheckSink() { active_sink = previous_; }

void fail_check(const CheckSite& site, std::string_view message) {
  if (active_sink != nullptr) active_sink->check_failed(site, message);
  std::fprintf(stderr, "%s:%d: check failed: %s (%.*s)\n", site.file, site.line, site.condition,
               static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace photon
