-- Finds what the sweep deletes: events that failed, and logout tokens that have expired.
-- Oldest node: 0024
-- Outside a transaction
create index concurrently if not exists outbound_event_failed on outbound_event (failed_at) where failed_at is not null;
create index concurrently if not exists single_sign_on_logout_age on single_sign_on_logout (expires_at);
