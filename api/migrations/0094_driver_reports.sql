-- What drivers report: which actual times of a shift the office or the system set and drivers did not, and which items of the
-- inspection list every truck has.
-- Oldest node: 0024

create table shift_office_time (
  shift_uid uuid not null references shift (uid) on delete cascade,
  kind text not null check (kind in ('start', 'stop')),
  -- Null where the office completed a shift without an end.
  at timestamptz check (at is not null or kind = 'stop'),
  is_correction boolean not null default false,
  -- Null for the system.
  set_by uuid references user_account (uid),
  set_at timestamptz not null default now(),
  primary key (shift_uid, kind)
);

-- Every way to write a shift comes by here, that of nodes of earlier versions too: an actual time that no event of a driver or
-- device has was set by the office, and so was every corrected one. A time that drivers change later stays for when their events
-- no longer count.
create function note_office_times() returns trigger language plpgsql as $$
begin
  if new.status not in ('out', 'completed') then
    delete from shift_office_time where shift_uid = new.uid;
    return null;
  end if;
  if new.status = 'out' then
    delete from shift_office_time
     where shift_uid = new.uid and kind = 'stop' and (at is null or at <= new.stops_count_from);
  end if;
  insert into shift_office_time as known (shift_uid, kind, at, is_correction, set_by)
  select new.uid, t.kind, t.at, t.is_corrected, new.changed_by
    from (values ('start', new.started_at, new.start_corrected, old.started_at, old.start_corrected),
                 ('stop', new.stopped_at, new.stop_corrected, old.stopped_at, old.stop_corrected))
         t (kind, at, is_corrected, was_at, was_corrected)
   where t.at is not null and (t.at, t.is_corrected) is distinct from (t.was_at, t.was_corrected)
     and (t.is_corrected
          or not exists (select from driver_event e where e.shift_uid = new.uid and e.kind = t.kind and e.at = t.at))
  on conflict (shift_uid, kind) do update
     set at = excluded.at, is_correction = excluded.is_correction, set_by = excluded.set_by, set_at = now()
   where (known.at, known.is_correction) is distinct from (excluded.at, excluded.is_correction);
  if new.status = 'completed' and new.stopped_at is null then
    insert into shift_office_time (shift_uid, kind, set_by) values (new.uid, 'stop', new.changed_by) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger note_office_times_inserted after insert on shift for each row
  when (new.status in ('out', 'completed')) execute function note_office_times();
create trigger note_office_times_updated after update on shift for each row
  when ((old.status, old.started_at, old.stopped_at, old.start_corrected, old.stop_corrected) is distinct from
        (new.status, new.started_at, new.stopped_at, new.start_corrected, new.stop_corrected))
  execute function note_office_times();

-- An item that every truck has is inspected on every truck. Items that the office added are as they were.
alter table inspection_item add column is_on_every_truck boolean not null default false;
-- Without history and another version: these are the rows that migrations added.
alter table inspection_item disable trigger user;
update inspection_item set is_on_every_truck = true
 where uid >= '01a1e000-0000-7000-8000-000000000000' and uid < '01a1e000-0000-7000-8000-000000000120'
   and lower(name) in ('tires', 'wheels and rims', 'lights and reflectors', 'brakes', 'steering', 'horn', 'windshield wipers',
                       'mirrors', 'emergency equipment', 'leaks');
alter table inspection_item enable trigger user;
