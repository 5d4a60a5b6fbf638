# The bot runs in Google Cloud and takes a key (ARCHIVE_ACCESS_KEY_ID), hence a user and not a role. Its key is made by
# `aws iam create-access-key` (README.md): made here, its secret would stand in the state.
resource "aws_iam_user" "archive" {
  #checkov:skip=CKV_AWS_273:It is a program's, not a person's, and has no password.
  name = "${var.prefix}-archive"
}

locals {
  # What infra/storage/object_store asks for, as tests/terraform/test_aws_archive.py compares; nothing that ends a lock.
  granted = concat([
    {
      # IfExists: the check for the bucket names no prefix, and without this right a missing object is "forbidden".
      Sid       = "FindObjects"
      Effect    = "Allow"
      Action    = ["s3:ListBucket"]
      Resource  = [aws_s3_bucket.archive.arn]
      Condition = { StringLikeIfExists = { "s3:prefix" = "${var.prefix}/*" } }
    },
    {
      Sid       = "FindVersions"
      Effect    = "Allow"
      Action    = ["s3:ListBucketVersions"]
      Resource  = [aws_s3_bucket.archive.arn]
      Condition = { StringLike = { "s3:prefix" = "${var.prefix}/*" } }
    },
    {
      Sid      = "FindUploads" # S3 knows no condition on the prefix here
      Effect   = "Allow"
      Action   = ["s3:ListBucketMultipartUploads"]
      Resource = [aws_s3_bucket.archive.arn]
    },
    {
      Sid    = "Objects"
      Effect = "Allow"
      Action = [
        "s3:AbortMultipartUpload",
        "s3:DeleteObject",
        "s3:DeleteObjectVersion",
        "s3:GetObject",
        "s3:GetObjectLegalHold", # without these two the answer to a head does not tell why a version stays
        "s3:GetObjectRetention",
        "s3:GetObjectVersion",
        "s3:PutObject",
      ]
      Resource = ["${aws_s3_bucket.archive.arn}/${var.prefix}/*"]
    },
    ], [for arn in var.kms_key_arn[*] : {
      Sid      = "Encryption"
      Effect   = "Allow"
      Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
      Resource = [arn]
  }])
}

resource "aws_iam_user_policy" "archive" {
  #checkov:skip=CKV_AWS_40:One user, one policy: a group for it would only be one more name.
  name   = "archive"
  user   = aws_iam_user.archive.name
  policy = jsonencode({ Version = "2012-10-17", Statement = local.granted })
}
