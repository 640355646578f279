// Messages for the tests of the runtime: one of each kind that Body treats differently.
#pragma once

#include <string_view>

#include "core_impl/runtime/body.h"
#include "core_impl/trace/environment.h"

namespace photon::testing {

// Counts its live copies, so that a leaked or doubly destroyed body shows.
struct Counted {
  static constexpr MessageType kType = 60001;
  static constexpr std::string_view kName = "counted";
  std::uint32_t number = 0;
  int* live = nullptr;

  Counted() = default;
  Counted(std::uint32_t value, int& count) : number(value), live(&count) { ++*live; }
  Counted(const Counted& other) : number(other.number), live(other.live) { grow(); }
  Counted(Counted&& other) noexcept : number(other.number), live(other.live) { grow(); }
  Counted& operator=(const Counted&) = delete;
  ~Counted() {
    if (live != nullptr) --*live;
  }
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number);
  }

 private:
  void grow() {
    if (live != nullptr) ++*live;
  }
};

struct Part {
  SharedBytes text{};
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.text);
  }
};

// Shared bytes at three depths and no clone() of its own.
struct Sharing {
  static constexpr MessageType kType = 60002;
  static constexpr std::string_view kName = "sharing";
  SharedBytes plain{};
  PooledVector<SharedBytes> list{};
  PooledVector<Part> parts{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.plain, self.list, self.parts);
  }
};

struct Stating {
  static constexpr MessageType kType = 60003;
  static constexpr std::string_view kName = "stating";
  std::uint32_t fault = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.fault);
  }
  void facts(trace::FactSink& sink) const { sink.fact(trace::FaultEffect{fault}); }
};

}  // namespace photon::testing
