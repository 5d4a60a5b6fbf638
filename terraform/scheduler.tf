locals {
  # Bodies are "{}": the path names the job (functions/maintenance/main.py).
  empty_body = base64encode("{}")
}

resource "google_cloud_scheduler_job" "night" {
  name             = "${var.prefix}-night"
  description      = "Asks for the jobs of every chat that are due by its local night."
  region           = var.region
  schedule         = "0 6,14,22 * * *"
  time_zone        = "Etc/UTC"
  attempt_deadline = "600s" # one pass goes on by a task of its own after four minutes
  paused           = var.paused

  # A pass repeats harmlessly, and the next one comes in eight hours.
  retry_config {
    retry_count          = 3
    min_backoff_duration = "60s"
    max_backoff_duration = "600s"
    max_doublings        = 3
  }

  http_target {
    http_method = "POST"
    uri         = "${local.urls["maintenance"]}/night"
    headers     = { "Content-Type" = "application/json" }
    body        = local.empty_body

    oidc_token {
      service_account_email = google_service_account.invoker.email
      audience              = local.urls["maintenance"]
    }
  }

  depends_on = [google_project_service.api]
}

resource "google_cloud_scheduler_job" "health" {
  name             = "${var.prefix}-health"
  description      = "Looks whether nights and tasks come, and what Telegram says of the webhook."
  region           = var.region
  schedule         = "*/10 * * * *"
  time_zone        = "Etc/UTC"
  attempt_deadline = "120s"
  paused           = var.paused

  # Without retries: it comes again in ten minutes.
  http_target {
    http_method = "POST"
    uri         = "${local.urls["maintenance"]}/health"
    headers     = { "Content-Type" = "application/json" }
    body        = local.empty_body

    oidc_token {
      service_account_email = google_service_account.invoker.email
      audience              = local.urls["maintenance"]
    }
  }

  depends_on = [google_project_service.api]
}
