"""What Spomyn costs: operations counted on a group's days, times list prices (`docs/cost.md`)."""
