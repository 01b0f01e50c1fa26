-- Surveys that their authors put away: the list leaves them out unless it is asked for them.
ALTER TABLE survey ADD COLUMN away INTEGER NOT NULL DEFAULT 0;

-- What remains of a survey that was deleted: no document, no answer, no result. It is never served again, and its name
-- stays its author's.
CREATE TABLE gone (
    digest TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    day TEXT NOT NULL,
    ended REAL,
    deleted TEXT NOT NULL
) WITHOUT ROWID;
