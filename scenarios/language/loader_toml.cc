// The only file that includes toml++ (it is slow to compile), and the boundary of its exceptions.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <toml++/toml.h>

#include "scenarios/language/loader_document.h"

namespace photonsim::scenarios {
namespace {

// Finds nesting that would exhaust the stack of a recursive parser: values or dotted keys without
// limit. It knows strings and comments; after the first syntax error it may be wrong, which is
// harmless because toml++ stops there.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_{text} {}

  // Line and column of the first excess, or line 0.
  Place run() {
    while (at_ < text_.size()) {
      step();
      if (open_ > kMaxDepth || dots_ > kMaxDepth) {
        return {0, line_, 1};
      }
    }
    return {};
  }

 private:
  void step() {
    const char c = text_[at_];
    switch (c) {
      case '"':
      case '\'':
        skip_string(c);
        return;
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case '[':
      case '{':
        ++open_;
        break;
      case ']':
      case '}':
        open_ = std::max(0, open_ - 1);
        break;
      case '.':
        ++dots_;
        break;
      case '\n':
        ++line_;
        break;
      default:
        break;
    }
    if (c == '=' || c == ',' || c == '\n' || c == '[' || c == '{') {
      dots_ = 0;
    }
    ++at_;
  }

  bool starts_with(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void skip_string(char quote) {
    const std::string fence(3, quote);
    const bool multiline = starts_with(fence);
    at_ += multiline ? 3 : 1;
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        if (!multiline) {
          return;  // unterminated: a syntax error for toml++ to report
        }
        ++line_;
      }
      if (text_[at_] == '\\' && quote == '"') {
        // An escaped line end still counts as a line.
        line_ += at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 1 : 0;
        at_ += 2;
      } else if (multiline ? starts_with(fence) : text_[at_] == quote) {
        at_ += multiline ? 3 : 1;
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  std::size_t at_{0};
  std::uint32_t line_{1};
  int open_{0};
  int dots_{0};
};

Place place_of(const toml::source_region& region, std::uint32_t source) {
  return {source, region.begin.line, region.begin.column};
}

Value convert(const toml::node& node, std::uint32_t source);

Value convert_array(const toml::array& array, std::uint32_t source) {
  Value result;
  result.type = Value::Type::kArray;
  for (const toml::node& item : array) {
    result.items.push_back(convert(item, source));
  }
  // `[[name]]` makes tables that are not inline; `name = [...]` can only hold inline ones.
  const toml::table* const first = array.empty() ? nullptr : array.front().as_table();
  result.extends = first != nullptr && !first->is_inline();
  return result;
}

Value convert_table(const toml::table& table, std::uint32_t source) {
  Value result;
  result.type = Value::Type::kTable;
  for (const auto& [key, node] : table) {
    result.members.push_back(
        {std::string{key.str()}, place_of(key.source(), source), convert(node, source)});
  }
  // toml++ sorts by name; restore the order of the text.
  std::stable_sort(
      result.members.begin(), result.members.end(), [](const Member& a, const Member& b) {
        return std::pair{a.place.line, a.place.column} < std::pair{b.place.line, b.place.column};
      });
  return result;
}

Value convert(const toml::node& node, std::uint32_t source) {
  Value result;
  if (const toml::table* const table = node.as_table()) {
    result = convert_table(*table, source);
  } else if (const toml::array* const array = node.as_array()) {
    result = convert_array(*array, source);
  } else if (const auto* const text = node.as_string()) {
    result.type = Value::Type::kString;
    result.text = text->get();
  } else if (const auto* const integer = node.as_integer()) {
    result.type = Value::Type::kInteger;
    result.integer = integer->get();
  } else if (const auto* const real = node.as_floating_point()) {
    result.type = Value::Type::kReal;
    result.real = real->get();
  } else if (const auto* const boolean = node.as_boolean()) {
    result.type = Value::Type::kBoolean;
    result.boolean = boolean->get();
  } else {
    result.type = Value::Type::kDate;
  }
  result.place = place_of(node.source(), source);
  return result;
}

// The remedy for a syntax error; `line`: the text of its line. Empty if none fits.
std::string_view syntax_hint(std::string_view problem, std::string_view line) {
  const auto says = [&](std::string_view what) {
    return problem.find(what) != std::string_view::npos;
  };
  if (says("as array-of-tables") || (says("redefine existing array") && says("as table"))) {
    return "[name] is one table and [[name]] one of several: write the same in both places";
  }
  if (says("redefine existing table")) {
    return "a table [name] stands once in a file: put all of its keys under one heading";
  }
  if (says("redefine")) return "this key stands twice in its table: remove one of the two";
  if (says("expected '=', saw ':'") || line.starts_with("---") || line.starts_with("- ")) {
    return "this looks like YAML; a scenario is TOML: a line [run], and below it seed = 1";
  }
  if (line.starts_with("{")) {
    return "this looks like JSON; a scenario is TOML: a line [run], and below it seed = 1";
  }
  if (says("expected '='")) return "a line is key = value, or the heading of a table, [name]";
  if (says("not representable in 64 bits")) {
    return "a count above 9223372036854775807 stands in double quotes: seed = "
           "\"9223372036854775808\"";
  }
  // The most frequent error is a quantity without quotes.
  for (const std::string_view what : {"value", "integer", "floating-point", "boolean", "date"}) {
    if (!says(what)) continue;
    return "strings and quantities stand in double quotes: name = \"value\", period = \"1s\"";
  }
  return {};
}

// The line of that number, from 1, without leading blanks.
std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t i = 1; i < number; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

}  // namespace

Value parse_toml(std::string_view text, std::uint32_t source, Report& report) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    report.add({source, static_cast<std::uint32_t>(line) + 1, 1},
               "this is not a text file: it holds a zero byte");
    return {};
  }
  Place excess = DepthScan{text}.run();
  if (excess.line != 0) {
    excess.source = source;
    report.add(excess, "values or keys are nested too deeply");
    return {};
  }
  try {
    return convert(toml::parse(text), source);
  } catch (const toml::parse_error& error) {
    const std::string problem{error.description()};
    const Place place = place_of(error.source(), source);
    report.add(place, "syntax: " + problem, syntax_hint(problem, line_of(text, place.line)));
  } catch (const std::exception& error) {
    report.add({source, 0, 0}, std::string{"cannot be read as TOML: "} + error.what());
  }
  return {};
}

}  // namespace photonsim::scenarios
