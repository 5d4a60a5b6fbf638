# The database: protected, restorable, with the indexes that queries need and the expiry that the store relies on.

mock_provider "google" {
  override_during = plan
}

variables {
  project_id              = "spomyn-test"
  bundles                 = "tests/bundles"
  telegram_bot_token      = "123456:token"
  telegram_webhook_secret = "secret"
  gemini_api_key          = "key"
}

run "it_is_protected_restorable_and_indexed" {
  command = plan

  assert {
    condition     = google_firestore_database.memory.type == "FIRESTORE_NATIVE" && google_firestore_database.memory.location_id == "europe-west1" && google_firestore_database.memory.name == "(default)"
    error_message = "another database than the store speaks to"
  }
  assert {
    condition     = google_firestore_database.memory.delete_protection_state == "DELETE_PROTECTION_ENABLED" && google_firestore_database.memory.deletion_policy == "ABANDON"
    error_message = "the memory could be destroyed by accident"
  }
  assert {
    condition     = google_firestore_database.memory.point_in_time_recovery_enablement == "POINT_IN_TIME_RECOVERY_ENABLED"
    error_message = "the memory cannot be read as it was an hour ago"
  }
  assert {
    condition     = google_firestore_backup_schedule.daily[0].retention == "604800s" && google_firestore_backup_schedule.weekly[0].retention == "2419200s"
    error_message = "backups are kept for another time than the variables say"
  }
  assert {
    condition = toset([
      for index in google_firestore_index.query : jsonencode([index.collection, index.query_scope, [for field in index.fields : [field.field_path, field.order, field.array_config]]])
      ]) == toset([
      for index in jsondecode(file("../firestore.indexes.json")).indexes : jsonencode([index.collectionGroup, index.queryScope, [for field in index.fields : [field.fieldPath, try(field.order, null), try(field.arrayConfig, null)]]])
    ])
    error_message = "the indexes are not those of firestore.indexes.json"
  }
  assert {
    condition     = length(google_firestore_index.query) == length(jsondecode(file("../firestore.indexes.json")).indexes)
    error_message = "two indexes of firestore.indexes.json are the same"
  }
  assert {
    condition     = length(google_firestore_field.override["index.payload"].index_config[0].indexes) == 0
    error_message = "a segment's bytes would be indexed, and a document over 1,500 bytes refused"
  }
  assert {
    condition = toset([for field in google_firestore_field.expiry : "${field.collection}.${field.field}"]) == toset([
      "answers.expire_at", "chunks.expire_at", "dead_letters.expire_at", "delivery.expire_at", "episodes.expire_at", "media.expire_at",
      "messages.expire_at", "metas.expire_at", "revisions.expire_at", "spending.expire_at",
      "updates.expire_at",
    ])
    error_message = "the collections that expire are not those of docs/operations.md"
  }
  assert {
    condition     = alltrue([for field in google_firestore_field.expiry : length(field.ttl_config) == 1 && length(field.index_config) == 0])
    error_message = "a field does not expire, or lost the index that `sweep` asks"
  }
  assert {
    condition     = alltrue([for field in google_firestore_field.override : length(field.ttl_config) == 0])
    error_message = "a field that is not expire_at expires"
  }
}

run "an_operator_may_give_it_up" {
  command = plan

  variables {
    deletion_protection = false
    backups             = { daily_days = 0, weekly_days = 0 }
  }

  assert {
    condition     = google_firestore_database.memory.delete_protection_state == "DELETE_PROTECTION_DISABLED" && google_firestore_database.memory.deletion_policy == "DELETE"
    error_message = "destroy would leave the database behind"
  }
  assert {
    condition     = length(google_firestore_backup_schedule.daily) + length(google_firestore_backup_schedule.weekly) == 0
    error_message = "a backup of 0 days is none"
  }
}
