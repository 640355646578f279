#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "core_impl/runtime/catalogue.h"
#include "tests/property/all_messages.h"
#include "tests/property/random_fields.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

constexpr std::uint64_t kSeeds = 200;

MessageCatalogue catalogue_of_all() {
  MessageCatalogue catalogue;
  testing::AllMessages::for_each([&]<class M>() { catalogue.add(Body::operations_of<M>()); });
  return catalogue;
}

template <class M>
M random_message(std::uint64_t seed) {
  M message{};
  testing::RandomFields fill(combine(seed, M::kType));
  M::each_field(message, fill);
  return message;
}

Bytes encoded(const Body& body) {
  Bytes out;
  encode_body(body, out);
  return out;
}

// From a heap block of exactly the right size: the address sanitizer detects a read outside.
Body decoded(const MessageCatalogue& catalogue, std::span<const std::byte> bytes) {
  const auto exact = std::make_unique<std::byte[]>(bytes.size());
  std::ranges::copy(bytes, exact.get());
  return decode_body(catalogue, {exact.get(), bytes.size()});
}

// Collects where the bytes of every SharedBytes lie, at any depth.
struct SharedBlocks {
  std::vector<const std::byte*> blocks{};

  template <class... Fields>
  void operator()(const Fields&... fields) {
    (look(fields), ...);
  }
  template <class T>
  void look(const T& value) {
    if constexpr (std::same_as<T, SharedBytes>) {
      if (!value.empty()) blocks.push_back(value.view().data());
    } else if constexpr (codec_detail::kIsVariant<T>) {
      std::visit([this](const auto& held) { look(held); }, value);
    } else if constexpr (codec_detail::Composite<const T>) {
      T::each_field(value, *this);
    } else if constexpr (codec_detail::Sequence<T>) {
      for (const auto& element : value) look(element);
    }
  }
};

TEST_CASE("J-S17 every message type: encode, decode, encode gives the same bytes") {
  const MessageCatalogue catalogue = catalogue_of_all();
  testing::AllMessages::for_each([&]<class M>() {
    CAPTURE(M::kName);
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      CAPTURE(seed);
      const Bytes bytes = encoded(Body::make(random_message<M>(seed)));
      const Body back = decoded(catalogue, bytes);
      REQUIRE_FALSE(back.empty());
      REQUIRE(back.type() == M::kType);
      REQUIRE(encoded(back) == bytes);
    }
  });
}

TEST_CASE("J-S17 every message type: a truncated or lengthened encoding is refused") {
  const MessageCatalogue catalogue = catalogue_of_all();
  testing::AllMessages::for_each([&]<class M>() {
    CAPTURE(M::kName);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      Bytes bytes = encoded(Body::make(random_message<M>(seed)));
      for (std::size_t length = 0; length < bytes.size(); ++length) {
        CAPTURE(length);
        REQUIRE(decoded(catalogue, std::span(bytes).first(length)).empty());
      }
      bytes.push_back(std::byte{0});
      REQUIRE(decoded(catalogue, bytes).empty());
    }
  });
}

TEST_CASE("J-S17 every message type: damaged bytes are refused or decode to what they encode") {
  const MessageCatalogue catalogue = catalogue_of_all();
  testing::AllMessages::for_each([&]<class M>() {
    CAPTURE(M::kName);
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      CAPTURE(seed);
      Bytes bytes = encoded(Body::make(random_message<M>(seed)));
      const std::uint64_t word = mix(seed);
      bytes[word % bytes.size()] ^= static_cast<std::byte>(1U + (word >> 32U) % 255U);
      const Body back = decoded(catalogue, bytes);
      if (!back.empty()) REQUIRE(encoded(back) == bytes);
    }
  });
}

TEST_CASE("DESIGN-3 every message type: a clone is equal and shares nothing") {
  std::size_t shared = 0;
  testing::AllMessages::for_each([&]<class M>() {
    CAPTURE(M::kName);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      const Body original = Body::make(random_message<M>(seed));
      const Body clone = original.clone();
      REQUIRE(clone.message() != original.message());
      REQUIRE(encoded(clone) == encoded(original));
      SharedBlocks here;
      SharedBlocks there;
      M::each_field(original.as<M>(), here);
      M::each_field(clone.as<M>(), there);
      for (const std::byte* block : there.blocks) {
        REQUIRE(std::ranges::find(here.blocks, block) == here.blocks.end());
      }
      shared += there.blocks.size();
    }
  });
  CHECK(shared > 0);  // the check above covered some bytes
}

TEST_CASE("DESIGN-3 no message type is missing from the list of all") {
  std::vector<unsigned> declared;
  const std::regex pattern(R"(MessageType kType = (\d+);)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator("core_impl")) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (std::sregex_iterator it(text.begin(), text.end(), pattern); it != std::sregex_iterator();
         ++it) {
      declared.push_back(static_cast<unsigned>(std::stoul((*it)[1])));
    }
  }
  std::ranges::sort(declared);
  std::vector<unsigned> listed;
  const MessageCatalogue catalogue = catalogue_of_all();
  for (const BodyOperations* each : catalogue.all()) listed.push_back(each->type);
  CHECK(declared == listed);
  CHECK(std::ranges::adjacent_find(declared) == declared.end());
}

}  // namespace
}  // namespace photon
