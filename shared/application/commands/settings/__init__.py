"""`/gryadsettings`: what admins choose for their chat."""
