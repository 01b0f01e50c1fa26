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
