-- Every play that a player numbers is accounted for, belongs to the day of its shift, and is graded by all the evidence
-- there is, whenever it arrives.

-- What plays and photos are graded by has changed for a truck between two moments: a track arrived, a shift was changed,
-- or plays overlap. Jobs read the rows that were added since their last run, however old the moments are.
create table evidence_change (
  truck_uid uuid not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  changed_at timestamptz not null default now(),
  check (last_at >= first_at)
);
create index evidence_change_by_time on evidence_change (changed_at);
create index evidence_change_of_truck on evidence_change (truck_uid, changed_at);
-- New positions were found by this index before.
drop index position_by_arrival;

create function note_shift_evidence() returns trigger language plpgsql as $$
begin
  insert into evidence_change (truck_uid, first_at, last_at)
  select distinct s.truck_uid, lower(driven_hours(s)), upper(driven_hours(s))
    from unnest(case when tg_op = 'UPDATE' then array[old, new] else array[new] end) s
   where lower(driven_hours(s)) < now() + interval '1 hour';
  return null;
end $$;
create trigger note_evidence_planned after insert on shift for each row
  when (new.starts_at < now() + interval '1 hour') execute function note_shift_evidence();
create trigger note_evidence_changed after update on shift for each row
  when ((old.truck_uid, old.program_uid, old.market_uid, old.local_date) is distinct from
        (new.truck_uid, new.program_uid, new.market_uid, new.local_date)
        or driven_hours(old) is distinct from driven_hours(new))
  execute function note_shift_evidence();

-- The area of a market decides whether a truck was inside it.
create function note_market_evidence() returns trigger language plpgsql as $$
begin
  insert into evidence_change (truck_uid, first_at, last_at)
  select s.truck_uid, lower(driven_hours(s)), upper(driven_hours(s)) from shift s
   where s.market_uid = new.uid and s.deleted_at is null and lower(driven_hours(s)) < now();
  return null;
end $$;
create trigger note_evidence_changed after update on market for each row
  when ((old.latitude, old.longitude, old.radius_m, old.outline) is distinct from
        (new.latitude, new.longitude, new.radius_m, new.outline))
  execute function note_market_evidence();

-- Every file that an artwork set has ever had, and for how long it may be shown at once: a play is judged by the files of
-- the time when it was shown. Images are shown for at most ten minutes, videos for their length and a tenth.
create table artwork_set_file (
  set_uid uuid not null references artwork_set (uid),
  sha256 text not null,
  longest_ms integer not null,
  added_at timestamptz not null default now(),
  primary key (set_uid, sha256)
);
create index artwork_set_file_by_length on artwork_set_file (longest_ms);

create function longest_play_ms(content_type text, duration_ms integer) returns integer immutable language sql as $$
  select case when content_type like 'video/%' and duration_ms is not null then ceil(duration_ms * 1.1)::int else 600000 end
$$;

create function keep_artwork_files() returns trigger language plpgsql as $$
declare
  added integer;
begin
  insert into artwork_set_file (set_uid, sha256, longest_ms)
  select new.uid, f.sha256, max(longest_play_ms(f.content_type, f.duration_ms)) from stored_file f
   where f.uid in (new.driver_side_artwork_uid, new.passenger_side_artwork_uid, new.rear_artwork_uid)
     and f.sha256 is not null
   group by f.sha256
  on conflict do nothing;
  get diagnostics added = row_count;
  -- Plays of a file that the set did not have were in conflict.
  if added > 0 and tg_op = 'UPDATE' then
    insert into evidence_change (truck_uid, first_at, last_at)
    select s.truck_uid, lower(driven_hours(s)), upper(driven_hours(s)) from shift s
     where s.program_uid = new.program_uid and s.deleted_at is null and lower(driven_hours(s)) < now();
  end if;
  return null;
end $$;
create trigger keep_artwork_files after insert or update on artwork_set
  for each row execute function keep_artwork_files();
insert into artwork_set_file (set_uid, sha256, longest_ms)
select a.uid, f.sha256, max(longest_play_ms(f.content_type, f.duration_ms)) from artwork_set a
  join stored_file f on f.uid in (a.driver_side_artwork_uid, a.passenger_side_artwork_uid, a.rear_artwork_uid)
 where f.sha256 is not null
 group by 1, 2;

-- The ids of the plays of a player: an id counts once, whatever its time. `play` cannot ensure this, because its
-- partitions divide it by time.
create table known_play (
  device_uid uuid not null,
  play_id text not null,
  day date not null,
  primary key (device_uid, play_id)
);
create index known_play_by_day on known_play using brin (day) with (autosummarize = on);
insert into known_play (device_uid, play_id, day)
select device_uid, play_id, min((started_at at time zone 'UTC')::date) from play group by 1, 2;
-- The first of several plays with one id counts.
delete from play p using play o
 where o.device_uid = p.device_uid and o.play_id = p.play_id and o.started_at < p.started_at;
alter table play drop constraint play_pkey;

-- The local day on which the shift of a play started; without a shift, the day in the zone of the truck's home market.
alter table play add column day date;
update play p set day = s.local_date from shift s where s.uid = p.shift_uid;
update play p set day = (p.started_at at time zone coalesce(
    (select m.zone from truck t join market m on m.uid = t.home_market_uid where t.uid = p.truck_uid), 'UTC'))::date
 where p.day is null;
alter table play alter column day set not null;
-- The program is that of the artwork, also for a play outside of its shifts.
update play p set program_uid = a.program_uid from artwork_set a where a.uid = p.artwork_set_uid and p.shift_uid is null;
-- Why a play is not verified.
alter table play add column reason text check (reason in
  ('noShift', 'otherProgram', 'noTrack', 'farFromTruck', 'outsideMarket', 'tooLong', 'unknownFile', 'overlap'));
update play set reason = case when shift_uid is null then 'noShift' else 'noTrack' end where grade = 'unverified';
update play set reason = 'outsideMarket' where grade = 'conflict';

-- Plays by hour and shift: they say how many plays a shift and a day have, also when single plays are no longer kept.
alter table play_hour rename to old_play_hour;
alter table old_play_hour drop constraint play_hour_pkey;
drop index play_hour_of_program, play_hour_of_market;
create table play_hour (
  hour timestamptz not null,
  truck_uid uuid not null,
  -- The nil uid stands for plays that are not assigned to a shift; then there is no market, and the program is that of
  -- the artwork.
  shift_uid uuid not null,
  program_uid uuid not null,
  market_uid uuid not null,
  day date not null,
  side text not null,
  plays integer not null,
  duration_ms bigint not null,
  verified integer not null default 0,
  conflict integer not null default 0,
  -- Plays whose truck sent no positions at that time.
  no_track integer not null default 0,
  for_address integer not null default 0,
  primary key (hour, truck_uid, shift_uid, program_uid, market_uid, day, side)
) with (fillfactor = 70);
insert into play_hour
select date_trunc('hour', started_at), truck_uid, coalesce(shift_uid, '00000000-0000-0000-0000-000000000000'), program_uid,
       coalesce(market_uid, '00000000-0000-0000-0000-000000000000'), day, side, count(*), sum(duration_ms),
       count(*) filter (where grade = 'verified'), count(*) filter (where grade = 'conflict'),
       count(*) filter (where reason = 'noTrack'), count(address_uid)
  from play group by 1, 2, 3, 4, 5, 6, 7;
-- Hours whose single plays are gone keep their calendar day, and have no shift that is known.
insert into play_hour
select h.hour, h.truck_uid, '00000000-0000-0000-0000-000000000000', h.program_uid, h.market_uid,
       (h.hour at time zone coalesce(m.zone, 'UTC'))::date, h.side, h.plays, h.duration_ms, h.verified, h.conflict, 0, h.for_address
  from old_play_hour h left join market m on m.uid = h.market_uid
 where h.hour < coalesce((select min(date_trunc('day', started_at)) from play), 'infinity') and h.plays > 0;
drop table old_play_hour;
create index play_hour_of_program on play_hour (program_uid, day);
create index play_hour_of_market on play_hour (program_uid, market_uid, day);
create index play_hour_of_shift on play_hour (shift_uid);
create index play_hour_by_day on play_hour (day);

alter table play_address_hour add column day date;
update play_address_hour a set day = coalesce(
  (select p.day from play p where p.truck_uid = a.truck_uid and p.program_uid = a.program_uid
      and p.started_at >= a.hour and p.started_at < a.hour + interval '1 hour' limit 1),
  (a.hour at time zone (select zone from market m where m.uid = a.market_uid))::date);
alter table play_address_hour alter column day set not null, drop constraint play_address_hour_pkey,
  add primary key (hour, truck_uid, program_uid, market_uid, day, address_uid);
drop index play_address_hour_of_program, play_address_hour_of_market;
create index play_address_hour_of_market on play_address_hour (program_uid, market_uid, day);

-- Numbers of rejected plays are neither stored nor missing. `batches` counts the stored batches: a batch that was graded
-- while another one of the same player was stored is graded again.
alter table play_sequence
  add column rejected int8multirange not null default '{}',
  add column batches bigint not null default 0,
  -- Of very many gaps the oldest are forgotten: the numbers below this one count as used, and as many are missing.
  add column forgotten_until bigint not null default 1,
  add column forgotten bigint not null default 0;
drop function without_old_holes(int8multirange);

-- The number up to which gaps are forgotten, if there are very many: a player that numbers at random must not fill the
-- disk.
create function forget_gaps_until(used int8multirange) returns bigint language sql immutable as $$
  select case when count(*) > 2000 then max(upper(part)) filter (where place <= total - 1000) end
    from (select part, row_number() over (order by part) as place, count(*) over () as total from unnest($1) part) parts
$$;

-- How many numbers a multirange holds.
create function numbers_in(numbers int8multirange) returns bigint language sql immutable as $$
  select coalesce(sum(upper(part) - lower(part)), 0)::bigint from unnest($1) part
$$;

create function note_sequence() returns trigger language plpgsql as $$
declare
  until bigint := forget_gaps_until(new.received + new.rejected);
  gaps int8multirange;
begin
  if until is not null then
    gaps := int8multirange(int8range(1, until)) - new.received - new.rejected;
    new.forgotten := new.forgotten + numbers_in(gaps);
    new.forgotten_until := until;
    new.received := new.received + gaps;
  end if;
  return new;
end $$;
create trigger forget_gaps before insert or update on play_sequence for each row execute function note_sequence();

-- Another batch of the same player was stored since this one was graded.
create function require_same_batch(stored bigint) returns void language plpgsql as $$
begin
  if stored = 0 then raise exception 'another batch of this player was stored meanwhile' using errcode = '40001'; end if;
end $$;

-- Plays that were rejected: their numbers are used, and they are no plays.
create table play_rejection (
  device_uid uuid not null references device (uid),
  sequence bigint not null,
  truck_uid uuid not null,
  -- When it was played by the device's clock, or when it arrived if that cannot be read.
  at timestamptz not null,
  reason text not null,
  received_at timestamptz not null default now(),
  primary key (device_uid, sequence)
);
create index play_rejection_of_truck on play_rejection (truck_uid, at);
create index play_rejection_by_arrival on play_rejection (received_at);

-- How far the grading of plays has come, while there is much to do.
create table grading_run (
  job text primary key,
  done integer not null,
  total integer not null,
  updated_at timestamptz not null default now()
);
