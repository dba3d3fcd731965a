"""Sample calls for the rules, one module a family."""
