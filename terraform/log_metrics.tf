# What is counted in the functions' own logs: one line an update, a task and a job, and what shared/application/telemetry.py
# lists. No label holds a chat: that would be one series a chat, and nobody's business on a dashboard.

locals {
  # Functions of the second generation log as the Cloud Run service behind them
  # (https://cloud.google.com/functions/docs/monitoring/logging).
  logged = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=~\"^${var.prefix}-(webhook|answer|extract|maintenance)$\""

  # filter: of the lines; value: field whose values are a distribution, null to count lines; labels: name to field.
  # buckets: scale and growth of a distribution's, and how many; sums are exact whatever they are.
  log_metrics = {
    updates = {
      about  = "Updates of Telegram, by what became of them"
      filter = "jsonPayload.event=\"update\"", value = null, unit = "1", buckets = null
      labels = { outcome = "outcome" }
    }
    update_latency = {
      about  = "Time that an update took"
      filter = "jsonPayload.event=\"update\"", value = "latency_ms", unit = "ms", buckets = local.times
      labels = { outcome = "outcome" }
    }
    tasks = {
      about  = "Tasks of answers and extraction, by what became of them"
      filter = "jsonPayload.event=\"task\"", value = null, unit = "1", buckets = null
      labels = { job_name = "job", outcome = "outcome" }
    }
    jobs = {
      about  = "Runs of maintenance jobs, by what became of them"
      filter = "jsonPayload.event=\"job\"", value = null, unit = "1", buckets = null
      labels = { job_name = "job", outcome = "outcome" }
    }
    jobs_done = {
      about  = "Runs of maintenance jobs that went well: what must not fall silent"
      filter = "jsonPayload.event=\"job\" AND severity<WARNING", value = null, unit = "1", buckets = null
      labels = { job_name = "job" }
    }
    answers = {
      about  = "Answers, by what became of them"
      filter = "jsonPayload.event=\"answer\"", value = null, unit = "1", buckets = null
      labels = { outcome = "outcome" }
    }
    dead_letters = {
      about  = "Updates and tasks that were given up and written down"
      filter = "jsonPayload.event=\"dead_letter\"", value = null, unit = "1", buckets = null
      labels = { outcome = "outcome" }
    }
    model_errors = {
      about  = "Calls of the model that failed in the end, by kind"
      filter = "jsonPayload.event=\"model_error\"", value = null, unit = "1", buckets = null
      labels = { outcome = "outcome" }
    }
    tokens_in = {
      about  = "Tokens that the model read"
      filter = local.spending, value = "tokens_in", unit = "1", buckets = local.amounts
      labels = {}
    }
    tokens_out = {
      about  = "Tokens that the model wrote"
      filter = local.spending, value = "tokens_out", unit = "1", buckets = local.amounts
      labels = {}
    }
    cost = {
      about  = "Dollars that the model cost, at the prices of shared/domain/spending/tokens.py"
      filter = local.spending, value = "cost_usd", unit = "{USD}", buckets = local.dollars
      labels = {}
    }
    webhook_pending = {
      about  = "Updates that wait at Telegram, asked every ten minutes"
      filter = "jsonPayload.event=\"webhook_status\"", value = "pending", unit = "1", buckets = local.amounts
      labels = {}
    }
    webhook_errors = {
      # 600 s pass between two looks, so each error is counted once.
      about  = "Looks at the webhook that found no webhook, or an error since the last look, as Telegram reports it"
      filter = "jsonPayload.event=\"webhook_status\" AND (jsonPayload.outcome=\"missing\" OR jsonPayload.last_error_age_s<600)", value = null, unit = "1", buckets = null
      labels = {}
    }
    findings = {
      about  = "What the health job found and did not know before, by kind and state (warning, error, over)"
      filter = "jsonPayload.event=\"health\"", value = null, unit = "1", buckets = null
      labels = { finding = "outcome", state = "state" }
    }
  }

  # Lines of whole pieces of work: an answer's own line would count its tokens twice.
  spending = "jsonPayload.event=(\"update\" OR \"task\" OR \"job\")"

  times   = { scale = 1, growth = 1.4, count = 41 }      # 1 ms to 16 min
  amounts = { scale = 1, growth = 2, count = 24 }        # 1 to 16 million
  dollars = { scale = 0.000001, growth = 2, count = 30 } # a millionth to 1,000
}

resource "google_logging_metric" "metric" {
  for_each = local.log_metrics

  project          = var.project_id
  name             = "${var.prefix}/${each.key}"
  description      = each.value.about
  filter           = "${local.logged} AND ${each.value.filter}"
  value_extractor  = each.value.value == null ? null : "EXTRACT(jsonPayload.${each.value.value})"
  label_extractors = { for label, field in each.value.labels : label => "EXTRACT(jsonPayload.${field})" }

  metric_descriptor {
    display_name = "${var.prefix}: ${each.value.about}"
    metric_kind  = "DELTA"
    value_type   = each.value.value == null ? "INT64" : "DISTRIBUTION"
    unit         = each.value.unit

    dynamic "labels" {
      for_each = each.value.labels
      content {
        key        = labels.key
        value_type = "STRING"
      }
    }
  }

  dynamic "bucket_options" {
    for_each = each.value.buckets[*]
    content {
      exponential_buckets {
        scale              = bucket_options.value.scale
        growth_factor      = bucket_options.value.growth
        num_finite_buckets = bucket_options.value.count
      }
    }
  }

  depends_on = [google_project_service.api]
}
