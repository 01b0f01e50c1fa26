-- Of a link to results for whom it was made, on which day it was last opened, and how it ended before its time.
ALTER TABLE share ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE share ADD COLUMN opened TEXT NOT NULL DEFAULT '';
ALTER TABLE share ADD COLUMN ended TEXT NOT NULL DEFAULT '';
