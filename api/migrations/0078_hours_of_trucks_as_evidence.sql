-- A shift that was not stopped keeps its truck for hours after its end. When that changes, the shifts that get these hours
-- are graded and estimated again: until now only its own driven hours were noted.
-- Oldest node: 0024

create or replace function note_shift_evidence() returns trigger language plpgsql as $$
begin
  insert into evidence_change (truck_uid, first_at, last_at)
  select distinct s.truck_uid, lower(truck_hours(s)), upper(truck_hours(s))
    from unnest(case when tg_op = 'UPDATE' then array[old, new] else array[new] end) s
   where lower(truck_hours(s)) < now() + interval '1 hour';
  return null;
end $$;

drop trigger note_evidence_changed on shift;
create trigger note_evidence_changed after update on shift for each row
  when ((old.truck_uid, old.program_uid, old.market_uid, old.local_date) is distinct from
        (new.truck_uid, new.program_uid, new.market_uid, new.local_date)
        or driven_hours(old) is distinct from driven_hours(new)
        or truck_hours(old) is distinct from truck_hours(new)
        or truck_rank(old) is distinct from truck_rank(new))
  execute function note_shift_evidence();
