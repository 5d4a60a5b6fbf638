"""HTTP: how the functions answer, who may call them, and the one TLS context."""
