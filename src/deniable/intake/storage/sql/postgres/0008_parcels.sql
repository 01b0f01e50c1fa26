-- Of a mixer: what goes to the collector of a survey, by which token, as of which midnight there were enough.
CREATE TABLE addressee (
    survey TEXT PRIMARY KEY REFERENCES survey (digest),
    token TEXT NOT NULL,
    wording TEXT NOT NULL
);
-- A period as it was handed over, or as it was withheld, which has no bytes. Its SHA-256 stays when its bytes are deleted.
CREATE TABLE parcel (
    batch BIGINT PRIMARY KEY REFERENCES batch (number),
    digest TEXT NOT NULL,
    n INTEGER NOT NULL,
    codes INTEGER NOT NULL,
    body BYTEA NOT NULL,
    reply TEXT NOT NULL,
    day TEXT NOT NULL
);
