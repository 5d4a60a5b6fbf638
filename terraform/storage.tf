resource "google_storage_bucket" "source" {
  #checkov:skip=CKV_GCP_62:It holds the published code without secrets; only the build's account reads it.
  #checkov:skip=CKV_GCP_78:An object's name is the hash of its bytes, so it never has a second version.
  name                        = "${var.project_id}-${var.prefix}-source"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = true # bundles are made again by `make bundle`

  depends_on = [google_project_service.api]
}

resource "google_storage_bucket_object" "bundle" {
  for_each = toset(local.functions)

  bucket = google_storage_bucket.source.name
  # Named by its content: other bytes are another object, which makes the function build anew; the same bytes are not.
  name         = "${each.key}-${filesha256("${var.bundles}/${each.key}.zip")}.zip"
  source       = "${var.bundles}/${each.key}.zip"
  content_type = "application/zip"

  lifecycle {
    create_before_destroy = true
  }
}

# The S3 API of Cloud Storage does not show what versioning and soft deletion keep, so forgetting could not reach it:
# both are off (docs/adr/20261122-an-archive-is-verified-before-it-is-applied.md).
resource "google_storage_bucket" "archive" {
  #checkov:skip=CKV_GCP_62:One account of its own has access, with one key that only the maintenance function gets.
  #checkov:skip=CKV_GCP_78:A version that stays would keep what was forgotten (see above).
  count = var.archive == "gcs" ? 1 : 0

  name                        = local.archive_bucket
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = false # exports are not deleted by accident

  versioning {
    enabled = false
  }

  soft_delete_policy {
    retention_duration_seconds = 0
  }

  # An export holds the chat's messages, so it is kept no longer than they are. A newer one comes every few days.
  lifecycle_rule {
    condition {
      age            = var.message_retention_days
      matches_prefix = ["${local.archive_prefix}/chats/"]
    }
    action {
      type = "Delete"
    }
  }

  lifecycle_rule {
    condition {
      age = 1
    }
    action {
      type = "AbortIncompleteMultipartUpload"
    }
  }

  depends_on = [google_project_service.api]
}
