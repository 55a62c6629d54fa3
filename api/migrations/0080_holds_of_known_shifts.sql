-- The holds of the shifts that were there before, and booked time that ends with the shift.
-- Oldest node: 0024

-- First as they were counted, so that only what is counted otherwise now is noted. Plays of more than 60 days ago stay as they
-- were graded: their days may be archived.
insert into truck_hold (truck_uid, during, shift_uid, program_uid, client_uid)
select s.truck_uid, driven_hours(s), s.uid, s.program_uid, p.client_uid
  from shift s join client_program p on p.uid = s.program_uid
 where not isempty(driven_hours(s)) order by lower(driven_hours(s)) desc, s.uid
    on conflict do nothing;
do $$
declare
  truck uuid;
  shifts uuid[];
  hours tstzrange;
begin
  for truck, shifts, hours in
    select truck_uid, array_agg(uid), tstzrange(min(starts_at) - interval '3 days', max(ends_at) + interval '3 days')
      from shift group by truck_uid
  loop
    call write_truck_holds(shifts, array[truck], array[hours], '{}');
  end loop;
end $$;
delete from evidence_change where changed_at = now() and last_at < now() - interval '60 days';

-- A stopped shift no longer blocks its truck and its driver: from then on others may be planned. Null while it blocks its
-- planned hours. Hours that were given to another shift meanwhile are not taken back by a later stop or a reopened shift.
alter table shift add column released_at timestamptz;

create function release_shift() returns trigger language plpgsql as $$
declare
  until timestamptz := case when new.status = 'completed' then greatest(new.starts_at, least(new.stopped_at, new.ends_at)) else new.ends_at end;
begin
  if tg_op = 'UPDATE' and old.released_at < until
     and (old.truck_uid, old.driver_uid, old.starts_at, old.ends_at) = (new.truck_uid, new.driver_uid, new.starts_at, new.ends_at) then
    select least(until, min(greatest(o.starts_at, old.released_at))) into until from shift o
     where (o.truck_uid = new.truck_uid or o.driver_uid = new.driver_uid) and o.uid <> new.uid
       and o.deleted_at is null and o.status not in ('cancelled', 'noShow')
       and tstzrange(o.starts_at, coalesce(o.released_at, o.ends_at)) && tstzrange(old.released_at, until);
  end if;
  new.released_at := nullif(until, new.ends_at);
  return new;
end $$;
create trigger release_inserted before insert on shift for each row
  when (new.stopped_at is not null) execute function release_shift();
create trigger release_updated before update on shift for each row
  when ((old.status, old.stopped_at, old.truck_uid, old.driver_uid, old.starts_at, old.ends_at) is distinct from
        (new.status, new.stopped_at, new.truck_uid, new.driver_uid, new.starts_at, new.ends_at))
  execute function release_shift();

drop trigger keep_history on shift;
create trigger keep_history after insert or update on shift for each row
  execute function keep_history('starts_at', 'ends_at', 'start_corrected', 'stop_corrected', 'starts_count_from',
                                'stops_count_from', 'released_at');

alter table shift
  drop constraint shift_truck_once,
  drop constraint shift_driver_once,
  add constraint shift_truck_once exclude using gist (truck_uid with =, tstzrange(starts_at, coalesce(released_at, ends_at)) with &&)
    where (deleted_at is null and status not in ('cancelled', 'noShow')) deferrable,
  add constraint shift_driver_once exclude using gist (driver_uid with =, tstzrange(starts_at, coalesce(released_at, ends_at)) with &&)
    where (deleted_at is null and status not in ('cancelled', 'noShow')) deferrable;
