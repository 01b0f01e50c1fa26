CREATE TABLE fact (key text PRIMARY KEY, value text NOT NULL);

CREATE TABLE survey (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest text NOT NULL UNIQUE,
    name text NOT NULL,
    document bytea NOT NULL,
    owner text NOT NULL,
    day text NOT NULL,
    ended double precision,
    invited integer NOT NULL
);

-- A period of a survey. The ids of its uploads are in a table of its own, seen_NUMBER, until it is closed.
CREATE TABLE batch (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    survey text NOT NULL REFERENCES survey (digest),
    period text NOT NULL,
    state text NOT NULL,
    gaps integer NOT NULL,
    UNIQUE (survey, period)
);

-- Keys are random: nothing but the pages of the table shows the order of arrival, until folding and closing rewrite
-- them.
CREATE TABLE chunk (
    key bigint PRIMARY KEY,
    batch bigint NOT NULL REFERENCES batch (number),
    folded integer NOT NULL,
    n bigint NOT NULL,
    bytes bigint NOT NULL,
    body bytea NOT NULL
);
CREATE INDEX chunk_of_batch ON chunk (batch, folded, key, n, bytes);

-- What the folded chunks add up to, and the snapshot that readers see; it is left empty if it has all of them.
CREATE TABLE sums (
    batch bigint PRIMARY KEY REFERENCES batch (number),
    version bigint NOT NULL,
    n bigint NOT NULL,
    tally bytea NOT NULL,
    shown bigint NOT NULL,
    snapshot bytea NOT NULL
);

CREATE TABLE release (
    batch bigint PRIMARY KEY REFERENCES batch (number),
    n bigint NOT NULL,
    tally bytea NOT NULL,
    note text NOT NULL
);

CREATE TABLE outcome (
    survey text NOT NULL,
    period text NOT NULL,
    kind text NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (survey, period, kind)
);

-- Hashes of codes; which of them were spent is kept by period, without the answers, until it is closed.
CREATE TABLE invitation (survey text NOT NULL, code bytea NOT NULL, PRIMARY KEY (survey, code));
CREATE TABLE spent (batch bigint NOT NULL, code bytea NOT NULL, PRIMARY KEY (batch, code));

CREATE TABLE token (name text PRIMARY KEY, hash bytea NOT NULL, scope text NOT NULL, surveys text NOT NULL);
CREATE TABLE audit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    day text NOT NULL,
    who text NOT NULL,
    did text NOT NULL,
    about text NOT NULL
);
