-- Which questions a link to results opens, as a list of names in JSON; all of them where it is empty.
ALTER TABLE share ADD COLUMN questions TEXT NOT NULL DEFAULT '';
