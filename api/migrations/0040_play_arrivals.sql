-- Feeds read the plays of a program in the order of their arrival.
-- Oldest node: 0024
-- Outside a transaction
create index concurrently if not exists play_arrivals on play (program_uid, received_at);
