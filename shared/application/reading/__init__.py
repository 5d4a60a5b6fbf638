"""Reading talk: stretches become summaries, episodic facts and facts with evidence."""
