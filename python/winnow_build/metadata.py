"""What a distribution says of itself: pyproject.toml, the version from winnow.h, README.md as the description.
SPDX-License-Identifier: Apache-2.0
"""
import os
import re

from .engine import FRONT, ROOT

LICENSE = "LICENSE"


def _text(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def version():
    return ".".join(re.search(rf"^#define WN_VERSION_{part} (\d+)$", _text("include/winnow.h"), re.M)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def license_text():
    return _text(LICENSE)


class Project:
    """The distribution whose pyproject.toml lies in the folder."""

    def __init__(self, folder):
        self._folder = folder

    def _table(self):
        import tomllib  # here, so that an older Python gets as far as check_python

        with open(os.path.join(self._folder, "pyproject.toml"), "rb") as file:
            return tomllib.load(file)["project"]

    def base(self):
        """The distribution's name in file names, with its version."""
        return f"{self._table()['name'].replace('-', '_')}-{version()}"

    def dist_info(self):
        return self.base() + ".dist-info"

    def core(self):
        """The file METADATA, which is PKG-INFO in a source distribution."""
        project = self._table()
        lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version()}", f"Summary: {project['description']}",
                 f"Keywords: {','.join(project['keywords'])}", f"License-Expression: {project['license']}", f"License-File: {LICENSE}"]
        lines += [f"Classifier: {c}" for c in project["classifiers"]]
        lines += [f"Requires-Python: {project['requires-python']}"]
        lines += [f"Requires-Dist: {n}" for n in project["dependencies"]]
        for extra, needed in project.get("optional-dependencies", {}).items():
            lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {n}; extra == "{extra}"' for n in needed]
        return "\n".join(lines + ["Description-Content-Type: text/markdown", "", _text("README.md")])

    def files(self):
        """The files of .dist-info that do not depend on what was built, by name."""
        scripts = "".join(f"{name} = {target}\n" for name, target in self._table().get("scripts", {}).items())
        return {"METADATA": self.core(), **({"entry_points.txt": f"[console_scripts]\n{scripts}"} if scripts else {})}


FRONT_PROJECT = Project(FRONT)
