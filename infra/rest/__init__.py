"""Google's services over REST, in what a cold start of the webhook needs of them: no SDK is loaded for it."""
