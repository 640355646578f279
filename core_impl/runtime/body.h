// Message bodies: typed objects with an owning handle and a 16-bit type number.
//
// A message type M is a plain struct with
//   static constexpr MessageType kType;            unique in the program
//   static constexpr std::string_view kName;
//   template <class Self, class V> static void each_field(Self&, V&&);      (base/codec.h)
//   void facts(trace::FactSink&) const;            what it states, for the trace; optional
//   static constexpr bool kIsReply = true;         it answers a request; optional
//   bool is_reply() const;                         the same, if that depends on the message
// Codec, clone and facts go by type through one static table per type. A clone copies every field
// and unshares its shared bytes. Bodies are immutable once sent; a broadcast shares one body by
// reference count. Counts are not atomic: they are local to one datacenter, and what crosses a
// datacenter is cloned by the network (DESIGN 3).
#pragma once

#include <concepts>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/trace/record.h"

namespace photon {

using MessageType = std::uint16_t;

class Body;

namespace body_detail {
// Visits fields and gives each SharedBytes among them, at any depth, a block of its own.
struct Unshare {
  template <class... Fields>
  void operator()(Fields&... fields) {
    (visit(fields), ...);
  }

 private:
  template <class T>
  static constexpr bool kMayShare = std::same_as<T, SharedBytes> || codec_detail::Composite<T> ||
                                    codec_detail::Sequence<T> || codec_detail::kIsVariant<T>;
  template <class T>
  void visit(T& value) {
    if constexpr (std::same_as<T, SharedBytes>) {
      value = value.clone();
    } else if constexpr (codec_detail::Composite<T>) {
      T::each_field(value, *this);
    } else if constexpr (codec_detail::kIsVariant<T>) {
      std::visit([this](auto& held) { visit(held); }, value);
    } else if constexpr (codec_detail::Sequence<T>) {
      if constexpr (kMayShare<typename T::value_type>) {
        for (auto& element : value) visit(element);
      }
    }
  }
};
}  // namespace body_detail

struct BodyOperations {
  MessageType type;
  std::string_view name;
  void (*encode)(const void* message, Encoder& out);
  bool (*decode)(Decoder& in, Body& out);  // false: malformed; `out` is then unspecified
  Body (*clone)(const void* message);
  void (*facts)(const void* message, trace::FactSink& sink);
  void (*destroy)(void* block);
  bool has_facts;                         // false: `facts` states nothing and need not be called
  bool (*is_reply)(const void* message);  // it answers a request
};

class Body {
 public:
  Body() = default;
  Body(const Body& other) : block_(other.block_) {
    if (block_ != nullptr) ++block_->references;
  }
  Body(Body&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Body& operator=(Body other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Body() {
    if (block_ != nullptr && --block_->references == 0) block_->operations->destroy(block_);
  }

  template <class M>
  static Body make(M message) {
    using Block = BlockOf<M>;
    void* memory = allocate_recycled(sizeof(Block));
    Body body;
    body.block_ = ::new (memory) Block{{&operations_of<M>(), 1, 0}, std::move(message)};
    return body;
  }

  bool empty() const { return block_ == nullptr; }
  MessageType type() const { return block_->operations->type; }
  const BodyOperations& operations() const { return *block_->operations; }
  bool is_reply() const { return operations().is_reply(message()); }
  const void* message() const;

  // Requires type() == M::kType.
  template <class M>
  const M& as() const {
    PHOTON_CHECK(type() == M::kType, "a body is read as what it is");
    return static_cast<const BlockOf<M>*>(block_)->message;
  }

  // A copy that shares nothing with this one.
  Body clone() const {
    Body copy = block_->operations->clone(message());
    copy.block_->digest = block_->digest;
    return copy;
  }

  // A place to remember the hash of the encoded body, so that a broadcast is hashed once: 0 until
  // it is computed. Clones inherit it.
  std::uint64_t noted_digest() const { return block_->digest; }
  void note_digest(std::uint64_t digest) const { block_->digest = digest; }

  // Releases ownership as a raw word and takes it back: for runtimes whose queues hold words.
  std::uintptr_t release() {
    return reinterpret_cast<std::uintptr_t>(std::exchange(block_, nullptr));
  }
  static Body adopt(std::uintptr_t word) {
    Body body;
    body.block_ = reinterpret_cast<Block*>(word);
    return body;
  }

  template <class M>
  static const BodyOperations& operations_of();

 private:
  struct Block {
    const BodyOperations* operations;
    std::uint64_t references;
    std::uint64_t digest = 0;
  };
  template <class M>
  struct BlockOf : Block {
    static_assert(alignof(M) <= alignof(Block),
                  "message() finds the message right after the block");
    BlockOf(Block head, M body) : Block(head), message(std::move(body)) {}
    M message;
  };

  Block* block_ = nullptr;
};

template <class M>
const BodyOperations& Body::operations_of() {
  constexpr bool kStatesFacts = requires(const M& m, trace::FactSink& sink) { m.facts(sink); };
  static constexpr BodyOperations kOperations{
      M::kType,
      M::kName,
      [](const void* message, Encoder& out) {
        M::each_field(*static_cast<const M*>(message), out);
      },
      [](Decoder& in, Body& out) {
        M message{};
        M::each_field(message, in);
        if (!in.ok()) return false;
        out = Body::make(std::move(message));
        return true;
      },
      [](const void* message) {
        M copy = *static_cast<const M*>(message);
        body_detail::Unshare unshare;
        M::each_field(copy, unshare);
        return Body::make(std::move(copy));
      },
      [](const void* message, trace::FactSink& sink) {
        if constexpr (kStatesFacts) {
          static_cast<const M*>(message)->facts(sink);
        } else {
          static_cast<void>(message);
          static_cast<void>(sink);
        }
      },
      [](void* block) {
        auto* typed = static_cast<BlockOf<M>*>(static_cast<Block*>(block));
        typed->~BlockOf<M>();
        release_recycled(typed, sizeof(BlockOf<M>));
      },
      kStatesFacts,
      [](const void* message) {
        if constexpr (requires(const M& m) { m.is_reply(); }) {
          return static_cast<const M*>(message)->is_reply();
        } else {
          static_cast<void>(message);
          return requires { M::kIsReply; };
        }
      },
  };
  return kOperations;
}

inline const void* Body::message() const {
  // Every BlockOf<M> puts its message right after the header: see the assertion there.
  return reinterpret_cast<const std::byte*>(block_) + sizeof(Block);
}

}  // namespace photon
