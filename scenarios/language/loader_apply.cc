#include "scenarios/language/loader_apply.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "scenarios/config/units.h"
#include "scenarios/language/schema.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::scenarios {
namespace {

bool is_name(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  return text.size() <= kLongest &&
         text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "-_./@") == std::string_view::npos;
}

std::string join(std::string_view path, std::string_view name) {
  return path.empty() ? std::string{name} : fmt::format("{}.{}", path, name);
}

// Reads one value into its slot. Each overload of `operator()` is one type of member.
class Assignment {
 public:
  Assignment(const Key& key, std::string path, const Value& value, Application& application)
      : key_{key}, path_{std::move(path)}, value_{value}, application_{application} {}

  // False if the value was refused and reported.
  bool run(const Slot& slot) {
    std::visit(*this, slot);
    return ok_;
  }

  void operator()(std::string* text) {
    if (!expect(Value::Type::kString)) {
      return;
    }
    const bool path = key_.kind == Kind::kPath;
    if (!accept_text(value_, path ? Controls::kRefused : Controls::kAllowed)) {
      return;
    }
    if (path && !value_.text.empty()) {
      *text = path_of(value_);
      return;
    }
    if (key_.kind == Kind::kName && !accept_name(value_)) {
      return;
    }
    *text = value_.text;
  }

  void operator()(std::vector<std::string>* names) {
    const bool paths = key_.kind == Kind::kPaths;
    if (paths && value_.type == Value::Type::kString) {
      names->clear();
      if (!value_.text.empty()) add_path(value_, *names);
      return;
    }
    if (!expect(Value::Type::kArray)) {
      return;
    }
    names->clear();
    for (std::size_t i = 0; i < value_.items.size(); ++i) {
      const Value& item = value_.items[i];
      application_.places.set(join(path_, std::to_string(i)), item.place);
      if (item.type != Value::Type::kString) {
        refuse(item.place, fmt::format("{} holds {}, but must hold names in quotes", path_,
                                       type_name(item.type)));
      } else if (paths) {
        add_path(item, *names);
      } else if (accept_name(item)) {
        names->push_back(item.text);
      }
    }
  }

  void operator()(std::uint64_t* count) {
    if (key_.kind == Kind::kBytes) {
      assign(parse_quantity(parse_bytes), count);
    } else if (const auto great = great_count()) {
      assign(great, count);
    } else if (expect(Value::Type::kInteger)) {
      if (value_.integer < 0) {
        refuse(value_.place, fmt::format("{} must not be negative", path_), range_hint());
      } else if (in_range(static_cast<double>(value_.integer))) {
        *count = static_cast<std::uint64_t>(value_.integer);
      }
    }
  }

  void operator()(double* real) {
    const std::optional<double> number = read_number();
    if (number && !std::isfinite(*number)) {
      refuse(value_.place, fmt::format("{} must be finite", path_), range_hint());
    } else if (number && in_range(*number)) {
      *real = *number;
    }
  }

  void operator()(bool* flag) {
    if (expect(Value::Type::kBoolean)) {
      *flag = value_.boolean;
    }
  }

  void operator()(Duration* duration) { assign(parse_quantity(parse_duration), duration); }

  void operator()(std::optional<Duration>* duration) {
    if (value_.type == Value::Type::kString && value_.text == key_.absent) {
      duration->reset();
      return;
    }
    Duration read{0};
    assign(parse_quantity(parse_duration), &read);
    if (ok_) {
      *duration = read;
    }
  }

  void operator()(const ChoiceSlot& choice) {
    if (!expect(Value::Type::kString)) {
      return;
    }
    const auto found = std::find(key_.choices.begin(), key_.choices.end(), value_.text);
    if (found == key_.choices.end()) {
      const std::vector<std::string> words{key_.choices.begin(), key_.choices.end()};
      std::string hint = suggest(value_.text, words);
      refuse(value_.place, fmt::format("{} cannot be \"{}\"", path_, value_.text), hint);
      return;
    }
    *choice.value = static_cast<std::uint8_t>(found - key_.choices.begin());
  }

 private:
  void refuse(Place place, std::string_view message, std::string_view hint = {}) {
    application_.report.add(place, message, hint);
    ok_ = false;
  }

  bool accept_text(const Value& value, Controls controls) {
    if (is_text(value.text, controls)) {
      return true;
    }
    refuse(value.place, fmt::format("{} holds characters that are not text", path_),
           "UTF-8, and no control characters in names of files");
    return false;
  }

  // Relative to the file that states it.
  std::string path_of(const Value& value) const {
    const std::filesystem::path file{value.text};
    const auto& directory = application_.directories.at(value.place.source);
    return (file.is_absolute() ? file : directory / file).lexically_normal().string();
  }

  void add_path(const Value& value, std::vector<std::string>& paths) {
    if (value.text.empty()) {
      refuse(value.place, fmt::format("{} names a file without a name", path_));
    } else if (accept_text(value, Controls::kRefused)) {
      paths.push_back(path_of(value));
    }
  }

  bool expect(Value::Type type) {
    if (value_.type == type) {
      return true;
    }
    const bool heading = value_.type == Value::Type::kTable || value_.extends;
    refuse(value_.place,
           fmt::format("{} must be {}, not {}", path_, type_name(type), type_name(value_.type)),
           heading ? fmt::format("it is a key, not a heading: write {} = ... below the heading of "
                                 "its table ({})",
                                 key_.name, describe_kind(key_))
                   : "expected: " + describe_kind(key_));
    return false;
  }

  bool accept_name(const Value& name) {
    if (name.text.empty() && (key_.required || key_.kind == Kind::kNames)) {
      refuse(name.place, fmt::format("{} must not be empty", path_));
    } else if (!is_name(name.text)) {
      refuse(name.place, fmt::format("{} holds \"{}\", which is not a name", path_, name.text),
             fmt::format("up to 100 letters, digits and - _ . / @. {}", key_.doc));
    }
    return ok_;
  }

  std::string range_hint() const { return "allowed: " + describe_range(key_); }

  bool in_range(double value) {
    if (value >= key_.range.low && value <= key_.range.high) {
      return true;
    }
    refuse(value_.place, fmt::format("{} = {} is out of range", path_, format_bound(key_, value)),
           range_hint());
    return false;
  }

  // A string with a unit, by one of the parsers of units.h.
  template <typename T>
  std::optional<T> parse_quantity(Parsed<T> (*parse)(std::string_view)) {
    const bool number = value_.type == Value::Type::kInteger || value_.type == Value::Type::kReal;
    if (number) {
      refuse(value_.place, fmt::format("{} needs a unit", path_),
             "expected: " + describe_kind(key_));
      return std::nullopt;
    }
    if (!expect(Value::Type::kString)) {
      return std::nullopt;
    }
    Parsed<T> parsed = parse(value_.text);
    if (!parsed.value) {
      refuse(value_.place, fmt::format("{} = \"{}\" {}", path_, value_.text, parsed.problem),
             parsed.hint);
    }
    return parsed.value;
  }

  // A count above the integers of TOML, in quotes.
  std::optional<std::uint64_t> great_count() const {
    if (value_.type != Value::Type::kString || value_.text.empty()) return std::nullopt;
    const char* const end = value_.text.data() + value_.text.size();
    std::uint64_t count = 0;
    const auto [stop, error] = std::from_chars(value_.text.data(), end, count);
    const bool great = error == std::errc{} && stop == end && count > kMostPlainCount;
    return great ? std::optional(count) : std::nullopt;
  }

  std::optional<double> read_number() {
    if (value_.type == Value::Type::kInteger) {
      return static_cast<double>(value_.integer);
    }
    if (value_.type == Value::Type::kReal) {
      return value_.real;
    }
    if (key_.kind == Kind::kFraction) {
      return parse_quantity(parse_fraction);
    }
    expect(Value::Type::kReal);
    return std::nullopt;
  }

  void assign(std::optional<std::uint64_t> parsed, std::uint64_t* target) {
    if (parsed && in_range(static_cast<double>(*parsed))) {
      *target = *parsed;
    }
  }

  void assign(std::optional<Duration> parsed, Duration* target) {
    if (parsed && in_range(static_cast<double>(parsed->count()))) {
      *target = *parsed;
    }
  }

  const Key& key_;
  std::string path_;
  const Value& value_;
  Application& application_;
  bool ok_{true};
};

// The position in the schema and in the Config.
struct Position {
  std::string path{};    // in messages: "faults.random.2"
  std::string schema{};  // "faults.random"
  std::size_t element{0};
};

class Walk {
 public:
  explicit Walk(Application& application) : application_{application} {}

  void table(const Value& value, const Position& at) {
    const TableSpec* const spec = find_table(at.schema);
    for (const Member& member : value.members) {
      const Position inner{join(at.path, member.name), join(at.schema, member.name), 0};
      application_.places.set(inner.path, member.value.place);
      if (!key(spec, member, at, inner.path)) {
        child(member, inner);
      }
    }
    if (spec != nullptr && spec->repeated) {
      require_all(*spec, value, at);
    }
  }

 private:
  // True if the member is a key of the table, good or bad.
  bool key(const TableSpec* spec, const Member& member, const Position& at, std::string path) {
    for (std::size_t i = 0; spec != nullptr && i < spec->key_count; ++i) {
      if (spec->key(i).name == member.name) {
        const Slot slot = spec->slot(application_.config, at.element, i);
        Assignment assignment{spec->key(i), path, member.value, application_};
        if (!assignment.run(slot)) {
          application_.broken.insert(path);
        }
        return true;
      }
    }
    return false;
  }

  void child(const Member& member, const Position& at) {
    const TableSpec* const spec = find_table(at.schema);
    if (spec != nullptr && spec->repeated) {
      elements(*spec, member.value, at);
    } else if (spec != nullptr || is_group(at.schema)) {
      if (member.value.type == Value::Type::kTable) {
        table(member.value, at);
      } else {
        const bool doubled = member.value.extends;
        refuse(
            member.value.place, at.path,
            fmt::format("{} is a table, but {} stands here", at.path, type_name(member.value.type)),
            doubled ? fmt::format("there is one {0}: write [{0}], not [[{0}]]", at.schema)
                    : fmt::format("write it as [{}]", at.schema));
      }
    } else {
      unknown(member, at);
    }
  }

  void elements(const TableSpec& spec, const Value& value, const Position& at) {
    const std::string hint =
        value.type == Value::Type::kTable
            ? fmt::format("there may be several {0}: write [[{0}]], not [{0}]", spec.path)
            : fmt::format("write each element as [[{}]]", spec.path);
    if (value.type != Value::Type::kArray) {
      refuse(
          value.place, at.path,
          fmt::format("{} is a list of tables, but {} stands here", at.path, type_name(value.type)),
          hint);
      return;
    }
    constexpr std::size_t kMostElements = 10'000;
    if (value.items.size() > kMostElements) {
      refuse(value.place, at.path, fmt::format("{} has too many elements", at.path));
      return;
    }
    spec.resize(application_.config, value.items.size());
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const Value& item = value.items[i];
      const Position inner{join(at.path, std::to_string(i)), at.schema, i};
      application_.places.set(inner.path, item.place);
      if (item.type == Value::Type::kTable) {
        table(item, inner);
      } else {
        refuse(item.place, inner.path,
               fmt::format("{} must be a table, not {}", inner.path, type_name(item.type)), hint);
      }
    }
  }

  void require_all(const TableSpec& spec, const Value& value, const Position& at) {
    for (std::size_t i = 0; i < spec.key_count; ++i) {
      const Key& expected = spec.key(i);
      if (expected.required && find_member(value, expected.name) == nullptr) {
        refuse(value.place, join(at.path, expected.name),
               fmt::format("this [[{}]] does not state \"{}\"", spec.path, expected.name),
               fmt::format("{} = ... ({})", expected.name, describe_kind(expected)));
      }
    }
  }

  // "faults" holds tables but has no keys of its own.
  static bool is_group(std::string_view path) {
    return std::any_of(all_tables().begin(), all_tables().end(), [&](const TableSpec* table) {
      return table->path.starts_with(fmt::format("{}.", path));
    });
  }

  void unknown(const Member& member, const Position& at) {
    const std::string& path = at.path;
    if (const std::string_view now = present_name(at.schema); !now.empty()) {
      refuse(member.place, now, fmt::format("\"{}\" has a new name: \"{}\"", path, now),
             fmt::format("write {} instead; `photonsim explain {}` says what it means", now, now));
      return;
    }
    // The intended key keeps its default, so rules about it are not reported.
    const std::string intended = nearest(member, at.schema);
    refuse(member.place, intended.empty() ? path : intended,
           fmt::format("unknown key \"{}\"", path),
           intended.empty() ? where_keys_are_listed(at.schema)
                            : fmt::format("did you mean \"{}\"?", intended));
  }

  // The key or table that is probably meant, or "": a table for a table, a key or a table for a
  // value. In a known section only names of that section are compared, without its name.
  static std::string nearest(const Member& member, std::string_view path) {
    std::vector<std::string> candidates;
    if (!is_table(member.value)) candidates = all_keys();
    for (const TableSpec* const each : all_tables()) candidates.emplace_back(each->path);
    const std::size_t name = path.rfind('.') + 1;  // 0: it has no section
    const std::string_view section = path.substr(0, name);
    std::vector<std::string> names;
    for (const std::string& each : candidates) {
      const bool within =
          each.starts_with(section) && (name == 0 || each.find('.', name) == each.npos);
      if (within) names.push_back(each.substr(name));
    }
    if (const std::string best = closest(path.substr(name), names); !best.empty()) {
      return std::string(section) + best;
    }
    return elsewhere(member.name, candidates);
  }

  // [table], or [[table]].
  static bool is_table(const Value& value) {
    return value.type == Value::Type::kTable ||
           (value.type == Value::Type::kArray && !value.items.empty() &&
            value.items.front().type == Value::Type::kTable);
  }

  static std::string where_keys_are_listed(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return fmt::format("`photonsim explain {}` lists {}",
                       dot == std::string_view::npos ? "SECTION" : path.substr(0, dot),
                       dot == std::string_view::npos ? "the keys of a section" : "its keys");
  }

  // The first of the same name in another section.
  static std::string elsewhere(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string end = fmt::format(".{}", name);
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const std::string& each) { return each.ends_with(end); });
    return found == candidates.end() ? std::string{} : *found;
  }

  void refuse(Place place, std::string_view path, std::string_view message,
              std::string_view hint = {}) {
    application_.report.add(place, message, hint);
    application_.broken.emplace(path);
  }

  Application& application_;
};

}  // namespace

void apply(const Value& tree, Application& application) { Walk{application}.table(tree, {}); }

}  // namespace photonsim::scenarios
