"""Talk of three members in turn."""

# ruff: noqa: E501  (a line of talk is easier to read whole than broken at column 120)

from tests.support.builders import message

CATS = ["кіт знову спить на клавіатурі", "мій кіт теж любить клавіатуру", "клавіатура тепла, тому кіт і спить там",
        "купи коту лежанку біля клавіатури", "кіт лежанку ігнорує, клавіатура краща", "класика, кіт і клавіатура"]  # fmt: skip
BREAD = ["my sourdough starter finally doubled", "feed the sourdough with rye flour", "rye flour makes the starter sour",
         "starter needs warm water and flour", "bake sourdough in a dutch oven", "dutch oven keeps sourdough crust crisp"]  # fmt: skip


def talk(*texts):
    return [message(text, message_id=number, user_id=101 + number % 3) for number, text in enumerate(texts, start=1)]
