-- Delivered plays that fell: what lowered them is in the history of the program, and the office is notified.
-- Oldest node: 0024

-- By how much grading has changed the plays of a program, a day and a market, until the run has ended and the sum is known.
-- `cause_id` is the entry of `history` that caused it, 0 for data of the truck.
create table figure_change (
  program_uid uuid not null,
  cause_id bigint not null,
  day date not null,
  market_uid uuid not null,
  plays integer not null,
  verified integer not null,
  since timestamptz not null default now(),
  primary key (program_uid, cause_id, day, market_uid)
);
