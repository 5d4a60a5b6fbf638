# The functions, their queue, schedules and buckets.

mock_provider "google" {
  override_during = plan

  override_data {
    target = data.google_project.this
    values = { number = "123456789012" }
  }
}

variables {
  project_id              = "spomyn-test"
  bundles                 = "tests/bundles"
  telegram_bot_token      = "123456:token"
  telegram_webhook_secret = "secret"
  gemini_api_key          = "key"
}

run "by_default" {
  command = plan

  assert {
    condition     = alltrue([for name, each in google_cloudfunctions2_function.function : each.build_config[0].runtime == "python313" && each.build_config[0].entry_point == name])
    error_message = "the runtime or the entry point is another than the code's"
  }
  assert {
    condition     = alltrue([for each in google_cloudfunctions2_function.function : each.service_config[0].environment_variables["FUNCTION_USE_ASGI"] == "true"])
    error_message = "the functions are async and need the ASGI server"
  }
  assert {
    condition     = alltrue([for each in google_cloudfunctions2_function.function : tonumber(each.service_config[0].available_cpu) >= 1 || each.service_config[0].max_instance_request_concurrency == 1])
    error_message = "below one CPU an instance serves one request at a time"
  }
  assert {
    condition     = alltrue([for name, each in google_cloudfunctions2_function.function : each.build_config[0].source[0].storage_source[0].object == "${name}-${filesha256("tests/bundles/${name}.zip")}.zip"])
    error_message = "a bundle is not named by its content"
  }

  # They know each other before they are there.
  assert {
    condition = alltrue([
      for each in google_cloudfunctions2_function.function :
      each.service_config[0].environment_variables["ANSWER_URL"] == "https://spomyn-answer-123456789012.europe-west1.run.app"
      && each.service_config[0].environment_variables["EXTRACT_URL"] == "https://spomyn-extract-123456789012.europe-west1.run.app"
      && each.service_config[0].environment_variables["MAINTENANCE_URL"] == "https://spomyn-maintenance-123456789012.europe-west1.run.app"
    ])
    error_message = "the workers' addresses are not those that Cloud Run gives them"
  }
  assert {
    condition     = output.webhook_url == "https://spomyn-webhook-123456789012.europe-west1.run.app"
    error_message = "another webhook would be registered"
  }

  assert {
    condition     = google_cloud_scheduler_job.night.schedule == "0 6,14,22 * * *" && google_cloud_scheduler_job.health.schedule == "*/10 * * * *"
    error_message = "the schedules are not those of docs/operations.md"
  }
  assert {
    condition = alltrue([
      for job in [google_cloud_scheduler_job.night, google_cloud_scheduler_job.health] :
      job.time_zone == "Etc/UTC" && job.http_target[0].http_method == "POST" && base64decode(job.http_target[0].body) == "{}" && job.http_target[0].headers["Content-Type"] == "application/json"
    ])
    error_message = "maintenance would refuse the call"
  }
}

run "as_an_operator_chooses" {
  command = plan

  variables {
    functions              = { extract = { max_instances = 3, concurrency = 5 } }
    settings               = { BOT_USERNAME = "my_bot", TIMEZONE = "Europe/Lisbon" }
    message_retention_days = 30
    firestore_database     = "memory-two"
    prefix                 = "second"
  }

  assert {
    condition = { for key, value in google_cloudfunctions2_function.function["webhook"].service_config[0].environment_variables : key => value if key != "OIDC_INVOKER_EMAIL" } == {
      ANSWER_URL                = "https://second-answer-123456789012.europe-west1.run.app"
      BOT_USERNAME              = "my_bot"
      CLOUD_TASKS_ANSWERS_QUEUE = "second-answers"
      CLOUD_TASKS_LOCATION      = "europe-west1"
      CLOUD_TASKS_QUEUE         = "second"
      EXTRACT_URL               = "https://second-extract-123456789012.europe-west1.run.app"
      FIRESTORE_DATABASE        = "memory-two"
      FUNCTION_USE_ASGI         = "true"
      GOOGLE_CLOUD_PROJECT      = "spomyn-test"
      MAINTENANCE_URL           = "https://second-maintenance-123456789012.europe-west1.run.app"
      MESSAGE_RETENTION_DAYS    = "30"
      SPOMYN_QUEUE              = "cloud-tasks"
      SPOMYN_STORE              = "firestore"
      TIMEZONE                  = "Europe/Lisbon"
    }
    error_message = "the webhook's environment is another than was asked for"
  }


  assert {
    condition     = google_cloud_tasks_queue.answers.retry_config[0].max_attempts == 30 && google_cloud_tasks_queue.answers.rate_limits[0].max_concurrent_dispatches == 200
    error_message = "answers are tried other than infra/tasks/retries.py says, or not 200 at once"
  }
  assert {
    condition     = google_cloud_tasks_queue.tasks.retry_config[0].max_attempts == 10
    error_message = "the attempts are others than those of infra/tasks/retries.py"
  }
  assert {
    condition     = google_cloud_tasks_queue.tasks.rate_limits[0].max_concurrent_dispatches == 15
    error_message = "more tasks at once than the smaller worker has room for"
  }
}

run "an_archive_in_cloud_storage_can_be_forgotten" {
  command = plan

  variables {
    archive                   = "gcs"
    archive_access_key_id     = "GOOG1EXAMPLEEXAMPLE"
    archive_secret_access_key = "key"
    message_retention_days    = 45
  }

  assert {
    condition     = google_storage_bucket.archive[0].uniform_bucket_level_access && google_storage_bucket.archive[0].public_access_prevention == "enforced" && !google_storage_bucket.archive[0].force_destroy
    error_message = "exports could be read by anybody, or deleted with the bucket"
  }
  assert {
    condition     = !google_storage_bucket.archive[0].versioning[0].enabled && google_storage_bucket.archive[0].soft_delete_policy[0].retention_duration_seconds == 0
    error_message = "the S3 API cannot erase what versioning and soft deletion keep"
  }
  assert {
    condition     = one(google_storage_bucket.archive[0].lifecycle_rule[0].condition).age == 45 && one(google_storage_bucket.archive[0].lifecycle_rule[0].condition).matches_prefix == tolist(["spomyn/chats/"])
    error_message = "exports outlive the messages in them"
  }
  assert {
    condition = { for key, value in google_cloudfunctions2_function.function["maintenance"].service_config[0].environment_variables : key => value if strcontains(key, "ARCHIVE") } == {
      SPOMYN_ARCHIVE        = "s3://spomyn-test-spomyn-archive/spomyn"
      ARCHIVE_ENDPOINT_URL  = "https://storage.googleapis.com"
      ARCHIVE_ACCESS_KEY_ID = "GOOG1EXAMPLEEXAMPLE"
    }
    error_message = "maintenance does not find the archive"
  }
  assert {
    condition     = alltrue([for name in ["webhook", "answer", "extract"] : !contains(keys(google_cloudfunctions2_function.function[name].service_config[0].environment_variables), "SPOMYN_ARCHIVE")])
    error_message = "only maintenance writes archives"
  }
}

run "before_there_is_a_key_the_bucket_waits_unused" {
  command = plan

  variables {
    archive = "gcs"
  }

  assert {
    condition     = length(google_storage_bucket.archive) == 1 && !contains(keys(google_cloudfunctions2_function.function["maintenance"].service_config[0].environment_variables), "SPOMYN_ARCHIVE")
    error_message = "maintenance would fail without the key"
  }
}

run "an_archive_elsewhere_is_only_named" {
  command = plan

  variables {
    archive                   = "s3"
    archive_url               = "s3://my-archive/spomyn"
    archive_region            = "eu-central-1"
    archive_access_key_id     = "AKIAIOSFODNN7EXAMPLE"
    archive_secret_access_key = "key"
  }

  assert {
    condition = { for key, value in google_cloudfunctions2_function.function["maintenance"].service_config[0].environment_variables : key => value if strcontains(key, "ARCHIVE") } == {
      SPOMYN_ARCHIVE        = "s3://my-archive/spomyn"
      ARCHIVE_REGION        = "eu-central-1"
      ARCHIVE_ACCESS_KEY_ID = "AKIAIOSFODNN7EXAMPLE"
    }
    error_message = "maintenance does not find the archive"
  }
  assert {
    condition     = length(google_storage_bucket.archive) == 0
    error_message = "a bucket is made that nobody uses"
  }
}
