# Who may do what; docs/iam.md is the same as a table, and tests/access.tftest.hcl asserts exactly it.

resource "google_service_account" "function" {
  for_each = toset(local.functions)

  account_id   = "${var.prefix}-${each.key}"
  display_name = "${var.prefix}: runs the function ${each.key}"

  depends_on = [google_project_service.api]
}

resource "google_service_account" "invoker" {
  account_id   = "${var.prefix}-invoker"
  display_name = "${var.prefix}: tasks and schedules call the workers as this account"

  depends_on = [google_project_service.api]
}

resource "google_service_account" "build" {
  account_id   = "${var.prefix}-build"
  display_name = "${var.prefix}: builds the functions"

  depends_on = [google_project_service.api]
}

resource "google_service_account" "archive" {
  count = var.archive == "gcs" ? 1 : 0

  account_id   = "${var.prefix}-archive"
  display_name = "${var.prefix}: owns the key of the archive"

  depends_on = [google_project_service.api]
}

# Who calls the functions ---------------------------------------------------------------------

# A function that is made anew comes without its callers, though its name is the same: hence replace_triggered_by.

resource "google_cloud_run_v2_service_iam_member" "public" {
  name     = google_cloudfunctions2_function.function["webhook"].name
  location = var.region
  role     = "roles/run.invoker"
  member   = "allUsers" # Telegram has no identity here; the secret in its header is checked in code

  lifecycle {
    replace_triggered_by = [google_cloudfunctions2_function.function["webhook"].id]
  }
}

resource "google_cloud_run_v2_service_iam_member" "invoker" {
  for_each = toset(local.workers)

  name     = google_cloudfunctions2_function.function[each.key].name
  location = var.region
  role     = "roles/run.invoker"
  member   = google_service_account.invoker.member

  lifecycle {
    replace_triggered_by = [google_cloudfunctions2_function.function[each.key].id]
  }
}

# What the functions may do -------------------------------------------------------------------

resource "google_project_iam_member" "memory" {
  for_each = toset(local.functions)

  project = var.project_id
  role    = "roles/datastore.user"
  member  = google_service_account.function[each.key].member

  condition {
    title      = "${var.prefix} memory"
    expression = "resource.name == \"projects/${var.project_id}/databases/${var.firestore_database}\""
  }
}

resource "google_cloud_tasks_queue_iam_member" "enqueuer" {
  for_each = toset(local.functions)

  name     = google_cloud_tasks_queue.tasks.name
  location = var.region
  role     = "roles/cloudtasks.enqueuer"
  member   = google_service_account.function[each.key].member
}

# The webhook asks for answers; the workers have what waits for room in a chat delivered.
resource "google_cloud_tasks_queue_iam_member" "answers_enqueuer" {
  for_each = toset(local.functions)

  name     = google_cloud_tasks_queue.answers.name
  location = var.region
  role     = "roles/cloudtasks.enqueuer"
  member   = google_service_account.function[each.key].member
}

# The health check counts what waits; how late answers begin is a metric of Cloud Tasks.
resource "google_cloud_tasks_queue_iam_member" "viewer" {
  name     = google_cloud_tasks_queue.tasks.name
  location = var.region
  role     = "roles/cloudtasks.viewer"
  member   = google_service_account.function["maintenance"].member
}

# A task that carries an account's token may be made only by who may act as that account.
resource "google_service_account_iam_member" "acts_as_invoker" {
  for_each = toset(local.functions)

  service_account_id = google_service_account.invoker.name
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.function[each.key].member
}

resource "google_secret_manager_secret_iam_member" "reader" {
  for_each = {
    for pair in flatten([for name in local.functions : [for secret in local.function_secrets[name] : { function = name, secret = secret }]]) :
    "${pair.function}/${pair.secret}" => pair
  }

  secret_id = google_secret_manager_secret.secret[each.value.secret].secret_id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.function[each.value.function].member
}

# The archive's key belongs to an account of its own. Objects are put, read, listed and erased; legacyBucketReader is
# for asking whether the bucket is there (HEAD), which objectUser does not cover.
resource "google_storage_bucket_iam_member" "archive" {
  for_each = toset(var.archive == "gcs" ? ["roles/storage.legacyBucketReader", "roles/storage.objectUser"] : [])

  bucket = google_storage_bucket.archive[0].name
  role   = each.key
  member = google_service_account.archive[0].member
}

# Building ------------------------------------------------------------------------------------

# The repository of images (gcf-artifacts) is made by the first build, so there is nothing smaller to bind this to.
resource "google_project_iam_member" "build" {
  for_each = toset(["roles/artifactregistry.writer", "roles/logging.logWriter"])

  project = var.project_id
  role    = each.key
  member  = google_service_account.build.member
}

# The platform copies a bundle from our bucket to its own, and the build reads it there.
resource "google_project_iam_member" "build_source" {
  project = var.project_id
  role    = "roles/storage.objectViewer"
  member  = google_service_account.build.member

  condition {
    title      = "${var.prefix} sources of functions"
    expression = "resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-${data.google_project.this.number}-${var.region}\")"
  }
}

resource "google_storage_bucket_iam_member" "source" {
  bucket = google_storage_bucket.source.name
  role   = "roles/storage.objectViewer"
  member = google_service_account.build.member
}
