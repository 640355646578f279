// A check sink for tests: a failed check becomes an exception that the test can expect.
#pragma once

#include <stdexcept>
#include <string>

#include "core_impl/base/check.h"

namespace photon::testing {

struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ThrowingCheckSink final : public CheckSink {
 public:
  [[noreturn]] void check_failed(const CheckSite& site, std::string_view message) override {
    throw CheckFailed(std::string(site.condition) + ": " + std::string(message));
  }
};

// Declare one in a test body: failed checks throw CheckFailed while it lives.
struct ChecksThrow {
  ThrowingCheckSink sink{};
  ScopedCheckSink scope{sink};
};

}  // namespace photon::testing
