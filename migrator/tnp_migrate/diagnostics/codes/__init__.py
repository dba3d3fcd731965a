"""The registered diagnostics, one module per hundred; `tnp_migrate.diagnostics.findings.CODES` is where they meet."""
