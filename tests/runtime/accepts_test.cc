#include "core_impl/runtime/accepts.h"

#include <string>

#include "tests/base/throwing_check_sink.h"
#include "tests/runtime/test_messages.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

// A context that dispatch only hands through.
class NoContext final : public Context {
 public:
  NodeId self() const override { return NodeId(3); }
  Incarnation incarnation() const override { return Incarnation(1); }
  MonotonicTime now() const override { return {}; }
  LocalTime wall() const override { return {}; }
  TrueTimeInterval true_time() const override { return {}; }
  void send(NodeId, Body) override { FAIL("dispatch sends nothing"); }
  void set_timer(TimerKind, MonotonicTime) override { FAIL("dispatch sets no timer"); }
  void cancel_timer(TimerKind) override { FAIL("dispatch cancels no timer"); }
  Ticket submit(VolumeRequest) override { return {}; }
  std::uint64_t random(std::uint64_t) override { return 0; }

 private:
  void raw_decide(trace::Kind, const void*, std::size_t) override {}
};

struct Role {
  using Inbox = Accepts<testing::Stating, testing::Sharing>;
  void on(Context& context, NodeId from, const testing::Stating& message) {
    heard += "stating " + std::to_string(message.fault) + " from " + std::to_string(from.value()) +
             " at " + std::to_string(context.self().value()) + ";";
  }
  void on(Context&, NodeId, const testing::Sharing&) { heard += "sharing;"; }
  std::string heard{};
};

TEST_CASE("DESIGN-3 dispatch goes to the handler of the body's type, and to no other") {
  NoContext context;
  Role role;
  Role::Inbox::dispatch(role, context, NodeId(8), Body::make(testing::Sharing{}));
  Role::Inbox::dispatch(role, context, NodeId(9), Body::make(testing::Stating{4}));
  CHECK(role.heard == "sharing;stating 4 from 9 at 3;");
}

TEST_CASE("DESIGN-3 a body of a type that the role does not accept, or none, fails a check") {
  const testing::ChecksThrow checks;
  NoContext context;
  Role role;
  int live = 0;
  CHECK_THROWS_AS(
      Role::Inbox::dispatch(role, context, NodeId(8), Body::make(testing::Counted(1, live))),
      testing::CheckFailed);
  CHECK_THROWS_AS(Role::Inbox::dispatch(role, context, NodeId(8), Body()), testing::CheckFailed);
  CHECK(role.heard.empty());
}

}  // namespace
}  // namespace photon
