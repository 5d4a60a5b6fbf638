"""A group that is asked whether what the bot noticed is so."""

OLYA, MARKO, HANNA, PETRO = (101, "Оля"), (103, "Марко"), (104, "Ганна"), (105, "Петро")
ADMIN = (102, "Тарас")
GAMES = "Схоже, у середу ви граєте в ігри. Так?"


async def say_twice(group, what="Щосереди граємо в настолки", *, who=OLYA):
    """One member says something twice: believed then, and not certain."""
    await group.say(what, *who)
    await group.say(f"Ще раз: {what}", *who)
    await group.settle()


async def contradict(group):
    """What three say is contradicted by one, whose value waits."""
    for who in (OLYA, MARKO, PETRO):
        await group.say("Щосереди граємо в настолки", *who)
    await group.settle()
    await group.say("У п'ятницю граємо в настолки, це традиція", *HANNA)
    await group.settle()


def asked(group):
    """The texts of the questions that were asked, as they stand now."""
    return [group.shown(sent.message_id).text for sent in group.api.sent if sent.buttons]


def labels(group):
    return [text for row in group.shown(group.api.sent[-1].message_id).buttons for text, _ in row]


async def the_fact(group):
    return next(fact for fact in await group.facts() if fact["conflicts_with"] is None)
