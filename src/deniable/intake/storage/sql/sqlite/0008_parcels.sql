-- Of a mixer: by which token parcels of a survey go to its collector, and the SHA-256 of what it asks.
CREATE TABLE addressee (
    survey TEXT PRIMARY KEY REFERENCES survey (digest),
    token TEXT NOT NULL,
    wording TEXT NOT NULL
) WITHOUT ROWID;
-- A period as it was handed over, or as it was withheld, which has no bytes. Its SHA-256 stays when its bytes are deleted.
CREATE TABLE parcel (
    batch INTEGER PRIMARY KEY REFERENCES batch (number),
    digest TEXT NOT NULL,
    n INTEGER NOT NULL,
    codes INTEGER NOT NULL,
    body BLOB NOT NULL,
    reply TEXT NOT NULL,
    day TEXT NOT NULL
);
-- Of a collector: the public key of each survey whose answers come sealed, and on which day the private one was destroyed.
CREATE TABLE sealing_key (
    key TEXT PRIMARY KEY,
    survey TEXT NOT NULL UNIQUE,
    destroyed TEXT NOT NULL
) WITHOUT ROWID;
-- Of a collector: the parcel of a period, one for ever: it stays known when its survey is deleted. How many were withheld,
-- or opened, and the ids within the seals, without answers, while parcels of other periods may come.
CREATE TABLE arrival (
    survey TEXT NOT NULL,
    period TEXT NOT NULL,
    digest TEXT NOT NULL,
    withheld INTEGER NOT NULL,
    codes INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    repeated INTEGER NOT NULL,
    unreadable INTEGER NOT NULL,
    again INTEGER NOT NULL,
    ids BLOB NOT NULL,
    PRIMARY KEY (survey, period)
) WITHOUT ROWID;
