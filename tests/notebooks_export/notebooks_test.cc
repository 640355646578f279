// A source in cells becomes a notebook: markdown without comment marks, code with the tables.
#include "notebooks_export/notebooks.h"

#include <filesystem>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::notebooks {
namespace {

namespace json = boost::json;
using Folder = photon::testing::TemporaryFolder;

std::string text_of(const json::object& notebook, std::size_t cell) {
  std::string text;
  for (const json::value& line : notebook.at("cells").at(cell).at("source").as_array()) {
    text += std::string(line.as_string());
  }
  return text;
}

TEST_CASE("DESIGN-2 notebooks: cells of a source, with the tables in their place") {
  const json::value parsed = json::parse(notebook_of(
      "ignored\n# %% [markdown]\n# # Title\n#\n# text\n# %%\na = \"@TABLES@\"\n# a comment\n\n# "
      "%%\nb\n",
      "a \"folder\" \\ of tables"));
  const json::object& notebook = parsed.as_object();
  REQUIRE(notebook.at("cells").as_array().size() == 3);
  CHECK(notebook.at("cells").at(0).at("cell_type").as_string() == "markdown");
  CHECK(text_of(notebook, 0) == "# Title\n\ntext");
  CHECK(notebook.at("cells").at(1).at("cell_type").as_string() == "code");
  CHECK(text_of(notebook, 1) == "a = \"a \\\"folder\\\" \\\\ of tables\"\n# a comment");
  CHECK(text_of(notebook, 2) == "b");
  CHECK(notebook.at("nbformat").as_int64() == 4);
}

TEST_CASE(
    "DESIGN-2 notebooks: all of them and their module are written, or the error has a place") {
  const Folder folder;
  const std::string target = folder.file("books");
  const auto written = write_notebooks(target, folder.file("tables"));
  REQUIRE(written.has_value());
  std::size_t notebooks = 0;
  for (const auto& file : std::filesystem::directory_iterator(target)) {
    notebooks += file.path().extension() == ".ipynb" ? 1 : 0;
  }
  CHECK(notebooks == written.assume_value());
  CHECK(notebooks == 7);
  CHECK(std::filesystem::exists(target + "/photonsim_results.py"));
  const auto failed = write_notebooks("/dev/null/books", "tables");
  REQUIRE(!failed.has_value());
  CHECK(failed.assume_error().message().find("/dev/null/books") != std::string::npos);
}

}  // namespace
}  // namespace photonsim::notebooks
