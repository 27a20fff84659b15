-- Puts the rebuilt tables in the place of the live ones, which are kept under another name until the next rebuild.
-- Statements that are running go on with the old ones; prepared ones find the new ones by themselves. Run as the owner.
DROP SCHEMA IF EXISTS projection_old CASCADE;
ALTER SCHEMA projection RENAME TO projection_old;
ALTER SCHEMA projection_next RENAME TO projection;
