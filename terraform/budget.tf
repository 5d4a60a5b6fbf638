# A budget warns, it stops nothing. It belongs to the billing account: whoever applies this needs roles/billing.costsManager
# (or billing.admin) on that account, which being owner of the project does not give.
resource "google_billing_budget" "monthly" {
  count = var.billing_account == null ? 0 : 1

  billing_account = var.billing_account
  display_name    = "${var.prefix} in ${var.project_id}"

  budget_filter {
    projects        = ["projects/${data.google_project.this.number}"] # by number: with an id every plan would differ
    calendar_period = "MONTH"
  }

  amount {
    specified_amount {
      currency_code = var.budget.currency
      units         = tostring(var.budget.amount)
    }
  }

  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1]
    content {
      threshold_percent = threshold_rules.value
      spend_basis       = "CURRENT_SPEND"
    }
  }

  threshold_rules {
    threshold_percent = 1
    spend_basis       = "FORECASTED_SPEND"
  }

  # Without channels those who administer the billing account are told, as they always are.
  dynamic "all_updates_rule" {
    for_each = length(var.alert_emails) > 0 ? [1] : []
    content {
      monitoring_notification_channels = [for channel in google_monitoring_notification_channel.email : channel.name]
    }
  }

  depends_on = [google_project_service.api]
}
