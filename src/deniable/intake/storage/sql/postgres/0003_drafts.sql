-- Surveys that are being written, each of one author, who is known by the name of a token. The version is one more after
-- each change: who changes an older one is told so.
CREATE TABLE draft (
    id text PRIMARY KEY,
    owner text NOT NULL,
    version bigint NOT NULL,
    changed double precision NOT NULL,
    body text NOT NULL
);
CREATE INDEX draft_of_owner ON draft (owner, changed);
