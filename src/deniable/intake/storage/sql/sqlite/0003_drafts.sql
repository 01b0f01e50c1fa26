-- Surveys that are being written, each of one author, who is known by the name of a token. The version is one more after
-- each change: who changes an older one is told so.
CREATE TABLE draft (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    version INTEGER NOT NULL,
    changed REAL NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX draft_of_owner ON draft (owner, changed);
