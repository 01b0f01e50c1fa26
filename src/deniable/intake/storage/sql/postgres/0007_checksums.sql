-- Each chunk, sum and result has a checksum, which old ones get at the first start; an earlier release that still runs
-- beside can write none, and does not find the column of sums.
ALTER TABLE chunk ADD COLUMN checksum bytea NOT NULL DEFAULT '';
ALTER TABLE sums ADD COLUMN checksum bytea NOT NULL DEFAULT '';
ALTER TABLE release ADD COLUMN checksum bytea NOT NULL DEFAULT '';
ALTER TABLE chunk ALTER COLUMN checksum DROP DEFAULT;
ALTER TABLE sums ALTER COLUMN checksum DROP DEFAULT;
ALTER TABLE release ALTER COLUMN checksum DROP DEFAULT;
ALTER TABLE sums RENAME COLUMN snapshot TO earlier;
-- What of a period is damaged, which is set aside then; nothing of most.
ALTER TABLE batch ADD COLUMN damaged text NOT NULL DEFAULT '';
-- Surveys and drafts belong to a token, which has an id of its own: its name may be given again once it was deleted.
ALTER TABLE token ADD COLUMN id text NOT NULL DEFAULT '';
UPDATE token SET id = name;
