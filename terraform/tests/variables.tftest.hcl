# What is missing or wrong is refused with one sentence, before anything is planned.

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

run "missing" {
  command = plan

  variables {
    project_id              = null
    telegram_bot_token      = null
    telegram_webhook_secret = null
    gemini_api_key          = null
    bundles                 = "tests"
    archive                 = "s3"
  }

  expect_failures = [
    var.project_id, var.telegram_bot_token, var.telegram_webhook_secret, var.gemini_api_key, var.bundles,
    var.archive_url, var.archive_access_key_id, var.archive_region,
  ]
}

run "wrong" {
  command = plan

  variables {
    project_id              = "Spomyn_Test"
    region                  = "europe-west99"
    prefix                  = "a-prefix-of-19-char"
    labels                  = { Team = "ours" }
    telegram_bot_token      = "123456"
    telegram_webhook_secret = "one,two,three"
    gemini_api_key          = "a key"
    settings                = { SPOMYN_STORE = "sqlite:x" }
    message_retention_days  = 0
    firestore_database      = "My database"
    backups                 = { daily_days = 99 }
    queue                   = { dispatches_per_second = 501 }
    functions               = { webhook = { memory = "512" } }
    secret_versions         = { gemini-api-key = 0 }
    archive                 = "ftp"
    archive_endpoint_url    = "http://127.0.0.1"
  }

  expect_failures = [
    var.project_id, var.region, var.prefix, var.labels, var.telegram_bot_token, var.telegram_webhook_secret,
    var.gemini_api_key, var.settings, var.message_retention_days, var.firestore_database, var.backups, var.queue, var.functions, var.secret_versions, var.archive, var.archive_endpoint_url,
  ]
}

run "wrong_in_another_way" {
  command = plan

  variables {
    telegram_bot_token      = "123456:with space"
    telegram_webhook_secret = "слово"
    prefix                  = "ends-"
    settings                = { TIMEZONE = " " }
    queue                   = { concurrent_dispatches = 0 }
    functions               = { extract = { timeout_seconds = 300 } }
    archive                 = "s3"
    archive_url             = "https://bucket"
    archive_access_key_id   = "short"
  }

  expect_failures = [
    var.telegram_bot_token, var.telegram_webhook_secret, var.prefix, var.settings, var.queue, var.functions,
    var.archive_url, var.archive_access_key_id, var.archive_region,
  ]
}

run "what_does_not_fit_together" {
  command = plan

  variables {
    firestore_location    = "us-central1"
    archive               = "gcs"
    archive_access_key_id = "GOOG1EXAMPLEEXAMPLE"
    functions             = { webhook = { cpu = 0.5 }, extract = { min_instances = 3, max_instances = 2 }, maintenance = { concurrency = 0 } }
  }

  expect_failures = [var.firestore_location, var.archive_secret_access_key, var.functions]
}
