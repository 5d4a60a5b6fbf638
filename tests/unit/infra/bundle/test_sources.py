"""What a function imports, and which files come along with it, on sources made up here."""

import pytest

from infra.bundle import BundleError
from infra.bundle.sources import Module, files_of, imports_of, needs_of
from tests.unit.infra.bundle.files import written

# --- What is imported --------------------------------------------------------------------------


def test_imports_in_functions_classes_and_branches_count(tmp_path):
    source = """
import a.b
from c import d, e as f
def one():
    from g import h
    try:
        import i
    except ValueError:
        import j
class Two:
    async def three(self):
        if True:
            pass
        else:
            with open("x"):
                import k
        match 1:
            case 1:
                import l
"""
    found = set(imports_of(written(tmp_path / "m.py", source)))
    assert found == {"a.b", "c.d", "c.e", "g.h", "i", "j", "k", "l"}


def test_imports_for_types_alone_do_not_count(tmp_path):
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
    assert set(imports_of(written(tmp_path / "m.py", source))) == {"typing.TYPE_CHECKING", "b"}


def test_a_relative_import_is_refused(tmp_path):
    with pytest.raises(BundleError, match=r"m\.py, line 1"):
        list(imports_of(written(tmp_path / "m.py", "from . import x\n")))


def test_what_is_imported_by_what_is_imported_comes_along_with_its_packages(tmp_path):
    entry = written(tmp_path / "main.py", "from infra.a import thing\nimport json\n")
    imports = {
        "infra": (),
        "infra.a": ("shared.deep.b.NAME",),
        "infra.c": (),
        "shared": (),
        "shared.deep": ("numpy",),
        "shared.deep.b": ("infra.a",),
    }
    modules = {name: Module(tmp_path / name, frozenset(found)) for name, found in imports.items()}
    needs = needs_of(entry, modules)
    assert needs.own == {"infra", "infra.a", "shared", "shared.deep", "shared.deep.b"}
    assert needs.outside == {"json", "numpy"}


def test_an_import_of_nothing_is_refused(tmp_path):
    with pytest.raises(BundleError, match=r"shared\.gone is imported"):
        needs_of(written(tmp_path / "main.py", "import shared.gone\n"), {})


def test_a_package_brings_its_data_and_no_other_packages(tmp_path):
    package = written(tmp_path / "p/__init__.py", "")
    own = {written(tmp_path / "p/a.md", ""), written(tmp_path / "p/uk/b.toml", "")}
    written(tmp_path / "p/notes.txt~", "")
    written(tmp_path / "p/inner/__init__.py", "")
    written(tmp_path / "p/inner/deeper/c.md", "")
    assert set(files_of(["p"], {"p": Module(package, frozenset())})) == {package, *own}
