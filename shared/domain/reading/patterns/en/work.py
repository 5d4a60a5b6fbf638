"""What members do for a living and what they study, in English."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.patterns.en.rows import row

_AT = " (at|in|for|with|on !this|that|the|heart (!@end _){1,4} / at|in|for|on the !moment|end|minute|time (!@end _){1,3})?"
_EMPLOYER = (
    "(a|an|the|our|some|this? !@nowork !@workhead (!@stop|of|for _){0,3} @workplace (for|of|in|at (!@end|and _){1,4})?"
    " / the? #cap{1,3} / @field (@field|care|services|and)* / a|an !@workhead !@nowork (!@stop _){1,3}"
    " / (!@nowork !@stop _){1,2} industry|sector|department|field)"
)

WORK_EN = (
    row(
        "works_as", "personal_info", "occupation",
        (
            "(BEING =working|=employed|=freelancing|=volunteering|=moonlighting / @i @adv* =work|=freelance|=volunteer|=moonlight) @adv* (part-time|full-time|nights|days|remotely|here|there|part|full|time)* as <what: a|an? !tribute !@nojob !@end _ (!@end _){0,5}>",
            "IVE =became|=qualified|=retrained|=trained|=promoted|=hired|=been|=got|=started @adv* promoted|hired|working|qualified? as|to a|an? <what: !member|part|habit (!@stop _){0,2} (@job|@jobtail)>",
            "by occupation i am a <what: !@notjob !from|in|at|to|on|of|with|for|a|an|the|run|send|restart|look|try|check|install|read|ask|wait|use|go|see|click|open|type|do|get|make|pain|suffering|chaos|mess|magic|stuff !#ing (!@stop !@pronoun !the _){1,3}> ($ / nights|days|mostly|by|for|at|in|since|now|and|but|here|– _{0,10})",
            "IVE =became a|an <what: (!@stop _){0,2} (@job|@jobtail)>",
            "as a|an <what: (!@stop _){0,2} @job> ,? i|myself _{0,14}",
            "IAM =starting|=training|=qualifying|=retraining as a|an <what: (!@stop _){1,4}>",
            "IAM a|an <what: (!@stop _){1,4}> by trade|profession|training|day|vocation",
            "(by|for trade|profession|training|day / for a living) ,? i =am? a|an? <what: (!@end _){1,4}>",
            "(IAM / @i? @adv* have? =been) <what: (a|an|the / head|lead|chief|senior|junior|assistant|deputy|trainee) !@notjob (!@stop !@notjob _){0,3} @job (!@notjob !@stop @jobtail)?" + _AT + "> !@notjob",
            "IAM <what: a|an !@notjob (!@stop !@notjob _){1,2} @jobtail" + _AT + ">",
            "IAM <what: a|an !@notjob (!@stop !@notjob _){0,2} !@notist @jobend" + _AT + ">",
        ),
        "Works as {what}", hit="hi all! I'm a nurse", miss="I'm a friend of a nurse", single=True, confidence=0.88, momentary=False,
    ),
    row(
        "not_employed", "personal_info", "occupation",
        (
            "(IAM / currently|newly|recently) <what: self employed / self-employed|retired|unemployed|freelance|freelancing|furloughed / between jobs / out of work / on maternity|paternity|parental|sick|gardening leave / a stay-at-home _ / a stay at home _> ($ / @stop _{0,14})",
            "IDO <what: =retired> ($ / last|this|in|from|at|early|recently|after|two|three _{0,14})",
        ),
        "Occupation: {what}", hit="I'm retired now", miss="I'm retired hurt today", single=True, confidence=0.82,
    ),
    row(
        "schedule", "personal_info", "work_schedule",
        (
            "(@i @adv* =am|=have? @adv* =been? =working / @i @adv* =work|=do) @adv* <what: (night|day|late|early|12-hour|split|rotating|evening|graveyard)* shift|nights|remotely|part-time|full-time|freelance|weekends|lates|earlies (at|in|as|for|on|from (!@end _){1,5})?> ",
            "IAM on <what: the? night|day|late|early|graveyard|evening shift|shifts (at|in (!@end _){1,4})?>",
            "(@i @adv* =am|=have? @adv* =been? =working / @i @adv* =work) @adv* <what: from home / part|full time / from my (!@end _){1,3}> ($ / @stop _{0,14})",
        ),
        "Works {what}", hit="I work night shifts at a hospital", miss="I work out sometimes", single=True,
    ),
    row(
        "works_at", "personal_info", "workplace",
        (
            "(BEING =working|=employed|=interning / @i @adv* =work|=intern|=volunteer) @adv* (part-time|full-time|remotely|behind|down|over|up|nights|here|part|full|time)* <what: at|for|in|with|by " + _EMPLOYER + ">",
            "(@i @adv* =am|=have? @adv* =been? =working / @i @adv* =work) @adv* with <what: (disabled|special|small|young|old|older|wild|rescue|elderly)* kids|children|horses|animals|animal|dogs|wood|refugees|adults|teenagers|teens|toddlers|veterans|computers|plants|people|metal|glass|leather (!@end _){0,4}>",
            "(BEING =working / @i @adv* =work) <what: on a|an|the? (!@stop !@nowork _)? farm|oil|ship|ships|cruise|rig|railway|trains|boats|construction|site|trawler|ferry|docks|offshore|checkout|tills|boat|ranch (!@stop _)?>",
            "IVE =got|=landed|=started|=found|=took|=have|=accepted a|my (!@stop _){0,2} job|gig|position|role|internship|apprenticeship <what: (as|at|in|with (!@end _){1,5})>",
            "IVE =started|=joined|=starting (working|work|a|new|job)* at <what: the? #cap{1,3}>",
            "my _{0,2} job|work is <what: (as|at|in|with|selling|teaching|making|fixing|building|driving|running|cleaning|caring|testing|managing|a|an (!@end _){1,6})>",
            "i =do <what: (!@end !this|that|the|my|a _){0,2} support|admin|security|marketing|accounting|accounts|payroll|hr|pr|research|consulting|sales|logistics|qa|nails|hair|landscaping|removals|childcare|catering|bookkeeping|translations for|at|in (!@end _){1,4}>",
            "IDO =am in <what: @field> ($ / so|and|by|which|– _{0,14})",
            "for a living ,? i <what: !am|was|would (!@end _){1,6}>",
            "i <what: !would|could|can|do|am|write|code|program (!@stop _){1,4} for a living>",
        ),
        "Works {what}", hit="I work at a bakery now", miss="I'm working on it", single=True,
    ),
    row(
        "runs", "personal_info", "business",
        (
            "@i|we @adv* =am|=have|=are? =been? =run|=running|=own|=manage|=managing <what: (a|an|my|our|the (!@stop _){0,3} @business (!@end _){0,5})>",
            "@i|we @adv* =have? =have|=got <what: (a|my|our own? (!@stop _){0,2} @business) (in|at|on|near|called|selling|that (!@end _){1,5})?> ($ / @stop _{0,14})",
        ),
        "Runs {what}", hit="I run a little yarn shop", miss="I run a shell script", single=True, confidence=0.82,
    ),
    row(
        "teaches", "personal_info", "occupation",
        (
            "ANDDO =am? =teach|=teaching|=lecture|=lecturing|=tutor|=coach <what: !@pronoun !my|how|to|a|the|people|that !@stop _ (!@end _){0,5}>",
            "IDO =drive|=deliver|=operate|=fly <what: (a|the (!@stop !#ing _){0,3} @vehicle / for uber|lyft|bolt|ups|dhl|fedex|amazon / parcels|mail|pizza|pizzas|groceries|newspapers) (for|in|at (!@end _){1,4})?>",
            "IDO =am? =manage|=managing|=lead|=leading|=supervise <what: a|the team|group|department|shop|store|crew of? (!@end _){0,4}>",
            "_{0,6} my <what: (!@stop _)? @students> _{0,14}",
        ),
        "Occupation: {what}", hit="I teach maths to teenagers", miss="I teach you a lesson? never", single=True, confidence=0.78,
    ),
    row(
        "trade", "personal_info", "occupation",
        (
            "i (mostly|mainly|usually|normally|also|just|only|still|now|currently|basically)* <what: (=fit|=lay|=install (!@stop !@pronoun _)? @fitted / =repair|=fix|=service|=mend (!@stop !@pronoun _)? @mended / =sell (!@stop !@pronoun _)? @sold / =groom|=walk|=train|=shoe|=shear|=milk|=farm @beasts / =deliver|=sort @sent !to / =translate|=edit|=proofread|=illustrate (!@stop !@pronoun _)? @read / =plan|=cater|=photograph|=film @staged / =clean|=wash windows|houses|offices|pools|carpets / =stack shelves / =wait|=bus tables / =pull pints / =cut|=style hair|grass|lawns / =do nails|hair|removals|accounts|payroll / =answer phones / =mind kids|toddlers / =paint|=build houses|fences|sheds|walls|boats / =look after the? elderly|toddlers) (!@end _){0,5}>",
        ),
        "Occupation: {what}", hit="nowadays I fit kitchens in Derry", miss="I fix windows in the registry", confidence=0.78, momentary=False,
    ),
    row(
        "studies", "personal_info", "education",
        (
            "(BEING =studying|=majoring / @i @adv* =study|=major / =studying|=majoring) @adv* in|at|to? become|be? <what: !@pronoun !the|for|is|hard|tonight|how|what|today|tomorrow|a|an|and|my|with|by|your !@end _ (!@end _){0,6}>",
            "BEING =doing|=starting|=finishing|=completing|=pursuing|=taking <what: a|an|my (!@stop _){0,2} @degree (in|at|on (!@end _){1,5})?>",
            "@i @adv* =do|=did|=have|=got|=started|=finished|=hold|=took* <what: a|an|my (!@stop of|doubt|freedom _){0,2} @degree in|at|on|from (!@end _){1,5}>",
            "IAM in|at my|the <what: first|second|third|fourth|fifth|final|last|1st|2nd|3rd|senior|junior|sophomore|freshman|_ year|semester|term of|at|studying (!@end _){1,5}>",
            "<what: first|second|third|fourth|final|1st|2nd|3rd year of|at|studying|student? !@end !@pronoun (!@end _){1,4} student|degree|phd|uni|university|college|school|law|med>",
            "@i|we @adv* =am|=are @adv* at|in <what: (uni|university|college|school|grad|law|med|medical|art|high|nursing|drama|culinary|business|film|vet|night school?)> ($ / in|at|studying|doing|right|for|still (!@end _){1,6})",
            "IDO =go to|at <what: (#cap{0,3} uni|university|college|academy|polytechnic (of #cap{1,2})?)>",
            "my <what: degree|major|phd|thesis|dissertation|masters|master's|minor> (is / was) in|on|about <field: (!@end _){1,6}>",
            "IDO =majored|=graduated in <what: (!@year !@end _){1,4}>",
        ),
        "Studies {what}", hit="I study linguistics at Leipzig", miss="I'm studying the manual", single=True, momentary=False,
    ),
)  # fmt: skip
