-- An id that a truck was given is no longer unknown, however it was given: by hand or by an import.
-- Oldest node: 0024

create function forget_unknown_tracker() returns trigger language plpgsql as $$
begin
  delete from unknown_tracker where source_uid = new.source_uid and external_id = new.external_id;
  return null;
end $$;
create trigger forget_unknown after insert or update of truck_uid on truck_tracker
  for each row execute function forget_unknown_tracker();
