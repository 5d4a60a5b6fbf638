locals {
  # Secret => the setting that it is
  secret_settings = {
    "telegram-bot-token"        = "TELEGRAM_BOT_TOKEN"
    "telegram-webhook-secret"   = "TELEGRAM_WEBHOOK_SECRET"
    "gemini-api-key"            = "GEMINI_API_KEY"
    "archive-secret-access-key" = "ARCHIVE_SECRET_ACCESS_KEY"
  }

  secrets = concat(
    ["telegram-bot-token", "telegram-webhook-secret"],
    var.gemini ? ["gemini-api-key"] : [],
    local.archive_has_key ? ["archive-secret-access-key"] : [],
  )

  # Function => the secrets that it uses (WEBHOOK_NEEDS, WORKER_NEEDS in infra/foundation.py, and the optional ones)
  function_secrets = {
    answer      = setintersection(local.secrets, ["telegram-bot-token", "gemini-api-key"])
    webhook     = setintersection(local.secrets, ["telegram-bot-token", "telegram-webhook-secret"])
    extract     = setintersection(local.secrets, ["telegram-bot-token", "gemini-api-key"])
    maintenance = setintersection(local.secrets, ["telegram-bot-token", "gemini-api-key", "archive-secret-access-key"])
  }
}

resource "google_secret_manager_secret" "secret" {
  for_each = toset(local.secrets)

  secret_id = "${var.prefix}-${each.key}"

  replication {
    auto {}
  }

  depends_on = [google_project_service.api]
}

resource "google_secret_manager_secret_version" "version" {
  for_each = toset(local.secrets)

  secret = google_secret_manager_secret.secret[each.key].id
  # Write-only: sent to Secret Manager when the number is raised, and kept in no plan and no state.
  secret_data_wo = {
    "telegram-bot-token"        = var.telegram_bot_token
    "telegram-webhook-secret"   = var.telegram_webhook_secret
    "gemini-api-key"            = var.gemini_api_key
    "archive-secret-access-key" = var.archive_secret_access_key
  }[each.key]
  secret_data_wo_version = var.secret_versions[each.key]

  # The functions move to the new version first; only then is the old one destroyed.
  lifecycle {
    create_before_destroy = true
  }
}
