# Who may call what, and who may do what: exactly the table of docs/iam.md.

mock_provider "google" {
  override_during = plan

  override_data {
    target = data.google_project.this
    values = { number = "123456789012" }
  }
  override_resource {
    target = google_service_account.function["webhook"]
    values = { email = "webhook@x", member = "webhook", name = "webhook" }
  }
  override_resource {
    target = google_service_account.function["answer"]
    values = { email = "answer@x", member = "answer", name = "answer" }
  }
  override_resource {
    target = google_service_account.function["extract"]
    values = { email = "extract@x", member = "extract", name = "extract" }
  }
  override_resource {
    target = google_service_account.function["maintenance"]
    values = { email = "maintenance@x", member = "maintenance", name = "maintenance" }
  }
  override_resource {
    target = google_service_account.invoker
    values = { email = "invoker@x", member = "invoker", name = "invoker" }
  }
  override_resource {
    target = google_service_account.build
    values = { email = "build@x", member = "build", name = "build", id = "build" }
  }
  override_resource {
    target = google_service_account.archive
    values = { email = "archive@x", member = "archive", name = "archive" }
  }
}

variables {
  project_id                = "spomyn-test"
  bundles                   = "tests/bundles"
  telegram_bot_token        = "123456:token"
  telegram_webhook_secret   = "secret"
  gemini_api_key            = "key"
  archive_secret_access_key = "key"
}

run "everybody_may_do_exactly_what_the_table_says" {
  command = plan

  variables {
    archive               = "gcs"
    archive_access_key_id = "GOOG1EXAMPLEEXAMPLE"
  }
  assert {
    condition = toset(concat(
      [for each in google_cloud_run_v2_service_iam_member.public[*] : "${each.member} | ${each.role} | function ${each.name}"],
      [for each in google_cloud_run_v2_service_iam_member.invoker : "${each.member} | ${each.role} | function ${each.name}"],
      [for each in google_project_iam_member.memory : "${each.member} | ${each.role} | project, if ${each.condition[0].expression}"],
      [for each in google_cloud_tasks_queue_iam_member.enqueuer : "${each.member} | ${each.role} | queue ${each.name}"],
      [for each in google_cloud_tasks_queue_iam_member.answers_enqueuer : "${each.member} | ${each.role} | queue ${each.name}"],
      [for each in google_cloud_tasks_queue_iam_member.viewer[*] : "${each.member} | ${each.role} | queue ${each.name}"],
      [for each in google_service_account_iam_member.acts_as_invoker : "${each.member} | ${each.role} | account ${each.service_account_id}"],
      [for each in google_secret_manager_secret_iam_member.reader : "${each.member} | ${each.role} | secret ${each.secret_id}"],
      [for each in google_storage_bucket_iam_member.archive : "${each.member} | ${each.role} | bucket ${each.bucket}"],
      [for each in google_storage_bucket_iam_member.source[*] : "${each.member} | ${each.role} | bucket ${each.bucket}"],
      [for each in google_project_iam_member.build : "${each.member} | ${each.role} | project"],
      [for each in google_project_iam_member.build_source[*] : "${each.member} | ${each.role} | project, if ${each.condition[0].expression}"],
      )) == toset([
      "allUsers | roles/run.invoker | function spomyn-webhook",
      "invoker | roles/run.invoker | function spomyn-answer",
      "invoker | roles/run.invoker | function spomyn-extract",
      "invoker | roles/run.invoker | function spomyn-maintenance",

      "webhook | roles/datastore.user | project, if resource.name == \"projects/spomyn-test/databases/(default)\"",
      "webhook | roles/cloudtasks.enqueuer | queue spomyn",
      "webhook | roles/cloudtasks.enqueuer | queue spomyn-answers",
      "webhook | roles/iam.serviceAccountUser | account invoker",
      "webhook | roles/secretmanager.secretAccessor | secret spomyn-telegram-bot-token",
      "webhook | roles/secretmanager.secretAccessor | secret spomyn-telegram-webhook-secret",

      "answer | roles/datastore.user | project, if resource.name == \"projects/spomyn-test/databases/(default)\"",
      "answer | roles/cloudtasks.enqueuer | queue spomyn",
      "answer | roles/cloudtasks.enqueuer | queue spomyn-answers",
      "answer | roles/iam.serviceAccountUser | account invoker",
      "answer | roles/secretmanager.secretAccessor | secret spomyn-telegram-bot-token",
      "answer | roles/secretmanager.secretAccessor | secret spomyn-gemini-api-key",

      "extract | roles/datastore.user | project, if resource.name == \"projects/spomyn-test/databases/(default)\"",
      "extract | roles/cloudtasks.enqueuer | queue spomyn",
      "extract | roles/cloudtasks.enqueuer | queue spomyn-answers",
      "extract | roles/iam.serviceAccountUser | account invoker",
      "extract | roles/secretmanager.secretAccessor | secret spomyn-telegram-bot-token",
      "extract | roles/secretmanager.secretAccessor | secret spomyn-gemini-api-key",

      "maintenance | roles/datastore.user | project, if resource.name == \"projects/spomyn-test/databases/(default)\"",
      "maintenance | roles/cloudtasks.enqueuer | queue spomyn",
      "maintenance | roles/cloudtasks.enqueuer | queue spomyn-answers",
      "maintenance | roles/cloudtasks.viewer | queue spomyn",
      "maintenance | roles/iam.serviceAccountUser | account invoker",
      "maintenance | roles/secretmanager.secretAccessor | secret spomyn-telegram-bot-token",
      "maintenance | roles/secretmanager.secretAccessor | secret spomyn-gemini-api-key",
      "maintenance | roles/secretmanager.secretAccessor | secret spomyn-archive-secret-access-key",

      "archive | roles/storage.legacyBucketReader | bucket spomyn-test-spomyn-archive",
      "archive | roles/storage.objectUser | bucket spomyn-test-spomyn-archive",

      "build | roles/artifactregistry.writer | project",
      "build | roles/logging.logWriter | project",
      "build | roles/storage.objectViewer | bucket spomyn-test-spomyn-source",
      "build | roles/storage.objectViewer | project, if resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-123456789012-europe-west1\")",
    ])
    error_message = "an account may do more or less than docs/iam.md says"
  }
  assert {
    condition     = google_cloud_run_v2_service_iam_member.public.member == "allUsers" && google_cloud_run_v2_service_iam_member.public.name == "spomyn-webhook"
    error_message = "Telegram cannot call the webhook"
  }
  assert {
    condition     = { for name, each in google_cloud_run_v2_service_iam_member.invoker : name => each.member } == { answer = "invoker", extract = "invoker", maintenance = "invoker" }
    error_message = "the workers must serve the invoker and nobody else"
  }
  assert {
    condition     = { for name, each in google_cloudfunctions2_function.function : name => each.service_config[0].ingress_settings } == { webhook = "ALLOW_ALL", answer = "ALLOW_INTERNAL_ONLY", extract = "ALLOW_INTERNAL_ONLY", maintenance = "ALLOW_INTERNAL_ONLY" }
    error_message = "only the webhook may be reached from outside"
  }
  assert {
    condition     = { for name, each in google_cloudfunctions2_function.function : name => each.service_config[0].service_account_email } == { webhook = "webhook@x", answer = "answer@x", extract = "extract@x", maintenance = "maintenance@x" }
    error_message = "every function must run as its own account"
  }
  assert {
    condition     = alltrue([for job in [google_cloud_scheduler_job.night, google_cloud_scheduler_job.health] : job.http_target[0].oidc_token[0].service_account_email == "invoker@x"])
    error_message = "schedules must call as the invoker"
  }
  assert {
    condition = alltrue([
      for job in [google_cloud_scheduler_job.night, google_cloud_scheduler_job.health] :
      job.http_target[0].oidc_token[0].audience == google_cloudfunctions2_function.function["maintenance"].service_config[0].environment_variables["MAINTENANCE_URL"]
    ])
    error_message = "the audience must be what maintenance demands"
  }
  assert {
    condition     = google_cloud_scheduler_job.night.http_target[0].uri == "https://spomyn-maintenance-123456789012.europe-west1.run.app/night" && google_cloud_scheduler_job.health.http_target[0].uri == "https://spomyn-maintenance-123456789012.europe-west1.run.app/health"
    error_message = "a schedule calls another address than maintenance's"
  }
  assert {
    condition     = alltrue([for each in google_cloudfunctions2_function.function : each.service_config[0].environment_variables["OIDC_INVOKER_EMAIL"] == "invoker@x"])
    error_message = "the workers must demand the invoker's token, and tasks must carry it"
  }
}

run "the_workers_verify_tokens_unless_the_operator_says_that_they_cannot" {
  command = plan

  assert {
    condition     = alltrue([for each in google_cloudfunctions2_function.function : !contains(keys(each.service_config[0].environment_variables), "OIDC_CHECK")])
    error_message = "a worker does not look at tokens although nobody asked for that"
  }
}

run "told_so_they_leave_it_to_ingress_and_iam" {
  command = plan

  variables {
    oidc_check = false
  }

  assert {
    condition = { for name, each in google_cloudfunctions2_function.function : name => try(each.service_config[0].environment_variables["OIDC_CHECK"], null) } == {
      webhook = null, answer = "false", extract = "false", maintenance = "false"
    }
    error_message = "oidc_check does not reach the workers, and nobody else"
  }
  assert {
    condition = alltrue([
      for name in ["answer", "extract", "maintenance"] :
      google_cloudfunctions2_function.function[name].service_config[0].ingress_settings == "ALLOW_INTERNAL_ONLY"
      && google_cloud_run_v2_service_iam_member.invoker[name].member == "invoker"
    ])
    error_message = "nothing checks who calls a worker"
  }
}

run "without_an_archive_there_is_no_account_key_or_bucket_for_it" {
  command = plan

  assert {
    condition     = length(google_service_account.archive) + length(google_storage_bucket.archive) + length(google_storage_bucket_iam_member.archive) == 0
    error_message = "something is made for an archive that nobody asked for"
  }
  assert {
    condition     = !contains(keys(google_secret_manager_secret.secret), "archive-secret-access-key")
    error_message = "an empty secret is made"
  }
}
