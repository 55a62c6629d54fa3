-- A truck's history says which ids it has at which sources, and who changed them.
-- Oldest node: 0024

-- An import gives thousands of trucks their ids at once: rows are grouped, not compared with each other.
create function keep_tracker_history() returns trigger language plpgsql as $$
declare
  gone truck_tracker[] := '{}';
  added truck_tracker[] := '{}';
begin
  if tg_op <> 'INSERT' then gone := array(select o::truck_tracker from old_rows o); end if;
  if tg_op <> 'DELETE' then added := array(select n::truck_tracker from new_rows n); end if;
  insert into history (table_name, record_uid, action, actor_uid, changes, key_uid)
  select 'truck', t.uid, 'changed',
         coalesce(max(i.actor)::uuid, nullif(current_setting('roadshow.actor', true), '')::uuid),
         jsonb_build_object('tracker', jsonb_build_array(
           string_agg(s.name || ': ' || i.external_id, ', ' order by s.name, i.external_id) filter (where i.was_there),
           string_agg(s.name || ': ' || i.external_id, ', ' order by s.name, i.external_id) filter (where i.is_there))),
         acting_key()
    from (select truck_uid, source_uid, external_id, bool_or(is_there) as is_there,
                 bool_or(is_gone) or not bool_or(is_added) as was_there, max(actor) as actor
            from (select truck_uid, source_uid, external_id, true, false, false, null
                    from truck_tracker
                   where truck_uid = any(array(select truck_uid from unnest(gone) union select truck_uid from unnest(added)))
                  union all
                  select truck_uid, source_uid, external_id, false, true, false, created_by::text from unnest(added)
                  union all
                  select truck_uid, source_uid, external_id, false, false, true, null from unnest(gone))
                 r (truck_uid, source_uid, external_id, is_there, is_added, is_gone, actor)
           group by 1, 2, 3) i
    join position_source s on s.uid = i.source_uid
    -- A truck that is removed for good takes its ids along.
    join truck t on t.uid = i.truck_uid
   group by t.uid
  having bool_or(i.was_there <> i.is_there);
  return null;
end $$;
create trigger keep_history_inserted after insert on truck_tracker referencing new table as new_rows
  for each statement execute function keep_tracker_history();
create trigger keep_history_updated after update on truck_tracker referencing old table as old_rows new table as new_rows
  for each statement execute function keep_tracker_history();
create trigger keep_history_deleted after delete on truck_tracker referencing old table as old_rows
  for each statement execute function keep_tracker_history();
