locals {
  index_file = jsondecode(file("${path.module}/../firestore.indexes.json"))

  # "messages: chunk ASCENDING, message_id DESCENDING" => the index
  indexes = {
    for index in local.index_file.indexes :
    "${index.collectionGroup}: ${join(", ", [for field in index.fields : "${field.fieldPath} ${try(field.order, field.arrayConfig)}"])}" => index
  }

  # What the store deletes by itself (docs/operations.md): no other collection may have it, facts are kept on purpose.
  ttl_collections = [
    "answers", "chunks", "dead_letters", "delivery", "episodes", "media", "messages", "metas", "revisions", "spending",
    "updates",
  ]

  # "index.payload" => the fields that are indexed otherwise than Firestore does by itself
  field_overrides = { for field in local.index_file.fieldOverrides : "${field.collectionGroup}.${field.fieldPath}" => field }
}

resource "google_firestore_database" "memory" {
  name        = var.firestore_database
  location_id = local.firestore_location
  type        = "FIRESTORE_NATIVE"

  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"

  delete_protection_state = var.deletion_protection ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  # Protected, it stays where it is when everything else is destroyed.
  deletion_policy = var.deletion_protection ? "ABANDON" : "DELETE"

  depends_on = [google_project_service.api]
}

resource "google_firestore_backup_schedule" "daily" {
  count = var.backups.daily_days > 0 ? 1 : 0

  database  = google_firestore_database.memory.name
  retention = "${var.backups.daily_days * 86400}s"

  daily_recurrence {}
}

resource "google_firestore_backup_schedule" "weekly" {
  count = var.backups.weekly_days > 0 ? 1 : 0

  database  = google_firestore_database.memory.name
  retention = "${var.backups.weekly_days * 86400}s"

  weekly_recurrence {
    day = "SUNDAY"
  }
}

resource "google_firestore_index" "query" {
  for_each = local.indexes

  database    = google_firestore_database.memory.name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)
    }
  }
}

resource "google_firestore_field" "expiry" {
  for_each = toset(local.ttl_collections)

  database   = google_firestore_database.memory.name
  collection = each.key
  field      = "expire_at"

  # Without an index_config the field keeps its own indexes, by which `sweep` finds what is past its time.
  ttl_config {}
}

resource "google_firestore_field" "override" {
  for_each = local.field_overrides

  database   = google_firestore_database.memory.name
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  # Without indexes in it: the field is in none, and costs no index entries.
  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes
      content {
        order        = try(indexes.value.order, null)
        array_config = try(indexes.value.arrayConfig, null)
        query_scope  = try(indexes.value.queryScope, "COLLECTION")
      }
    }
  }
}
