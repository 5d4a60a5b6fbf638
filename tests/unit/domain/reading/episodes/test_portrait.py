"""What is kept of a conversation that ended: summary, tone and who took part."""

from shared.domain.reading.episodes.portrait import excerpt_portrait
from tests.unit.domain.reading.episodes.talks import BREAD, talk


def test_without_a_model_the_words_of_the_talk_describe_it():
    portrait = excerpt_portrait(
        talk("кіт Мурчик у Львові 😂", "кіт спить хаха", "у Львові дощ", "ахах кіт", "дощ і кіт")
    )
    assert "кіт" not in portrait.themes  # three letters are too few for a theme
    assert portrait.tone == "жартівливий настрій"
    assert "львові" in portrait.key_topics


def test_no_tone_is_told_unless_many_signs_agree():
    assert excerpt_portrait(talk(*BREAD, "lol")).tone == ""
    assert excerpt_portrait(talk("so sad, he passed away", "sorry for your loss", "miss him")).tone == "a sad mood"
