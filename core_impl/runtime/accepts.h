// A role's list of accepted message types, and the dispatch over exactly that list.
//
// A role declares `using Inbox = Accepts<A, B, C>` and a handler
//   void on(Context&, NodeId from, const A&);
// for each; a type that is declared and not handled does not compile. A body of any other type is
// a wiring error, so it fails a check. A role that embeds another one accepts what
// that one accepts: `using Inbox = Part::Inbox::And<A, B>`.
#pragma once

#include "core_impl/base/check.h"
#include "core_impl/runtime/context.h"

namespace photon {

template <class... Messages>
struct Accepts {
  static_assert(sizeof...(Messages) <= 16, "a role with more message types is two roles");
  // Types are distinguished by their number alone.
  static constexpr bool names_once(MessageType type) {
    return (0 + ... + (Messages::kType == type ? 1 : 0)) == 1;
  }
  static_assert((names_once(Messages::kType) && ...), "a message type is accepted once");

  template <class... More>
  using And = Accepts<Messages..., More...>;

  template <class Role>
  static void dispatch(Role& role, Context& context, NodeId from, const Body& body) {
    PHOTON_CHECK(!body.empty(), "a message has a body");
    const bool handled = (try_one<Messages>(role, context, from, body) || ...);
    PHOTON_CHECK(handled, "a process received a message type it does not accept");
  }

 private:
  template <class M, class Role>
  static bool try_one(Role& role, Context& context, NodeId from, const Body& body) {
    if (body.type() != M::kType) return false;
    role.on(context, from, body.as<M>());
    return true;
  }
};

}  // namespace photon
