"""What is around the product, simulated: the store, the queue, Telegram and the model."""
