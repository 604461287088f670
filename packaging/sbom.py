"""What is in an executable, as a software bill of materials in the CycloneDX format (ECMA-424), version 1.6."""

import ssl
import sys
import uuid
from datetime import UTC, datetime
from importlib.metadata import Distribution
from pathlib import Path

import licences
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.tool import Tool
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL


def listed(notes: Path, file: str, version: str, checksum: str, built: int) -> str:
    """Write the list for a build, as JSON; the same build gives the same text.

    Args:
        notes: the folder in which PyInstaller recorded what it packed.
        file: the name of the executable.
        checksum: its SHA-256.
        built: the build time, in seconds since 1970.
    """
    sources = licences.packed_sources(notes)
    parts = [python(), *map(package, licences.distributions_of(sources)), *libraries(sources)]
    bom = Bom(components=parts, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{file} {checksum}"))
    bom.metadata.timestamp = datetime.fromtimestamp(built, UTC)
    bom.metadata.tools.tools.add(Tool(name="PyInstaller"))
    bom.metadata.component = Component(
        type=ComponentType.APPLICATION,
        name=file,
        version=version,
        bom_ref="erp",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=checksum)],
    )
    bom.register_dependency(bom.metadata.component, parts)
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=2) + "\n"


def python() -> Component:
    """The interpreter."""
    version = sys.version.split()[0]
    return Component(
        type=ComponentType.PLATFORM,
        name="python",
        version=version,
        bom_ref="python",
        purl=PackageURL("generic", name="python", version=version),
        description=f"With {ssl.OPENSSL_VERSION}",
    )


def package(distribution: Distribution) -> Component:
    """A package of PyPI, with its licence as it declares it."""
    metadata, name = distribution.metadata, distribution.name.lower().replace("_", "-")
    licence = metadata.get("License-Expression") or (metadata.get("License") or "").partition("\n")[0]
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=distribution.version,
        bom_ref=name,
        purl=PackageURL("pypi", name=name, version=distribution.version),
        licenses=[LicenseFactory().make_from_string(licence)] if licence else (),
    )


def libraries(sources: set[Path]) -> list[Component]:
    """The operating system's own libraries."""
    return [
        Component(type=ComponentType.LIBRARY, name=name, bom_ref=f"system {name}")
        for name in sorted(licences.system_licences(sources))
    ]
