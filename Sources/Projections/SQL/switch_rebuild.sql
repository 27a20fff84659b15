-- Puts the rebuilt tables in the place of the live ones, which are kept under another name until the next rebuild.
-- Statements that are running go on with the old ones; prepared ones find the new ones by themselves. Run as the owner.
--
-- Whoever folds must not: a follower whose plan names the old cursor would lock that one while another locks the new
-- one, and both would fold the same events. The lock waits for those who stand there and makes later ones plan anew;
-- it lets readers through.
LOCK TABLE projection.cursors IN EXCLUSIVE MODE;
DROP SCHEMA IF EXISTS projection_old CASCADE;
ALTER SCHEMA projection RENAME TO projection_old;
ALTER SCHEMA projection_next RENAME TO projection;
