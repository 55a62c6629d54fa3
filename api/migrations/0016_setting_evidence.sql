-- How far outside of its market a truck contradicts its plays: another distance grades all plays of shifts again.
create function note_setting_evidence() returns trigger language plpgsql as $$
begin
  insert into evidence_change (truck_uid, first_at, last_at)
  select s.truck_uid, lower(driven_hours(s)), upper(driven_hours(s)) from shift s
   where s.deleted_at is null and lower(driven_hours(s)) < now() and upper(driven_hours(s)) > plays_kept_since();
  return null;
end $$;
create trigger note_evidence_set after insert on setting for each row
  when (new.key = 'outsideMarketByMetres') execute function note_setting_evidence();
create trigger note_evidence_changed after update on setting for each row
  when (new.key = 'outsideMarketByMetres' and old.value is distinct from new.value)
  execute function note_setting_evidence();
