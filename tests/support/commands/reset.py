"""A chat that has a rule to lose."""

ADMIN, MEMBER = (102, "Тарас"), (103, "Марко")
YES, NO = "Так, забути", "Ні, лишити"


async def learn_a_rule(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
