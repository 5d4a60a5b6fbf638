"""`doctor` and `preflight`: what is wrong, and what would keep a deployment from working."""
