# Each alert exists, asks only for metrics that exist, and says what to do.

mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789012" }
  }
}

variables {
  project_id              = "test-project"
  bundles                 = "tests/bundles"
  telegram_bot_token      = "1:test-token"
  telegram_webhook_secret = "test-secret"
  gemini_api_key          = "test-key"
}

run "nobody_is_told" {
  command = plan

  assert {
    condition = toset(keys(google_monitoring_alert_policy.alert)) == toset([
      "errors", "webhook_latency", "answers_age", "queue_age", "queue_depth", "dead_letters", "night_silence", "health_silence",
      "webhook_errors", "webhook_pending", "model_errors", "tokens", "cost", "findings",
    ])
    error_message = "An alert is missing, or one has no test."
  }

  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.alert : alert.enabled != false && length(alert.notification_channels) == 0])
    error_message = "Alerts are there although nobody is told."
  }

  assert {
    condition     = length(google_monitoring_notification_channel.email) == 0 && length(google_billing_budget.monthly) == 0
    error_message = "Without addresses there is no channel, and without a billing account no budget."
  }

  assert {
    condition = length(setsubtract(
      flatten([
        for alert in google_monitoring_alert_policy.alert :
        regexall("[a-z]+_googleapis_com:[a-z0-9_]+", alert.conditions[0].condition_prometheus_query_language[0].query)
      ]),
      concat(
        flatten([
          for metric in google_logging_metric.metric : [
            for suffix in metric.metric_descriptor[0].value_type == "DISTRIBUTION" ? ["_bucket", "_sum", "_count"] : [""] :
            "logging_googleapis_com:user_${replace(metric.name, "/", "_")}${suffix}"
          ]
        ]),
        # https://cloud.google.com/monitoring/api/metrics_gcp
        [
          "run_googleapis_com:request_count", "run_googleapis_com:request_latencies_bucket",
          "cloudtasks_googleapis_com:queue_depth", "cloudtasks_googleapis_com:queue_task_attempt_delays_bucket",
        ],
      ),
    )) == 0
    error_message = "An alert asks for a metric that is neither in log_metrics.tf nor one of Google's that are known."
  }

  assert {
    condition = alltrue([
      for alert in google_monitoring_alert_policy.alert :
      length(regexall("_googleapis_com:", alert.conditions[0].condition_prometheus_query_language[0].query)) ==
      length(regexall("monitored_resource=\"", alert.conditions[0].condition_prometheus_query_language[0].query))
    ])
    error_message = "A metric of several monitored resources is refused unless one is named."
  }

  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.alert : alert.conditions[0].condition_prometheus_query_language[0].disable_metric_validation])
    error_message = "A first apply writes alerts before their metrics have a value."
  }

  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.alert : can(regex("First: `[^`]+`\n\nThen: docs/operations.md#[a-z-]+\n", alert.documentation[0].content))])
    error_message = "An alert does not name its first command and its runbook."
  }

  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.alert : contains(["CRITICAL", "ERROR", "WARNING"], alert.severity)])
    error_message = "Severities of Cloud Monitoring are CRITICAL, ERROR and WARNING."
  }

  # Silence is longer than the schedule.

  assert {
    condition     = google_cloud_scheduler_job.night.schedule == "0 6,14,22 * * *" && strcontains(google_monitoring_alert_policy.alert["night_silence"].conditions[0].condition_prometheus_query_language[0].query, "job_name=\"night\"}[9h]")
    error_message = "Nights come every eight hours: nine hours without one is silence."
  }

  assert {
    condition = (
      google_cloud_scheduler_job.health.schedule == "*/10 * * * *"
      && google_monitoring_alert_policy.alert["health_silence"].conditions[0].condition_prometheus_query_language[0].query == "absent_over_time(logging_googleapis_com:user_spomyn_jobs_done{monitored_resource=\"cloud_run_revision\",job_name=\"health\"}[30m])"
      && google_monitoring_alert_policy.alert["health_silence"].conditions[0].condition_prometheus_query_language[0].duration == "1800s"
    )
    error_message = "Health checks come every ten minutes, and a log-based metric may be ten late: an hour without one is silence, for as long as it lasts."
  }

  assert {
    # window + offset + duration, of which PromQL conditions on log-based metrics have 25 hours
    condition     = strcontains(google_monitoring_alert_policy.alert["night_silence"].conditions[0].condition_prometheus_query_language[0].query, "[15h] offset 9h")
    error_message = "A night is only missed where something was heard before, and within what Cloud Monitoring looks back."
  }

  assert {
    condition = alltrue([
      for alert in google_monitoring_alert_policy.alert :
      length(regexall("(rate|increase)\\(logging_", alert.conditions[0].condition_prometheus_query_language[0].query)) == 0
    ])
    error_message = "Samples of log-based metrics are what a minute added, with gaps: only sum_over_time counts them."
  }

  # Metrics read the functions' lines.

  assert {
    condition = alltrue([
      for metric in google_logging_metric.metric :
      startswith(metric.filter, "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=~\"^spomyn-(webhook|answer|extract|maintenance)$\" AND jsonPayload.event=")
    ])
    error_message = "A log-based metric does not read the functions' own lines of one event."
  }

  assert {
    condition     = alltrue([for metric in google_logging_metric.metric : (metric.value_extractor == null) == (metric.metric_descriptor[0].value_type == "INT64")])
    error_message = "A metric with a value is a distribution, one without counts lines."
  }

  assert {
    condition     = !anytrue([for metric in google_logging_metric.metric : anytrue([for field in values(metric.label_extractors) : strcontains(field, "chat")])])
    error_message = "No metric has a series for each chat."
  }

  assert {
    condition     = can(jsondecode(google_monitoring_dashboard.spomyn.dashboard_json).gridLayout.widgets[18].xyChart.dataSets[0].timeSeriesQuery.prometheusQuery)
    error_message = "The dashboard has nineteen charts."
  }
}

run "two_are_told_and_a_month_may_cost_80" {
  command = plan

  variables {
    prefix          = "second-bot"
    alert_emails    = ["a@example.org", "b@example.org"]
    alert_limits    = { dollars_per_hour = 3.5 }
    billing_account = "012345-6789AB-CDEF01"
    budget          = { amount = 80, currency = "EUR" }
  }

  # Their names are only known when they are made.
  override_resource {
    target          = google_monitoring_notification_channel.email
    values          = { name = "projects/test-project/notificationChannels/1" }
    override_during = plan
  }

  assert {
    condition     = { for address, channel in google_monitoring_notification_channel.email : address => channel.labels.email_address } == { "a@example.org" = "a@example.org", "b@example.org" = "b@example.org" }
    error_message = "Each address is a channel."
  }

  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.alert : length(alert.notification_channels) == 2])
    error_message = "Every alert tells both."
  }

  assert {
    condition     = endswith(google_monitoring_alert_policy.alert["cost"].conditions[0].condition_prometheus_query_language[0].query, "user_second_bot_cost_sum{monitored_resource=\"cloud_run_revision\"}[1h])) > 3.5")
    error_message = "Limits are the operator's, and metrics those of the prefix."
  }

  assert {
    condition     = google_billing_budget.monthly[0].amount[0].specified_amount[0].units == "80" && google_billing_budget.monthly[0].amount[0].specified_amount[0].currency_code == "EUR"
    error_message = "The budget is the amount that was given."
  }

  assert {
    condition     = google_billing_budget.monthly[0].budget_filter[0].projects == toset(["projects/123456789012"])
    error_message = "The budget is of this project alone, by number."
  }

  assert {
    condition     = [for rule in google_billing_budget.monthly[0].threshold_rules : "${rule.spend_basis} ${rule.threshold_percent}"] == ["CURRENT_SPEND 0.5", "CURRENT_SPEND 0.9", "CURRENT_SPEND 1", "FORECASTED_SPEND 1"]
    error_message = "The budget warns at half, at nine tenths, at all, and when all is forecast."
  }

  assert {
    condition     = length(google_billing_budget.monthly[0].all_updates_rule[0].monitoring_notification_channels) == 2
    error_message = "The budget tells both."
  }
}

run "what_is_wrong_is_refused" {
  command = plan

  variables {
    alert_emails    = ["nobody"]
    alert_limits    = { error_ratio = 5 }
    billing_account = "my-account"
    budget          = { amount = 0.5, currency = "euro" }
  }

  expect_failures = [var.alert_emails, var.alert_limits, var.billing_account, var.budget]
}
