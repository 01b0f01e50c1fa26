-- Each chunk, sum and result has a checksum, which old ones get at the first start; an earlier release would write none,
-- and cannot write sums whose column it does not find.
ALTER TABLE chunk ADD COLUMN checksum BLOB NOT NULL DEFAULT x'';
ALTER TABLE sums ADD COLUMN checksum BLOB NOT NULL DEFAULT x'';
ALTER TABLE release ADD COLUMN checksum BLOB NOT NULL DEFAULT x'';
ALTER TABLE sums RENAME COLUMN snapshot TO earlier;
-- What of a period is damaged, which is set aside then; nothing of most.
ALTER TABLE batch ADD COLUMN damaged TEXT NOT NULL DEFAULT '';
-- Surveys and drafts belong to a token, which has an id of its own: its name may be given again once it was deleted.
ALTER TABLE token ADD COLUMN id TEXT NOT NULL DEFAULT '';
UPDATE token SET id = name;
