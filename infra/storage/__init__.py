"""The archive's objects: on any S3 API, or in a folder."""
