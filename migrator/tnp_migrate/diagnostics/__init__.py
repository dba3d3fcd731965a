"""What the tool says and decides, as data: codes with their pages, findings, suppressions, decisions, the ledger.

Every later room gives its answers in these words; nothing here looks at a program.
"""
