output "archive_url" {
  description = "SPOMYN_ARCHIVE, and archive_url of the main module. The endpoint stays unset: AWS is the default."
  value       = "s3://${aws_s3_bucket.archive.bucket}/${var.prefix}"
}

output "archive_region" {
  description = "ARCHIVE_REGION, and archive_region of the main module."
  value       = var.region
}

output "archive_user" {
  description = "User to make the access key for, with `aws iam create-access-key`."
  value       = aws_iam_user.archive.name
}
