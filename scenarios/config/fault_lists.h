// The faults of a scenario, table by table. A table is identified by the struct of its entries
// (CrashFault of [[faults.crash]]). So a new kind of fault changes nothing here, and its struct may
// stay in one file.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core_impl/base/check.h"

namespace photonsim::scenarios {

// An entry states `static constexpr std::string_view kTable = "faults.crash"`, and compares.
class FaultLists {
 public:
  FaultLists() = default;
  FaultLists(const FaultLists& other);
  FaultLists(FaultLists&&) noexcept = default;
  FaultLists& operator=(FaultLists other) noexcept {
    lists_ = std::move(other.lists_);
    return *this;
  }
  ~FaultLists() = default;

  // The entries of a table, in the order of the file.
  template <class Entry>
  std::vector<Entry>& of() {
    std::unique_ptr<Held>& held = lists_[Entry::kTable];
    if (held == nullptr) held = std::make_unique<Holder<Entry>>();
    return holder_of<Entry>(*held).entries;
  }
  template <class Entry>
  const std::vector<Entry>& of() const {
    static const std::vector<Entry> kNone;
    const auto found = lists_.find(Entry::kTable);
    return found == lists_.end() ? kNone : holder_of<Entry>(*found->second).entries;
  }

  // A table that was never asked for is an empty one.
  bool operator==(const FaultLists& other) const;

 private:
  struct Held {
    Held() = default;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> copy() const = 0;
    virtual bool equals(const Held& other) const = 0;
    virtual bool empty() const = 0;
  };
  template <class Entry>
  struct Holder final : Held {
    std::unique_ptr<Held> copy() const override {
      auto same = std::make_unique<Holder>();
      same->entries = entries;
      return same;
    }
    bool equals(const Held& other) const override {
      return holder_of<Entry>(other).entries == entries;
    }
    bool empty() const override { return entries.empty(); }
    std::vector<Entry> entries{};
  };
  template <class Entry, class HeldOrConst>
  static auto& holder_of(HeldOrConst& held) {
    using Expected =
        std::conditional_t<std::is_const_v<HeldOrConst>, const Holder<Entry>, Holder<Entry>>;
    auto* const holder = dynamic_cast<Expected*>(&held);
    PHOTON_CHECK(holder != nullptr, "a table of faults has one type of entry");
    return *holder;
  }
  static bool holds(const FaultLists& lists, const FaultLists& all_of);

  std::map<std::string_view, std::unique_ptr<Held>> lists_{};  // by the entry's kTable
};

}  // namespace photonsim::scenarios
