"""What a talk holds for CONTEXT.md: promises, requests, plans, threads and wishes, found by rules."""
