"""Words that tell nothing about what a message is about: function words of Ukrainian and English, folded.

Only grammar stands here (pronouns, prepositions, auxiliaries, particles, question words): what a group talks about,
be it work or time, stays searchable, and how telling a word is comes from how often it is used.
"""

from __future__ import annotations

_ENGLISH = """
a an the this that these those some any no every each either neither both all such same other another own
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one ones someone somebody something anyone anybody anything everyone
everybody everything nobody nothing
am is are was were be been being do does did doing done have has had having will would shall should can could may might
must ought
i'm i've i'd i'll you're you've you'd you'll he's he'd he'll she's she'd she'll it's it'd it'll we're we've we'd we'll
they're they've they'd they'll that's there's here's what's who's where's when's how's why's let's
isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't cannot
couldn't mustn't im ive dont didnt doesnt isnt cant wont thats
and or but nor so yet if then else than because as while until though although unless whether
of at by for with about against between into through during before after above below to from up down in out on off over
under again further upon onto within without toward towards among per via
who whom whose which what when where why how whatever whoever
not only just very too also there here now ever even still already really quite much many more most few less least
http https www com
"""
_UKRAINIAN = """
і й та а але або чи що щоб якщо якби бо тому тож отже проте однак зате ніж як мов наче ніби хоч хоча аби адже
я мене мені мною ти тебе тобі тобою він його йому ним нього ньому вона її їй нею неї ній воно ми нас нам нами
ви вас вам вами вони їх їм ними них себе собі собою
мій моя моє мої мого моєї моєму моїй мою моїх моїм моїми твій твоя твоє твої твого твоєї твоєму твоїй твою твоїх твоїм
наш наша наше наші нашого нашої нашому нашій нашу наших нашим ваш ваша ваше ваші вашого вашої вашому вашій вашу ваших
свій своя своє свої свого своєї своєму своїй свою своїх своїм своїми їхній їхня їхнє їхні
цей ця це ці цього цієї цьому цій цю цих цим цими той те ті того тієї тому тій ту тих тим тими такий така таке такі
такого такої сам сама само самі весь вся все всі усе усі всього всієї всьому всій всю всіх всім усіх усім кожен кожна
кожне інший інша інше інші хто кого кому ким чого чому чим який яка яке які якого якої якому якій яку яких яким якими
чий чия чиє чиї де куди звідки коли скільки навіщо
у в на з із зі о об за до від для про по під над при без через між перед після біля щодо крім серед
не ні ж же б би лиш лише тільки навіть ще вже уже от ось он хай нехай саме також теж тут там тоді зараз дуже
є був була було були буде будуть будемо бути буду
"""

STOP_WORDS = frozenset(_ENGLISH.split()) | frozenset(_UKRAINIAN.split())
"""Compared with folded words as they are written, before stemming."""
