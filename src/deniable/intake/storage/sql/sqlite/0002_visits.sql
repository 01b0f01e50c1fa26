-- Who is signed in to the pages, by the hash of a cookie, until when; bound to the hash of the token that was shown.
CREATE TABLE visit (hash BLOB PRIMARY KEY, name TEXT NOT NULL, bound BLOB NOT NULL, until REAL NOT NULL) WITHOUT ROWID;

-- Links to the results of surveys of a name, by the hash of what stands in the link, until when; each ends with the
-- token of whoever made it. Of a password its salt and seal are kept.
CREATE TABLE share (
    hash BLOB PRIMARY KEY,
    survey TEXT NOT NULL,
    name TEXT NOT NULL,
    bound BLOB NOT NULL,
    day TEXT NOT NULL,
    until REAL NOT NULL,
    salt BLOB NOT NULL,
    seal BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX share_of_survey ON share (survey, day);
