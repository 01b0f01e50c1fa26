"""Every command, as lists show it."""

from __future__ import annotations

from deniable.cli.lazy_commands import CommandEntry

COMMANDS = (
    CommandEntry(
        "demo", "demo", "demo",
        "Run a private survey of made-up people: plan, audit, privatize, tally, estimate, and a picture.",
        "deniable demo --out demo --users 2000 --seed 1",
    ),
    CommandEntry(
        "plan", "plan", "plan",
        "Rank the mechanisms for a survey. Give two of epsilon, users and accuracy; the third is computed.",
        "deniable plan --domain 1000 --epsilon 1 --users 100000 --max-bits 13",
    ),
    CommandEntry(
        "audit", "audit", "audit",
        "Prove what a file or a mechanism promises, by exact probabilities. The exit code is 1 if it does not hold.",
        "deniable audit survey.json --out certificate.html",
    ),
    CommandEntry(
        "explain", "explain", "explain",
        "Show the privacy label of a survey or a mechanism: what follows for the person asked.",
        "deniable explain survey.tally",
    ),
    CommandEntry(
        "show", "show", "show",
        "Show what a file or folder is: reports, a tally, a survey, a spec, a collector; and what to do with it next.",
        "deniable show survey.tally",
    ),
    CommandEntry(
        "privatize", "privatize", "privatize",
        "Randomize a column of values into a report file.",
        "deniable privatize answers.csv --column answer --mechanism Subset --epsilon 1 "
        "--domain never,once,often --out reports.parquet",
    ),
    CommandEntry(
        "tally", "tally", "tally",
        "Count report files into one tally. Files of another spec are refused, and so is one that was altered.",
        "deniable tally reports.parquet --out survey.tally",
    ),
    CommandEntry(
        "estimate", "estimate", "estimate",
        "Remove the noise from a tally, or from the sum of several: shares with exact intervals.",
        "deniable estimate survey.tally --level 0.9 --plot survey.png",
    ),
    CommandEntry(
        "discover", "discover", "discover",
        "Find the frequent texts among answers in words, by prefixes that grow over groups of people.",
        "deniable discover visits.tally --question site",
    ),
    CommandEntry(
        "regress", "regress", "regress",
        "Regress protected answers on the other columns of an export, or one of these on them.",
        "deniable regress export.csv 'hit ~ age' --survey survey.json --column private",
    ),
    CommandEntry(
        "simulate", "simulate", "simulate",
        "Run a survey on made-up people, and show the estimates beside the truth.",
        "deniable simulate --mechanism Cyclic --domain 1000 --epsilon 1 --users 100000 --truth zipf --seed 1",
    ),
    CommandEntry(
        "reproduce", "reproduce", "reproduce",
        "Run a paper's experiments again: tables, pictures, and the paper's values beside ours.",
        "deniable reproduce wang2016 --quick",
    ),
    CommandEntry(
        "serve", "serve", "serve",
        "Run a collector: it takes answers, counts each at most once, and keeps every one that it acknowledged.",
        "deniable serve --data collected",
    ),
    CommandEntry(
        "token", "serve", "token",
        "Make a token and print it, once: only its hash is kept.",
        "deniable token ann --scope author --data collected",
    ),
)  # fmt: skip

SURVEY_COMMANDS = (
    CommandEntry(
        "new", "survey", "new",
        "Plan a survey: choose mechanisms and who is asked what, and show the error to expect and the privacy label.",
        "deniable survey new commute.toml --out commute.json",
    ),
    CommandEntry(
        "advise", "survey", "advise",
        "Show what a planned survey would tell of each question, and the changes that help most for what they cost.",
        "deniable survey advise commute.toml",
    ),
    CommandEntry(
        "show", "survey", "describe",
        "Show a survey's promise, the proof of it, and the privacy label.",
        "deniable survey show commute.json --people 5000",
    ),
    CommandEntry(
        "dossier", "dossier", "dossier",
        "Show what somebody who has to sign reads: what is proven, and what a person must answer.",
        "deniable survey dossier commute.json --people 5000 --out dossier.html",
    ),
    CommandEntry(
        "answer", "survey", "answer",
        "Answer a survey: one person as bytes, or a file of answers, each randomized, into a folder.",
        "deniable survey answer commute.json people.csv --out answers",
    ),
    CommandEntry(
        "embed", "survey", "embed",
        "Write what a questionnaire that you have, in LimeSurvey, oTree or another program, needs to ask a survey.",
        "deniable survey embed private.json --for otree --out files",
    ),
    CommandEntry(
        "tally", "tally", "of_survey",
        "Count the answers in folders into one tally of the survey.",
        "deniable survey tally answers --out commute.tally",
    ),
    CommandEntry(
        "estimate", "results", "results",
        "Show the results: each question's shares with intervals, tables of crossed questions, changes since another.",
        "deniable survey estimate commute.tally --cross way,late",
    ),
    CommandEntry(
        "change", "changes", "changes",
        "Show what changed from the first periods to the last ones, with intervals that hold for all answers at once.",
        "deniable survey change week-*.tally --first 4 --last 4",
    ),
)  # fmt: skip

COLLECTOR_COMMANDS = (
    CommandEntry(
        "put", "collector", "put",
        "Serve a survey: from now on its answers are taken.",
        "deniable collector put commute.json --data collected",
    ),
    CommandEntry(
        "status", "collector", "status",
        "Show the surveys, their periods, how many answers each has, and what was refused.",
        "deniable collector status --data collected",
    ),
    CommandEntry(
        "close", "collector", "close",
        "Close a survey now; answers that are on their way are taken until its grace is over.",
        "deniable collector close commute --data collected",
    ),
    CommandEntry(
        "delete", "collector", "delete",
        "Delete a survey that is over or was never answered, for good: its document, its answers and its results.",
        'deniable collector delete commute --title "How we come to work" --data collected',
    ),
    CommandEntry(
        "recount", "collector", "recount",
        "Count the kept answers again; exit with 1 unless the result is the same to the byte.",
        "deniable collector recount commute --data collected",
    ),
    CommandEntry(
        "export", "collector", "export",
        "Write the answers of a closed period as files, which deniable tally and Spark count to the same numbers.",
        "deniable collector export commute --data collected --out answers",
    ),
    CommandEntry(
        "invite", "invite", "invite",
        "Make invitations and print their codes, once: from now on only they can answer, once a period each.",
        "deniable collector invite commute --people 20 --data collected",
    ),
    CommandEntry(
        "backup", "collector", "backup",
        "Write a backup while the collector runs.",
        "deniable collector backup monday.sqlite --data collected",
    ),
    CommandEntry(
        "restore", "collector", "restore",
        "Put a backup in the place of a stopped collector's storage, which is kept beside the backups.",
        "deniable collector restore collected/backups/monday.sqlite --data collected",
    ),
    CommandEntry(
        "check", "collector", "check",
        "Read everything that is stored; exit with 1 if anything is damaged, which is set aside.",
        "deniable collector check --data collected",
    ),
    CommandEntry(
        "clock", "collector", "clock",
        "Confirm that the clock is right, after a jump kept periods from being closed.",
        "deniable collector clock --data collected",
    ),
    CommandEntry(
        "link", "collector", "link",
        "Print a link that opens the pages of a running collector: good once, for 15 minutes.",
        "deniable collector link --data collected",
    ),
    CommandEntry(
        "sign-out", "collector", "sign_out",
        "Sign everybody out of the pages of a running collector, its operator too.",
        "deniable collector sign-out --data collected",
    ),
)  # fmt: skip

KEY_COMMANDS = (
    CommandEntry(
        "export", "collector", "export_keys",
        "Copy the keys that a crowd's answers are sealed for: no backup has them.",
        "deniable collector key export --data collected --out keys",
    ),
)  # fmt: skip

MIXER_COMMANDS = (
    CommandEntry(
        "serve", "mixer", "serve",
        "Run a mixer: it takes sealed answers, and hands them over together once a period is shut.",
        "deniable mixer serve --data mixed",
    ),
    CommandEntry(
        "allow", "mixer", "allow",
        "Take sealed answers to a survey from now on, once you have read what it is.",
        "deniable mixer allow commute.json --token token.txt --data mixed",
    ),
    CommandEntry(
        "codes", "mixer", "codes",
        "Make codes and print them, once: only their hashes are kept. Whoever asks must not see them.",
        "deniable mixer codes commute --people 1200 --data mixed",
    ),
    CommandEntry(
        "close", "mixer", "close",
        "Close a survey now; answers that are on their way are taken until its grace is over.",
        "deniable mixer close commute --data mixed",
    ),
    CommandEntry(
        "send-again", "mixer", "send_again",
        "Send the parcels of a survey once more, to a collector that has lost them; they are kept for 14 days.",
        "deniable mixer send-again commute --data mixed",
    ),
    CommandEntry(
        "link", "mixer", "link",
        "Print a link that opens the page of a running mixer: good once, for 15 minutes.",
        "deniable mixer link --data mixed",
    ),
    CommandEntry(
        "clock", "mixer", "clock",
        "Confirm that the clock is right, after a jump kept periods from being shut.",
        "deniable mixer clock --data mixed",
    ),
    CommandEntry(
        "status", "mixer", "status",
        "Show the surveys, and what became of each period.",
        "deniable mixer status --data mixed",
    ),
)  # fmt: skip
