// CHECK: an invariant of the code, always on.
//
// A failed check reports to the sink of the run that is active on this thread. A
// runtime that survives its runs installs a sink that throws, which ends *that run*; with no sink
// installed (a live process, a unit test) a failed check prints and aborts.
// User errors and protocol outcomes are values, never checks (DESIGN 8).
#pragma once

#include <string_view>

namespace photon {

struct CheckSite {
  const char* file;
  int line;
  const char* condition;
};

class CheckSink {
 public:
  CheckSink() = default;
  CheckSink(const CheckSink&) = delete;
  CheckSink& operator=(const CheckSink&) = delete;
  virtual ~CheckSink() = default;
  // Must not return: it throws, or ends the process.
  [[noreturn]] virtual void check_failed(const CheckSite& site, std::string_view message) = 0;
};

// Installs `sink` for this thread while in scope; restores the previous one.
class ScopedCheckSink {
 public:
  explicit ScopedCheckSink(CheckSink& sink);
  ScopedCheckSink(const ScopedCheckSink&) = delete;
  ScopedCheckSink& operator=(const ScopedCheckSink&) = delete;
  ~ScopedCheckSink();

 private:
  CheckSink* previous_;
};

[[noreturn]] void fail_check(const CheckSite& site, std::string_view message);

}  // namespace photon

#define PHOTON_CHECK(condition, message)                                                  \
  do {                                                                                    \
    if (!(condition)) [[unlikely]] {                                                      \
      ::photon::fail_check(::photon::CheckSite{__FILE__, __LINE__, #condition}, message); \
    }                                                                                     \
  } while (false)
