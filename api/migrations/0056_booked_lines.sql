-- What clients are promised: an amount in a market of a program between two days.
-- Oldest node: 0024

create table booked_line (
  uid uuid primary key default new_uid(),
  program_uid uuid not null,
  market_uid uuid not null,
  unit text not null check (unit in ('truckDays', 'hours', 'miles', 'plays')),
  amount integer not null check (amount between 1 and 1000000000),
  starts_on date not null check (starts_on >= '1970-01-01'),
  ends_on date not null check (ends_on <= '2199-12-31'),
  -- Null: no price. For staff and the program's own client only.
  price_cents bigint check (price_cents between 0 and 100000000000),
  position integer not null default 0,
  constraint booked_line_ends_after_it_starts check (ends_on >= starts_on),
  -- Nodes of the version before take a market from a program without looking at its lines.
  constraint booked_line_of_program_market foreign key (program_uid, market_uid)
    references program_market (program_uid, market_uid) on delete cascade,
  -- Implied by the rule below, which cannot tell a changed line from a new one.
  constraint booked_line_start_once unique (program_uid, market_uid, unit, starts_on),
  constraint booked_line_once exclude using gist (program_uid with =, market_uid with =, unit with =,
    daterange(starts_on, ends_on, '[]') with &&) deferrable
);
-- Lines that run now, by their days.
create index booked_line_by_days on booked_line (ends_on, starts_on);
create trigger keep_child_history after insert or update or delete on booked_line
  for each row execute function keep_child_history('client_program', 'program_uid', 'booked_line');
