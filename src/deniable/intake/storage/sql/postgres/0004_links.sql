-- Of a link to results for whom it was made, on which day it was last opened, and how it ended before its time.
ALTER TABLE share ADD COLUMN title text NOT NULL DEFAULT '';
ALTER TABLE share ADD COLUMN opened text NOT NULL DEFAULT '';
ALTER TABLE share ADD COLUMN ended text NOT NULL DEFAULT '';
