-- Whose truck it is at a moment: one table, written with the shifts, instead of rules in many statements.
-- Oldest node: 0024

-- The hours of a truck that shifts hold. A moment of a truck belongs to one shift at most.
create table truck_hold (
  truck_uid uuid not null,
  during tstzrange not null check (not isempty(during)),
  shift_uid uuid not null references shift (uid) on delete cascade,
  program_uid uuid not null,
  client_uid uuid not null,
  constraint truck_held_once exclude using gist (truck_uid with =, during with &&)
);
create index truck_hold_of_shift on truck_hold (shift_uid);

-- The hours that a shift claims because it was started: from its start to its stop. Without a stop it runs over its planned
-- end while it is out, for at most twelve hours.
create function started_claim(s shift) returns tstzrange immutable language sql as $$
  select case when s.deleted_at is null and s.status in ('out', 'completed') then
    tstzrange(coalesce(s.started_at, s.starts_at),
              greatest(coalesce(s.stopped_at, case when s.status = 'out' then s.ends_at + interval '12 hours' else s.ends_at end),
                       coalesce(s.started_at, s.starts_at))) end
$$;

-- The hours that a shift claims by its plan: all of them until it is started, then those before its start.
create function planned_claim(s shift) returns tstzrange immutable language sql as $$
  select case when s.deleted_at is not null then null
              when s.status = 'planned' then tstzrange(s.starts_at, s.ends_at)
              when s.status in ('out', 'completed') then tstzrange(s.starts_at, greatest(s.started_at, s.starts_at)) end
$$;

-- All hours that a shift claims; null if it claims none.
create function hold_claim(s shift) returns tstzrange immutable language sql as $$
  select nullif(range_merge(coalesce(planned_claim(s), 'empty'), coalesce(started_claim(s), 'empty')), 'empty')
$$;

-- What plays and photos are graded by, and miles, has changed for the moments that got another holder, and for all hours of
-- shifts that have another program, market or day.
create procedure note_changed_holds(gone truck_hold[], added truck_hold[], replanned uuid[]) language plpgsql as $$
begin
  with changed as (
    select truck_uid, range_agg(hours) as hours from (
      select truck_uid, (coalesce(g.hours, '{}') - coalesce(a.hours, '{}')) + (coalesce(a.hours, '{}') - coalesce(g.hours, '{}'))
        from (select truck_uid, shift_uid, program_uid, range_agg(during) as hours from unnest(gone) group by 1, 2, 3) g
        full join (select truck_uid, shift_uid, program_uid, range_agg(during) as hours from unnest(added) group by 1, 2, 3) a
       using (truck_uid, shift_uid, program_uid)
       union all
      select truck_uid, tstzmultirange(during) from truck_hold where shift_uid = any(replanned)
    ) c (truck_uid, hours) group by 1
  ), part as (
    select truck_uid, lower(part) as first_at, upper(part) as last_at from changed, unnest(hours) part
     where lower(part) < now() + interval '1 hour'
  ), noted as (
    insert into evidence_change (truck_uid, first_at, last_at) select * from part
  )
  insert into miles_due (truck_uid, starts_at, ends_at) select * from part where first_at < now();
end $$;

-- Writers of the holds of one truck wait for each other. Very many trucks would need a lock each.
create procedure lock_truck_holds(trucks uuid[]) language plpgsql as $$
declare
  key constant integer := hashtext('truck holds');
  locked constant uuid[] := array(select distinct t from unnest(trucks) t order by 1);
begin
  if cardinality(locked) > 50 then
    perform pg_advisory_xact_lock(key, 0);
  else
    perform pg_advisory_xact_lock_shared(key, 0);
    perform pg_advisory_xact_lock(key, hashtext(t::text)) from unnest(locked) t;
  end if;
end $$;

-- Writes the holds of trucks again after shifts have changed. Of two shifts that claim a moment, one that was started by then
-- has it before one that is only planned, and of two started ones the one that began later.
create procedure write_truck_holds(shifts uuid[], trucks uuid[], claims tstzrange[], replanned uuid[])
language plpgsql as $$
declare
  affected uuid[];
  wanted truck_hold[];
  gone truck_hold[];
  added truck_hold[];
begin
  call lock_truck_holds(trucks);

  with touched as (
    select t.truck_uid, range_agg(t.claim) as hours, min(lower(t.claim)) as since, max(upper(t.claim)) as until
      from unnest(trucks, claims) t (truck_uid, claim) group by 1
  ), claim as (
    -- A claim is shorter than three days, and starts at most a day from its plan.
    select s.uid, s.truck_uid, s.program_uid, p.client_uid, coalesce(s.started_at, s.starts_at) as began, hold_claim(s) as hours,
           coalesce(tstzmultirange(started_claim(s)), '{}') as started, coalesce(tstzmultirange(planned_claim(s)), '{}') as planned,
           hold_claim(s) && t.hours as is_touched
      from touched t
      join shift s on s.truck_uid = t.truck_uid and s.deleted_at is null and s.status not in ('cancelled', 'noShow')
       and s.starts_at > t.since - interval '7 days' and s.starts_at < t.until + interval '7 days'
      join client_program p on p.uid = s.program_uid
     where hold_claim(s) is not null
  ), followed as (
    select *, max(upper(hours)) over (partition by truck_uid order by lower(hours), uid
                                      rows between unbounded preceding and 1 preceding) as until_before
      from claim
  ), grouped as (
    -- Claims that overlap directly or through others have one number. Most are alone.
    select *, count(*) filter (where until_before <= lower(hours)) over (partition by truck_uid order by lower(hours), uid) as number
      from followed
  ), counted as materialized (
    select *, count(*) over (partition by truck_uid, number) as size from grouped
  ), held as (
    select c.uid, c.truck_uid, c.program_uid, c.client_uid,
           case when c.size = 1 then c.started + c.planned else (
             select c.started - coalesce(range_agg(o.started) filter (where (o.began, o.uid) > (c.began, c.uid)), '{}')
                    + (c.planned - coalesce(range_agg(o.started), '{}')
                       - coalesce(range_agg(o.planned) filter (where (o.began, o.uid) > (c.began, c.uid)), '{}'))
               from counted o where o.truck_uid = c.truck_uid and o.number = c.number and o.uid <> c.uid) end as hours
      from counted c where c.is_touched or c.uid = any(shifts)
  )
  select array_agg(distinct h.uid), array_agg((h.truck_uid, part, h.uid, h.program_uid, h.client_uid)::truck_hold)
           filter (where part is not null)
    into affected, wanted from held h left join lateral unnest(h.hours) part on true;

  affected := affected || shifts;
  gone := array(select h::truck_hold from (
    select * from truck_hold where shift_uid = any(affected) except all select * from unnest(wanted)) h);
  added := array(select h::truck_hold from (
    select * from unnest(wanted) except all select * from truck_hold where shift_uid = any(affected)) h);
  delete from truck_hold h using unnest(gone) g where h.shift_uid = g.shift_uid and h.truck_uid = g.truck_uid and h.during = g.during;
  insert into truck_hold select * from unnest(added);

  call note_changed_holds(gone, added, replanned);
end $$;

create function keep_truck_holds() returns trigger language plpgsql as $$
declare
  shifts uuid[];
  trucks uuid[];
  claims tstzrange[];
  replanned uuid[];
begin
  if tg_op = 'UPDATE' then
    select array_agg(distinct uid), array_agg(truck_uid), array_agg(claim), array_agg(distinct uid) filter (where is_replanned)
      into shifts, trucks, claims, replanned
      from (select o.uid, c.truck_uid, c.claim,
                   (o.program_uid, o.market_uid, o.local_date) is distinct from (n.program_uid, n.market_uid, n.local_date) as is_replanned
              from old_rows o join new_rows n using (uid),
                   lateral (values (o.truck_uid, hold_claim(row(o.*)::shift)), (n.truck_uid, hold_claim(row(n.*)::shift))) c (truck_uid, claim)
             where (o.truck_uid, o.program_uid, o.market_uid, o.local_date, o.status, o.deleted_at, o.starts_at, o.ends_at, o.started_at, o.stopped_at)
                   is distinct from
                   (n.truck_uid, n.program_uid, n.market_uid, n.local_date, n.status, n.deleted_at, n.starts_at, n.ends_at, n.started_at, n.stopped_at)
           ) c where claim is not null;
  else
    select array_agg(uid), array_agg(truck_uid), array_agg(hold_claim(row(o.*)::shift)) into shifts, trucks, claims
      from old_rows o where hold_claim(row(o.*)::shift) is not null;
  end if;
  if shifts is not null then call write_truck_holds(shifts, trucks, claims, coalesce(replanned, '{}')); end if;
  return null;
end $$;

-- A new plan holds its hours where none of them are held: a moment that any other shift claims is held by one. So the many
-- shifts of an upload need no look at their neighbors.
create function add_truck_holds() returns trigger language plpgsql as $$
declare
  trucks uuid[] := array(select truck_uid from new_rows);
  added truck_hold[];
  shifts uuid[];
  claims tstzrange[];
begin
  call lock_truck_holds(trucks);
  with held as (
    insert into truck_hold (truck_uid, during, shift_uid, program_uid, client_uid)
    select n.truck_uid, tstzrange(n.starts_at, n.ends_at), n.uid, n.program_uid, p.client_uid
      from new_rows n join client_program p on p.uid = n.program_uid
     where n.status = 'planned' and n.deleted_at is null
    on conflict do nothing
    returning truck_hold as hold
  )
  select array_agg(hold) into added from held where lower((hold).during) < now() + interval '1 hour';
  if added is not null then call note_changed_holds('{}', added, '{}'); end if;
  select array_agg(uid), array_agg(truck_uid), array_agg(claim) into shifts, trucks, claims
    from (select n.uid, n.truck_uid, hold_claim(row(n.*)::shift) as claim from new_rows n
           where not exists (select from truck_hold h where h.shift_uid = n.uid)) n
   where claim is not null;
  if shifts is not null then call write_truck_holds(shifts, trucks, claims, '{}'); end if;
  return null;
end $$;
create trigger keep_holds_inserted after insert on shift referencing new table as new_rows
  for each statement execute function add_truck_holds();
create trigger keep_holds_updated after update on shift referencing old table as old_rows new table as new_rows
  for each statement execute function keep_truck_holds();
create trigger keep_holds_deleted after delete on shift referencing old table as old_rows
  for each statement execute function keep_truck_holds();

-- The notes of a shift's own hours gave way to the notes of the moments that got another holder.
drop trigger note_evidence_planned on shift;
drop trigger note_evidence_changed on shift;
drop trigger note_miles_planned on shift;
drop trigger note_miles_changed on shift;
drop function note_shift_evidence();
drop function note_miles_due();

create function move_truck_holds() returns trigger language plpgsql as $$
begin
  update truck_hold set client_uid = new.client_uid where program_uid = new.uid;
  return null;
end $$;
create trigger move_holds after update on client_program for each row
  when (old.client_uid is distinct from new.client_uid) execute function move_truck_holds();

-- Other changes of evidence concern the hours in which shifts held their trucks.
create or replace function note_market_evidence() returns trigger language plpgsql as $$
begin
  insert into evidence_change (truck_uid, first_at, last_at)
  select h.truck_uid, lower(h.during), upper(h.during) from shift s join truck_hold h on h.shift_uid = s.uid
   where s.market_uid = new.uid and lower(h.during) < now();
  return null;
end $$;

create or replace function keep_artwork_files() returns trigger language plpgsql as $$
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
    select truck_uid, lower(during), upper(during) from truck_hold where program_uid = new.program_uid and lower(during) < now();
  end if;
  return null;
end $$;
create index truck_hold_of_program on truck_hold (program_uid, upper(during));
create index truck_hold_of_client on truck_hold (client_uid, upper(during));

-- The functions driven_hours, truck_hours, truck_rank and has_truck_at serve nodes of the version before, and go with them.
