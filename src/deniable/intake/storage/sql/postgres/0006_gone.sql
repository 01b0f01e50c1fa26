-- Surveys that their authors put away: the list leaves them out unless it is asked for them.
ALTER TABLE survey ADD COLUMN away bigint NOT NULL DEFAULT 0;

-- What remains of a survey that was deleted: no document, no answer, no result. It is never served again, and its name
-- stays its author's.
CREATE TABLE gone (
    digest text PRIMARY KEY,
    name text NOT NULL,
    owner text NOT NULL,
    day text NOT NULL,
    ended double precision,
    deleted text NOT NULL
);
