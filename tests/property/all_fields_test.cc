// What a message leaves out of each_field is neither sent, nor compared, nor part of a fingerprint.
#include <set>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <variant>

#include <boost/core/demangle.hpp>
#include <boost/pfr/tuple_size.hpp>

#include "core_impl/base/codec.h"
#include "tests/property/all_messages.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

// Checks each type once, and those of which its fields consist.
class AllFields {
 public:
  template <class T>
  void check() {
    if (!known_.insert(typeid(T)).second) return;
    if constexpr (codec_detail::SelfCoded<T>) {
      return;  // not by fields
    } else if constexpr (codec_detail::Composite<T>) {
      T value{};
      Count count{*this};
      T::each_field(value, count);
      INFO(boost::core::demangle(typeid(T).name()));
      static_assert(std::is_aggregate_v<T>, "its fields can be counted");
      CHECK(count.fields == boost::pfr::tuple_size_v<T>);
      ++composites;
    } else if constexpr (codec_detail::kIsVariant<T>) {
      check_alternatives(static_cast<const T*>(nullptr));
    } else if constexpr (codec_detail::Sequence<T>) {
      check<typename T::value_type>();
    }
  }

  int composites = 0;

 private:
  struct Count {
    AllFields& all;
    std::size_t fields = 0;

    template <class... Fields>
    void operator()(const Fields&...) {
      fields += sizeof...(Fields);
      (all.check<Fields>(), ...);
    }
  };
  template <class... Alternatives>
  void check_alternatives(const std::variant<Alternatives...>*) {
    (check<Alternatives>(), ...);
  }

  std::set<std::type_index> known_;
};

TEST_CASE("J-S17 each_field visits every field of every message and of what it consists of") {
  AllFields all;
  testing::AllMessages::for_each([&]<class M>() { all.check<M>(); });
  CHECK(all.composites >= 45);
}

}  // namespace
}  // namespace photon
