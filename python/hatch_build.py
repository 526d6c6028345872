"""Puts the octgen program into the wheel: that of `make build`, or the one that OCTGEN_BINARY names, for OCTGEN_TAG (scripts/wheels.sh)."""

import os
import shutil
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        binary, tag = os.environ.get("OCTGEN_BINARY"), os.environ.get("OCTGEN_TAG")
        if not binary:
            binary, tag = self._build(), sysconfig.get_platform().replace("-", "_").replace(".", "_")
        end = ".exe" if binary.endswith(".exe") else ""
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        build_data["force_include"][os.path.abspath(binary)] = f"octgen/bin/octgen{end}"

    def _build(self):
        """Makes bin/octgen, with HiGHS where make finds or builds it."""
        for name in ("go", "make"):
            if shutil.which(name) is None:
                raise RuntimeError(f"there is no {name}, which builds octgen: install a wheel instead (octgen-*.whl, which `make wheel` writes where there are Go and make)")
        subprocess.run(["make", "build"], cwd=self.root, check=True, stdin=subprocess.DEVNULL)
        return os.path.join(self.root, "bin", "octgen")
