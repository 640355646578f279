// The named fields of a trace record, as text, numbers and event ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/trace_files/trace_file.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/strong_id.h"

namespace photonsim::trace_views {

struct Field {
  enum class Type : std::uint8_t {
    event,   // `id`
    number,  // `count`
    text,    // `text`
  };
  std::string_view name{};
  Type type = Type::text;
  photon::EventId id{};
  std::uint64_t count = 0;
  std::string text{};
};

// The fields of one record, in the order in which its kind lists them: always the same names.
class Fields {
 public:
  enum class Detail : std::uint8_t { all, events };  // only fields of type event: much faster

  // `places` must live as long as this object.
  explicit Fields(const photon::analysis::TracePlaces& places, Detail detail = Detail::all)
      : places_(places), detail_(detail) {}

  // The outcome, in a word: shown beside the title as well.
  Fields& gist(std::string_view name, std::string_view word);
  Fields& event(std::string_view name, const photon::EventId& id);
  Fields& token(std::string_view name, const photon::Token& token);
  Fields& number(std::string_view name, std::uint64_t value);
  Fields& hash(std::string_view name, std::uint64_t value);
  Fields& process(std::string_view name, photon::NodeId node);
  Fields& datacenter(std::string_view name, photon::DatacenterId datacenter);
  Fields& duration(std::string_view name, std::int64_t nanoseconds);
  Fields& text(std::string_view name, std::string_view text);

  const std::vector<Field>& list() const { return list_; }
  std::string_view gist() const { return gist_; }

 private:
  const photon::analysis::TracePlaces& places_;
  Detail detail_;
  std::vector<Field> list_;
  std::string_view gist_{};
};

}  // namespace photonsim::trace_views
