-- Which shift a truck belongs to at a moment, and what pages hear about the rights of their users.

-- The hours in which a shift has its truck. A shift that is out after its planned end runs over, for at most twelve hours.
create function truck_hours(s shift) returns tstzrange immutable language sql as $$
  select case when s.deleted_at is null and s.status not in ('cancelled', 'noShow') then
    tstzrange(coalesce(s.started_at, s.starts_at),
              greatest(coalesce(s.stopped_at, case when s.status = 'out' then s.ends_at + interval '12 hours' else s.ends_at end),
                       coalesce(s.started_at, s.starts_at))) end
$$;

-- Of two shifts that claim a truck at the same moment, the one of higher rank has it: one that was started before one that is
-- only planned, then the one that began last.
create function truck_rank(s shift) returns text immutable language sql as $$
  select case when s.status in ('out', 'completed') then 'started ' else 'planned ' end
         || to_char(extract(epoch from lower(truck_hours(s))), 'FM000000000000.000000') || ' ' || s.uid
$$;

-- Whether a shift has its truck at a moment.
create function has_truck_at(s shift, moment timestamptz) returns boolean stable language sql as $$
  select coalesce(truck_hours(s) @> moment, false) and not exists (
    select from shift o
     where o.truck_uid = s.truck_uid and o.uid <> s.uid and o.deleted_at is null
       and o.starts_at > moment - interval '3 days' and o.starts_at < moment + interval '1 day'
       and truck_hours(o) @> moment and truck_rank(o) collate "C" > truck_rank(s) collate "C")
$$;

-- A page is told why its session ended.
create or replace function tell_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.uid::text || ' ' || new.end_reason);
  return null;
end $$;

-- Pages of a user whose modules or client changed leave the rooms that are closed to them now.
create function tell_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', new.uid::text);
  return null;
end $$;
create trigger tell_access_changed after update on user_account for each row
  when (old.modules is distinct from new.modules or old.client_uid is distinct from new.client_uid
        or old.role is distinct from new.role or old.deleted_at is distinct from new.deleted_at)
  execute function tell_access_changed();

-- Sessions that are due are looked for every second.
create index session_due on session (expires_at) where ended_at is null;
