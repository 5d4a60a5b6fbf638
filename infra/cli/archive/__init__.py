"""Commands that bring memory out and in: export, restore, import, backfill."""
