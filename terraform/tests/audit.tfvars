# Everything optional that costs a resource, so that `make audit` looks at it, too.
archive               = "gcs"
archive_access_key_id = "GOOGEXAMPLE"
