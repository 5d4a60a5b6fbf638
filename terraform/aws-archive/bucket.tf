data "aws_caller_identity" "current" {}

locals {
  encryption = var.kms_key_arn == null ? "AES256" : "aws:kms"
  has_lock   = var.object_lock.mode != "off"
}

resource "aws_s3_bucket" "archive" {
  #checkov:skip=CKV_AWS_18:One user of its own has access; an access log would be one more bucket that tells who asked when.
  #checkov:skip=CKV_AWS_144:It is the copy; another one is another place that forgetting would have to reach.
  #checkov:skip=CKV2_AWS_62:Nothing waits for objects to come.
  # Names of buckets are everybody's: with the account's number in it, it is free.
  bucket = "${var.prefix}-archive-${data.aws_caller_identity.current.account_id}"

  # Whether there is a lock says aws_s3_bucket_object_lock_configuration: said here, a later change would ask for a new bucket.
  force_destroy = false # exports are not deleted by accident
}

resource "aws_s3_bucket_ownership_controls" "archive" {
  bucket = aws_s3_bucket.archive.id

  rule {
    object_ownership = "BucketOwnerEnforced" # no ACLs
  }
}

resource "aws_s3_bucket_public_access_block" "archive" {
  bucket = aws_s3_bucket.archive.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_server_side_encryption_configuration" "archive" {
  bucket = aws_s3_bucket.archive.id

  rule {
    bucket_key_enabled = var.kms_key_arn != null # one request to KMS for many objects

    apply_server_side_encryption_by_default {
      sse_algorithm     = local.encryption
      kms_master_key_id = var.kms_key_arn
    }
  }
}

# Undoes an overwriting or deletion by accident. Unlike that of Cloud Storage, the S3 API shows old versions, so
# forgetting deletes them, too.
resource "aws_s3_bucket_versioning" "archive" {
  bucket = aws_s3_bucket.archive.id

  versioning_configuration {
    status = "Enabled"
  }
}

# It can be turned on later. Turned off, it ends for what is written from then on: a lock that is there stays.
resource "aws_s3_bucket_object_lock_configuration" "archive" {
  count = local.has_lock ? 1 : 0

  bucket = aws_s3_bucket.archive.id

  rule {
    default_retention {
      mode = upper(var.object_lock.mode)
      days = var.object_lock.days
    }
  }

  depends_on = [aws_s3_bucket_versioning.archive]
}

resource "aws_s3_bucket_lifecycle_configuration" "archive" {
  #checkov:skip=CKV_AWS_300:Failed uploads are aborted below PREFIX/, and the only user may put nothing elsewhere (user.tf).
  bucket = aws_s3_bucket.archive.id

  # An expired export is an old version for noncurrent_days more, and together they are message_retention_days: none of its
  # versions holds messages for longer than the memory does. A newer one comes every few days.
  rule {
    id     = "exports"
    status = "Enabled"

    filter {
      prefix = "${var.prefix}/chats/"
    }
    expiration {
      days = var.message_retention_days - var.noncurrent_days
    }
  }

  # Also of what `doctor` tried (PREFIX/doctor/). Locked versions are passed over until their lock ends.
  rule {
    id     = "versions"
    status = "Enabled"

    filter {
      prefix = "${var.prefix}/"
    }
    noncurrent_version_expiration {
      noncurrent_days = var.noncurrent_days
    }
    expiration {
      expired_object_delete_marker = true
    }
    abort_incomplete_multipart_upload {
      days_after_initiation = 1
    }
  }

  depends_on = [aws_s3_bucket_versioning.archive]
}
