locals {
  # S3 encrypts by the bucket's default what comes without a wish; here are the wishes that differ from it. A wish for
  # KMS that names no key means AWS's own one: it has no key id, which is not equal either.
  other_encryption = var.kms_key_arn == null ? { "s3:x-amz-server-side-encryption" = "AES256" } : { "s3:x-amz-server-side-encryption-aws-kms-key-id" = var.kms_key_arn }

  denied = {
    NoPlainText = {
      actions   = ["s3:*"]
      condition = { Bool = { "aws:SecureTransport" = "false" } }
    }
    NoOldTls = {
      actions   = ["s3:*"]
      condition = { NumericLessThan = { "s3:TlsVersion" = "1.2" } }
    }
    NoOtherEncryption = {
      actions   = ["s3:PutObject"]
      condition = { Null = { "s3:x-amz-server-side-encryption" = "false" }, StringNotEquals = local.other_encryption }
    }
    NoKeyOfTheCaller = {
      actions   = ["s3:PutObject"]
      condition = { Null = { "s3:x-amz-server-side-encryption-customer-algorithm" = "false" } }
    }
  }
}

resource "aws_s3_bucket_policy" "archive" {
  bucket = aws_s3_bucket.archive.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [for sid, statement in local.denied : {
      Sid       = sid
      Effect    = "Deny"
      Principal = "*"
      Action    = statement.actions
      Resource  = contains(statement.actions, "s3:*") ? [aws_s3_bucket.archive.arn, "${aws_s3_bucket.archive.arn}/*"] : ["${aws_s3_bucket.archive.arn}/*"]
      Condition = statement.condition
    }]
  })

  # S3 refuses two changes of a bucket's access at the same moment.
  depends_on = [aws_s3_bucket_public_access_block.archive]
}
