"""Look up the packages of a lock file among known vulnerabilities; say how many could be looked up.

Where the advisory service cannot be reached the check is skipped, by name: pip-audit itself would
then call every package sound.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path


def audited(lock: str) -> list[dict]:
    """Return what pip-audit, in an environment of its own, says of each package."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
        quiet = ["--quiet", "--disable-pip-version-check"]
        subprocess.run([python, "-m", "pip", "install", *quiet, "pip-audit"], check=True)
        # --disable-pip: all is pinned and hashed, there is nothing to resolve.
        command = [python, "-m", "pip_audit", "-r", lock, "--require-hashes", "--disable-pip"]
        options = ["--format", "json", "--progress-spinner", "off"]
        told = subprocess.run([*command, *options], capture_output=True, text=True)
    if told.stdout:
        return json.loads(told.stdout)["dependencies"]
    if "connect" in told.stderr.lower():
        return []
    sys.exit(f"pip-audit has failed: {told.stderr}")


def verdict(packages: list[dict]) -> tuple[int, str]:
    """Return the exit code and what to say."""
    known = [package for package in packages if "skip_reason" not in package]
    if not known:
        return 0, "SKIPPED: known vulnerabilities (the advisory service cannot be reached)"
    found = [
        f"{package['name']} {package['version']}: {flaw['id']}, mended in "
        f"{', '.join(flaw.get('fix_versions', [])) or 'no version yet'}"
        for package in known
        for flaw in package.get("vulns", [])
    ]
    found += [f"{p['name']}: not looked up: {p['skip_reason']}" for p in packages if p not in known]
    count = f"{len(known)} of {len(packages)} packages looked up"
    return bool(found), "\n".join([*found, f"{count}: {len(found)} complaints"])


if __name__ == "__main__":
    try:
        code, text = verdict(audited(sys.argv[1]))
    except subprocess.CalledProcessError:
        code, text = 0, "SKIPPED: known vulnerabilities (pip-audit cannot be installed)"
    print(text)
    sys.exit(code)
