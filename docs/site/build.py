#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the documentation site: the pages of the tree, and a reference of each language, as files to be served as they
are.  Every link and every anchor in it leads somewhere, or the build fails.

Usage: build.py <work folder> [--without-rust]     the site is <work folder>/site

MkDocs (requirements.txt) is installed into build/site_tools, a virtual environment, unless it is there.  The reference
of C and C++ is the headers, that of Go what `go doc` says, of Python its docstrings and types, of Rust what `cargo doc`
makes.  Exit code 77: MkDocs cannot be installed, or a language is not
there.
"""
import argparse
import ast
import html.parser
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "docs/site"
TOOLS = ROOT / "build/site_tools"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def tools():
    wanted = (HERE / "requirements.txt").read_text()
    kept = TOOLS / "requirements.txt"
    if not kept.exists() or kept.read_text() != wanted:
        commands = ([sys.executable, "-m", "venv", "--clear", TOOLS],
                    [TOOLS / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--requirement",
                     HERE / "requirements.txt"])
        if any(subprocess.run(command).returncode for command in commands):
            skip("MkDocs cannot be installed")
        kept.write_text(wanted)


def fenced(language, text):
    return f"~~~~{language}\n{text.strip(chr(10))}\n~~~~\n"


# The pages of the tree, at their places.

def outside_code(text, replace):
    """Applies a function to what is no code."""
    parts = re.split(r"(^```[\s\S]*?^```$|^(?: {4}.*\n)+|`[^`\n]*`)", text, flags=re.M)
    return "".join(part if i % 2 else replace(part) for i, part in enumerate(parts))


class Pages:
    def __init__(self, folder):
        self.folder, self.done = folder, set()

    def add(self, path):
        """A file of the tree, and all that it links to."""
        if path in self.done:
            return
        self.done.add(path)
        place = self.folder / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copyfile(path, place)
            return
        text = path.read_text()
        place.write_text(outside_code(text, lambda part: re.sub(
            r"\]\(([^)\s]+)\)", lambda link: f"]({self.link(path, link[1])})", part)))

    def link(self, page, target):
        if re.match(r"[a-z]+:|#", target):
            return target
        name, mark, anchor = target.partition("#")
        aim = (page.parent / name).resolve()
        if not aim.exists() or ROOT not in (aim, *aim.parents):
            sys.exit(f"{page.relative_to(ROOT)}: there is no {target}")
        if aim.is_dir():
            aim = self.listing(aim)
        else:
            self.add(aim)
        return posixpath.relpath(aim.relative_to(ROOT).as_posix(), page.parent.relative_to(ROOT).as_posix()) + mark + anchor

    def listing(self, folder):
        """The page of a folder: its README, or a list of its files."""
        readme = folder / "README.md"
        if readme.exists():
            self.add(readme)
            return readme
        place = self.folder / readme.relative_to(ROOT)
        if readme not in self.done:
            self.done.add(readme)
            place.parent.mkdir(parents=True, exist_ok=True)
            tracked = subprocess.run(["git", "ls-files", folder], cwd=ROOT, text=True, stdout=subprocess.PIPE).stdout
            files = [ROOT / name for name in tracked.split("\n") if name] or [f for f in folder.rglob("*") if f.is_file()]
            lines = [f"# {folder.relative_to(ROOT)}\n"]
            for file in files:
                if file.suffix != ".md":
                    self.add(file)
                    lines.append(f"- [{file.relative_to(folder)}]({file.relative_to(folder).as_posix()})")
            place.write_text("\n".join(lines) + "\n")
        return readme


# The reference of each language.

def header_page(title, path, heading):
    """A header as a page with a section for each of its own."""
    parts = re.split(heading, path.read_text(), flags=re.M)
    page = f"# {title}\n\nThe whole interface, as [the header]({'../' + str(path.relative_to(ROOT))}) says it.\n\n"
    page += fenced("c", parts[0])
    for name, text in zip(parts[1::2], parts[2::2]):
        page += f"\n## {name.strip()}\n\n{fenced('c', text)}"
    return page


def go_page():
    if not shutil.which("go"):
        skip("there is no go")
    done = subprocess.run(["go", "doc", "-all"], cwd=ROOT / "bindings/go", text=True, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit("go doc failed")
    about, *sections = re.split(r"^(CONSTANTS|VARIABLES|FUNCTIONS|TYPES)$", done.stdout, flags=re.M)
    page = "# Go\n\nWhat `go doc -all` says.\n\n" + fenced("text", about)
    for name, text in zip(sections[::2], sections[1::2]):
        page += f"\n## {name.capitalize()}\n"
        for item in re.split(r"^(?=type |func (?!\())", text, flags=re.M):
            name = re.match(r"(?:type|func) (\w+)", item)
            page += (f"\n### {name[1]}\n\n" if name else "\n") + fenced("go", item) if item.strip() else ""
    return page


def items(node):
    """Functions and classes in it; of a function with several types the one that is documented."""
    return [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.ClassDef))
            and not any("overload" in ast.unparse(decorator) for decorator in item.decorator_list)]


def python_page():
    """Functions and classes that the package exports, with their types and docstrings."""
    package = ROOT / "bindings/python/nwgpu"
    found = {}
    for path in sorted(package.glob("*.py*")):
        found = {node.name: node for node in items(ast.parse(path.read_text()))} | found
    init = ast.parse((package / "__init__.py").read_text())
    exported = next(ast.literal_eval(node.value) for node in init.body
                    if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    page = f"# Python\n\n{ast.get_docstring(init)}\n"

    def one(node, level, prefix=""):
        if isinstance(node, ast.ClassDef):
            text = f"\n{level} {prefix}{node.name}\n\n"
            text += fenced("python", f"class {node.name}" + (f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""))
        else:
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            text = f"\n{level} {prefix}{node.name}\n\n"
            text += fenced("python", f"def {node.name}({ast.unparse(node.args)}){returns}")
        text += ("\n" + fenced("text", ast.get_docstring(node)) if ast.get_docstring(node) else "")
        if isinstance(node, ast.ClassDef):
            fields = [ast.unparse(item) for item in node.body if isinstance(item, (ast.Assign, ast.AnnAssign))]
            text += "\n" + fenced("python", "\n".join(fields)) if fields else ""
            for item in items(node):
                if not item.name.startswith("_"):
                    text += one(item, level + "#", f"{node.name}.")
        return text

    for name in sorted(exported, key=str.lower):
        if name in found:
            page += one(found[name], "##")
    return page


def rust_pages(site, work):
    if not shutil.which("cargo"):
        skip("there is no cargo")
    command = ["cargo", "doc", "--offline", "--locked", "--no-deps", "--workspace", "--target-dir", str(work / "cargo")]
    environment = {**os.environ, "NWGPU_LIB_DIR": str(work)}  # nothing is linked
    if subprocess.run(command, cwd=ROOT / "bindings/rust", env=environment).returncode:
        sys.exit("cargo doc failed")
    shutil.copytree(work / "cargo/doc", site / "reference/rust", dirs_exist_ok=True)
    (site / "reference/rust/index.html").write_text('<meta http-equiv="refresh" content="0; url=nwgpu/index.html">\n')


# Links of what was made.

class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def check_links(site):
    pages = {}
    for path in site.rglob("*.html"):
        pages[path] = Links()
        pages[path].feed(path.read_text())
    broken, count = [], 0
    for path, page in pages.items():
        made_by_rustdoc = path.is_relative_to(site / "reference/rust")
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            aim = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
            aim = aim / "index.html" if aim.is_dir() else aim
            anchor = urllib.parse.unquote(parts.fragment)
            # Lines of sources in rustdoc are numbered by its script.
            if not aim.exists() or (anchor and not made_by_rustdoc and aim in pages and anchor not in pages[aim].anchors):
                broken.append(f"{path.relative_to(site)}: {link}")
    if broken:
        sys.exit("these links lead nowhere:\n" + "\n".join(broken[:50]))
    print(f"site: {len(pages)} pages, {count} links within it, all lead somewhere")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--without-rust", action="store_true")
    options = parser.parse_args()
    work, site = options.work, options.work / "site"
    tools()
    for folder in (work / "pages", site):
        shutil.rmtree(folder, ignore_errors=True)
    pages = Pages(work / "pages")
    for path in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))):
        pages.add(path)
    reference = work / "pages/reference"
    reference.mkdir()
    headers = ROOT / "capi/include/nwgpu"
    for name in ("nwgpu.h", "nwgpu.hpp"):
        pages.add(headers / name)
    (reference / "c.md").write_text(header_page("C", headers / "nwgpu.h", r"^/\* ---- (.*?) -+ \*/$"))
    (reference / "cpp.md").write_text(header_page("C++", headers / "nwgpu.hpp", r"^(?=(?:class|struct) (\w+)[^;\n]*$)"))
    (reference / "go.md").write_text(go_page())
    (reference / "python.md").write_text(python_page())
    rust = "" if options.without_rust else "- [Rust: the crate nwgpu](rust/nwgpu/index.html)\n"
    (reference / "README.md").write_text(
        "# Reference\n\n- [C](c.md)\n- [C++](cpp.md)\n" + rust + "- [Go](go.md)\n- [Python](python.md)\n")
    if not options.without_rust:  # so that MkDocs finds them
        rust_pages(work / "pages", work)
    (work / "mkdocs.yml").write_text((HERE / "mkdocs.yml").read_text() + f"docs_dir: {work}/pages\nsite_dir: {site}\n")
    if subprocess.run([TOOLS / "bin/mkdocs", "build", "--strict", "--quiet", "--config-file", work / "mkdocs.yml"]).returncode:
        sys.exit("FAILED: MkDocs warns")
    (site / "404.html").unlink()  # its links are those of a site that lies at the top of its server
    check_links(site)


main()
