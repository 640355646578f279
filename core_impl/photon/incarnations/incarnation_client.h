// How a process obtains its incarnation: asks its datacenter's incarnation registry until granted.
//
// A Node that writes files which must be fenced against its earlier lives does nothing before
// `granted()`. Retransmissions carry this life's number, so all of them get one and the same grant.
// Usage: `start` in on_start; pass it its timer and every IncarnationGrant.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/photon/registry_messages.h"
#include "core_impl/runtime/context.h"

namespace photon {

struct IncarnationClientOptions {
  NodeId registry = kNoNode;
  TimerKind timer = 0;  // used only until the grant arrives
  Duration retry_after = std::chrono::seconds(1);
};

class IncarnationClient {
 public:
  explicit IncarnationClient(IncarnationClientOptions options) : options_(options) {}

  // Asks for a life of `context.self()`.
  void start(Context& context);
  void on_timer(Context& context);
  // True exactly once: when this message brought the grant.
  bool on_grant(Context& context, const IncarnationGrant& grant);

  // The granted incarnation: the Token's, and the epoch of every fenced write. Empty before.
  std::optional<std::uint32_t> granted() const { return granted_; }

 private:
  void ask(Context& context);

  IncarnationClientOptions options_;
  std::optional<std::uint32_t> granted_;
};

}  // namespace photon
