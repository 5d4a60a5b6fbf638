locals {
  archive_of = {
    none = {}
    gcs = {
      SPOMYN_ARCHIVE        = "s3://${local.archive_bucket}/${local.archive_prefix}"
      ARCHIVE_ENDPOINT_URL  = "https://storage.googleapis.com"
      ARCHIVE_ACCESS_KEY_ID = var.archive_access_key_id
    }
    s3 = {
      SPOMYN_ARCHIVE        = var.archive_url
      ARCHIVE_ENDPOINT_URL  = var.archive_endpoint_url
      ARCHIVE_REGION        = var.archive_region
      ARCHIVE_ACCESS_KEY_ID = var.archive_access_key_id
    }
  }
  archive_environment = local.archive_has_key ? { for key, value in local.archive_of[var.archive] : key => value if value != null } : {}

  environment = merge(var.settings, {
    FUNCTION_USE_ASGI         = "true" # read by functions-framework: the functions are async
    GOOGLE_CLOUD_PROJECT      = var.project_id
    SPOMYN_STORE              = "firestore"
    FIRESTORE_DATABASE        = var.firestore_database
    SPOMYN_QUEUE              = "cloud-tasks"
    CLOUD_TASKS_LOCATION      = var.region
    CLOUD_TASKS_QUEUE         = var.prefix
    CLOUD_TASKS_ANSWERS_QUEUE = google_cloud_tasks_queue.answers.name
    ANSWER_URL                = local.urls["answer"]
    EXTRACT_URL               = local.urls["extract"]
    MAINTENANCE_URL           = local.urls["maintenance"]
    OIDC_INVOKER_EMAIL        = google_service_account.invoker.email
    MESSAGE_RETENTION_DAYS    = tostring(var.message_retention_days)
  })

  unchecked = var.oidc_check ? {} : {
    OIDC_CHECK = "false"
  }

  # Only maintenance writes and erases archives (docs/iam.md), and only workers look at tokens.
  function_environment = {
    for name in local.functions : name => merge(
      local.environment,
      name == "maintenance" ? local.archive_environment : {},
      contains(local.workers, name) ? local.unchecked : {},
    )
  }
}

resource "google_cloudfunctions2_function" "function" {
  #checkov:skip=CKV_GCP_124:Telegram calls the webhook from outside; the workers are internal only, as tests/access.tftest.hcl asserts.
  for_each = toset(local.functions)

  name     = "${var.prefix}-${each.key}"
  location = var.region

  build_config {
    runtime         = "python313"
    entry_point     = each.key
    service_account = google_service_account.build.id

    source {
      storage_source {
        bucket = google_storage_bucket_object.bundle[each.key].bucket
        object = google_storage_bucket_object.bundle[each.key].name
      }
    }
  }

  # The platform starts instances of functions with boosted CPU; the resource has no argument for it.
  service_config {
    service_account_email            = google_service_account.function[each.key].email
    available_memory                 = var.functions[each.key].memory
    available_cpu                    = tostring(var.functions[each.key].cpu)
    max_instance_request_concurrency = var.functions[each.key].concurrency
    min_instance_count               = var.functions[each.key].min_instances
    max_instance_count               = var.functions[each.key].max_instances
    timeout_seconds                  = var.functions[each.key].timeout_seconds
    all_traffic_on_latest_revision   = true

    # Telegram calls from outside. Cloud Tasks and Cloud Scheduler of this project count as internal at a run.app address
    # (documentation of Cloud Run, "Restrict network ingress"); all others are turned away before IAM and our own check.
    ingress_settings = each.key == "webhook" ? "ALLOW_ALL" : "ALLOW_INTERNAL_ONLY"

    environment_variables = local.function_environment[each.key]

    dynamic "secret_environment_variables" {
      for_each = { for secret in local.function_secrets[each.key] : local.secret_settings[secret] => secret }
      content {
        key        = secret_environment_variables.key
        project_id = var.project_id
        secret     = google_secret_manager_secret.secret[secret_environment_variables.value].secret_id
        # Pinned: all instances of a revision have the same value. There is no way back to a revision whose version is
        # destroyed: raise the number again with the old value.
        version = google_secret_manager_secret_version.version[secret_environment_variables.value].version
      }
    }
  }

  # The indexes come first: without them queries fail. Their minutes are also those that roles take to spread, and a build
  # that comes before its account's roles fails.
  depends_on = [
    google_firestore_field.expiry,
    google_firestore_field.override,
    google_firestore_index.query,
    google_project_iam_member.build,
    google_project_iam_member.build_source,
    google_project_iam_member.memory,
    google_secret_manager_secret_iam_member.reader,
    google_storage_bucket_iam_member.source,
  ]
}
