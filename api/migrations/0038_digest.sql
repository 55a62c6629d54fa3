-- Digests need no table of their own: each notification knows whether it waits for one.
-- Oldest node: 0024

drop table notification_digest;
