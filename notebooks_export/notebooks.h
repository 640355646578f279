// Jupyter notebooks that read an export (tidy_export.h).
//
// Their sources are Python files in notebooks_export/notebooks: "# %%" begins a cell of code,
// "# %% [markdown]" one of text in comments. They are compiled in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/trace_files/file_error.h"

namespace photonsim::notebooks {

// Names of the files that are written: notebooks, and their module.
std::vector<std::string> notebook_files();

// Writes every notebook and the module that they import into the folder `folder`; they read the
// tables in the folder `tables`. The number of notebooks.
photon::Result<std::uint64_t, photon::analysis::FileError> write_notebooks(
    const std::string& folder, const std::string& tables);

// The notebook of one source (nbformat 4.4), one JSON object, with `tables`, a path, in the place
// of "@TABLES@".
std::string notebook_of(std::string_view source, std::string_view tables);

}  // namespace photonsim::notebooks
