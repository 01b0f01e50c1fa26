CREATE TABLE fact (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE survey (
    number INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    document BLOB NOT NULL,
    owner TEXT NOT NULL,
    day TEXT NOT NULL,
    ended REAL,
    invited INTEGER NOT NULL
);

-- A period of a survey. The ids of its uploads are in a table of its own, seen_NUMBER, until it is closed.
CREATE TABLE batch (
    number INTEGER PRIMARY KEY,
    survey TEXT NOT NULL REFERENCES survey (digest),
    period TEXT NOT NULL,
    state TEXT NOT NULL,
    gaps INTEGER NOT NULL,
    UNIQUE (survey, period)
);

-- Keys are random: nothing but the pages of the file shows the order of arrival, until folding and closing rewrite them.
CREATE TABLE chunk (
    key INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL REFERENCES batch (number),
    folded INTEGER NOT NULL,
    n INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX chunk_of_batch ON chunk (batch, folded, key, n, bytes);

-- What the folded chunks add up to, and the snapshot that readers see; it is left empty if it has all of them.
CREATE TABLE sums (
    batch INTEGER PRIMARY KEY REFERENCES batch (number),
    version INTEGER NOT NULL,
    n INTEGER NOT NULL,
    tally BLOB NOT NULL,
    shown INTEGER NOT NULL,
    snapshot BLOB NOT NULL
);

CREATE TABLE release (
    batch INTEGER PRIMARY KEY REFERENCES batch (number),
    n INTEGER NOT NULL,
    tally BLOB NOT NULL,
    note TEXT NOT NULL
);

CREATE TABLE outcome (
    survey TEXT NOT NULL,
    period TEXT NOT NULL,
    kind TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (survey, period, kind)
) WITHOUT ROWID;

-- Hashes of codes; which of them were spent is kept by period, without the answers, until it is closed.
CREATE TABLE invitation (survey TEXT NOT NULL, code BLOB NOT NULL, PRIMARY KEY (survey, code)) WITHOUT ROWID;
CREATE TABLE spent (batch INTEGER NOT NULL, code BLOB NOT NULL, PRIMARY KEY (batch, code)) WITHOUT ROWID;

CREATE TABLE token (name TEXT PRIMARY KEY, hash BLOB NOT NULL, scope TEXT NOT NULL, surveys TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE audit (number INTEGER PRIMARY KEY, day TEXT NOT NULL, who TEXT NOT NULL, did TEXT NOT NULL, about TEXT NOT NULL);
