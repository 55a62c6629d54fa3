-- A truck's history says which ids it has at which sources, and who changed them.
-- Oldest node: 0024

create function keep_tracker_history() returns trigger language plpgsql as $$
declare
  gone truck_tracker[] := '{}';
  added truck_tracker[] := '{}';
begin
  if tg_op <> 'INSERT' then gone := array(select o::truck_tracker from old_rows o); end if;
  if tg_op <> 'DELETE' then added := array(select n::truck_tracker from new_rows n); end if;
  insert into history (table_name, record_uid, action, actor_uid, changes, key_uid)
  select 'truck', t.uid, 'changed', coalesce(a.created_by, nullif(current_setting('roadshow.actor', true), '')::uuid),
         jsonb_build_object('tracker', jsonb_build_array(w.was, w.is_now)), acting_key()
    -- A truck that is removed for good takes its ids along.
    from truck t
    left join lateral (select created_by from unnest(added) where truck_uid = t.uid limit 1) a on true,
    lateral (
      select string_agg(s.name || ': ' || i.external_id, ', ' order by s.name, i.external_id) filter (where i.was_there) as was,
             string_agg(s.name || ': ' || i.external_id, ', ' order by s.name, i.external_id) filter (where i.is_there) as is_now
        from (select source_uid, external_id, true as is_there,
                     (source_uid, external_id) not in (select source_uid, external_id from unnest(added) where truck_uid = t.uid) as was_there
                from truck_tracker where truck_uid = t.uid
              union all
              select source_uid, external_id, false, true from unnest(gone) where truck_uid = t.uid) i
        join position_source s on s.uid = i.source_uid) w
   where t.uid in (select truck_uid from unnest(gone) union select truck_uid from unnest(added));
  return null;
end $$;
create trigger keep_history_inserted after insert on truck_tracker referencing new table as new_rows
  for each statement execute function keep_tracker_history();
create trigger keep_history_updated after update on truck_tracker referencing old table as old_rows new table as new_rows
  for each statement execute function keep_tracker_history();
create trigger keep_history_deleted after delete on truck_tracker referencing old table as old_rows
  for each statement execute function keep_tracker_history();
