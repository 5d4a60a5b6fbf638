# Secrets go to Secret Manager and nowhere else.

mock_provider "google" {
  override_during = plan

  mock_resource "google_secret_manager_secret_version" {
    defaults = { version = "7" }
  }
}

variables {
  project_id                = "spomyn-test"
  bundles                   = "tests/bundles"
  telegram_bot_token        = "123456:token"
  telegram_webhook_secret   = "new-secret,old-secret"
  gemini_api_key            = "key"
  archive                   = "gcs"
  archive_access_key_id     = "GOOG1EXAMPLEEXAMPLE"
  archive_secret_access_key = "key"
}

run "they_are_written_only_and_read_by_number" {
  command = plan

  assert {
    condition     = alltrue([for version in google_secret_manager_secret_version.version : version.secret_data == null && version.secret_data_wo == null && version.secret_data_wo_version == 1])
    error_message = "a secret is in the plan, and would be in the state"
  }

  assert {
    condition = {
      for name, each in google_cloudfunctions2_function.function : name => toset([for secret in each.service_config[0].secret_environment_variables : "${secret.key}=${secret.secret}"])
      } == {
      webhook     = toset(["TELEGRAM_BOT_TOKEN=spomyn-telegram-bot-token", "TELEGRAM_WEBHOOK_SECRET=spomyn-telegram-webhook-secret"])
      answer      = toset(["TELEGRAM_BOT_TOKEN=spomyn-telegram-bot-token", "GEMINI_API_KEY=spomyn-gemini-api-key"])
      extract     = toset(["TELEGRAM_BOT_TOKEN=spomyn-telegram-bot-token", "GEMINI_API_KEY=spomyn-gemini-api-key"])
      maintenance = toset(["TELEGRAM_BOT_TOKEN=spomyn-telegram-bot-token", "GEMINI_API_KEY=spomyn-gemini-api-key", "ARCHIVE_SECRET_ACCESS_KEY=spomyn-archive-secret-access-key"])
    }
    error_message = "a function has a secret that it does not use, or lacks one"
  }
  assert {
    condition     = alltrue(flatten([for each in google_cloudfunctions2_function.function : [for secret in each.service_config[0].secret_environment_variables : secret.version == "7"]]))
    error_message = "a secret is not pinned to the version that was written"
  }
  assert {
    condition     = alltrue([for each in google_cloudfunctions2_function.function : length(setintersection(keys(each.service_config[0].environment_variables), values(local.secret_settings))) == 0])
    error_message = "a secret is in the plain environment"
  }
}

run "raising_a_number_writes_a_new_version_of_that_secret_only" {
  command = plan

  variables {
    secret_versions = { telegram-webhook-secret = 2 }
  }

  assert {
    condition     = { for name, version in google_secret_manager_secret_version.version : name => version.secret_data_wo_version } == { telegram-bot-token = 1, telegram-webhook-secret = 2, gemini-api-key = 1, archive-secret-access-key = 1 }
    error_message = "another secret is written than was asked for"
  }
}

run "a_bot_without_a_model_has_no_key_for_it" {
  command = plan

  variables {
    gemini                    = false
    gemini_api_key            = null
    archive                   = "none"
    archive_access_key_id     = null
    archive_secret_access_key = null
  }

  assert {
    condition     = toset(keys(google_secret_manager_secret.secret)) == toset(["telegram-bot-token", "telegram-webhook-secret"])
    error_message = "a secret is made that nobody gave"
  }
}
