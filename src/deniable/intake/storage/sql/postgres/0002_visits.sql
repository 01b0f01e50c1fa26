-- Who is signed in to the pages, by the hash of a cookie, until when; bound to the hash of the token that was shown.
CREATE TABLE visit (
    hash bytea PRIMARY KEY,
    name text NOT NULL,
    bound bytea NOT NULL,
    until double precision NOT NULL
);

-- Links to the results of surveys of a name, by the hash of what stands in the link, until when; each ends with the
-- token of whoever made it. Of a password its salt and seal are kept.
CREATE TABLE share (
    hash bytea PRIMARY KEY,
    survey text NOT NULL,
    name text NOT NULL,
    bound bytea NOT NULL,
    day text NOT NULL,
    until double precision NOT NULL,
    salt bytea NOT NULL,
    seal bytea NOT NULL
);
CREATE INDEX share_of_survey ON share (survey, day);
