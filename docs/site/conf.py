"""The site: the pages of this repository as they are, by Sphinx. `.ci/site` builds it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

project = "Bootes"
html_title = "Bootes"
project_copyright = "the authors of Bootes"
language = "en"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# Sources are read from the root of the repository, so that links from page to page are those of the files.
root_doc = "README"
include_patterns = [
    "*.md",
    "bench/report/report.md",
    "bench/results/README.md",
    "crates/py/README.md",
    "docs/**.md",
    "docs/**.ipynb",
    "examples/README.md",
    "examples/fhe-benchmarking/README.md",
]
exclude_patterns = ["docs/site/contents.md", "docs/release.md", "target", "bench/peers", ".git", "**/.*"]
CONTENTS = ROOT / "docs/site/contents.md"

myst_enable_extensions = ["attrs_block"]
myst_heading_anchors = 4
highlight_language = "none"
# Notebooks are shown with the outputs that they have: a test runs them.
nb_execution_mode = "off"
nb_merge_streams = True

# Every reference is to something, but for types of others and for names that are private.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!bootes\.[A-Z]).*"), ("py:.*", r".*\b_.*")]
autodoc_mock_imports = ["ray"]
autodoc_member_order = "groupwise"
autodoc_typehints = "none"
default_role = "code"
smartquotes = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/mark.svg"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
# What `cargo doc` has written, where it was run before.
RUST = ROOT / "target/doc"


def with_contents(_app: Any, name: str, source: list[str]) -> None:
    """Put the table of contents below the first page, and a link to what `cargo doc` wrote."""
    if name == root_doc:
        source[0] += "\n" + CONTENTS.read_text(encoding="utf-8")
    if name == "docs/site/rust" and RUST.is_dir():
        source[0] += '\n<a href="../../rust/bootes/index.html">The reference, of this version</a>\n'


def finish(app: Any, failure: Exception | None) -> None:
    """Make the first page that of the folder, and take what `cargo doc` wrote."""
    out = Path(app.outdir)
    if failure is None and app.builder.name == "html":
        shutil.copy(out / f"{root_doc}.html", out / "index.html")
        if RUST.is_dir():
            shutil.copytree(RUST, out / "rust", dirs_exist_ok=True)


def setup(app: Any) -> None:
    """Say what is called when."""
    app.connect("source-read", with_contents)
    app.connect("build-finished", finish)
