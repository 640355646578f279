#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "core_impl/base/check.h"
#include "models/trace_log.h"

namespace photon::models {
namespace {

constexpr std::size_t kRowBlock = std::size_t{1} << 20U;
constexpr std::size_t kWord = 4;
constexpr std::size_t kMostBlocks = (std::size_t{1} << 32U) / (kRowBlock / kWord) - 1;
constexpr std::size_t kMostRows = TraceRows::kUnknownKey;

}  // namespace

char* TraceRows::take_space(std::size_t bytes, std::uint32_t& place) {
  if (blocks_.empty() || kRowBlock - used_ < bytes) {
    if (blocks_.size() == kMostBlocks) return nullptr;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(kRowBlock));
    used_ = 0;
  }
  char* const found = blocks_.back().get() + used_;
  place = static_cast<std::uint32_t>(((blocks_.size() - 1) * kRowBlock + used_) / kWord);
  used_ += (bytes + kWord - 1) / kWord * kWord;
  return found;
}

const char* TraceRows::place_of(std::uint32_t text) const {
  const std::size_t byte = std::size_t{text} * kWord;
  return blocks_[byte / kRowBlock].get() + byte % kRowBlock;
}

bool TraceRows::add(Row row, const Fields& fields) {
  PHOTON_CHECK(fields.id.size() <= kMostId && fields.key.size() <= kMostId, "an id has its limit");
  if (rows_.size() == kMostRows) return false;
  const std::string_view text = fields.text.substr(0, kMostRowText);
  const bool in_text = fields.id_at + fields.id.size() <= text.size();
  const std::string_view key = row.primary == kUnknownKey ? fields.key : std::string_view();
  Head head;
  head.text = static_cast<std::uint16_t>(text.size());
  head.id_at = static_cast<std::uint16_t>(in_text ? fields.id_at : text.size());
  head.id = static_cast<std::uint16_t>(fields.id.size());
  head.key = static_cast<std::uint16_t>(key.size());
  const std::size_t own_id = in_text ? 0 : fields.id.size();
  char* at = take_space(sizeof(Head) + text.size() + own_id + key.size(), row.text);
  if (at == nullptr) return false;
  std::memcpy(at, &head, sizeof(Head));
  at += sizeof(Head);
  at = std::ranges::copy(text, at).out;
  if (!in_text) at = std::ranges::copy(fields.id, at).out;
  std::ranges::copy(key, at);
  rows_.push_back(row);
  return true;
}

TraceRows::Head TraceRows::head_of(std::uint32_t i) const {
  Head head;
  std::memcpy(&head, place_of(rows_[i].text), sizeof(Head));
  return head;
}

std::string_view TraceRows::text(std::uint32_t i) const {
  return {place_of(rows_[i].text) + sizeof(Head), head_of(i).text};
}

std::string_view TraceRows::id(std::uint32_t i) const {
  const Head head = head_of(i);
  return {place_of(rows_[i].text) + sizeof(Head) + head.id_at, head.id};
}

std::string_view TraceRows::unknown_key(std::uint32_t i) const {
  const Head head = head_of(i);
  const std::size_t own_id = head.id_at == head.text ? head.id : 0;
  return {place_of(rows_[i].text) + sizeof(Head) + head.text + own_id, head.key};
}

std::vector<std::uint32_t> TraceRows::in_order() const {
  std::vector<std::uint32_t> order(rows_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [this](std::uint32_t i) { return std::pair(rows_[i].time, i); };
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::sort(order, {}, key);
  return order;
}

}  // namespace photon::models
