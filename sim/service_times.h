// Processor time of messages and answers of volumes: a table by role, and by message type or volume
// operation. The process is busy for that time before it acts on a message or an answer.
//
// Each row has a function that counts items in a message or an answer. The caller of `add` knows
// the content of messages. Messages and answers without a row take no time.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/runtime/context.h"

namespace photon::sim {

class ServiceTimes {
 public:
  using MessageItems = std::uint64_t (*)(const Body& body);
  using AnswerItems = std::uint64_t (*)(const VolumeRequest& request, const IoResult& result);

  // A message of that type takes a process of that role `time` for each `per` of its items.
  struct Message {
    std::uint32_t role = 0;  // ProcessInfo::role
    MessageType type = 0;
    Duration time{};
    MessageItems items = nullptr;
    std::uint64_t per = 1;
  };
  // The answer to a volume request takes it `time` for each `per` of its items.
  struct Answer {
    std::uint32_t role = 0;
    VolumeOperation operation{};
    Duration time{};
    AnswerItems items = nullptr;
    std::uint64_t per = 1;
  };

  // One row for a role and a type, or a role and an operation.
  void add(const Message& row);
  void add(const Answer& row);

  Duration of(std::uint32_t role, const Body& body) const;
  Duration of(std::uint32_t role, const VolumeRequest& request, const IoResult& result) const;

 private:
  struct Rows {
    std::vector<Message> messages{};
    std::vector<Answer> answers{};
  };
  Rows& rows_of(std::uint32_t role);

  std::vector<Rows> roles_;  // by role
};

}  // namespace photon::sim
