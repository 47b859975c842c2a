"""schemathesis, as its own command is."""

from schemathesis.cli import schemathesis

schemathesis()
