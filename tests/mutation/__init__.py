"""Whether the tests would notice: small changes to the code, and the tests that execute the changed line."""
