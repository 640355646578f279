// A failed check ends one run: the exception and the sink that throws it.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "core_impl/base/check.h"
#include "core_impl/base/strong_id.h"
#include "sim/kernel.h"

namespace photon::sim {

// Everything needed to reproduce the failure: the runner adds scenario and seed.
class CheckFailed final : public std::exception {
 public:
  CheckFailed(const CheckSite& where, std::string_view text, const Kernel& kernel, ActorId actor);
  const char* what() const noexcept override { return what_.c_str(); }

  CheckSite site;
  std::string message;
  SimTime at;
  // Target of the event that was being dispatched: a process id if below the number of processes.
  ActorId target;
  std::uint64_t event_number;

 private:
  std::string what_;
};

class ThrowingCheckSink final : public CheckSink {
 public:
  explicit ThrowingCheckSink(const Kernel& kernel) : kernel_(kernel) {}
  [[noreturn]] void check_failed(const CheckSite& site, std::string_view message) override;

 private:
  const Kernel& kernel_;
};

}  // namespace photon::sim
