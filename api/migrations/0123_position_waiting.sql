-- Places that drivers' phones and players have sent. They count where the truck's trackers stayed silent, so those of trucks
-- with a tracker wait until its positions should have come.
-- Oldest node: 0024

create table position_waiting (
  truck_uid uuid not null references truck (uid) on delete cascade,
  at timestamptz not null,
  source_uid uuid not null references position_source (uid),
  latitude double precision not null,
  longitude double precision not null,
  due_at timestamptz not null,
  primary key (truck_uid, at, source_uid)
);
create index position_waiting_by_due on position_waiting (due_at);
