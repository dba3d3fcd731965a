"""The registered diagnostics, one module per hundred; `tnp_migrate.diagnostics.CODES` is where they meet."""
