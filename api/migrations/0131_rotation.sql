-- The artwork that the screens of a program show in turn, wherever a shift names no set of its own.
-- Oldest node: 0024

alter table artwork_set add constraint artwork_set_of_program unique (uid, program_uid);

create table rotation_line (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  artwork_set_uid uuid not null,
  -- A share of the screen time that plays an hour leave, or plays an hour.
  share text not null check (share in ('weight', 'playsAnHour')),
  amount integer not null check (amount between 1 and 720),
  -- Local hours, over midnight if they end before they begin; null for the whole day.
  from_time time,
  to_time time,
  -- Monday is 1. Hours over midnight belong to the day on which they begin.
  weekdays smallint[] not null
    check (cardinality(weekdays) between 1 and 7 and weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  position integer not null,
  constraint rotation_line_hours check ((from_time is null) = (to_time is null)),
  constraint rotation_line_place unique (program_uid, position),
  constraint rotation_line_of_program foreign key (artwork_set_uid, program_uid) references artwork_set (uid, program_uid)
);
create index rotation_line_by_set on rotation_line (artwork_set_uid);
create trigger keep_child_history after insert or update or delete on rotation_line
  for each row execute function keep_child_history('client_program', 'program_uid', 'rotation_line');
