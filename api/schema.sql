-- The schema that the migrations make. Written by npm run db:types; for reading, never run.

create extension btree_gist;
create extension citext;
create extension pg_trgm;

create collation natural_order (provider = icu, locale = 'en-u-kn-true');

CREATE OR REPLACE FUNCTION acting_key()
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select nullif(current_setting('roadshow.api_key', true), '')::uuid
$function$;

CREATE OR REPLACE FUNCTION add_truck_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION address_play_days(program uuid, market uuid, OUT first_day date, OUT last_day date)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if market is null then
    select min(h.day), max(h.day) into first_day, last_day
      from play_address_hour h where h.program_uid = $1 and h.market_uid <> '00000000-0000-0000-0000-000000000000';
  else
    select min(h.day), max(h.day) into first_day, last_day
      from play_address_hour h where h.program_uid = $1 and h.market_uid = $2;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION begin_pop()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pop (uid, changed_by, changed_from) values (new.uid, new.changed_by, new.changed_from);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION closed_period(day date)
 RETURNS pay_period
 LANGUAGE plpgsql
AS $function$
declare
  found_period pay_period;
begin
  select * into found_period from pay_period
   where daterange(starts_on, ends_on, '[]') @> day and state <> 'open' for share;
  return found_period;
end $function$;

CREATE OR REPLACE FUNCTION describe_record(table_name text, r jsonb, OUT subject text, OUT detail text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  program text := (select 'Program ' || name from client_program where uid = (r ->> 'program_uid')::uuid);
  truck text := (select number from truck where uid = (r ->> 'truck_uid')::uuid);
  person text := (select name from user_account where uid = (r ->> 'driver_uid')::uuid);
  cents int := r ->> 'cents';
begin
  subject := case table_name
    when 'truck' then 'Truck ' || (r ->> 'number')
    when 'client_program' then 'Program ' || (r ->> 'name')
    when 'address_set' then 'SD address set ' || (r ->> 'name')
    when 'shift' then 'Shift of truck ' || truck || ' on ' || (r ->> 'local_date')
    when 'out_of_service' then coalesce('Shop time of truck ' || truck, 'Time off of ' || person) || ' from ' || (r ->> 'starts_on')
    when 'pop_photo' then 'Photo ' || (r ->> 'original_name')
    when 'pay_adjustment' then 'Pay adjustment of ' || case when cents < 0 then '-' else '' end
      || to_char(abs(cents) / 100.0, 'FM"$"999,990.00') || ' for ' || person
    when 'incident' then 'Incident ' || (r ->> 'title')
    else upper(left(table_name, 1)) || replace(substr(table_name, 2), '_', ' ') || ' ' || coalesce(r ->> 'name', '')
  end;
  detail := case table_name
    when 'client_program' then (select 'Client ' || name from client where uid = (r ->> 'client_uid')::uuid)
    when 'shift' then concat_ws(', ', program, 'driver ' || person)
    when 'pay_adjustment' then (r ->> 'local_date') || ': ' || (r ->> 'note')
    when 'out_of_service' then r ->> 'reason'
    else program
  end;
  subject := coalesce(subject, '');
  detail := coalesce(detail, '');
end $function$;

CREATE OR REPLACE FUNCTION driven_hours(s shift)
 RETURNS tstzrange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when s.deleted_at is null and s.status not in ('cancelled', 'noShow') then
    tstzrange(coalesce(s.started_at, s.starts_at),
              greatest(coalesce(s.stopped_at, s.ends_at), coalesce(s.started_at, s.starts_at))) end
$function$;

CREATE OR REPLACE PROCEDURE drop_days(IN parent text, IN before date)
 LANGUAGE plpgsql
AS $procedure$
declare
  part text;
begin
  for part in
    select p.name from partitions_of(parent) p where p.ends_at <= before::timestamp at time zone 'UTC' limit 10
  loop
    -- Another node may have dropped it already.
    execute format('drop table if exists %I', part);
  end loop;
end $procedure$;

CREATE OR REPLACE PROCEDURE drop_partition(IN parent text, IN part text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $procedure$
begin
  if not has_weeks(parent) then raise exception '% has no weeks.', parent; end if;
  if exists (select from partitions_of(parent) p where p.name = part) then
    execute format('drop table if exists %I', part);
  end if;
end $procedure$;

CREATE OR REPLACE FUNCTION drop_pending_sign_ins()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from pending_sign_in where user_uid = new.uid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION earlier_zone_at(zone text, earlier_zones jsonb, moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce((
    select e.held from (
      select e ->> 'zone' as held, (e ->> 'until')::date as until,
             lead(e ->> 'zone', 1, zone) over (order by (e ->> 'until')::date) as next
        from jsonb_array_elements(earlier_zones) e) e
     where (moment at time zone e.next)::date < e.until order by e.until limit 1), zone)
$function$;

CREATE OR REPLACE FUNCTION earlier_zone_on(zone text, earlier_zones jsonb, day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce((select e ->> 'zone' from jsonb_array_elements(earlier_zones) e
                    where day < (e ->> 'until')::date order by (e ->> 'until')::date limit 1), zone)
$function$;

CREATE OR REPLACE FUNCTION end_api_keys_of_client()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update api_key set ended_at = now(), ended_by = new.changed_by, end_reason = 'clientDeleted'
   where client_uid = new.uid and ended_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_api_keys_of_maker()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update api_key
     set ended_at = now(), ended_by = new.changed_by,
         end_reason = case when new.deleted_at is not null then 'makerDeleted' else 'makerLostAccess' end
   where created_by = new.uid and ended_at is null
     and (new.deleted_at is not null or new.role <> 'admin' or not new.modules @> array['users']
          or not new.modules @> api_key.modules);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_calendar_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from calendar_link where user_uid = new.uid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_password_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update password_reset set ended_at = now() where user_uid = new.uid and used_at is null and ended_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_push_of_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from push_subscription
   where session_uid = new.uid or (new.end_reason = 'factorReset' and user_uid = new.user_uid);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_push_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from push_subscription where user_uid = new.uid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_sessions_of_identity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update session s
     set ended_at = now(), end_reason = 'singleSignOnEnded'
    from single_sign_on_session o
   where o.identity_uid = old.uid and s.uid = o.session_uid and s.ended_at is null;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION end_sessions_of_old_email()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update session set ended_at = now(), end_reason = 'emailChanged' where user_uid = new.uid and ended_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_sessions_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update session
     set ended_at = now(), end_reason = case when new.deleted_at is not null then 'deleted' else 'roleChanged' end
   where user_uid = new.uid and ended_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_webhooks_of_client()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update webhook
     set state = 'ended', ended_at = now(), ended_by = new.changed_by, paused_at = null, paused_by = null, pause_reason = null,
         end_reason = 'clientDeleted'
   where client_uid = new.uid and state <> 'ended';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION end_webhooks_of_maker()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update webhook
     set state = 'ended', ended_at = now(), ended_by = new.changed_by, paused_at = null, paused_by = null, pause_reason = null,
         end_reason = case when new.deleted_at is not null then 'makerDeleted' else 'makerLostAccess' end
   where created_by = new.uid and state <> 'ended'
     and (new.deleted_at is not null or new.role <> 'admin' or not new.modules @> array['users']
          or not new.modules @> webhook.modules);
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE ensure_day(IN parent text, IN day date)
 LANGUAGE plpgsql
AS $procedure$
begin
  call ensure_week(parent, day);
end $procedure$;

CREATE OR REPLACE PROCEDURE ensure_week(IN parent text, IN day date)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $procedure$
declare
  monday date := date_trunc('week', day)::date;
  part text := format('%s_week_%s', parent, to_char(monday, 'YYYYMMDD'));
  single text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
  starts_on date := monday;
  ends_on date := monday + 7;
begin
  if not has_weeks(parent) then raise exception '% has no weeks.', parent; end if;
  if to_regclass(part) is not null or to_regclass(single) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_week'));
  -- Another session may have created it meanwhile; to_regclass would still answer from its cache.
  if exists (select from partitions_of(parent) p where p.starts_at <= day::timestamp at time zone 'UTC'
                                                   and p.ends_at > day::timestamp at time zone 'UTC') then return; end if;
  if exists (select from partitions_of(parent) p where p.starts_at < ends_on::timestamp at time zone 'UTC'
                                                   and p.ends_at > starts_on::timestamp at time zone 'UTC') then
    part := single;
    starts_on := day;
    ends_on := day + 1;
  end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
                 starts_on::timestamp at time zone 'UTC', ends_on::timestamp at time zone 'UTC');
end $procedure$;

CREATE OR REPLACE FUNCTION first_hour_of(day date, zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select min(hour) from generate_series(date_trunc('hour', day::timestamp at time zone zone) - interval '2 hours',
                                        date_trunc('hour', day::timestamp at time zone zone) + interval '2 hours',
                                        interval '1 hour') hour
   where (hour at time zone zone)::date >= day
$function$;

CREATE OR REPLACE FUNCTION forget_gaps_until(used int8multirange)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when count(*) > 2000 then max(upper(part)) filter (where place <= total - 1000) end
    from (select part, row_number() over (order by part) as place, count(*) over () as total from unnest($1) part) parts
$function$;

CREATE OR REPLACE FUNCTION forget_unknown_tracker()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from unknown_tracker where source_uid = new.source_uid and external_id = new.external_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION has_plays(shift uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return exists (select 1 from play_hour h where h.shift_uid = $1 and h.plays > 0);
end $function$;

CREATE OR REPLACE FUNCTION has_second_factor(of_user uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from passkey where user_uid = of_user)
      or exists (select from code_app where user_uid = of_user and secret is not null)
$function$;

CREATE OR REPLACE FUNCTION has_truck_at(s shift, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(truck_hours(s) @> moment, false) and not exists (
    select from shift o
     where o.truck_uid = s.truck_uid and o.uid <> s.uid and o.deleted_at is null
       and o.starts_at > moment - interval '3 days' and o.starts_at < moment + interval '1 day'
       and truck_hours(o) @> moment and truck_rank(o) collate "C" > truck_rank(s) collate "C")
$function$;

CREATE OR REPLACE FUNCTION has_weeks(parent text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select parent in ('position', 'play', 'position_minute', 'position_spare')
$function$;

CREATE OR REPLACE FUNCTION hold_claim(s shift)
 RETURNS tstzrange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select nullif(range_merge(coalesce(planned_claim(s), 'empty'), coalesce(started_claim(s), 'empty')), 'empty')
$function$;

CREATE OR REPLACE FUNCTION hours_with_plays(program uuid)
 RETURNS TABLE(truck_uid uuid, hour timestamp with time zone, plays bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select h.truck_uid, h.hour, sum(h.plays) from play_hour h where h.program_uid = $1 and h.plays > 0 group by 1, 2;
end $function$;

CREATE OR REPLACE FUNCTION is_distributed(name text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if to_regclass('pg_dist_partition') is null then return false; end if;
  return exists (select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h');
end $function$;

CREATE OR REPLACE FUNCTION is_open_jump(gap int8range, lost int8multirange)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select upper(gap) - lower(gap) > 10000 and not gap <@ lost
$function$;

CREATE OR REPLACE FUNCTION keep_an_admin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select 1 from user_account where role = 'admin' and deleted_at is null and modules @> array['users']) then
    raise exception using errcode = 'check_violation', constraint = 'one_admin_stays', table = 'user_account',
      message = 'the last active admin stays';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_api_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE'
     or (new.uid, new.name, new.token_hash, new.token_start, new.modules, new.access, new.client_uid, new.created_by,
         new.created_at, new.expires_at)
        is distinct from (old.uid, old.name, old.token_hash, old.token_start, old.modules, old.access, old.client_uid,
         old.created_by, old.created_at, old.expires_at)
     or (old.ended_at is not null
         and (new.ended_at, new.ended_by, new.end_reason) is distinct from (old.ended_at, old.ended_by, old.end_reason))
  then
    raise exception using errcode = 'insufficient_privilege', message = 'an API key is only ever used and ended';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_artwork_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION keep_campaign_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE'
     or (new.uid, new.program_uid, new.label, new.token_hash, new.delay_minutes, new.created_by, new.created_at, new.expires_at)
        is distinct from (old.uid, old.program_uid, old.label, old.token_hash, old.delay_minutes, old.created_by,
         old.created_at, old.expires_at)
     or (old.ended_at is not null and (new.ended_at, new.ended_by) is distinct from (old.ended_at, old.ended_by))
  then
    raise exception using errcode = 'insufficient_privilege', message = 'a campaign link is only ever viewed and ended';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_child_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  hidden text[] := array['uid', tg_argv[1], 'search_text', 'position'];
  was jsonb := case tg_op when 'INSERT' then null else to_jsonb(old) - hidden end;
  is_now jsonb := case tg_op when 'DELETE' then null else to_jsonb(new) - hidden end;
  parent uuid := (coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[1])::uuid;
begin
  if was is distinct from is_now then
    execute format('insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
                    select %L, uid, ''changed'', changed_by, changed_from, $1, acting_key() from %I where uid = $2',
                   tg_argv[0], tg_argv[0])
      using jsonb_build_object(tg_argv[2], jsonb_build_array(was, is_now)), parent;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_closed_adjustment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then perform refuse_if_closed(old.local_date); end if;
  if tg_op <> 'DELETE' then perform refuse_if_closed(new.local_date); end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION keep_closed_override()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  shift_of uuid := case tg_op when 'DELETE' then old.shift_uid else new.shift_uid end;
begin
  perform refuse_if_closed(local_date) from shift where uid = shift_of;
  perform refuse_if_closed(local_date) from pay_line where shift_uid = shift_of;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION keep_comment_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
  values ('truck_issue', new.issue_uid, 'changed', new.changed_by, new.changed_from,
          jsonb_build_object('comment', jsonb_build_array(null, new.text)), acting_key());
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  hidden text[] := array['uid', 'version', 'created_at', 'updated_at', 'deleted_at', 'changed_by', 'changed_from',
                         'search_text'] || tg_argv;
  was jsonb := case tg_op when 'INSERT' then '{}'::jsonb else to_jsonb(old) end;
  is_now jsonb := to_jsonb(new);
  done text;
  changes jsonb;
begin
  done := case
    when tg_op = 'INSERT' then 'created'
    when was ->> 'deleted_at' is null and is_now ->> 'deleted_at' is not null then 'deleted'
    when was ->> 'deleted_at' is not null and is_now ->> 'deleted_at' is null then 'restored'
    else 'changed'
  end;
  select coalesce(jsonb_object_agg(key, jsonb_build_array(was -> key, value)), '{}') into changes
    from jsonb_each(is_now - hidden)
   where value is distinct from was -> key
     and (tg_op <> 'INSERT' or value not in ('null', '""', '[]'));
  if done <> 'changed' or changes <> '{}' then
    insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
    values (tg_table_name, new.uid, done, new.changed_by, new.changed_from, changes, acting_key());
  end if;
  -- The audit trail reads those of users and devices from the history, with all their changes of access.
  if done in ('deleted', 'restored') and tg_table_name not in ('user_account', 'device') then
    insert into audit_log (kind, actor_uid, key_uid, subject, detail, address, record_table, record_uid)
    select case done when 'deleted' then 'recordDeleted' else 'recordRestored' end, new.changed_by, acting_key(),
           left(d.subject, 2000), left(d.detail, 2000), coalesce(new.changed_from, ''), tg_table_name, new.uid
      from describe_record(tg_table_name, is_now) d;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_issue_assignee()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from user_account
    where uid = new.assignee_uid and deleted_at is null and role in ('admin', 'sales') and 'overview' = any(modules)
      for share;
  if found then return new; end if;
  if tg_op = 'UPDATE' and new.assignee_uid is not distinct from old.assignee_uid then
    new.assignee_uid := null;
    return new;
  end if;
  raise exception using errcode = 'check_violation', constraint = 'issue_assignee_sees_issues', table = 'truck_issue',
    message = 'Only a user who may see issues can be assigned to one.';
end $function$;

CREATE OR REPLACE FUNCTION keep_locked_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  period pay_period;
begin
  select * into period from pay_period where uid = case tg_op when 'INSERT' then new.period_uid else old.period_uid end;
  if tg_op = 'UPDATE' or period.state = 'locked' or tg_op = 'DELETE' and period.state <> 'open' then
    perform refuse_closed(period, 'What it froze stays as it is.');
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION keep_locked_shift()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  period pay_period;
begin
  if tg_op <> 'INSERT' then period := closed_period(old.local_date); end if;
  if period.state is distinct from 'locked' and tg_op <> 'DELETE' then period := closed_period(new.local_date); end if;
  if period.state = 'locked' then
    perform refuse_closed(period, 'Its shifts stay as they are; add an adjustment to an open period instead.');
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION keep_past_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into past_sd_address (uid, set_uid, label, address, latitude, longitude, radius_m)
  values (old.uid, old.set_uid, old.label, old.address, old.latitude, old.longitude, old.radius_m)
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_proposal_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  word text := case
    when tg_op = 'INSERT' then 'Sent'
    when old.accepted_at is null and new.accepted_at is not null then 'Accepted by ' || new.accepted_name
    else 'Revoked' end;
begin
  insert into history (table_name, record_uid, action, actor_uid, changes)
  values ('client_program', new.program_uid, 'changed',
          case word when 'Sent' then new.created_by when 'Revoked' then new.ended_by end,
          jsonb_build_object('proposal', jsonb_build_array(null, new.number || ', ' || new.title || ': ' || word)));
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE keep_records(IN name text, IN secrets text[] DEFAULT '{}'::text[])
 LANGUAGE plpgsql
AS $procedure$
declare
  hidden text := (select coalesce(string_agg(quote_literal(s), ', '), '') from unnest(secrets) s);
begin
  execute format('create trigger next_version before update on %I for each row execute function next_version()', name);
  execute format('create trigger keep_history after insert or update on %I for each row execute function keep_history(%s)', name, hidden);
  call note_changes(name);
end $procedure$;

CREATE OR REPLACE FUNCTION keep_room_for_sign_ins(sign_ins integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  users uuid[] := array(select uid from user_account order by seen_at, uid limit 100);
  someone uuid := users[1];
begin
  insert into throttle (key, failures, blocked_until)
    select 'room ' || gen_random_uuid(), 1, now() from generate_series(1, sign_ins);
  insert into pending_sign_in (token_hash, user_uid, expires_at)
    select sha256(gen_random_uuid()::text::bytea), someone, now()
      from generate_series(1, sign_ins) where someone is not null;
  insert into passkey_challenge (challenge_hash, purpose, expires_at)
    select sha256(gen_random_uuid()::text::bytea), 'signIn', now() from generate_series(1, sign_ins);
  insert into single_sign_on_flow (secret_hash, next_path, expires_at)
    select sha256(gen_random_uuid()::text::bytea), '/', now() from generate_series(1, sign_ins);
  insert into known_network (owner_uid, network)
    select gen_random_uuid(), 'room' from generate_series(1, sign_ins);
  -- Each is later than the one before, so that each is noted at the user.
  insert into session (token_hash, user_uid, client_type, address, user_agent, seen_at, expires_at)
    select sha256(gen_random_uuid()::text::bytea), users[1 + n % cardinality(users)], 'web', '', repeat('x', 150),
           now() + n * interval '1 ms', now()
      from generate_series(1, sign_ins) n where someone is not null;
  insert into single_sign_on_session (session_uid, identity_uid, sealed_id_token)
    select s.uid, i.uid, repeat('x', 1000)::bytea
      from (select uid from session where created_at = now() limit sign_ins) s,
           (select uid from single_sign_on_identity limit 1) i
    on conflict do nothing;
  insert into audit_log (kind, actor_uid, subject, address, user_agent, request_id)
    select 'signedIn', someone, repeat('x', 40), '', repeat('x', 150), gen_random_uuid()
      from generate_series(1, sign_ins);
  update code_app set last_step = last_step;
  update passkey set counter = counter;
  update recovery_code set used_at = used_at;
  raise exception sqlstate 'ROOMY';
exception when sqlstate 'ROOMY' then
  null;
end $function$;

CREATE OR REPLACE FUNCTION keep_sales_proposal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE'
     or (new.uid, new.program_uid, new.number, new.title, new.document, new.sha256, new.program_sha256, new.token_hash,
         new.created_by, new.created_at, new.expires_at)
        is distinct from (old.uid, old.program_uid, old.number, old.title, old.document, old.sha256, old.program_sha256,
         old.token_hash, old.created_by, old.created_at, old.expires_at)
     or (old.ended_at is not null and (new.ended_at, new.ended_by) is distinct from (old.ended_at, old.ended_by))
     or (new.accepted_at, new.accepted_name, new.accepted_note)
        is distinct from (old.accepted_at, old.accepted_name, old.accepted_note)
        and (old.accepted_at is not null or old.ended_at is not null or new.ended_at is not null)
  then
    raise exception using errcode = 'insufficient_privilege',
      message = 'a proposal is only ever viewed, accepted once while it is open, and ended';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_shift_window()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status in ('out', 'completed') and new.starts_at > now() + interval '2 hours 15 minutes'
     or new.started_at < new.starts_at - interval '2 hours' and not new.start_corrected then
    raise exception using errcode = 'check_violation', constraint = 'shift_starts_in_its_time', table = 'shift',
      message = 'A shift can start from 2 hours before its planned start.';
  end if;
  -- A device has no user.
  if new.status = 'completed' and old.status <> 'completed' and new.started_at is null
     and new.changed_by is null and new.changed_from is not null then
    raise exception using errcode = 'check_violation', constraint = 'shift_completed_after_start', table = 'shift',
      message = 'A report of a device completes only a shift that has started.';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_shop_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  moment constant timestamptz := date_trunc('minute', now());
  stay out_of_service;
  next out_of_service;
  home text := coalesce((select zone_at(m.zone, m.earlier_zones, now()) from market m where m.uid = new.home_market_uid), 'America/Chicago');
begin
  select * into stay from out_of_service o
   where o.truck_uid = new.uid and o.deleted_at is null and tstzrange(o.starts_at, o.ends_at) @> now();
  if new.state = 'inShop' and stay.uid is null then
    select * into next from out_of_service o
     where o.truck_uid = new.uid and o.deleted_at is null and o.starts_at > now() order by o.starts_at limit 1;
    insert into out_of_service (truck_uid, starts_on, start_time, zone, starts_at, ends_on, end_time, ends_at, changed_by, changed_from)
    values (new.uid, (moment at time zone home)::date, (moment at time zone home)::time, home, moment,
            (next.starts_at at time zone home)::date, (next.starts_at at time zone home)::time, next.starts_at,
            new.changed_by, new.changed_from);
  elsif new.state <> 'inShop' and stay.uid is not null then
    update out_of_service
       set ends_at = case when starts_at < moment then moment else ends_at end,
           ends_on = case when starts_at < moment then (moment at time zone zone)::date else ends_on end,
           end_time = case when starts_at < moment then (moment at time zone zone)::time else end_time end,
           deleted_at = case when starts_at < moment then null else now() end,
           changed_by = new.changed_by, changed_from = new.changed_from
     where uid = stay.uid;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_stretch_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was text := case tg_op when 'UPDATE' then stretch_words(old) end;
  is_now text := stretch_words(new);
begin
  if was is distinct from is_now then
    insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
    values (case when new.truck_uid is null then 'user_account' else 'truck' end, coalesce(new.truck_uid, new.driver_uid), 'changed',
            new.changed_by, new.changed_from,
            jsonb_build_object(case when new.truck_uid is null then 'time_off' else 'shop_time' end, jsonb_build_array(was, is_now)),
            acting_key());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_tracker_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION keep_truck_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION keep_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.program_uid, new.number, new.published_at, new.note, new.changes, new.document, new.sha256, new.opening)
     is distinct from
     (old.program_uid, old.number, old.published_at, old.note, old.changes, old.document, old.sha256, old.opening)
  then raise exception 'a published version never changes'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_webhook()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or old.state = 'ended'
     or (new.uid, new.client_uid, new.created_by, new.created_at)
        is distinct from (old.uid, old.client_uid, old.created_by, old.created_at)
  then
    raise exception using errcode = 'insufficient_privilege', message = 'an ended webhook stays as it is';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_word_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_now jsonb := to_jsonb(new);
  was jsonb := case tg_op when 'INSERT' then '{}'::jsonb else to_jsonb(old) end;
  said jsonb := '{}';
begin
  for i in 0 .. tg_nargs / 2 - 1 loop
    if is_now -> tg_argv[2 * i + 1] not in ('null', '""') and is_now -> tg_argv[2 * i + 1] is distinct from was -> tg_argv[2 * i + 1] then
      said := said || jsonb_build_object(tg_argv[2 * i], jsonb_build_array(null, is_now -> tg_argv[2 * i + 1]));
    end if;
  end loop;
  if said <> '{}' then
    insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
    values ('shift', new.shift_uid, 'changed', new.changed_by, new.changed_from, said, acting_key());
  end if;
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE keep_work_before(IN s shift)
 LANGUAGE sql
AS $procedure$
  insert into work_before (shift_uid, program_uid, market_uid, day, truck_uid, seconds, metres)
  select s.uid, s.program_uid, s.market_uid, s.local_date, s.truck_uid,
         coalesce((select floor(sum(extract(epoch from upper(r) - lower(r)))) from unnest(worked_hours(s)) r), 0),
         coalesce((select round(k.metres) from shift_track k where k.shift_uid = s.uid), 0)
   where s.deleted_at is null
     and (s.status in ('out', 'completed')
          or (s.status = 'planned' and s.ends_at < now()
              and exists (select from shift_track k where k.shift_uid = s.uid and k.metres > 0)))
  on conflict do nothing
$procedure$;

CREATE OR REPLACE FUNCTION keep_work_of_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  holder shift;
begin
  select * into holder from shift s where s.uid = old.shift_uid and s.status <> 'out';
  if holder.uid is not null then call keep_work_before(holder); end if;
  return case when tg_op = 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION keep_work_of_shift()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  call keep_work_before(old);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION last_odometer(truck uuid)
 RETURNS double precision
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (select r.metres from odometer_reading r where r.truck_uid = $1 order by r.at desc limit 1);
end $function$;

CREATE OR REPLACE FUNCTION leave_issues()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update truck_issue set assignee_uid = null, changed_by = new.changed_by, changed_from = new.changed_from
   where assignee_uid = new.uid and status <> 'resolved' and deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION limit_new_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtext('second_factor_roles'));
  new.is_limited := not new.has_provider_factor
    and (select role_needs_second_factor(role) from user_account where uid = new.user_uid)
    and not has_second_factor(new.user_uid);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION limit_open_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('second_factor_roles'));
  -- A user who has a factor proves it by signing in again, so that a limited session of theirs stays limited.
  update session s
     set is_limited = role_needs_second_factor(u.role)
    from user_account u
   where u.uid = s.user_uid and s.ended_at is null and s.expires_at > now() and not s.has_provider_factor
     and s.is_limited <> role_needs_second_factor(u.role) and not has_second_factor(u.uid);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION limit_unclaimed_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  most_files constant int := 200;
  most_bytes constant bigint := 5 * 1024::bigint ^ 3;
  files bigint;
  bytes bigint;
begin
  -- Parallel uploads of one user are counted one after the other.
  perform pg_advisory_xact_lock(hashtext('stored_file'), hashtext(new.announced_by::text));
  select count(*), coalesce(sum(size_bytes), 0) into files, bytes
    from stored_file where announced_by = new.announced_by and claimed_at is null;
  if files >= most_files or bytes + new.size_bytes > most_bytes then
    raise exception using
      errcode = 'check_violation',
      constraint = 'stored_file_unclaimed_limit',
      message = format(
        'You have uploaded %s that no record uses yet, and at most %s files or %s GB are kept. Save the record they belong to, or try again tomorrow: unused files are deleted after a day.',
        case when files = 1 then '1 file' else files || ' files' end, most_files, most_bytes / 1024 ^ 3);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION list_place(columns text[], image jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_object_agg(key, value) from jsonb_each(image) where key = 'uid' or key = any(columns)
$function$;

CREATE OR REPLACE PROCEDURE lock_truck_holds(IN trucks uuid[])
 LANGUAGE plpgsql
AS $procedure$
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
end $procedure$;

CREATE OR REPLACE FUNCTION longest_play_ms(content_type text, duration_ms integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when content_type like 'video/%' and duration_ms is not null then ceil(duration_ms * 1.1)::int else 600000 end
$function$;

CREATE OR REPLACE FUNCTION minutes_after(start_time time without time zone, clock time without time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select mod((extract(epoch from clock - start_time) / 60)::integer + 1440, 1440)
$function$;

CREATE OR REPLACE FUNCTION missing_before(received int8multirange, sequence bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce((select upper(hole) - lower(hole)
                     from unnest(int8multirange(int8range(1, $2)) - $1) hole where upper(hole) = $2), 0)
$function$;

CREATE OR REPLACE FUNCTION move_truck_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update truck_hold set client_uid = new.client_uid where program_uid = new.uid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION must_be_there(named uuid, field text, noun text)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
begin
  if named is null then raise exception using errcode = 'RS404', column = field, message = noun; end if;
  return named;
end $function$;

CREATE OR REPLACE FUNCTION new_uid()
 RETURNS uuid
 LANGUAGE sql
AS $function$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$function$;

CREATE OR REPLACE FUNCTION next_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $function$;

CREATE OR REPLACE PROCEDURE note_changed_holds(IN gone truck_hold[], IN added truck_hold[], IN replanned uuid[])
 LANGUAGE plpgsql
AS $procedure$
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
end $procedure$;

CREATE OR REPLACE FUNCTION note_changed_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into merging.changed_row (truck_uid, at)
  select (r ->> 'truck_uid')::uuid, (r ->> tg_argv[0])::timestamptz
    from (values (case when tg_op <> 'INSERT' then to_jsonb(old) end), (case when tg_op <> 'DELETE' then to_jsonb(new) end)) v (r)
   where r is not null;
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE note_changes(IN name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  columns text := (select coalesce(string_agg(quote_literal(c), ', '), '') from unnest(sort_columns(name::regclass)) c);
begin
  execute format('create or replace trigger note_inserted after insert on %I referencing new table as new_rows for each statement execute function note_inserted(%s)', name, columns);
  execute format('create or replace trigger note_updated after update on %I referencing old table as old_rows new table as new_rows for each statement execute function note_updated(%s)', name, columns);
  execute format('create or replace trigger note_removed after delete on %I referencing old table as old_rows for each statement execute function note_removed(%s)', name, columns);
end $procedure$;

CREATE OR REPLACE FUNCTION note_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_nargs = 0 or (select count(*) > 20 from new_rows) then
    insert into list_change (list, delta)
    select tg_table_name, count(*) filter (where r.deleted_at is null) from new_rows r having count(*) > 0;
  else
    insert into list_change (list, delta, added, removed)
    select tg_table_name, count(*) filter (where r.deleted_at is null),
           coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))) filter (where r.deleted_at is null), '[]'), '[]'
      from new_rows r having count(*) > 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_market_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into evidence_change (truck_uid, first_at, last_at)
  select h.truck_uid, lower(h.during), upper(h.during) from shift s join truck_hold h on h.shift_uid = s.uid
   where s.market_uid = new.uid and lower(h.during) < now();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_office_times()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION note_program_list()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into list_change (list, delta, added, removed) values ('client_program', 0, '[]', '[]');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_nargs = 0 or (select count(*) > 20 from old_rows) then
    insert into list_change (list, delta)
    select tg_table_name, -count(*) filter (where r.deleted_at is null) from old_rows r having count(*) > 0;
  else
    insert into list_change (list, delta, added, removed)
    select tg_table_name, -count(*) filter (where r.deleted_at is null), '[]',
           coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))) filter (where r.deleted_at is null), '[]')
      from old_rows r having count(*) > 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_seen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- An edit of the user may hold the row and wait for this session: skip it, the next call notes the activity.
  update user_account set seen_at = new.seen_at
   where uid = (select uid from user_account where uid = new.user_uid and seen_at < new.seen_at
                   for no key update skip locked);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_sequence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  until bigint := forget_gaps_until(new.received + new.rejected);
  gaps int8multirange;
  jumps int8multirange;
begin
  if until is not null then
    jumps := open_jumps(new) * int8multirange(int8range(1, until));
    gaps := number_gaps(new) * int8multirange(int8range(1, until)) - jumps;
    new.forgotten := new.forgotten + numbers_in(gaps);
    new.forgotten_until := until;
    new.received := new.received + gaps;
    new.skipped := new.skipped + jumps;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION note_setting_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into grading_backlog (reason, next_day) values (new.key, (now() at time zone 'UTC')::date + 1)
  on conflict (reason) do update set next_day = excluded.next_day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_trucks_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into list_change (list, delta, added, removed) values ('truck', 0, '[]', '[]');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_updated()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_nargs = 0 or (select count(*) > 20 from new_rows) then
    insert into list_change (list, delta)
    select tg_table_name, sum(d) from (
      select 1 as d from new_rows r where r.deleted_at is null
      union all
      select -1 from old_rows r where r.deleted_at is null
      union all
      select 0 from new_rows
    ) as touched having count(*) > 0;
  elsif exists (select from new_rows) then
    insert into list_change (list, delta, added, removed)
    select tg_table_name, jsonb_array_length(added) - jsonb_array_length(removed), added, removed
      from (select coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))), '[]') as added
              from new_rows r where r.deleted_at is null) a,
           (select coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))), '[]') as removed
              from old_rows r where r.deleted_at is null) d;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION number_gaps(q play_sequence)
 RETURNS int8multirange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select int8multirange(int8range(1, coalesce(upper(q.received + q.rejected), 1)))
         - q.received - q.rejected - q.duplicates - q.skipped
$function$;

CREATE OR REPLACE FUNCTION numbers_in(numbers int8multirange)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(sum(upper(part) - lower(part)), 0)::bigint from unnest($1) part
$function$;

CREATE OR REPLACE FUNCTION one_at_a_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('keep_an_admin'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION open_jumps(q play_sequence)
 RETURNS int8multirange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce((select range_agg(g) from unnest(number_gaps(q)) g where is_open_jump(g, q.lost)), '{}')
$function$;

CREATE OR REPLACE FUNCTION partitions_of(parent text)
 RETURNS TABLE(name text, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select c.relname::text, bounds[1]::timestamptz, bounds[2]::timestamptz
    from pg_inherits i join pg_class c on c.oid = i.inhrelid,
         regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''(.+)''\) TO \(''(.+)''\)') bounds
   where i.inhparent = parent::regclass order by 2
$function$;

CREATE OR REPLACE FUNCTION pixel_sides_fit(width integer, height integer, sides jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  with side as (
    select key, (value ->> 'x')::int as x, (value ->> 'y')::int as y,
           (value ->> 'width')::int as w, (value ->> 'height')::int as h
      from jsonb_each(sides)
  )
  select coalesce((select array_agg(key order by key) from side) = array['driverSide', 'passengerSide', 'rear'], false)
     and (select bool_and(coalesce(x >= 0 and y >= 0 and w > 0 and h > 0
                                   and x + w <= pixel_sides_fit.width and y + h <= pixel_sides_fit.height, false))
            from side)
     and not exists (
       select 1 from side a join side b on a.key < b.key
        where a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h)
$function$;

CREATE OR REPLACE FUNCTION plain_cell(text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when left($1, 1) in ('=', '+', '-', '@', E'\t', E'\r') then '''' || $1 else $1 end
$function$;

CREATE OR REPLACE FUNCTION planned_claim(s shift)
 RETURNS tstzrange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when s.deleted_at is not null then null
              when s.status = 'planned' then tstzrange(s.starts_at, s.ends_at)
              when s.status in ('out', 'completed') then tstzrange(s.starts_at, greatest(s.started_at, s.starts_at)) end
$function$;

CREATE OR REPLACE FUNCTION play_days(program uuid, market uuid, OUT first_day date, OUT last_day date)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if market is null then
    select min(h.day), max(h.day) into first_day, last_day from play_hour h where h.program_uid = $1;
  else
    select min(h.day), max(h.day) into first_day, last_day
      from play_hour h where h.program_uid = $1 and h.market_uid = $2;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION plays_in_retention_since()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select least(
    ((now() at time zone 'UTC')::date - setting_number('keepPlaysDays', 800)::int)::timestamp,
    (select (value #>> '{}')::date::timestamp from setting where key = 'holdPlaysFrom' and value <> 'null')) at time zone 'UTC'
$function$;

CREATE OR REPLACE FUNCTION plays_kept_since()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select greatest(
    least(
      (select min(to_date(right(relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' from (
         (select relname from pg_class where relname >= 'play_0' and relname < 'play_a' and relispartition and relkind = 'r'
           order by relname limit 1)
         union all
         (select relname from pg_class where relname >= 'play_week_0' and relname < 'play_week_a' and relispartition
             and relkind = 'r' order by relname limit 1)) oldest),
      (select min(day)::timestamp at time zone 'UTC' from play_archive)),
    plays_in_retention_since())
$function$;

CREATE OR REPLACE FUNCTION readings_around(truck uuid, since timestamp with time zone, until timestamp with time zone, near interval, top_speed double precision, step_m double precision)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (
    with reading as (
      select r.at, r.metres, json_build_object('at', (extract(epoch from r.at) * 1000)::float8, 'metres', r.metres) as told
        from odometer_reading r where r.truck_uid = $1
    ), edge as (
      select (select told from reading where at <= $2 and at >= $2 - $4 order by at desc limit 1) as before_start,
             (select told from reading where at >= $2 and at <= $2 + $4 order by at limit 1) as after_start,
             (select told from reading where at <= $3 and at >= $3 - $4 order by at desc limit 1) as before_end,
             (select told from reading where at >= $3 and at <= $3 + $4 order by at limit 1) as after_end
    ), step as (
      select r.metres - lag(r.metres) over (order by r.at) as metres,
             extract(epoch from r.at - lag(r.at) over (order by r.at))::float8 as seconds
        from odometer_reading r where r.truck_uid = $1
         and r.at >= coalesce((select max(at) from reading where at <= $2 and at >= $2 - $4), $2)
         and r.at <= coalesce((select min(at) from reading where at >= $3 and at <= $3 + $4), $3)
    )
    select json_build_object('start', json_build_object('before', before_start, 'after', after_start),
                             'end', json_build_object('before', before_end, 'after', after_end),
                             'isSteady', (select coalesce(bool_and(metres between 0 and seconds * $5 + $6), true)
                                            from step where metres is not null))
      from edge);
end $function$;

CREATE OR REPLACE FUNCTION refuse_changed_method()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'insufficient_privilege', message = format('%s is only ever added to', tg_table_name);
end $function$;

CREATE OR REPLACE FUNCTION refuse_closed(period pay_period, advice text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'check_violation', constraint = 'pay_period_closed', table = 'pay_period',
    message = format('The pay period from %s to %s is %s. %s', period.starts_on, period.ends_on, period.state, advice);
end $function$;

CREATE OR REPLACE FUNCTION refuse_if_closed(day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  period pay_period;
begin
  perform pg_advisory_xact_lock_shared(hashtext('pay_period'));
  period := closed_period(day);
  if period.state = 'approved' then perform refuse_closed(period, 'Open it again first.'); end if;
  if period.state = 'locked' then perform refuse_closed(period, 'Add an adjustment to an open period instead.'); end if;
end $function$;

CREATE OR REPLACE FUNCTION refuse_misplaced_stops()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'check_violation', constraint = 'shift_stops_fit', table = 'shift',
    message = 'A planned stop of this shift is outside its hours or its limits.';
end $function$;

CREATE OR REPLACE FUNCTION refuse_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a published version is never removed';
end $function$;

CREATE OR REPLACE FUNCTION refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and old.at < now() - make_interval(days => (case tg_table_name when 'audit_log' then 400 else 1095 end)) then
    return old;
  end if;
  raise exception using errcode = 'insufficient_privilege', message = format('%s is only ever added to', tg_table_name);
end $function$;

CREATE OR REPLACE FUNCTION refuse_shift_out_of_service()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from truck where uid = new.truck_uid for key share;
  perform from user_account where uid = new.driver_uid for key share;
  if exists (select from out_of_service o where o.truck_uid = new.truck_uid and o.deleted_at is null
                and tstzrange(o.starts_at, o.ends_at) && tstzrange(new.starts_at, new.ends_at)) then
    raise exception 'The truck is in the shop at that time.'
      using errcode = 'exclusion_violation', constraint = 'shift_truck_in_service', table = 'shift';
  end if;
  if exists (select from out_of_service o where o.driver_uid = new.driver_uid and o.deleted_at is null
                and tstzrange(o.starts_at, o.ends_at) && tstzrange(new.starts_at, new.ends_at)) then
    raise exception 'The driver is off at that time.'
      using errcode = 'exclusion_violation', constraint = 'shift_driver_in_service', table = 'shift';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION refuse_stretch_over_shifts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.truck_uid is not null then
    perform from truck where uid = new.truck_uid for update;
  else
    perform from user_account where uid = new.driver_uid for update;
  end if;
  if exists (select from shift s
              where (s.truck_uid = new.truck_uid or s.driver_uid = new.driver_uid)
                and s.deleted_at is null and s.status = 'planned' and s.ends_at > now()
                and tstzrange(s.starts_at, s.ends_at) && tstzrange(new.starts_at, new.ends_at)) then
    raise exception 'Shifts are planned at that time. Move or cancel them first.'
      using errcode = 'exclusion_violation', constraint = 'out_of_service_without_shifts', table = 'out_of_service';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION release_shift()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION require_same_batch(stored bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if stored = 0 then raise exception 'another batch of this player was stored meanwhile' using errcode = '40001'; end if;
end $function$;

CREATE OR REPLACE FUNCTION role_needs_second_factor(of_role text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select value @> to_jsonb(of_role) from setting where key = 'secondFactorRoles'), false)
$function$;

CREATE OR REPLACE FUNCTION setting_number(name text, standard numeric)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select (value #>> '{}')::numeric from setting where key = name), standard)
$function$;

CREATE OR REPLACE FUNCTION shift_stops_fit(stops jsonb, start_time time without time zone, end_time time without time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_typeof(stops) = 'array' and jsonb_array_length(stops) <= 12 and not exists (
    select from jsonb_array_elements(stops) e
     where (length(e ->> 'name') between 1 and 80 and length(e ->> 'note') <= 300
            and (e ->> 'latitude')::float8 between -90 and 90 and (e ->> 'longitude')::float8 between -180 and 180
            and (e ->> 'radiusM')::float8 between 50 and 8047
            and coalesce((e ->> 'minMinutes')::float8 between 1 and 720, true)
            and minutes_after(start_time, (e ->> 'from')::time) < minutes_after(start_time, (e ->> 'to')::time)
            and minutes_after(start_time, (e ->> 'to')::time) <= minutes_after(start_time, end_time)) is not true)
$function$;

CREATE OR REPLACE FUNCTION sort_columns(name regclass)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select array_agg(distinct a.attname::text)
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    join pg_attribute u on u.attrelid = i.indrelid and u.attnum = i.indkey[1] and u.attname = 'uid'
   where i.indrelid = name and i.indnkeyatts = 2
$function$;

CREATE OR REPLACE FUNCTION started_claim(s shift)
 RETURNS tstzrange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when s.deleted_at is null and s.status in ('out', 'completed') then
    tstzrange(coalesce(s.started_at, s.starts_at),
              greatest(coalesce(s.stopped_at, case when s.status = 'out' then s.ends_at + interval '12 hours' else s.ends_at end),
                       coalesce(s.started_at, s.starts_at))) end
$function$;

CREATE OR REPLACE FUNCTION stretch_words(o out_of_service)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when o.deleted_at is null then
    to_char(o.starts_at at time zone o.zone, 'FMMon FMDD, YYYY, FMHH12:MI AM') || ' until '
    || case when o.ends_on is null then 'further notice'
            when o.end_time = '24:00' then 'the end of ' || to_char(o.ends_on, 'FMMon FMDD, YYYY')
            else to_char(o.ends_on + o.end_time, 'FMMon FMDD, YYYY, FMHH12:MI AM') end
    || case when o.reason = '' then '' else ': ' || o.reason end end
$function$;

CREATE OR REPLACE FUNCTION tell_access_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access_changed', new.uid::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_changed_fallback()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'setting' then
    if new.key = 'fallbackArtworkUid' then perform pg_notify('player_fallback_changed', ''); end if;
  elsif exists (select from setting where key = 'fallbackArtworkUid' and value = to_jsonb(new.uid::text)) then
    perform pg_notify('player_fallback_changed', '');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_changed_plans()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  case tg_table_name
    when 'truck' then perform pg_notify('truck_plan_changed', new.uid::text);
    when 'pixel_map' then
      perform pg_notify('truck_plan_changed', uid::text) from truck where pixel_map_uid = new.uid and deleted_at is null;
    when 'client_program' then perform pg_notify('program_plan_changed', new.uid::text);
    when 'client' then
      perform pg_notify('program_plan_changed', uid::text) from client_program where client_uid = new.uid and deleted_at is null;
    else perform pg_notify('program_plan_changed', new.program_uid::text);
  end case;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_changed_shifts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('shifts_changed', json_build_object('from', min(local_date), 'to', max(local_date))::text)
     from touched having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_changed_stretches()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('shifts_changed', json_build_object('from', min(starts_on) - 1, 'to', coalesce(max(ends_on), '2199-12-31'))::text)
     from touched having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_changed_trucks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('truck_plan_changed', truck_uid::text) from (select distinct truck_uid from touched) trucks;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_device_commands()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then perform pg_notify('device_command_asked', new.device_uid::text); end if;
  perform pg_notify('device_commands_changed', truck_uid::text) from device where uid = new.device_uid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_ended_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.key_hash is distinct from old.key_hash or new.deleted_at is distinct from old.deleted_at then
    perform pg_notify('device_ended', new.uid::text);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_notified()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('notifications_changed', user_uid::text) from (select distinct user_uid from touched) people;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_published()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('pop_published', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_session_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('session_ended', new.uid::text || ' ' || new.end_reason);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_session_limited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('session_limited', new.uid::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_shift_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('shifts_changed', json_build_object('from', local_date, 'to', local_date)::text)
     from shift where uid = new.shift_uid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_touched()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from touched) then
    perform pg_notify(tg_argv[0], '');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION truck_hours(s shift)
 RETURNS tstzrange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when s.deleted_at is null and s.status not in ('cancelled', 'noShow') then
    tstzrange(coalesce(s.started_at, s.starts_at),
              greatest(coalesce(s.stopped_at, case when s.status = 'out' then s.ends_at + interval '12 hours' else s.ends_at end),
                       coalesce(s.started_at, s.starts_at))) end
$function$;

CREATE OR REPLACE FUNCTION truck_rank(s shift)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when s.status in ('out', 'completed') then 'started ' else 'planned ' end
         || to_char(extract(epoch from lower(truck_hours(s))), 'FM000000000000.000000') || ' ' || s.uid
$function$;

CREATE OR REPLACE FUNCTION unlink_identities()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from single_sign_on_identity where user_uid = new.uid;
  delete from single_sign_on_confirmation where user_uid = new.uid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION version_figures(document text)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select json_build_object('metres', document::json #> '{figures,metres}', 'plays', document::json #> '{figures,plays}',
                           'photos', document::json -> 'photos')
$function$;

CREATE OR REPLACE FUNCTION wake_outbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION withdraw_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.driver_side_artwork_uid, old.passenger_side_artwork_uid, old.rear_artwork_uid)
     is distinct from (new.driver_side_artwork_uid, new.passenger_side_artwork_uid, new.rear_artwork_uid) then
    new.status := 'draft';
    new.approved_hash := null;
    new.approved_by := null;
    new.approved_at := null;
    new.approval_reason := '';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION worked_hours(s shift)
 RETURNS tstzmultirange
 LANGUAGE sql
 STABLE
AS $function$
  select (select coalesce(range_agg(h.during), '{}') from truck_hold h where h.shift_uid = s.uid)
         * tstzmultirange(tstzrange(least(coalesce(s.started_at, s.starts_at), now()), now()))
$function$;

CREATE OR REPLACE PROCEDURE write_truck_holds(IN shifts uuid[], IN trucks uuid[], IN claims tstzrange[], IN replanned uuid[])
 LANGUAGE plpgsql
AS $procedure$
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
end $procedure$;

CREATE OR REPLACE FUNCTION zone_at(zone text, earlier_zones jsonb, moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when earlier_zones = '[]'::jsonb then zone else earlier_zone_at(zone, earlier_zones, moment) end
$function$;

CREATE OR REPLACE FUNCTION zone_on(zone text, earlier_zones jsonb, day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when earlier_zones = '[]'::jsonb then zone else earlier_zone_on(zone, earlier_zones, day) end
$function$;

CREATE OR REPLACE FUNCTION zones_between(zone text, earlier_zones jsonb, first_day date, last_day date)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select distinct zone_on(zone, earlier_zones, d.day)
    from (select coalesce(first_day, '-infinity') as day
          union all
          select (e ->> 'until')::date from jsonb_array_elements(earlier_zones) e
           where (e ->> 'until')::date > coalesce(first_day, '-infinity')
             and (e ->> 'until')::date <= coalesce(last_day, 'infinity')) d
$function$;

create table address_set (
  uid uuid default new_uid() not null,
  program_uid uuid not null,
  name text collate natural_order not null,
  note text default ''::text not null,
  search_text text generated always as (lower((((name || ' '::text) || note) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint address_set_pkey PRIMARY KEY (uid),
  constraint address_set_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint address_set_name_check CHECK ((name <> ''::text)),
  constraint address_set_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid)
);
CREATE INDEX address_set_by_name ON address_set USING btree (name, uid) WHERE (deleted_at IS NULL);
CREATE INDEX address_set_by_updated ON address_set USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX address_set_name_once ON address_set USING btree (program_uid, lower((name COLLATE "default"))) WHERE (deleted_at IS NULL);
CREATE INDEX address_set_of_program ON address_set USING btree (program_uid) WHERE (deleted_at IS NULL);
CREATE INDEX address_set_search ON address_set USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON address_set FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON address_set FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON address_set REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('name', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON address_set REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('name', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON address_set REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('name', 'updated_at');
CREATE TRIGGER tell_plans AFTER UPDATE ON address_set FOR EACH ROW EXECUTE FUNCTION tell_changed_plans();

create table api_key (
  uid uuid default new_uid() not null,
  name text not null,
  token_hash bytea not null,
  token_start text not null,
  modules text[] not null,
  access text not null,
  client_uid uuid,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_address text,
  ended_at timestamp with time zone,
  ended_by uuid,
  end_reason text,
  constraint api_key_pkey PRIMARY KEY (uid),
  constraint api_key_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text]))),
  constraint api_key_client_uid_fkey FOREIGN KEY (client_uid) REFERENCES client(uid),
  constraint api_key_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(uid),
  constraint api_key_end_has_reason CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
  constraint api_key_end_reason_check CHECK ((end_reason = ANY (ARRAY['ended'::text, 'makerDeleted'::text, 'makerLostAccess'::text, 'clientDeleted'::text]))),
  constraint api_key_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES user_account(uid),
  constraint api_key_expires CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '1 year'::interval)))),
  constraint api_key_modules_check CHECK ((cardinality(modules) > 0)),
  constraint api_key_name_check CHECK ((name <> ''::text)),
  constraint api_key_of_client_reads CHECK (((client_uid IS NULL) OR (access = 'read'::text))),
  constraint api_key_token_once UNIQUE (token_hash)
);
CREATE INDEX api_key_of_client ON api_key USING btree (client_uid) WHERE (client_uid IS NOT NULL);
CREATE INDEX api_key_of_maker ON api_key USING btree (created_by);
CREATE TRIGGER keep_api_key BEFORE DELETE OR UPDATE ON api_key FOR EACH ROW EXECUTE FUNCTION keep_api_key();

create table artwork_set (
  uid uuid default new_uid() not null,
  program_uid uuid not null,
  name text collate natural_order not null,
  status text default 'draft'::text not null,
  driver_side_artwork_uid uuid,
  passenger_side_artwork_uid uuid,
  rear_artwork_uid uuid,
  approved_hash text,
  approved_by uuid,
  approved_at timestamp with time zone,
  note text default ''::text not null,
  search_text text generated always as (lower((((name || ' '::text) || note) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  approval_reason text default ''::text not null,
  constraint artwork_set_pkey PRIMARY KEY (uid),
  constraint approval_is_whole CHECK (((status = 'approved'::text) = (approved_hash IS NOT NULL))),
  constraint artwork_set_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES user_account(uid),
  constraint artwork_set_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint artwork_set_driver_side_artwork_uid_fkey FOREIGN KEY (driver_side_artwork_uid) REFERENCES stored_file(uid),
  constraint artwork_set_name_check CHECK ((name <> ''::text)),
  constraint artwork_set_of_program UNIQUE (uid, program_uid),
  constraint artwork_set_passenger_side_artwork_uid_fkey FOREIGN KEY (passenger_side_artwork_uid) REFERENCES stored_file(uid),
  constraint artwork_set_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint artwork_set_rear_artwork_uid_fkey FOREIGN KEY (rear_artwork_uid) REFERENCES stored_file(uid),
  constraint artwork_set_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'approved'::text])))
);
CREATE INDEX artwork_by_name ON artwork_set USING btree (name, uid) WHERE (deleted_at IS NULL);
CREATE INDEX artwork_by_status ON artwork_set USING btree (status, uid) WHERE (deleted_at IS NULL);
CREATE INDEX artwork_by_updated ON artwork_set USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX artwork_name_once ON artwork_set USING btree (program_uid, lower((name COLLATE "default"))) WHERE (deleted_at IS NULL);
CREATE INDEX artwork_of_program ON artwork_set USING btree (program_uid) WHERE (deleted_at IS NULL);
CREATE INDEX artwork_search ON artwork_set USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_artwork_files AFTER INSERT OR UPDATE ON artwork_set FOR EACH ROW EXECUTE FUNCTION keep_artwork_files();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON artwork_set FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON artwork_set FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON artwork_set REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('name', 'status', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON artwork_set REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('name', 'status', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON artwork_set REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('name', 'status', 'updated_at');
CREATE TRIGGER tell_fallback AFTER UPDATE ON artwork_set FOR EACH ROW EXECUTE FUNCTION tell_changed_fallback();
CREATE TRIGGER tell_plans AFTER UPDATE ON artwork_set FOR EACH ROW EXECUTE FUNCTION tell_changed_plans();
CREATE TRIGGER withdraw_approval BEFORE UPDATE ON artwork_set FOR EACH ROW EXECUTE FUNCTION withdraw_approval();

create table artwork_set_file (
  set_uid uuid not null,
  sha256 text not null,
  longest_ms integer not null,
  added_at timestamp with time zone default now() not null,
  constraint artwork_set_file_pkey PRIMARY KEY (set_uid, sha256),
  constraint artwork_set_file_set_uid_fkey FOREIGN KEY (set_uid) REFERENCES artwork_set(uid)
);
CREATE INDEX artwork_set_file_by_length ON artwork_set_file USING btree (longest_ms);

create table audit_log (
  uid uuid default new_uid() not null,
  at timestamp with time zone default clock_timestamp() not null,
  kind text not null,
  actor_uid uuid,
  subject text default ''::text not null,
  detail text default ''::text not null,
  address text default ''::text not null,
  user_agent text default ''::text not null,
  request_id text default ''::text not null,
  key_uid uuid,
  record_table text,
  record_uid uuid,
  constraint audit_log_pkey PRIMARY KEY (uid),
  constraint audit_log_actor_uid_fkey FOREIGN KEY (actor_uid) REFERENCES user_account(uid),
  constraint audit_log_key_uid_fkey FOREIGN KEY (key_uid) REFERENCES api_key(uid)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, vacuum_truncate=off, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=400);
CREATE INDEX audit_log_by_time ON audit_log USING btree (at, uid);
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER only_added_to BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

create table backup_run (
  kind text not null,
  done_at timestamp with time zone not null,
  folder text not null,
  has_key boolean not null,
  constraint backup_run_pkey PRIMARY KEY (kind),
  constraint backup_run_kind_check CHECK ((kind = ANY (ARRAY['backup'::text, 'check'::text])))
);

create table booked_line (
  uid uuid default new_uid() not null,
  program_uid uuid not null,
  market_uid uuid not null,
  unit text not null,
  amount integer not null,
  starts_on date not null,
  ends_on date not null,
  price_cents bigint,
  position integer default 0 not null,
  constraint booked_line_pkey PRIMARY KEY (uid),
  constraint booked_line_amount_check CHECK (((amount >= 1) AND (amount <= 1000000000))),
  constraint booked_line_ends_after_it_starts CHECK ((ends_on >= starts_on)),
  constraint booked_line_ends_on_check CHECK ((ends_on <= '2199-12-31'::date)),
  constraint booked_line_of_program_market FOREIGN KEY (program_uid, market_uid) REFERENCES program_market(program_uid, market_uid) ON DELETE CASCADE,
  constraint booked_line_once EXCLUDE USING gist (program_uid WITH =, market_uid WITH =, unit WITH =, daterange(starts_on, ends_on, '[]'::text) WITH &&) DEFERRABLE,
  constraint booked_line_price_cents_check CHECK (((price_cents >= 0) AND (price_cents <= '100000000000'::bigint))),
  constraint booked_line_start_once UNIQUE (program_uid, market_uid, unit, starts_on),
  constraint booked_line_starts_on_check CHECK ((starts_on >= '1970-01-01'::date)),
  constraint booked_line_unit_check CHECK ((unit = ANY (ARRAY['truckDays'::text, 'hours'::text, 'miles'::text, 'plays'::text])))
);
CREATE INDEX booked_line_by_days ON booked_line USING btree (ends_on, starts_on);
CREATE TRIGGER keep_child_history AFTER INSERT OR DELETE OR UPDATE ON booked_line FOR EACH ROW EXECUTE FUNCTION keep_child_history('client_program', 'program_uid', 'booked_line');

create table calendar_link (
  user_uid uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  uid uuid default new_uid() not null,
  used_at timestamp with time zone,
  used_from text default ''::text not null,
  constraint calendar_link_pkey PRIMARY KEY (user_uid),
  constraint calendar_link_token_hash_key UNIQUE (token_hash),
  constraint calendar_link_uid_once UNIQUE (uid),
  constraint calendar_link_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
);

create table campaign_issue (
  uid uuid default new_uid() not null,
  line_uid uuid not null,
  through date not null,
  raised_at timestamp with time zone default now() not null,
  resolved_at timestamp with time zone,
  looked_at timestamp with time zone,
  missing integer,
  proposal jsonb default '{"shifts": [], "artworkSet": null}'::jsonb not null,
  accepted_by uuid,
  accepted_at timestamp with time zone,
  accepted_shifts integer default 0 not null,
  constraint campaign_issue_pkey PRIMARY KEY (uid),
  constraint campaign_issue_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES user_account(uid),
  constraint campaign_issue_accepted_by_someone CHECK (((accepted_by IS NULL) = (accepted_at IS NULL))),
  constraint campaign_issue_accepted_shifts_check CHECK ((accepted_shifts >= 0)),
  constraint campaign_issue_line_uid_fkey FOREIGN KEY (line_uid) REFERENCES booked_line(uid) ON DELETE CASCADE,
  constraint campaign_issue_missing_check CHECK ((missing >= 0)),
  constraint campaign_issue_once_a_day UNIQUE (line_uid, through)
);
CREATE UNIQUE INDEX campaign_issue_open ON campaign_issue USING btree (line_uid) WHERE (resolved_at IS NULL);
CREATE INDEX campaign_issue_resolved ON campaign_issue USING btree (resolved_at);

create table campaign_link (
  uid uuid default new_uid() not null,
  program_uid uuid not null,
  label text default ''::text not null,
  token_hash bytea not null,
  delay_minutes smallint default 15 not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_by uuid,
  views integer default 0 not null,
  last_viewed_at timestamp with time zone,
  constraint campaign_link_pkey PRIMARY KEY (uid),
  constraint campaign_link_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(uid),
  constraint campaign_link_delay_minutes_check CHECK (((delay_minutes >= 5) AND (delay_minutes <= 1440))),
  constraint campaign_link_end_has_author CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint campaign_link_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES user_account(uid),
  constraint campaign_link_expires CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '1 year 1 day'::interval)))),
  constraint campaign_link_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint campaign_link_token_once UNIQUE (token_hash),
  constraint campaign_link_views_check CHECK ((views >= 0))
) with (fillfactor=80);
CREATE INDEX campaign_link_of_program ON campaign_link USING btree (program_uid, created_at DESC);
CREATE TRIGGER keep_campaign_link BEFORE DELETE OR UPDATE ON campaign_link FOR EACH ROW EXECUTE FUNCTION keep_campaign_link();

create table client (
  uid uuid default new_uid() not null,
  name text collate natural_order not null,
  logo_file_uid uuid,
  contacts jsonb default '[]'::jsonb not null,
  note text default ''::text not null,
  search_text text generated always as (lower((((((name || ' '::text) || note) || ' '::text) || COALESCE((jsonb_path_query_array(contacts, '$[*].*'::jsonpath))::text, ''::text)) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint client_pkey PRIMARY KEY (uid),
  constraint client_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint client_logo_file_uid_fkey FOREIGN KEY (logo_file_uid) REFERENCES stored_file(uid),
  constraint client_name_check CHECK ((name <> ''::text))
);
CREATE INDEX client_by_name ON client USING btree (name, uid) WHERE (deleted_at IS NULL);
CREATE INDEX client_by_updated ON client USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX client_name_once ON client USING btree (lower((name COLLATE "default"))) WHERE (deleted_at IS NULL);
CREATE INDEX client_search ON client USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER end_api_keys_of_client AFTER UPDATE ON client FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION end_api_keys_of_client();
CREATE TRIGGER end_webhooks_of_client AFTER UPDATE ON client FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION end_webhooks_of_client();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON client FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON client FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON client REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('name', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON client REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('name', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON client REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('name', 'updated_at');
CREATE TRIGGER tell_plans AFTER UPDATE ON client FOR EACH ROW EXECUTE FUNCTION tell_changed_plans();

create table client_program (
  uid uuid default new_uid() not null,
  client_uid uuid not null,
  name text collate natural_order not null,
  status text not null,
  starts_on date not null,
  ends_on date not null,
  pop_url text not null,
  note text default ''::text not null,
  search_text text generated always as (lower((((((name || ' '::text) || pop_url) || ' '::text) || note) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  spot_seconds smallint,
  constraint client_program_pkey PRIMARY KEY (uid),
  constraint client_program_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint client_program_client_uid_fkey FOREIGN KEY (client_uid) REFERENCES client(uid),
  constraint client_program_name_check CHECK ((name <> ''::text)),
  constraint client_program_pop_url_check CHECK (((pop_url ~ '^[A-Za-z0-9 -]+$'::text) AND (lower(pop_url) <> ALL (ARRAY['pop'::text, 'program-by-client'::text])))),
  constraint client_program_spot_seconds_check CHECK (((spot_seconds >= 5) AND (spot_seconds <= 120))),
  constraint client_program_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text, 'completed'::text]))),
  constraint program_ends_after_it_starts CHECK ((ends_on >= starts_on))
);
CREATE INDEX client_program_by_progress ON client_program USING btree ((((
CASE status
    WHEN 'active'::text THEN 0
    WHEN 'paused'::text THEN 1
    WHEN 'draft'::text THEN 2
    ELSE 3
END * 1000000) + (starts_on - '2000-01-01'::date))), uid) WHERE (deleted_at IS NULL);
CREATE INDEX program_by_end ON client_program USING btree (ends_on, uid) WHERE (deleted_at IS NULL);
CREATE INDEX program_by_name ON client_program USING btree (name, uid) WHERE (deleted_at IS NULL);
CREATE INDEX program_by_start ON client_program USING btree (starts_on, uid) WHERE (deleted_at IS NULL);
CREATE INDEX program_by_status ON client_program USING btree (status, uid) WHERE (deleted_at IS NULL);
CREATE INDEX program_by_updated ON client_program USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX program_name_once ON client_program USING btree (client_uid, lower((name COLLATE "default"))) WHERE (deleted_at IS NULL);
CREATE INDEX program_of_client ON client_program USING btree (client_uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX program_pop_url_once ON client_program USING btree (lower(pop_url)) WHERE (deleted_at IS NULL);
CREATE INDEX program_search ON client_program USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER begin_pop AFTER INSERT ON client_program FOR EACH ROW EXECUTE FUNCTION begin_pop();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON client_program FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER move_holds AFTER UPDATE ON client_program FOR EACH ROW WHEN ((old.client_uid IS DISTINCT FROM new.client_uid)) EXECUTE FUNCTION move_truck_holds();
CREATE TRIGGER next_version BEFORE UPDATE ON client_program FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON client_program REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('ends_on', 'name', 'starts_on', 'status', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON client_program REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('ends_on', 'name', 'starts_on', 'status', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON client_program REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('ends_on', 'name', 'starts_on', 'status', 'updated_at');
CREATE TRIGGER tell_plans AFTER UPDATE ON client_program FOR EACH ROW EXECUTE FUNCTION tell_changed_plans();

create table code_app (
  user_uid uuid not null,
  secret bytea,
  added_at timestamp with time zone,
  used_at timestamp with time zone,
  last_step bigint default 0 not null,
  new_secret bytea,
  new_secret_until timestamp with time zone,
  constraint code_app_pkey PRIMARY KEY (user_uid),
  constraint code_app_in_use CHECK (((secret IS NULL) = (added_at IS NULL))),
  constraint code_app_set_up CHECK (((new_secret IS NULL) = (new_secret_until IS NULL))),
  constraint code_app_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
) with (vacuum_truncate=off);

create table connection_check (
  connection text not null,
  last_success_at timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  tested_at timestamp with time zone default now() not null,
  tested_by uuid,
  constraint connection_check_pkey PRIMARY KEY (connection),
  constraint connection_check_connection_check CHECK (((length(connection) >= 1) AND (length(connection) <= 80))),
  constraint connection_check_tested_by_fkey FOREIGN KEY (tested_by) REFERENCES user_account(uid)
);

create table device (
  uid uuid default new_uid() not null,
  truck_uid uuid not null,
  kind text not null,
  mac_address text not null,
  key_hash bytea,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  paired_at timestamp with time zone,
  revoked_at timestamp with time zone,
  search_text text generated always as (lower(mac_address)) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint device_pkey PRIMARY KEY (uid),
  constraint device_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint device_kind_check CHECK ((kind = ANY (ARRAY['player'::text, 'driver'::text]))),
  constraint device_mac_address_check CHECK ((mac_address ~ '^([0-9A-F]{2}:){5}[0-9A-F]{2}$'::text)),
  constraint device_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);
CREATE INDEX device_by_mac ON device USING btree (mac_address, uid) WHERE (deleted_at IS NULL);
CREATE INDEX device_by_updated ON device USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX device_mac_once ON device USING btree (mac_address) WHERE (deleted_at IS NULL);
CREATE INDEX device_of_truck ON device USING btree (truck_uid) WHERE (deleted_at IS NULL);
CREATE INDEX device_search ON device USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON device FOR EACH ROW EXECUTE FUNCTION keep_history('key_hash', 'code_hash', 'truck_uid', 'seen_at');
CREATE TRIGGER next_version BEFORE UPDATE ON device FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON device REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('mac_address', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON device REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('mac_address', 'updated_at');
CREATE TRIGGER note_trucks_changed AFTER INSERT OR DELETE OR UPDATE ON device FOR EACH STATEMENT EXECUTE FUNCTION note_trucks_changed();
CREATE TRIGGER note_updated AFTER UPDATE ON device REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('mac_address', 'updated_at');
CREATE TRIGGER tell_ended AFTER UPDATE ON device FOR EACH ROW EXECUTE FUNCTION tell_ended_devices();

create table device_command (
  uid uuid default new_uid() not null,
  device_uid uuid not null,
  kind text not null,
  seconds integer,
  state text default 'waiting'::text not null,
  answer text default ''::text not null,
  asked_by uuid not null,
  asked_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  answered_at timestamp with time zone,
  has_picture boolean default false not null,
  picture_removed_at timestamp with time zone,
  constraint device_command_pkey PRIMARY KEY (uid),
  constraint device_command_answered CHECK (((state = ANY (ARRAY['done'::text, 'refused'::text])) = (answered_at IS NOT NULL))),
  constraint device_command_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES user_account(uid),
  constraint device_command_device_uid_fkey FOREIGN KEY (device_uid) REFERENCES device(uid),
  constraint device_command_kind_check CHECK ((kind = ANY (ARRAY['showScreen'::text, 'restart'::text, 'download'::text, 'testPattern'::text, 'blank'::text, 'volumeOff'::text, 'volumeOn'::text, 'reload'::text]))),
  constraint device_command_seconds_check CHECK (((seconds >= 1) AND (seconds <= 3600))),
  constraint device_command_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text, 'expired'::text])))
);
CREATE INDEX device_command_asked ON device_command USING btree (asked_at);
CREATE INDEX device_command_due ON device_command USING btree (expires_at) WHERE (state = 'waiting'::text);
CREATE INDEX device_command_newest ON device_command USING btree (device_uid, asked_at);
CREATE INDEX device_command_pictures ON device_command USING btree (asked_at) WHERE ((kind = 'showScreen'::text) AND (picture_removed_at IS NULL));
CREATE UNIQUE INDEX device_command_waiting ON device_command USING btree (device_uid, kind) WHERE (state = 'waiting'::text);
CREATE TRIGGER tell_commands AFTER INSERT OR UPDATE ON device_command FOR EACH ROW EXECUTE FUNCTION tell_device_commands();

create table device_health (
  device_uid uuid not null,
  at timestamp with time zone not null,
  files text[] default '{}'::text[] not null,
  clock_offset_ms integer not null,
  gps_fix boolean not null,
  free_bytes bigint,
  app_version text default ''::text not null,
  received_at timestamp with time zone default now() not null,
  report_id text default ''::text not null,
  screen jsonb,
  constraint device_health_pkey PRIMARY KEY (device_uid),
  constraint device_health_device_uid_fkey FOREIGN KEY (device_uid) REFERENCES device(uid)
) with (fillfactor=70);

create table device_seen (
  device_uid uuid not null,
  seen_at timestamp with time zone not null,
  constraint device_seen_pkey PRIMARY KEY (device_uid),
  constraint device_seen_device_uid_fkey FOREIGN KEY (device_uid) REFERENCES device(uid)
) with (fillfactor=70);

create table driver_act (
  user_uid uuid not null,
  act_id uuid not null,
  kind text not null,
  shift_uid uuid not null,
  phone_at timestamp with time zone not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  latitude double precision,
  longitude double precision,
  accuracy_m real,
  problem text,
  changed_from text not null,
  constraint driver_act_pkey PRIMARY KEY (user_uid, act_id),
  constraint driver_act_accuracy_m_check CHECK ((accuracy_m >= (0)::double precision)),
  constraint driver_act_kind_check CHECK ((kind = ANY (ARRAY['start'::text, 'stop'::text, 'answer'::text, 'message'::text, 'otherTruck'::text, 'issue'::text, 'inspection'::text, 'timeAnswer'::text]))),
  constraint driver_act_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint driver_act_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint driver_act_place_is_whole CHECK ((((latitude IS NULL) = (longitude IS NULL)) AND ((latitude IS NULL) = (accuracy_m IS NULL)))),
  constraint driver_act_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint driver_act_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
);
CREATE INDEX driver_act_of_shift ON driver_act USING btree (shift_uid, at);
CREATE TRIGGER tell_acts AFTER INSERT ON driver_act FOR EACH ROW EXECUTE FUNCTION tell_shift_words();

create table driver_event (
  device_uid uuid,
  event_id text not null,
  shift_uid uuid not null,
  kind text not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  uid uuid default new_uid() not null,
  user_uid uuid,
  constraint driver_event_pkey PRIMARY KEY (uid),
  constraint driver_event_device_or_user CHECK ((num_nonnulls(device_uid, user_uid) = 1)),
  constraint driver_event_device_uid_fkey FOREIGN KEY (device_uid) REFERENCES device(uid),
  constraint driver_event_event_id_check CHECK (((length(event_id) >= 1) AND (length(event_id) <= 64))),
  constraint driver_event_kind_check CHECK ((kind = ANY (ARRAY['start'::text, 'stop'::text]))),
  constraint driver_event_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint driver_event_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
);
CREATE UNIQUE INDEX driver_event_of_device ON driver_event USING btree (device_uid, event_id) WHERE (device_uid IS NOT NULL);
CREATE INDEX driver_event_of_shift ON driver_event USING btree (shift_uid);
CREATE UNIQUE INDEX driver_event_of_user ON driver_event USING btree (user_uid, event_id) WHERE (user_uid IS NOT NULL);

create table driver_phone (
  user_uid uuid not null,
  seen_at timestamp with time zone not null,
  clock_offset_s integer default 0 not null,
  constraint driver_phone_pkey PRIMARY KEY (user_uid),
  constraint driver_phone_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
) with (fillfactor=70);

create table evidence_change (
  truck_uid uuid not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  changed_at timestamp with time zone default now() not null,
  constraint evidence_change_check CHECK ((last_at >= first_at))
);
CREATE INDEX evidence_change_by_time ON evidence_change USING btree (changed_at);
CREATE INDEX evidence_change_of_truck ON evidence_change USING btree (truck_uid, changed_at);

create table figure_change (
  program_uid uuid not null,
  cause_id bigint not null,
  day date not null,
  market_uid uuid not null,
  plays integer not null,
  verified integer not null,
  seconds bigint default 0 not null,
  metres double precision default 0 not null,
  since timestamp with time zone default now() not null,
  constraint figure_change_pkey PRIMARY KEY (program_uid, cause_id, day, market_uid)
);

create table fill_proposal (
  uid uuid default new_uid() not null,
  user_uid uuid not null,
  state text default 'solving'::text not null,
  request jsonb not null,
  step text default 'placing'::text not null,
  placed integer,
  failure text default ''::text not null,
  result jsonb,
  started_at timestamp with time zone default now() not null,
  solving_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '1 day'::interval) not null,
  constraint fill_proposal_pkey PRIMARY KEY (uid),
  constraint fill_proposal_has_result CHECK (((state = ANY (ARRAY['ready'::text, 'accepted'::text])) = (result IS NOT NULL))),
  constraint fill_proposal_state_check CHECK ((state = ANY (ARRAY['solving'::text, 'ready'::text, 'failed'::text, 'accepted'::text]))),
  constraint fill_proposal_step_check CHECK ((step = ANY (ARRAY['placing'::text, 'improving'::text, 'explaining'::text]))),
  constraint fill_proposal_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid),
  constraint fill_proposal_user_uid_key UNIQUE (user_uid)
);
CREATE INDEX fill_proposal_expired ON fill_proposal USING btree (expires_at);

create table geotab_cursor (
  entity text not null,
  version text not null,
  polled_at timestamp with time zone default now() not null,
  constraint geotab_cursor_pkey PRIMARY KEY (entity)
);

create table grading_backlog (
  reason text not null,
  next_day date not null,
  constraint grading_backlog_pkey PRIMARY KEY (reason)
);

create table grading_due (
  truck_uid uuid not null,
  day date not null,
  is_recent boolean not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  queued_at timestamp with time zone default now() not null,
  constraint grading_due_pkey PRIMARY KEY (truck_uid, day, is_recent),
  constraint grading_due_in_order CHECK ((first_at <= last_at))
);
CREATE INDEX grading_due_old ON grading_due USING btree (day, truck_uid) WHERE (NOT is_recent);
CREATE INDEX grading_due_recent ON grading_due USING btree (queued_at, truck_uid) WHERE is_recent;

create table grading_run (
  job text not null,
  done integer not null,
  total integer not null,
  updated_at timestamp with time zone default now() not null,
  constraint grading_run_pkey PRIMARY KEY (job)
);

create table history (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  table_name text not null,
  record_uid uuid not null,
  action text not null,
  actor_uid uuid,
  address text,
  changes jsonb not null,
  key_uid uuid,
  constraint history_pkey PRIMARY KEY (id),
  constraint history_action_check CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'deleted'::text, 'restored'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.01);
CREATE INDEX history_of_access ON history USING btree (at) WHERE (table_name = ANY (ARRAY['user_account'::text, 'device'::text, 'pay_period'::text, 'pop'::text]));
CREATE INDEX history_of_record ON history USING btree (table_name, record_uid, id DESC);
CREATE INDEX history_times ON history USING brin (at) WITH (pages_per_range='32');
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON history FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER only_added_to BEFORE DELETE OR UPDATE ON history FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

create table idempotency_key (
  user_uid uuid not null,
  key text not null,
  request_hash text not null,
  reply json,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_key_pkey PRIMARY KEY (user_uid, key)
);
CREATE INDEX idempotency_key_age ON idempotency_key USING btree (created_at);

create table import_headings (
  kind text not null,
  headings text not null,
  columns jsonb not null,
  at timestamp with time zone default now() not null,
  by_uid uuid not null,
  constraint import_headings_pkey PRIMARY KEY (kind, headings),
  constraint import_headings_by_uid_fkey FOREIGN KEY (by_uid) REFERENCES user_account(uid),
  constraint import_headings_columns_check CHECK ((jsonb_typeof(columns) = 'array'::text)),
  constraint import_headings_kind_check CHECK ((kind <> ''::text))
);
CREATE INDEX import_headings_by_time ON import_headings USING btree (at);

create table import_run (
  uid uuid default new_uid() not null,
  kind text not null,
  at timestamp with time zone default now() not null,
  by_uid uuid not null,
  file_name text not null,
  states jsonb,
  undone_at timestamp with time zone,
  added integer default 0 not null,
  changed integer default 0 not null,
  skipped integer default 0 not null,
  undone_by_uid uuid,
  constraint import_run_pkey PRIMARY KEY (uid),
  constraint import_run_added_check CHECK ((added >= 0)),
  constraint import_run_by_uid_fkey FOREIGN KEY (by_uid) REFERENCES user_account(uid),
  constraint import_run_changed_check CHECK ((changed >= 0)),
  constraint import_run_kind_check CHECK ((kind <> ''::text)),
  constraint import_run_skipped_check CHECK ((skipped >= 0)),
  constraint import_run_states_check CHECK (((jsonb_typeof(states) = 'array'::text) AND (jsonb_array_length(states) > 0))),
  constraint import_run_undone_by_uid_fkey FOREIGN KEY (undone_by_uid) REFERENCES user_account(uid)
);
CREATE INDEX import_run_by_time ON import_run USING btree (at);

create table impression_method (
  version integer not null,
  document text not null,
  sha256 text not null,
  note text not null,
  segments integer not null,
  created_at timestamp with time zone default now() not null,
  changed_by uuid,
  changed_from text,
  rules integer default 1 not null,
  constraint impression_method_pkey PRIMARY KEY (version),
  constraint impression_method_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint impression_method_rules_check CHECK ((rules > 0)),
  constraint impression_method_segments_check CHECK ((segments >= 0)),
  constraint impression_method_version_check CHECK ((version > 0))
);
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON impression_method FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_method();
CREATE TRIGGER only_added_to BEFORE DELETE OR UPDATE ON impression_method FOR EACH ROW EXECUTE FUNCTION refuse_changed_method();
-- row: {"note": "Comes with the product. Replace the assumptions with counts of your own markets where you have them.", "rules": 1, "sha256": "eb8ed057fce718788dd0eb78de5b04318be4ecda0a3e4b6a019bcf5bc7ac32a1", "version": 1, "document": "{\"version\":1,\"note\":\"Comes with the product. Replace the assumptions with counts of your own markets where you have them.\",\"inputs\":{\"areas\":[{\"name\":\"Every market\",\"marketUid\":null,\"dailyVehicles\":{\"interstate\":80000,\"principalArterial\":20000,\"other\":6000}}],\"hours\":[{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":true},{\"share\":0.06,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true}],\"speeds\":{\"interstateFromMph\":50,\"principalArterialFromMph\":30},\"sides\":{\"driverSide\":{\"opposite\":0.85,\"same\":0.1},\"passengerSide\":{\"opposite\":0,\"same\":0.2},\"rear\":{\"opposite\":0,\"same\":0.2}},\"occupancy\":1.5,\"isLit\":{\"led\":true,\"printed\":false},\"sources\":{\"areas\":\"Assumption: round numbers in the range of urban daily vehicles per road mile in FHWA Highway Statistics, table HM-71. Not the counts of any one market.\",\"hours\":\"Assumption: about 6% of a day’s traffic in each hour from 6 AM to 10 PM, the rest at night. Dark from 8 PM to 6 AM all year.\",\"speeds\":\"Assumption: the road is not known, so its class is guessed from the speed over two minutes; low and high take the classes beside it.\",\"sides\":\"Traffic Audit Bureau, truck-side method: 85% of the opposite direction, which faces the driver side. Same direction by side: assumption.\",\"occupancy\":\"About 1.5 people per vehicle, as in public travel surveys of the United States.\",\"isLit\":\"Traffic Audit Bureau, truck-side method: no credit at night unless lit. Screens are lit, printed boards are not.\"}},\"traffic\":[]}", "segments": 0, "changed_by": null, "changed_from": null}
-- row: {"note": "Low and high are bounds: road, traffic, hour, sides and people each at their lowest and at their highest. LED shifts without a play earn nothing.", "rules": 2, "sha256": "d91547350ce08c573a69d2be312ba19729b954930ab90f85a30deff4e3910761", "version": 2, "document": "{\"version\":2,\"note\":\"Low and high are bounds: road, traffic, hour, sides and people each at their lowest and at their highest. LED shifts without a play earn nothing.\",\"inputs\":{\"areas\":[{\"name\":\"Every market\",\"marketUid\":null,\"dailyVehicles\":{\"interstate\":80000,\"principalArterial\":20000,\"other\":6000}}],\"hours\":[{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":false},{\"share\":0.06,\"isNight\":true},{\"share\":0.06,\"isNight\":true},{\"share\":0.005,\"isNight\":true},{\"share\":0.005,\"isNight\":true}],\"speeds\":{\"interstateFromMph\":50,\"principalArterialFromMph\":30},\"sides\":{\"driverSide\":{\"opposite\":0.85,\"same\":0.1},\"passengerSide\":{\"opposite\":0,\"same\":0.2},\"rear\":{\"opposite\":0,\"same\":0.2}},\"occupancy\":1.5,\"isLit\":{\"led\":true,\"printed\":false},\"sources\":{\"areas\":\"Assumption: round numbers in the range of urban daily vehicles per road mile in FHWA Highway Statistics, table HM-71. Not the counts of any one market.\",\"hours\":\"Assumption: about 6% of a day’s traffic in each hour from 6 AM to 10 PM, the rest at night. Dark from 8 PM to 6 AM all year.\",\"speeds\":\"Assumption: the road is not known, so its class is guessed from the speed over two minutes; low and high take the classes beside it.\",\"sides\":\"Traffic Audit Bureau, truck-side method: 85% of the opposite direction, which faces the driver side. Same direction by side: assumption.\",\"occupancy\":\"About 1.5 people per vehicle, as in public travel surveys of the United States.\",\"isLit\":\"Traffic Audit Bureau, truck-side method: no credit at night unless lit. Screens are lit, printed boards are not.\"}},\"traffic\":[]}", "segments": 0, "changed_by": null, "changed_from": null}

create table incident (
  uid uuid default new_uid() not null,
  title text not null,
  text text default ''::text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  search_text text generated always as (lower((((title || ' '::text) || text) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint incident_pkey PRIMARY KEY (uid),
  constraint incident_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint incident_ends_after_start CHECK ((ends_at >= starts_at)),
  constraint incident_title_check CHECK ((title <> ''::text))
);
CREATE INDEX incident_by_starts_at ON incident USING btree (starts_at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX incident_by_title ON incident USING btree (title, uid) WHERE (deleted_at IS NULL);
CREATE INDEX incident_search ON incident USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON incident FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON incident FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON incident REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('starts_at', 'title');
CREATE TRIGGER note_removed AFTER DELETE ON incident REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('starts_at', 'title');
CREATE TRIGGER note_updated AFTER UPDATE ON incident REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('starts_at', 'title');

create table inspection (
  uid uuid default new_uid() not null,
  act_id uuid not null,
  driver_uid uuid not null,
  truck_uid uuid not null,
  shift_uid uuid not null,
  at timestamp with time zone not null,
  phone_at timestamp with time zone not null,
  latitude double precision,
  longitude double precision,
  accuracy_m double precision,
  signed_by text not null,
  defects integer not null,
  search_text text generated always as (lower(signed_by)) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint inspection_pkey PRIMARY KEY (uid),
  constraint inspection_accuracy_m_check CHECK ((accuracy_m >= (0)::double precision)),
  constraint inspection_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint inspection_defects_check CHECK ((defects >= 0)),
  constraint inspection_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint inspection_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint inspection_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint inspection_once UNIQUE (driver_uid, act_id),
  constraint inspection_place_is_whole CHECK ((((latitude IS NULL) = (longitude IS NULL)) AND ((latitude IS NULL) = (accuracy_m IS NULL)))),
  constraint inspection_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint inspection_signed_by_check CHECK ((signed_by <> ''::text)),
  constraint inspection_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);
CREATE INDEX inspection_age ON inspection USING btree (created_at);
CREATE INDEX inspection_by_at ON inspection USING btree (at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX inspection_of_driver ON inspection USING btree (driver_uid, at) WHERE (deleted_at IS NULL);
CREATE INDEX inspection_of_shift ON inspection USING btree (shift_uid, at) WHERE (deleted_at IS NULL);
CREATE INDEX inspection_of_truck ON inspection USING btree (truck_uid, at) WHERE (deleted_at IS NULL);
CREATE INDEX inspection_search ON inspection USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON inspection FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON inspection FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON inspection REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('at');
CREATE TRIGGER note_removed AFTER DELETE ON inspection REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('at');
CREATE TRIGGER note_updated AFTER UPDATE ON inspection REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('at');

create table inspection_item (
  uid uuid default new_uid() not null,
  name text not null,
  name_es text not null,
  position integer not null,
  is_active boolean default true not null,
  issue_kind text not null,
  search_text text generated always as (lower(((name || ' '::text) || name_es))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  is_on_every_truck boolean default false not null,
  constraint inspection_item_pkey PRIMARY KEY (uid),
  constraint inspection_item_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint inspection_item_issue_kind_check CHECK ((issue_kind = ANY (ARRAY['mechanical'::text, 'screen'::text, 'other'::text]))),
  constraint inspection_item_name_check CHECK ((name <> ''::text)),
  constraint inspection_item_name_es_check CHECK ((name_es <> ''::text)),
  constraint inspection_item_position_check CHECK ((("position" >= 1) AND ("position" <= 999)))
);
CREATE INDEX inspection_item_by_position ON inspection_item USING btree ("position", uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX inspection_item_name_once ON inspection_item USING btree (lower(name)) WHERE (deleted_at IS NULL);
CREATE INDEX inspection_item_search ON inspection_item USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON inspection_item FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON inspection_item FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON inspection_item REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('position');
CREATE TRIGGER note_removed AFTER DELETE ON inspection_item REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('position');
CREATE TRIGGER note_updated AFTER UPDATE ON inspection_item REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('position');
-- row: {"uid": "01a1e000-0000-7000-8000-000000000010", "name": "Tires", "name_es": "Llantas", "version": 1, "position": 10, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "tires llantas", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000020", "name": "Wheels and rims", "name_es": "Ruedas y rines", "version": 1, "position": 20, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "wheels and rims ruedas y rines", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000030", "name": "Lights and reflectors", "name_es": "Luces y reflectores", "version": 1, "position": 30, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "lights and reflectors luces y reflectores", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000040", "name": "Brakes", "name_es": "Frenos", "version": 1, "position": 40, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "brakes frenos", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000050", "name": "Steering", "name_es": "Dirección", "version": 1, "position": 50, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "steering dirección", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000060", "name": "Horn", "name_es": "Claxon", "version": 1, "position": 60, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "horn claxon", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000070", "name": "Windshield wipers", "name_es": "Limpiaparabrisas", "version": 1, "position": 70, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "windshield wipers limpiaparabrisas", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000080", "name": "Mirrors", "name_es": "Espejos", "version": 1, "position": 80, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "mirrors espejos", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000090", "name": "Emergency equipment", "name_es": "Equipo de emergencia", "version": 1, "position": 90, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "emergency equipment equipo de emergencia", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000100", "name": "Coupling devices", "name_es": "Dispositivos de acoplamiento", "version": 1, "position": 100, "is_active": false, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "coupling devices dispositivos de acoplamiento", "changed_from": null, "is_on_every_truck": false}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000110", "name": "Leaks", "name_es": "Fugas", "version": 1, "position": 110, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "leaks fugas", "changed_from": null, "is_on_every_truck": true}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000120", "name": "Generator and fuel", "name_es": "Generador y combustible", "version": 1, "position": 120, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "mechanical", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "generator and fuel generador y combustible", "changed_from": null, "is_on_every_truck": false}
-- row: {"uid": "01a1e000-0000-7000-8000-000000000130", "name": "Screens", "name_es": "Pantallas", "version": 1, "position": 130, "is_active": true, "changed_by": null, "deleted_at": null, "issue_kind": "screen", "updated_at": "2026-11-17T00:00:00+00:00", "search_text": "screens pantallas", "changed_from": null, "is_on_every_truck": false}

create table inspection_result (
  inspection_uid uuid not null,
  item_uid uuid not null,
  position integer not null,
  name text not null,
  name_es text not null,
  result text not null,
  note text default ''::text not null,
  photo_file_uid uuid,
  issue_uid uuid,
  repair text,
  repair_note text default ''::text not null,
  repaired_by uuid,
  repaired_at timestamp with time zone,
  repaired_from text,
  constraint inspection_result_pkey PRIMARY KEY (inspection_uid, item_uid),
  constraint inspection_defect_is_an_issue CHECK (((result = 'defect'::text) = (issue_uid IS NOT NULL))),
  constraint inspection_repair_is_certified CHECK ((((repair IS NULL) = (repaired_by IS NULL)) AND ((repair IS NULL) = (repaired_at IS NULL)) AND ((repair IS NULL) OR (result = 'defect'::text)))),
  constraint inspection_result_inspection_uid_fkey FOREIGN KEY (inspection_uid) REFERENCES inspection(uid) ON DELETE CASCADE,
  constraint inspection_result_issue_uid_fkey FOREIGN KEY (issue_uid) REFERENCES truck_issue(uid),
  constraint inspection_result_item_uid_fkey FOREIGN KEY (item_uid) REFERENCES inspection_item(uid),
  constraint inspection_result_photo_file_uid_fkey FOREIGN KEY (photo_file_uid) REFERENCES stored_file(uid),
  constraint inspection_result_repair_check CHECK ((repair = ANY (ARRAY['repaired'::text, 'notNeeded'::text]))),
  constraint inspection_result_repaired_by_fkey FOREIGN KEY (repaired_by) REFERENCES user_account(uid),
  constraint inspection_result_result_check CHECK ((result = ANY (ARRAY['ok'::text, 'defect'::text, 'notApplicable'::text])))
);
CREATE INDEX inspection_result_of_issue ON inspection_result USING btree (issue_uid) WHERE (issue_uid IS NOT NULL);

create table installation (
  is_only boolean default true not null,
  started_at timestamp with time zone,
  passed_steps text[] default '{}'::text[] not null,
  dismissed_at timestamp with time zone,
  demo text,
  successor jsonb,
  constraint installation_pkey PRIMARY KEY (is_only),
  constraint installation_check CHECK (((demo = 'emptying'::text) = (successor IS NOT NULL))),
  constraint installation_demo_check CHECK ((demo = ANY (ARRAY['loaded'::text, 'emptying'::text, 'emptied'::text]))),
  constraint installation_is_only_check CHECK (is_only)
);
-- row: {"demo": null, "is_only": true, "successor": null, "started_at": null, "dismissed_at": null, "passed_steps": []}

create table issue_alert (
  issue_uid uuid not null,
  opening uuid not null,
  told_at timestamp with time zone default now() not null,
  repeats integer default 0 not null,
  last_at timestamp with time zone default now() not null,
  escalated_at timestamp with time zone,
  told_with uuid,
  constraint issue_alert_pkey PRIMARY KEY (issue_uid),
  constraint issue_alert_issue_uid_fkey FOREIGN KEY (issue_uid) REFERENCES truck_issue(uid) ON DELETE CASCADE,
  constraint issue_alert_told_with_fkey FOREIGN KEY (told_with) REFERENCES truck_issue(uid) ON DELETE SET NULL
);
CREATE INDEX issue_alert_opening ON issue_alert USING btree (opening);

create table issue_comment (
  uid uuid default new_uid() not null,
  issue_uid uuid not null,
  text text not null,
  at timestamp with time zone default now() not null,
  changed_by uuid not null,
  changed_from text,
  constraint issue_comment_pkey PRIMARY KEY (uid),
  constraint issue_comment_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint issue_comment_issue_uid_fkey FOREIGN KEY (issue_uid) REFERENCES truck_issue(uid),
  constraint issue_comment_of_one_issue UNIQUE (uid, issue_uid),
  constraint issue_comment_text_check CHECK ((text <> ''::text))
);
CREATE INDEX issue_comment_of_issue ON issue_comment USING btree (issue_uid, at, uid);
CREATE TRIGGER keep_history AFTER INSERT ON issue_comment FOR EACH ROW EXECUTE FUNCTION keep_comment_history();
CREATE TRIGGER tell_added AFTER INSERT ON issue_comment REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('issues_changed');

create table issue_photo (
  file_uid uuid not null,
  issue_uid uuid not null,
  comment_uid uuid,
  position smallint not null,
  constraint issue_photo_pkey PRIMARY KEY (file_uid),
  constraint issue_photo_file_uid_fkey FOREIGN KEY (file_uid) REFERENCES stored_file(uid),
  constraint issue_photo_issue_uid_fkey FOREIGN KEY (issue_uid) REFERENCES truck_issue(uid),
  constraint issue_photo_of_comment FOREIGN KEY (comment_uid, issue_uid) REFERENCES issue_comment(uid, issue_uid),
  constraint issue_photo_position_check CHECK (("position" >= 0))
);
CREATE INDEX issue_photo_of_issue ON issue_photo USING btree (issue_uid);

create table issue_watch (
  truck_uid uuid not null,
  kind text not null,
  shift_uid uuid not null,
  since timestamp with time zone not null,
  gone_since timestamp with time zone,
  constraint issue_watch_pkey PRIMARY KEY (truck_uid, kind),
  constraint issue_watch_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint issue_watch_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);

create table job_run (
  job text not null,
  ended_at timestamp with time zone not null,
  outcome text not null,
  seconds double precision not null,
  constraint job_run_pkey PRIMARY KEY (job),
  constraint job_run_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'more'::text, 'failed'::text]))),
  constraint job_run_seconds_check CHECK ((seconds >= (0)::double precision))
);

create table job_watermark (
  job text not null,
  done_until timestamp with time zone not null,
  constraint job_watermark_pkey PRIMARY KEY (job)
);

create table known_network (
  owner_uid uuid not null,
  network text not null,
  seen_at timestamp with time zone default now() not null,
  constraint known_network_pkey PRIMARY KEY (owner_uid, network)
) with (vacuum_truncate=off);
CREATE INDEX known_network_age ON known_network USING btree (seen_at);

create table known_play (
  device_uid uuid not null,
  play_id text not null,
  day date not null,
  constraint known_play_pkey PRIMARY KEY (device_uid, play_id)
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX known_play_by_day ON known_play USING brin (day) WITH (autosummarize='on');

create table list_change (
  id bigint generated always as identity not null,
  list text not null,
  delta integer not null,
  added jsonb,
  removed jsonb,
  folded bigint[],
  constraint list_change_pkey PRIMARY KEY (id)
) with (vacuum_truncate=off);
CREATE INDEX list_change_of_list ON list_change USING btree (list) INCLUDE (id, delta);
-- row: {"id": 1, "list": "client_program", "added": null, "delta": 0, "folded": null, "removed": null}
-- row: {"id": 2, "list": "inspection_item", "added": [{"uid": "01a1e000-0000-7000-8000-000000000010", "position": 10}, {"uid": "01a1e000-0000-7000-8000-000000000020", "position": 20}, {"uid": "01a1e000-0000-7000-8000-000000000030", "position": 30}, {"uid": "01a1e000-0000-7000-8000-000000000040", "position": 40}, {"uid": "01a1e000-0000-7000-8000-000000000050", "position": 50}, {"uid": "01a1e000-0000-7000-8000-000000000060", "position": 60}, {"uid": "01a1e000-0000-7000-8000-000000000070", "position": 70}, {"uid": "01a1e000-0000-7000-8000-000000000080", "position": 80}, {"uid": "01a1e000-0000-7000-8000-000000000090", "position": 90}, {"uid": "01a1e000-0000-7000-8000-000000000100", "position": 100}, {"uid": "01a1e000-0000-7000-8000-000000000110", "position": 110}, {"uid": "01a1e000-0000-7000-8000-000000000120", "position": 120}, {"uid": "01a1e000-0000-7000-8000-000000000130", "position": 130}], "delta": 13, "folded": null, "removed": []}

create table market (
  uid uuid default new_uid() not null,
  name text collate natural_order not null,
  state text default ''::text not null,
  zone text not null,
  search_text text generated always as (lower((((name || ' '::text) || state) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  latitude double precision,
  longitude double precision,
  radius_m integer,
  outline jsonb,
  depots jsonb default '[]'::jsonb not null,
  earlier_zones jsonb default '[]'::jsonb not null,
  constraint market_pkey PRIMARY KEY (uid),
  constraint market_centre_is_whole CHECK ((((latitude IS NULL) = (longitude IS NULL)) AND ((latitude IS NULL) = (radius_m IS NULL)))),
  constraint market_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint market_earlier_zones_are_a_list CHECK ((jsonb_typeof(earlier_zones) = 'array'::text)),
  constraint market_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint market_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint market_radius_m_check CHECK (((radius_m >= 100) AND (radius_m <= 500000)))
);
CREATE INDEX market_by_name ON market USING btree (name, uid) WHERE (deleted_at IS NULL);
CREATE INDEX market_by_state ON market USING btree (state, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX market_name_once ON market USING btree (lower((name COLLATE "default")), state) WHERE (deleted_at IS NULL);
CREATE INDEX market_search ON market USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON market FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON market FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_evidence_changed AFTER UPDATE ON market FOR EACH ROW WHEN (((((old.latitude IS DISTINCT FROM new.latitude) OR (old.longitude IS DISTINCT FROM new.longitude)) OR (old.radius_m IS DISTINCT FROM new.radius_m)) OR (old.outline IS DISTINCT FROM new.outline))) EXECUTE FUNCTION note_market_evidence();
CREATE TRIGGER note_inserted AFTER INSERT ON market REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('name', 'state');
CREATE TRIGGER note_removed AFTER DELETE ON market REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('name', 'state');
CREATE TRIGGER note_updated AFTER UPDATE ON market REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('name', 'state');

create table message (
  uid uuid default new_uid() not null,
  place bigint generated always as identity not null,
  created_at timestamp with time zone default now() not null,
  kind text not null,
  channel text not null,
  recipient text not null,
  user_uid uuid,
  target uuid,
  subject text not null,
  payload bytea,
  is_secret boolean default false not null,
  ordering text,
  key text,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  leased_until timestamp with time zone,
  expires_at timestamp with time zone default (now() + '2 days'::interval) not null,
  done_at timestamp with time zone,
  problem text,
  log jsonb default '[]'::jsonb not null,
  constraint message_pkey PRIMARY KEY (uid),
  constraint message_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'push'::text, 'webhook'::text]))),
  constraint message_done_has_time CHECK (((state = 'waiting'::text) = (done_at IS NULL))),
  constraint message_kind_check CHECK ((kind <> ''::text)),
  constraint message_once UNIQUE (key),
  constraint message_recipient_check CHECK ((recipient <> ''::text)),
  constraint message_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'dead'::text, 'cancelled'::text]))),
  constraint message_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid) ON DELETE CASCADE,
  constraint message_waiting_has_payload CHECK (((state <> 'waiting'::text) OR (payload IS NOT NULL)))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=500);
CREATE INDEX message_dead ON message USING btree (channel) WHERE (state = 'dead'::text);
CREATE INDEX message_done ON message USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX message_due ON message USING btree (channel, next_at) WHERE (state = 'waiting'::text);
CREATE INDEX message_in_order ON message USING btree (ordering, place) WHERE ((state = 'waiting'::text) AND (ordering IS NOT NULL));
CREATE INDEX message_newest ON message USING btree (created_at DESC, uid DESC);
CREATE INDEX message_of_target ON message USING btree (target, next_at) WHERE ((state = 'waiting'::text) AND (target IS NOT NULL));
CREATE INDEX message_of_user ON message USING btree (user_uid) WHERE (user_uid IS NOT NULL);
CREATE INDEX message_of_webhook ON message USING btree (target, created_at DESC, uid DESC) WHERE (channel = 'webhook'::text);
CREATE TRIGGER message_wakes AFTER INSERT ON message FOR EACH STATEMENT EXECUTE FUNCTION wake_outbox();

create table miles_due (
  truck_uid uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint miles_due_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);

create table notification (
  uid uuid default new_uid() not null,
  user_uid uuid not null,
  kind text not null,
  key text not null,
  subject text not null,
  text text default ''::text not null,
  path text not null,
  object text not null,
  program_uid uuid,
  shift_uid uuid,
  at timestamp with time zone default now() not null,
  read_at timestamp with time zone,
  is_for_digest boolean default false not null,
  constraint notification_pkey PRIMARY KEY (uid),
  constraint notification_key_check CHECK ((key <> ''::text)),
  constraint notification_kind_check CHECK ((kind <> ''::text)),
  constraint notification_object_check CHECK ((object <> ''::text)),
  constraint notification_once UNIQUE (user_uid, key),
  constraint notification_path_check CHECK ((path ~~ '/%'::text)),
  constraint notification_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint notification_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint notification_subject_check CHECK ((subject <> ''::text)),
  constraint notification_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid) ON DELETE CASCADE
);
CREATE INDEX notification_for_digest ON notification USING btree (user_uid, at) WHERE (is_for_digest AND (read_at IS NULL));
CREATE INDEX notification_newest ON notification USING btree (user_uid, at DESC, uid DESC);
CREATE INDEX notification_of_object ON notification USING btree (object, key);
CREATE INDEX notification_oldest ON notification USING btree (at);
CREATE INDEX notification_unread ON notification USING btree (user_uid) WHERE (read_at IS NULL);
CREATE TRIGGER tell_added AFTER INSERT ON notification REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_notified();
CREATE TRIGGER tell_changed AFTER UPDATE ON notification REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_notified();

create table notification_choice (
  user_uid uuid not null,
  kind text not null,
  channel text not null,
  is_on boolean not null,
  changed_at timestamp with time zone default now() not null,
  constraint notification_choice_pkey PRIMARY KEY (user_uid, kind, channel),
  constraint notification_choice_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'push'::text]))),
  constraint notification_choice_kind_check CHECK ((kind <> ''::text)),
  constraint notification_choice_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid) ON DELETE CASCADE
);

create table notification_message (
  message_uid uuid not null,
  notification_uid uuid not null,
  constraint notification_message_pkey PRIMARY KEY (message_uid, notification_uid),
  constraint notification_message_message_uid_fkey FOREIGN KEY (message_uid) REFERENCES message(uid) ON DELETE CASCADE,
  constraint notification_message_notification_uid_fkey FOREIGN KEY (notification_uid) REFERENCES notification(uid) ON DELETE CASCADE
);
CREATE INDEX notification_message_of ON notification_message USING btree (notification_uid);

create table notification_setting (
  user_uid uuid not null,
  zone text not null,
  quiet_from text,
  quiet_to text,
  urgent_passes boolean default false not null,
  digest_at text,
  changed_at timestamp with time zone default now() not null,
  constraint notification_setting_pkey PRIMARY KEY (user_uid),
  constraint notification_setting_digest_at_check CHECK ((digest_at ~ '^([01]\d|2[0-3]):[0-5]\d$'::text)),
  constraint notification_setting_quiet_from_check CHECK ((quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'::text)),
  constraint notification_setting_quiet_hours CHECK ((((quiet_from IS NULL) = (quiet_to IS NULL)) AND ((quiet_from IS NULL) OR (quiet_from <> quiet_to)))),
  constraint notification_setting_quiet_to_check CHECK ((quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'::text)),
  constraint notification_setting_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid) ON DELETE CASCADE,
  constraint notification_setting_zone_check CHECK ((zone <> ''::text))
);

create table odometer_reading (
  truck_uid uuid not null,
  at timestamp with time zone not null,
  metres double precision not null,
  constraint odometer_reading_pkey PRIMARY KEY (truck_uid, at),
  constraint odometer_reading_metres_check CHECK ((metres >= (0)::double precision))
);
CREATE INDEX odometer_reading_by_time ON odometer_reading USING brin (at);

create table out_of_service (
  uid uuid default new_uid() not null,
  truck_uid uuid,
  driver_uid uuid,
  starts_on date not null,
  start_time time without time zone not null,
  ends_on date,
  end_time time without time zone,
  zone text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  reason text default ''::text not null,
  search_text text generated always as (lower((reason COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint out_of_service_pkey PRIMARY KEY (uid),
  constraint out_of_service_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint out_of_service_driver_once EXCLUDE USING gist (driver_uid WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE ((deleted_at IS NULL)),
  constraint out_of_service_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid) ON DELETE CASCADE,
  constraint out_of_service_ends_as_clocks_show CHECK (((num_nulls(ends_on, end_time, ends_at) = ANY (ARRAY[0, 3])) AND ((ends_at AT TIME ZONE zone) = (ends_on + end_time)))),
  constraint out_of_service_has_a_length CHECK ((ends_at > starts_at)),
  constraint out_of_service_is_of_one CHECK ((num_nonnulls(truck_uid, driver_uid) = 1)),
  constraint out_of_service_starts_as_clocks_show CHECK (((starts_at AT TIME ZONE zone) = (starts_on + start_time))),
  constraint out_of_service_truck_once EXCLUDE USING gist (truck_uid WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE ((deleted_at IS NULL)),
  constraint out_of_service_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid) ON DELETE CASCADE
);
CREATE INDEX out_of_service_by_start ON out_of_service USING btree (starts_at, uid) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON out_of_service FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER keep_stretch_history AFTER INSERT OR UPDATE ON out_of_service FOR EACH ROW EXECUTE FUNCTION keep_stretch_history();
CREATE TRIGGER next_version BEFORE UPDATE ON out_of_service FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON out_of_service REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('starts_at');
CREATE TRIGGER note_removed AFTER DELETE ON out_of_service REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('starts_at');
CREATE TRIGGER note_updated AFTER UPDATE ON out_of_service REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('starts_at');
CREATE TRIGGER refuse_over_shifts AFTER INSERT OR UPDATE OF starts_at, ends_at, deleted_at ON out_of_service FOR EACH ROW WHEN ((new.deleted_at IS NULL)) EXECUTE FUNCTION refuse_stretch_over_shifts();
CREATE TRIGGER tell_inserted AFTER INSERT ON out_of_service REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_stretches();
CREATE TRIGGER tell_updated AFTER UPDATE ON out_of_service REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_stretches();

create table outbound_event (
  place bigint generated always as identity not null,
  uid uuid default new_uid() not null,
  at timestamp with time zone default now() not null,
  type text not null,
  object text not null,
  client_uid uuid,
  data jsonb default '{}'::jsonb not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  failed_at timestamp with time zone,
  problem text,
  constraint outbound_event_pkey PRIMARY KEY (place),
  constraint outbound_event_client_uid_fkey FOREIGN KEY (client_uid) REFERENCES client(uid),
  constraint outbound_event_object_check CHECK ((object <> ''::text)),
  constraint outbound_event_type_check CHECK ((type <> ''::text))
);
CREATE INDEX outbound_event_due ON outbound_event USING btree (next_at) WHERE (failed_at IS NULL);
CREATE INDEX outbound_event_failed ON outbound_event USING btree (failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX outbound_event_of_object ON outbound_event USING btree (object, place) WHERE (failed_at IS NULL);
CREATE TRIGGER outbound_event_wakes AFTER INSERT ON outbound_event FOR EACH STATEMENT EXECUTE FUNCTION wake_outbox();

create table passkey (
  uid uuid default new_uid() not null,
  user_uid uuid not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  is_synced boolean not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  constraint passkey_pkey PRIMARY KEY (uid),
  constraint passkey_counter_check CHECK ((counter >= 0)),
  constraint passkey_credential_once UNIQUE (credential_id),
  constraint passkey_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
) with (vacuum_truncate=off);
CREATE INDEX passkey_of_user ON passkey USING btree (user_uid);

create table passkey_challenge (
  challenge_hash bytea not null,
  purpose text not null,
  asked_by text,
  expires_at timestamp with time zone not null,
  constraint passkey_challenge_pkey PRIMARY KEY (challenge_hash),
  constraint challenge_has_asker CHECK (((purpose = 'signIn'::text) = (asked_by IS NULL))),
  constraint passkey_challenge_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'signIn'::text, 'secondFactor'::text, 'proof'::text])))
) with (vacuum_truncate=off);
CREATE INDEX passkey_challenge_age ON passkey_challenge USING btree (expires_at);

create table password_reset (
  token_hash bytea not null,
  user_uid uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  uid uuid default new_uid() not null,
  kind text not null,
  email citext not null,
  address text default ''::text not null,
  ended_at timestamp with time zone,
  message_uid uuid,
  constraint password_reset_pkey PRIMARY KEY (token_hash),
  constraint password_reset_ends_once CHECK (((used_at IS NULL) OR (ended_at IS NULL))),
  constraint password_reset_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text]))),
  constraint password_reset_message_uid_fkey FOREIGN KEY (message_uid) REFERENCES message(uid) ON DELETE SET NULL,
  constraint password_reset_uid_once UNIQUE (uid),
  constraint password_reset_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
);
CREATE INDEX password_reset_age ON password_reset USING btree (expires_at);
CREATE UNIQUE INDEX password_reset_of_message ON password_reset USING btree (message_uid) WHERE (message_uid IS NOT NULL);
CREATE INDEX password_reset_of_user ON password_reset USING btree (user_uid);
CREATE UNIQUE INDEX password_reset_open_once ON password_reset USING btree (user_uid, kind) WHERE ((used_at IS NULL) AND (ended_at IS NULL));

create table past_sd_address (
  uid uuid not null,
  set_uid uuid not null,
  label text not null,
  address text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m integer not null,
  constraint past_sd_address_pkey PRIMARY KEY (uid)
);

create table pay_adjustment (
  uid uuid default new_uid() not null,
  driver_uid uuid not null,
  local_date date not null,
  cents integer not null,
  note text not null,
  shift_uid uuid,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint pay_adjustment_pkey PRIMARY KEY (uid),
  constraint pay_adjustment_cents_check CHECK (((cents <> 0) AND ((cents >= '-10000000'::integer) AND (cents <= 10000000)))),
  constraint pay_adjustment_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint pay_adjustment_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(uid),
  constraint pay_adjustment_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint pay_adjustment_note_check CHECK ((note <> ''::text)),
  constraint pay_adjustment_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid)
);
CREATE INDEX pay_adjustment_by_date ON pay_adjustment USING btree (local_date) WHERE (deleted_at IS NULL);
CREATE INDEX pay_adjustment_deleted ON pay_adjustment USING btree (local_date) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER keep_closed BEFORE INSERT OR DELETE OR UPDATE ON pay_adjustment FOR EACH ROW EXECUTE FUNCTION keep_closed_adjustment();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON pay_adjustment FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON pay_adjustment FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON pay_adjustment REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted();
CREATE TRIGGER note_removed AFTER DELETE ON pay_adjustment REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed();
CREATE TRIGGER note_updated AFTER UPDATE ON pay_adjustment REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated();

create table pay_line (
  shift_uid uuid not null,
  period_uid uuid not null,
  driver_uid uuid not null,
  local_date date not null,
  cents integer not null,
  line json not null,
  constraint pay_line_pkey PRIMARY KEY (shift_uid),
  constraint pay_line_decided CHECK (((line ->> 'needsDecision'::text) IS DISTINCT FROM 'true'::text)),
  constraint pay_line_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint pay_line_period_uid_fkey FOREIGN KEY (period_uid) REFERENCES pay_period(uid),
  constraint pay_line_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid)
);
CREATE INDEX pay_line_by_date ON pay_line USING btree (local_date);
CREATE INDEX pay_line_of_period ON pay_line USING btree (period_uid);
CREATE TRIGGER keep_locked BEFORE INSERT OR DELETE OR UPDATE ON pay_line FOR EACH ROW EXECUTE FUNCTION keep_locked_line();

create table pay_override (
  uid uuid default new_uid() not null,
  shift_uid uuid not null,
  pay_option text,
  note text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  decision text,
  constraint pay_override_pkey PRIMARY KEY (uid),
  constraint pay_override_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint pay_override_decision_check CHECK ((decision = ANY (ARRAY['pay'::text, 'doNotPay'::text]))),
  constraint pay_override_note_check CHECK ((note <> ''::text)),
  constraint pay_override_once UNIQUE (shift_uid),
  constraint pay_override_pay_option_check CHECK ((pay_option = ANY (ARRAY['halfDay'::text, 'eightHours'::text, 'twelveHours'::text]))),
  constraint pay_override_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid)
);
CREATE TRIGGER keep_closed BEFORE INSERT OR DELETE OR UPDATE ON pay_override FOR EACH ROW EXECUTE FUNCTION keep_closed_override();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON pay_override FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON pay_override FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON pay_override REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted();
CREATE TRIGGER note_removed AFTER DELETE ON pay_override REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed();
CREATE TRIGGER note_updated AFTER UPDATE ON pay_override REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated();

create table pay_overtime (
  period_uid uuid not null,
  driver_uid uuid not null,
  week date not null,
  cents integer not null,
  line json not null,
  constraint pay_overtime_pkey PRIMARY KEY (period_uid, driver_uid, week),
  constraint pay_overtime_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint pay_overtime_period_uid_fkey FOREIGN KEY (period_uid) REFERENCES pay_period(uid)
);
CREATE INDEX pay_overtime_by_week ON pay_overtime USING btree (week);

create table pay_period (
  uid uuid default new_uid() not null,
  starts_on date not null,
  ends_on date not null,
  state text not null,
  reason text default ''::text not null,
  approved_at timestamp with time zone,
  locked_at timestamp with time zone,
  overtime_after_hours double precision not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint pay_period_pkey PRIMARY KEY (uid),
  constraint pay_period_approved CHECK (((state = 'open'::text) = (approved_at IS NULL))),
  constraint pay_period_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint pay_period_check CHECK (((ends_on >= starts_on) AND (ends_on <= (starts_on + 91)))),
  constraint pay_period_days_once UNIQUE (starts_on, ends_on),
  constraint pay_period_locked CHECK (((state = 'locked'::text) = (locked_at IS NOT NULL))),
  constraint pay_period_once EXCLUDE USING gist (daterange(starts_on, ends_on, '[]'::text) WITH &&) WHERE ((state <> 'open'::text)),
  constraint pay_period_state_check CHECK ((state = ANY (ARRAY['open'::text, 'approved'::text, 'locked'::text])))
);
CREATE INDEX pay_period_by_start ON pay_period USING btree (starts_on, uid);
CREATE INDEX pay_period_by_updated ON pay_period USING btree (updated_at, uid);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON pay_period FOR EACH ROW EXECUTE FUNCTION keep_history('approved_at', 'locked_at', 'overtime_after_hours');
CREATE TRIGGER next_version BEFORE UPDATE ON pay_period FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON pay_period REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('starts_on', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON pay_period REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('starts_on', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON pay_period REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('starts_on', 'updated_at');

create table pay_rate (
  user_uid uuid not null,
  valid_from date not null,
  half_day_cents integer not null,
  eight_hours_cents integer not null,
  twelve_hours_cents integer not null,
  constraint pay_rate_pkey PRIMARY KEY (user_uid, valid_from),
  constraint pay_rate_eight_hours_cents_check CHECK (((eight_hours_cents >= 0) AND (eight_hours_cents <= 10000000))),
  constraint pay_rate_half_day_cents_check CHECK (((half_day_cents >= 0) AND (half_day_cents <= 10000000))),
  constraint pay_rate_twelve_hours_cents_check CHECK (((twelve_hours_cents >= 0) AND (twelve_hours_cents <= 10000000))),
  constraint pay_rate_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
);
CREATE TRIGGER keep_child_history AFTER INSERT OR DELETE OR UPDATE ON pay_rate FOR EACH ROW EXECUTE FUNCTION keep_child_history('user_account', 'user_uid', 'payRates');

create table pending_sign_in (
  token_hash bytea not null,
  user_uid uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  sealed_sign_on bytea,
  constraint pending_sign_in_pkey PRIMARY KEY (token_hash),
  constraint pending_sign_in_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
) with (vacuum_truncate=off);
CREATE INDEX pending_sign_in_age ON pending_sign_in USING btree (expires_at);
CREATE INDEX pending_sign_in_of_user ON pending_sign_in USING btree (user_uid);

create table pixel_map (
  uid uuid default new_uid() not null,
  name text collate natural_order not null,
  width integer not null,
  height integer not null,
  pitch_um integer not null,
  sides jsonb not null,
  note text default ''::text not null,
  search_text text generated always as (lower((((name || ' '::text) || note) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint pixel_map_pkey PRIMARY KEY (uid),
  constraint pixel_map_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint pixel_map_height_check CHECK (((height >= 1) AND (height <= 32768))),
  constraint pixel_map_name_check CHECK ((name <> ''::text)),
  constraint pixel_map_pitch_um_check CHECK (((pitch_um >= 100) AND (pitch_um <= 100000))),
  constraint pixel_map_width_check CHECK (((width >= 1) AND (width <= 32768))),
  constraint pixel_sides_fit CHECK (pixel_sides_fit(width, height, sides))
);
CREATE INDEX pixel_map_by_name ON pixel_map USING btree (name, uid) WHERE (deleted_at IS NULL);
CREATE INDEX pixel_map_by_updated ON pixel_map USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX pixel_map_name_once ON pixel_map USING btree (lower((name COLLATE "default"))) WHERE (deleted_at IS NULL);
CREATE INDEX pixel_map_search ON pixel_map USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON pixel_map FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON pixel_map FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON pixel_map REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('name', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON pixel_map REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('name', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON pixel_map REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('name', 'updated_at');
CREATE TRIGGER tell_plans AFTER UPDATE ON pixel_map FOR EACH ROW EXECUTE FUNCTION tell_changed_plans();

create table play (
  device_uid uuid not null,
  play_id text not null,
  started_at timestamp with time zone not null,
  sequence bigint not null,
  truck_uid uuid not null,
  shift_uid uuid,
  program_uid uuid,
  market_uid uuid,
  artwork_set_uid uuid not null,
  sha256 text not null,
  side text not null,
  duration_ms integer not null,
  latitude double precision,
  longitude double precision,
  address_uid uuid,
  grade text default 'unverified'::text not null,
  received_at timestamp with time zone default now() not null,
  day date not null,
  reason text,
  constraint play_duration_ms_check CHECK (((duration_ms >= 0) AND (duration_ms <= 86400000))),
  constraint play_grade_check CHECK ((grade = ANY (ARRAY['verified'::text, 'unverified'::text, 'conflict'::text]))),
  constraint play_play_id_check CHECK (((length(play_id) >= 1) AND (length(play_id) <= 64))),
  constraint play_reason_check CHECK ((reason = ANY (ARRAY['noShift'::text, 'otherProgram'::text, 'noTrack'::text, 'farFromTruck'::text, 'outsideMarket'::text, 'tooLong'::text, 'unknownFile'::text, 'overlap'::text]))),
  constraint play_sequence_check CHECK ((sequence > 0)),
  constraint play_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint play_side_check CHECK ((side = ANY (ARRAY['driverSide'::text, 'passengerSide'::text, 'rear'::text])))
) partition by RANGE (started_at);
CREATE INDEX play_arrivals ON ONLY play USING btree (program_uid, received_at);
CREATE INDEX play_of_program ON ONLY play USING btree (program_uid, started_at);
CREATE INDEX play_of_shift ON ONLY play USING btree (shift_uid, started_at);
CREATE INDEX play_of_truck ON ONLY play USING btree (truck_uid, started_at);
CREATE INDEX play_times ON ONLY play USING btree (started_at);

create table play_address_hour (
  hour timestamp with time zone not null,
  truck_uid uuid not null,
  program_uid uuid not null,
  market_uid uuid not null,
  address_uid uuid not null,
  plays integer not null,
  duration_ms bigint not null,
  day date not null,
  constraint play_address_hour_pkey PRIMARY KEY (hour, truck_uid, program_uid, market_uid, day, address_uid)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.01);
CREATE INDEX play_address_hour_by_day ON play_address_hour USING btree (day);
CREATE INDEX play_address_hour_of_market ON play_address_hour USING btree (program_uid, market_uid, day);

create table play_after_hole (
  device_uid uuid not null,
  sequence bigint not null,
  truck_uid uuid not null,
  at timestamp with time zone not null,
  constraint play_after_hole_pkey PRIMARY KEY (device_uid, sequence)
);
CREATE INDEX play_after_hole_of_truck ON play_after_hole USING btree (truck_uid, at);

create table play_archive (
  uid uuid default new_uid() not null,
  day date not null,
  market_uid uuid not null,
  blob text not null,
  rows bigint not null,
  checksum text not null,
  bytes bigint not null,
  columns_version integer not null,
  archived_at timestamp with time zone default now() not null,
  received_until timestamp with time zone,
  constraint play_archive_pkey PRIMARY KEY (uid),
  constraint play_archive_blob_key UNIQUE (blob),
  constraint play_archive_bytes_check CHECK ((bytes > 0)),
  constraint play_archive_checksum_check CHECK ((checksum ~ '^\d+-\d+$'::text)),
  constraint play_archive_day_market_uid_key UNIQUE (day, market_uid),
  constraint play_archive_rows_check CHECK ((rows > 0))
);

create table play_archive_leftover (
  blob text not null,
  remove_after timestamp with time zone not null,
  constraint play_archive_leftover_pkey PRIMARY KEY (blob)
);
CREATE INDEX play_archive_leftover_by_time ON play_archive_leftover USING btree (remove_after);

create table play_correction (
  device_uid uuid not null,
  play_id text not null,
  program_uid uuid not null,
  truck_uid uuid not null,
  started_at timestamp with time zone not null,
  changed_at timestamp with time zone default now() not null,
  billable_since timestamp with time zone,
  received_at timestamp with time zone,
  is_counted boolean,
  flips timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  constraint play_correction_pkey PRIMARY KEY (device_uid, play_id, program_uid)
);
CREATE INDEX play_correction_billable ON play_correction USING btree (program_uid, billable_since) WHERE (billable_since IS NOT NULL);
CREATE INDEX play_correction_by_time ON play_correction USING btree (started_at);
CREATE INDEX play_correction_of_program ON play_correction USING btree (program_uid, changed_at);

create table play_hour (
  hour timestamp with time zone not null,
  truck_uid uuid not null,
  shift_uid uuid not null,
  program_uid uuid not null,
  market_uid uuid not null,
  day date not null,
  side text not null,
  plays integer not null,
  duration_ms bigint not null,
  verified integer default 0 not null,
  conflict integer default 0 not null,
  no_track integer default 0 not null,
  for_address integer default 0 not null,
  constraint play_hour_pkey PRIMARY KEY (hour, truck_uid, shift_uid, program_uid, market_uid, day, side)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.01);
CREATE INDEX play_hour_by_day ON play_hour USING btree (day);
CREATE INDEX play_hour_of_market ON play_hour USING btree (program_uid, market_uid, day);
CREATE INDEX play_hour_of_program ON play_hour USING btree (program_uid, day);
CREATE INDEX play_hour_of_shift ON play_hour USING btree (shift_uid);

create table play_rejection (
  device_uid uuid not null,
  sequence bigint not null,
  truck_uid uuid not null,
  at timestamp with time zone not null,
  reason text not null,
  received_at timestamp with time zone default now() not null,
  play_id text default ''::text not null,
  is_duplicate boolean default false not null,
  constraint play_rejection_pkey PRIMARY KEY (device_uid, sequence, play_id),
  constraint play_rejection_device_uid_fkey FOREIGN KEY (device_uid) REFERENCES device(uid)
);
CREATE INDEX play_rejection_by_arrival ON play_rejection USING btree (received_at);
CREATE INDEX play_rejection_of_truck ON play_rejection USING btree (truck_uid, at);

create table play_sequence (
  device_uid uuid not null,
  received int8multirange default '{}'::int8multirange not null,
  rejected int8multirange default '{}'::int8multirange not null,
  batches bigint default 0 not null,
  forgotten_until bigint default 1 not null,
  forgotten bigint default 0 not null,
  duplicates int8multirange default '{}'::int8multirange not null,
  reused bigint default 0 not null,
  skipped int8multirange default '{}'::int8multirange not null,
  lost int8multirange default '{}'::int8multirange not null,
  constraint play_sequence_pkey PRIMARY KEY (device_uid),
  constraint play_sequence_device_uid_fkey FOREIGN KEY (device_uid) REFERENCES device(uid)
) with (fillfactor=70);
CREATE TRIGGER forget_gaps BEFORE INSERT OR UPDATE ON play_sequence FOR EACH ROW EXECUTE FUNCTION note_sequence();

create table pop (
  uid uuid not null,
  headline text default ''::text not null,
  text text default ''::text not null,
  cover_photo_uid uuid,
  ends_on date,
  shown_version integer,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  password_set_at timestamp with time zone,
  constraint pop_pkey PRIMARY KEY (uid),
  constraint pop_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint pop_cover_is_a_photo FOREIGN KEY (cover_photo_uid) REFERENCES pop_photo(uid),
  constraint pop_shows_a_version FOREIGN KEY (uid, shown_version) REFERENCES pop_version(program_uid, number),
  constraint pop_uid_fkey FOREIGN KEY (uid) REFERENCES client_program(uid)
);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON pop FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER next_version BEFORE UPDATE ON pop FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON pop REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted();
CREATE TRIGGER note_program_list AFTER UPDATE ON pop FOR EACH STATEMENT EXECUTE FUNCTION note_program_list();
CREATE TRIGGER note_removed AFTER DELETE ON pop REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed();
CREATE TRIGGER note_updated AFTER UPDATE ON pop REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated();

create table pop_market (
  pop_uid uuid not null,
  market_uid uuid not null,
  position integer not null,
  headline text default ''::text not null,
  text text default ''::text not null,
  starts_on date,
  ends_on date,
  is_shown boolean default true not null,
  constraint pop_market_pkey PRIMARY KEY (pop_uid, market_uid),
  constraint pop_market_ends_after_it_starts CHECK ((ends_on >= starts_on)),
  constraint pop_market_market_uid_fkey FOREIGN KEY (market_uid) REFERENCES market(uid),
  constraint pop_market_pop_uid_fkey FOREIGN KEY (pop_uid) REFERENCES pop(uid)
);
CREATE TRIGGER keep_child_history AFTER INSERT OR DELETE OR UPDATE ON pop_market FOR EACH ROW EXECUTE FUNCTION keep_child_history('pop', 'pop_uid', 'market');

create table pop_password (
  program_uid uuid not null,
  hash text not null,
  constraint pop_password_pkey PRIMARY KEY (program_uid),
  constraint pop_password_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES pop(uid)
);

create table pop_photo (
  uid uuid default new_uid() not null,
  program_uid uuid not null,
  market_uid uuid,
  shift_uid uuid,
  truck_uid uuid,
  taken_by uuid,
  key text not null,
  original_name text not null,
  original_sha256 text not null,
  sizes json not null,
  blur text not null,
  taken_at timestamp with time zone,
  time_source text,
  clock_time text,
  latitude double precision,
  longitude double precision,
  place_source text,
  caption text default ''::text not null,
  status text default 'waiting'::text not null,
  position double precision not null,
  grade text default 'unverified'::text not null,
  reason text default ''::text not null,
  distance_m double precision,
  seconds_apart double precision,
  search_text text generated always as (lower(((caption || ' '::text) || original_name))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  pictures text default 'kept'::text not null,
  side text,
  accuracy_m double precision,
  phone_taken_at timestamp with time zone,
  rejection text default ''::text not null,
  constraint pop_photo_pkey PRIMARY KEY (uid),
  constraint photo_accuracy_is_of_a_phone CHECK (((accuracy_m IS NULL) OR ((accuracy_m >= (0)::double precision) AND (place_source = 'phone'::text)))),
  constraint photo_place_is_whole CHECK ((((latitude IS NULL) = (longitude IS NULL)) AND ((latitude IS NULL) = (place_source IS NULL)))),
  constraint photo_time_has_a_source CHECK (((taken_at IS NULL) = (time_source IS NULL))),
  constraint pop_photo_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint pop_photo_grade_check CHECK ((grade = ANY (ARRAY['verified'::text, 'unverified'::text, 'conflict'::text]))),
  constraint pop_photo_key_check CHECK ((key ~ '^[0-9a-f]{32}$'::text)),
  constraint pop_photo_key_key UNIQUE (key),
  constraint pop_photo_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint pop_photo_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint pop_photo_market_uid_fkey FOREIGN KEY (market_uid) REFERENCES market(uid),
  constraint pop_photo_original_sha256_check CHECK ((original_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint pop_photo_pictures_check CHECK ((pictures = ANY (ARRAY['kept'::text, 'published'::text, 'removed'::text]))),
  constraint pop_photo_place_source_check CHECK ((place_source = ANY (ARRAY['exif'::text, 'phone'::text, 'typed'::text]))),
  constraint pop_photo_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint pop_photo_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint pop_photo_side_check CHECK ((side = ANY (ARRAY['driverSide'::text, 'passengerSide'::text, 'rear'::text]))),
  constraint pop_photo_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'approved'::text, 'hidden'::text]))),
  constraint pop_photo_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES user_account(uid),
  constraint pop_photo_time_source_check CHECK ((time_source = ANY (ARRAY['exif'::text, 'phone'::text, 'typed'::text]))),
  constraint pop_photo_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);
CREATE INDEX pop_photo_by_created ON pop_photo USING btree (created_at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX pop_photo_by_position ON pop_photo USING btree ("position", uid) WHERE (deleted_at IS NULL);
CREATE INDEX pop_photo_by_taken ON pop_photo USING btree (LEAST(COALESCE(taken_at, created_at), created_at), uid) WHERE (deleted_at IS NULL);
CREATE INDEX pop_photo_in_order ON pop_photo USING btree (program_uid, market_uid, "position", uid) WHERE (deleted_at IS NULL);
CREATE INDEX pop_photo_of_shift ON pop_photo USING btree (shift_uid) WHERE ((deleted_at IS NULL) AND (shift_uid IS NOT NULL));
CREATE INDEX pop_photo_of_taker ON pop_photo USING btree (taken_by, created_at) WHERE (deleted_at IS NULL);
CREATE INDEX pop_photo_of_truck ON pop_photo USING btree (truck_uid, taken_at) WHERE ((deleted_at IS NULL) AND (taken_at IS NOT NULL));
CREATE UNIQUE INDEX pop_photo_once ON pop_photo USING btree (program_uid, original_sha256) WHERE (deleted_at IS NULL);
CREATE INDEX pop_photo_search ON pop_photo USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX pop_photo_to_sweep ON pop_photo USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (pictures = 'kept'::text));
CREATE INDEX pop_photo_waiting ON pop_photo USING btree (program_uid) WHERE ((deleted_at IS NULL) AND (status = 'waiting'::text));
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON pop_photo FOR EACH ROW EXECUTE FUNCTION keep_history('grade', 'reason', 'distance_m', 'seconds_apart', 'position', 'blur', 'sizes', 'key', 'original_sha256', 'clock_time', 'pictures');
CREATE TRIGGER next_version BEFORE UPDATE ON pop_photo FOR EACH ROW WHEN ((((((old.market_uid IS DISTINCT FROM new.market_uid) OR (old.shift_uid IS DISTINCT FROM new.shift_uid)) OR (old.caption IS DISTINCT FROM new.caption)) OR (old.status IS DISTINCT FROM new.status)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON pop_photo REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('created_at', 'position');
CREATE TRIGGER note_program_list AFTER INSERT OR UPDATE ON pop_photo FOR EACH STATEMENT EXECUTE FUNCTION note_program_list();
CREATE TRIGGER note_removed AFTER DELETE ON pop_photo REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('created_at', 'position');
CREATE TRIGGER note_updated AFTER UPDATE ON pop_photo REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('created_at', 'position');
CREATE TRIGGER tell_added AFTER INSERT ON pop_photo REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('photos_changed');
CREATE TRIGGER tell_changed AFTER UPDATE ON pop_photo REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('photos_changed');

create table pop_version (
  program_uid uuid not null,
  number integer not null,
  published_at timestamp with time zone default now() not null,
  published_by uuid,
  note text default ''::text not null,
  changes text default ''::text not null,
  document text storage external not null,
  sha256 text not null,
  opening text storage external not null,
  pdf_blob text,
  pdf_sha256 text,
  pdf_bytes integer,
  pdf_claimed_at timestamp with time zone,
  pdf_attempts integer default 0 not null,
  figures json generated always as (version_figures(document)) stored,
  constraint pop_version_pkey PRIMARY KEY (program_uid, number),
  constraint pop_version_number_check CHECK ((number > 0)),
  constraint pop_version_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint pop_version_published_by_fkey FOREIGN KEY (published_by) REFERENCES user_account(uid),
  constraint pop_version_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX pop_version_without_pdf ON pop_version USING btree (published_at) WHERE (pdf_blob IS NULL);
CREATE TRIGGER keep_version BEFORE UPDATE ON pop_version FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER refuse_removal BEFORE DELETE ON pop_version FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER tell_published AFTER INSERT ON pop_version FOR EACH STATEMENT EXECUTE FUNCTION tell_published();

create table pop_version_picture (
  program_uid uuid not null,
  number integer not null,
  key text not null,
  content_type text default 'image/webp'::text not null,
  constraint pop_version_picture_pkey PRIMARY KEY (program_uid, number, key),
  constraint pop_version_picture_key_check CHECK ((key ~ '^[0-9a-f]{32}$'::text)),
  constraint pop_version_picture_program_uid_number_fkey FOREIGN KEY (program_uid, number) REFERENCES pop_version(program_uid, number)
);
CREATE INDEX pop_version_picture_by_key ON pop_version_picture USING btree (key);

create table pop_view (
  program_uid uuid not null,
  day date not null,
  views integer not null,
  constraint pop_view_pkey PRIMARY KEY (program_uid, day),
  constraint pop_view_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid)
);

create table position (
  truck_uid uuid not null,
  at timestamp with time zone not null,
  latitude double precision not null,
  longitude double precision not null,
  speed_kmh double precision,
  received_at timestamp with time zone default now() not null,
  constraint position_pkey PRIMARY KEY (truck_uid, at),
  constraint position_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint position_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
) partition by RANGE (at);

create table position_account (
  source_uid uuid not null,
  server text not null,
  database_name text default ''::text not null,
  user_name text default ''::text not null,
  secret bytea not null,
  version integer default 1 not null,
  saved_at timestamp with time zone default now() not null,
  saved_by uuid,
  constraint position_account_pkey PRIMARY KEY (source_uid),
  constraint position_account_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES user_account(uid),
  constraint position_account_server_check CHECK (((length(server) >= 1) AND (length(server) <= 200))),
  constraint position_account_source_uid_fkey FOREIGN KEY (source_uid) REFERENCES position_source(uid) ON DELETE CASCADE
);

create table position_minute (
  truck_uid uuid not null,
  at timestamp with time zone not null,
  source_uid uuid not null,
  accuracy smallint not null,
  constraint position_minute_pkey PRIMARY KEY (truck_uid, at)
) partition by RANGE (at);

create table position_source (
  uid uuid default new_uid() not null,
  name text not null,
  kind text not null,
  key_hash bytea,
  key_start text default ''::text not null,
  is_enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  created_by uuid,
  revoked_at timestamp with time zone,
  deleted_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  last_address text,
  constraint position_source_pkey PRIMARY KEY (uid),
  constraint position_source_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(uid),
  constraint position_source_key_hash_key UNIQUE (key_hash),
  constraint position_source_kind_check CHECK ((kind = ANY (ARRAY['geotab'::text, 'samsara'::text, 'osmand'::text, 'traccar'::text, 'json'::text, 'file'::text, 'phone'::text, 'player'::text]))),
  constraint position_source_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);
CREATE UNIQUE INDEX position_source_name_once ON position_source USING btree (lower(name)) WHERE (deleted_at IS NULL);
-- row: {"uid": "00000000-0000-0000-0000-000000000000", "kind": "geotab", "name": "MyGeotab", "key_hash": null, "key_start": "", "created_by": null, "deleted_at": null, "is_enabled": true, "last_error": null, "revoked_at": null, "last_address": null, "last_seen_at": null, "last_error_at": null}
-- row: {"uid": "00000000-0000-0000-0000-000000000001", "kind": "phone", "name": "Driver's phone", "key_hash": null, "key_start": "", "created_by": null, "deleted_at": null, "is_enabled": true, "last_error": null, "revoked_at": null, "last_address": null, "last_seen_at": null, "last_error_at": null}
-- row: {"uid": "00000000-0000-0000-0000-000000000002", "kind": "player", "name": "Player", "key_hash": null, "key_start": "", "created_by": null, "deleted_at": null, "is_enabled": true, "last_error": null, "revoked_at": null, "last_address": null, "last_seen_at": null, "last_error_at": null}
-- row: {"uid": "00000000-0000-0000-0000-000000000003", "kind": "file", "name": "Files", "key_hash": null, "key_start": "", "created_by": null, "deleted_at": null, "is_enabled": true, "last_error": null, "revoked_at": null, "last_address": null, "last_seen_at": null, "last_error_at": null}

create table position_spare (
  truck_uid uuid not null,
  at timestamp with time zone not null,
  source_uid uuid not null,
  accuracy smallint not null,
  latitude double precision not null,
  longitude double precision not null,
  speed_kmh double precision,
  received_at timestamp with time zone default now() not null,
  constraint position_spare_pkey PRIMARY KEY (truck_uid, at, source_uid)
) partition by RANGE (at);

create table position_waiting (
  truck_uid uuid not null,
  at timestamp with time zone not null,
  source_uid uuid not null,
  latitude double precision not null,
  longitude double precision not null,
  due_at timestamp with time zone not null,
  constraint position_waiting_pkey PRIMARY KEY (truck_uid, at, source_uid),
  constraint position_waiting_source_uid_fkey FOREIGN KEY (source_uid) REFERENCES position_source(uid),
  constraint position_waiting_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid) ON DELETE CASCADE
);
CREATE INDEX position_waiting_by_due ON position_waiting USING btree (due_at);

create table program_market (
  program_uid uuid not null,
  market_uid uuid not null,
  starts_on date,
  ends_on date,
  position integer default 0 not null,
  constraint program_market_pkey PRIMARY KEY (program_uid, market_uid),
  constraint program_market_ends_after_it_starts CHECK ((ends_on >= starts_on)),
  constraint program_market_market_uid_fkey FOREIGN KEY (market_uid) REFERENCES market(uid),
  constraint program_market_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid)
);
CREATE INDEX program_of_market ON program_market USING btree (market_uid);
CREATE TRIGGER keep_child_history AFTER INSERT OR DELETE OR UPDATE ON program_market FOR EACH ROW EXECUTE FUNCTION keep_child_history('client_program', 'program_uid', 'market');

create table push_key (
  uid uuid default new_uid() not null,
  created_at timestamp with time zone default now() not null,
  public_key text not null,
  sealed_private_key bytea not null,
  is_only boolean default true not null,
  constraint push_key_pkey PRIMARY KEY (uid),
  constraint push_key_is_only_check CHECK (is_only),
  constraint push_key_once UNIQUE (is_only)
);

create table push_subscription (
  uid uuid default new_uid() not null,
  user_uid uuid not null,
  key_uid uuid not null,
  session_uid uuid,
  endpoint_hash bytea not null,
  sealed_subscription bytea not null,
  service text not null,
  browser text not null,
  address text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  accepted_at timestamp with time zone,
  constraint push_subscription_pkey PRIMARY KEY (uid),
  constraint push_subscription_browser_check CHECK ((browser <> ''::text)),
  constraint push_subscription_endpoint_once UNIQUE (endpoint_hash),
  constraint push_subscription_key_uid_fkey FOREIGN KEY (key_uid) REFERENCES push_key(uid) ON DELETE CASCADE,
  constraint push_subscription_service_check CHECK ((service <> ''::text)),
  constraint push_subscription_session_uid_fkey FOREIGN KEY (session_uid) REFERENCES session(uid) ON DELETE SET NULL,
  constraint push_subscription_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid) ON DELETE CASCADE
);
CREATE INDEX push_subscription_of_key ON push_subscription USING btree (key_uid);
CREATE INDEX push_subscription_of_session ON push_subscription USING btree (session_uid) WHERE (session_uid IS NOT NULL);
CREATE INDEX push_subscription_of_user ON push_subscription USING btree (user_uid);

create table recovery_code (
  code_hash bytea not null,
  user_uid uuid not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (code_hash),
  constraint recovery_code_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
) with (vacuum_truncate=off);
CREATE INDEX recovery_code_of_user ON recovery_code USING btree (user_uid);

create table report_recipient (
  uid uuid default new_uid() not null,
  program_uid uuid,
  email citext not null,
  occasions text[] not null,
  unsubscribed_at timestamp with time zone,
  changed_at timestamp with time zone default now() not null,
  changed_by uuid,
  client_uid uuid,
  constraint report_recipient_pkey PRIMARY KEY (uid),
  constraint report_recipient_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint report_recipient_client_uid_fkey FOREIGN KEY (client_uid) REFERENCES client(uid),
  constraint report_recipient_email_check CHECK ((email <> ''::citext)),
  constraint report_recipient_occasions_check CHECK ((occasions <@ ARRAY['weekly'::text, 'end'::text, 'published'::text, 'monthly'::text])),
  constraint report_recipient_of_client_once UNIQUE (client_uid, email),
  constraint report_recipient_of_one CHECK ((num_nonnulls(program_uid, client_uid) = 1)),
  constraint report_recipient_once UNIQUE (program_uid, email),
  constraint report_recipient_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid)
);

create table report_sent (
  program_uid uuid,
  occasion text not null,
  period text not null,
  sent_at timestamp with time zone default now() not null,
  recipients integer not null,
  client_uid uuid,
  constraint report_sent_client_uid_fkey FOREIGN KEY (client_uid) REFERENCES client(uid),
  constraint report_sent_occasion_check CHECK ((occasion = ANY (ARRAY['weekly'::text, 'end'::text, 'published'::text, 'monthly'::text]))),
  constraint report_sent_of_client_once UNIQUE (client_uid, occasion, period),
  constraint report_sent_of_one CHECK ((num_nonnulls(program_uid, client_uid) = 1)),
  constraint report_sent_once UNIQUE (program_uid, occasion, period),
  constraint report_sent_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint report_sent_recipients_check CHECK ((recipients > 0))
);

create table rotation_line (
  uid uuid default new_uid() not null,
  program_uid uuid not null,
  artwork_set_uid uuid not null,
  share text not null,
  amount integer not null,
  from_time time without time zone,
  to_time time without time zone,
  weekdays smallint[] not null,
  position integer not null,
  constraint rotation_line_pkey PRIMARY KEY (uid),
  constraint rotation_line_amount_check CHECK (((amount >= 1) AND (amount <= 720))),
  constraint rotation_line_hours CHECK (((from_time IS NULL) = (to_time IS NULL))),
  constraint rotation_line_of_program FOREIGN KEY (artwork_set_uid, program_uid) REFERENCES artwork_set(uid, program_uid),
  constraint rotation_line_place UNIQUE (program_uid, "position"),
  constraint rotation_line_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint rotation_line_share_check CHECK ((share = ANY (ARRAY['weight'::text, 'playsAnHour'::text]))),
  constraint rotation_line_weekdays_check CHECK ((((cardinality(weekdays) >= 1) AND (cardinality(weekdays) <= 7)) AND (weekdays <@ ARRAY[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint, (6)::smallint, (7)::smallint])))
);
CREATE INDEX rotation_line_by_set ON rotation_line USING btree (artwork_set_uid);
CREATE TRIGGER keep_child_history AFTER INSERT OR DELETE OR UPDATE ON rotation_line FOR EACH ROW EXECUTE FUNCTION keep_child_history('client_program', 'program_uid', 'rotation_line');

create table sales_proposal (
  uid uuid default new_uid() not null,
  program_uid uuid not null,
  number integer not null,
  title text not null,
  document text storage external not null,
  sha256 text not null,
  program_sha256 text not null,
  token_hash bytea not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_by uuid,
  views integer default 0 not null,
  last_viewed_at timestamp with time zone,
  accepted_at timestamp with time zone,
  accepted_name text,
  accepted_note text,
  constraint sales_proposal_pkey PRIMARY KEY (uid),
  constraint sales_proposal_acceptance_is_whole CHECK ((((accepted_at IS NULL) = (accepted_name IS NULL)) AND ((accepted_at IS NULL) = (accepted_note IS NULL)))),
  constraint sales_proposal_accepted_in_time CHECK ((accepted_at < expires_at)),
  constraint sales_proposal_accepted_name_check CHECK ((accepted_name <> ''::text)),
  constraint sales_proposal_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(uid),
  constraint sales_proposal_end_has_author CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint sales_proposal_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES user_account(uid),
  constraint sales_proposal_expires CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '1 year 2 days'::interval)))),
  constraint sales_proposal_hash CHECK ((sha256 = encode(sha256(convert_to(document, 'UTF8'::name)), 'hex'::text))),
  constraint sales_proposal_number_check CHECK ((number > 0)),
  constraint sales_proposal_number_once UNIQUE (program_uid, number),
  constraint sales_proposal_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint sales_proposal_title_check CHECK ((title <> ''::text)),
  constraint sales_proposal_token_once UNIQUE (token_hash),
  constraint sales_proposal_views_check CHECK ((views >= 0))
) with (fillfactor=80);
CREATE TRIGGER keep_history AFTER INSERT ON sales_proposal FOR EACH ROW EXECUTE FUNCTION keep_proposal_history();
CREATE TRIGGER keep_history_of_changes AFTER UPDATE ON sales_proposal FOR EACH ROW WHEN (((new.accepted_at IS DISTINCT FROM old.accepted_at) OR (new.ended_at IS DISTINCT FROM old.ended_at))) EXECUTE FUNCTION keep_proposal_history();
CREATE TRIGGER keep_sales_proposal BEFORE DELETE OR UPDATE ON sales_proposal FOR EACH ROW EXECUTE FUNCTION keep_sales_proposal();
CREATE TRIGGER tell_added AFTER INSERT ON sales_proposal REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('proposals_changed');
CREATE TRIGGER tell_changed AFTER UPDATE ON sales_proposal REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('proposals_changed');

create table screen_pairing (
  uid uuid default new_uid() not null,
  network text not null,
  address text not null,
  mac_address text not null,
  code_hash bytea not null,
  secret_hash bytea not null,
  expires_at timestamp with time zone not null,
  device_uid uuid,
  constraint screen_pairing_pkey PRIMARY KEY (uid),
  constraint screen_pairing_device_uid_fkey FOREIGN KEY (device_uid) REFERENCES device(uid),
  constraint screen_pairing_once UNIQUE (network, mac_address),
  constraint screen_pairing_secret_hash_key UNIQUE (secret_hash)
);
CREATE INDEX screen_pairing_code ON screen_pairing USING btree (code_hash);
CREATE INDEX screen_pairing_device ON screen_pairing USING btree (device_uid) WHERE (device_uid IS NOT NULL);
CREATE INDEX screen_pairing_expired ON screen_pairing USING btree (expires_at);

create table sd_address (
  uid uuid default new_uid() not null,
  set_uid uuid not null,
  label text not null,
  address text default ''::text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m integer not null,
  artwork_set_uid uuid,
  located_by text not null,
  position integer default 0 not null,
  constraint sd_address_pkey PRIMARY KEY (uid),
  constraint sd_address_artwork_set_uid_fkey FOREIGN KEY (artwork_set_uid) REFERENCES artwork_set(uid),
  constraint sd_address_label_check CHECK ((label <> ''::text)),
  constraint sd_address_label_once EXCLUDE USING btree (set_uid WITH =, lower((label COLLATE "default")) WITH =) DEFERRABLE,
  constraint sd_address_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint sd_address_located_by_check CHECK ((located_by = ANY (ARRAY['given'::text, 'pin'::text, 'geocoder'::text, 'zip'::text]))),
  constraint sd_address_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint sd_address_radius_m_check CHECK (((radius_m >= 50) AND (radius_m <= 100000))),
  constraint sd_address_set_uid_fkey FOREIGN KEY (set_uid) REFERENCES address_set(uid)
);
CREATE INDEX sd_address_in_order ON sd_address USING btree (set_uid, "position", uid);
CREATE TRIGGER keep_child_history AFTER INSERT OR DELETE OR UPDATE ON sd_address FOR EACH ROW EXECUTE FUNCTION keep_child_history('address_set', 'set_uid', 'address');
CREATE TRIGGER keep_past AFTER DELETE ON sd_address FOR EACH ROW EXECUTE FUNCTION keep_past_address();

create table session (
  uid uuid default new_uid() not null,
  token_hash bytea not null,
  user_uid uuid not null,
  client_type text not null,
  address text,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  end_reason text,
  made_by text default 'password'::text not null,
  is_limited boolean default false not null,
  proved_at timestamp with time zone default now() not null,
  has_provider_factor boolean default false not null,
  language text,
  constraint session_pkey PRIMARY KEY (uid),
  constraint session_end_has_reason CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
  constraint session_end_reason_check CHECK ((end_reason = ANY (ARRAY['logout'::text, 'passwordReset'::text, 'forced'::text, 'deleted'::text, 'roleChanged'::text, 'emailChanged'::text, 'factorReset'::text, 'expired'::text, 'singleSignOnEnded'::text]))),
  constraint session_language_check CHECK ((language = ANY (ARRAY['en'::text, 'es'::text]))) NOT VALID,
  constraint session_made_by_check CHECK ((made_by = ANY (ARRAY['password'::text, 'code'::text, 'recoveryCode'::text, 'passkey'::text, 'singleSignOn'::text]))),
  constraint session_token_once UNIQUE (token_hash),
  constraint session_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=500, vacuum_truncate=off);
CREATE INDEX session_age ON session USING btree (expires_at);
CREATE INDEX session_due ON session USING btree (expires_at) WHERE (ended_at IS NULL);
CREATE INDEX session_of_user ON session USING btree (user_uid) WHERE (ended_at IS NULL);
CREATE TRIGGER end_push_of_session AFTER UPDATE OF ended_at ON session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL) AND (new.end_reason <> 'expired'::text))) EXECUTE FUNCTION end_push_of_session();
CREATE TRIGGER limit_new_session BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION limit_new_session();
CREATE TRIGGER note_seen AFTER INSERT OR UPDATE OF seen_at ON session FOR EACH ROW EXECUTE FUNCTION note_seen();
CREATE TRIGGER tell_session_ended AFTER UPDATE OF ended_at ON session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION tell_session_ended();
CREATE TRIGGER tell_session_limited AFTER UPDATE OF is_limited ON session FOR EACH ROW WHEN ((new.is_limited AND (NOT old.is_limited))) EXECUTE FUNCTION tell_session_limited();

create table setting (
  uid uuid default new_uid() not null,
  key text not null,
  value jsonb not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint setting_pkey PRIMARY KEY (uid),
  constraint setting_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint setting_key_key UNIQUE (key)
);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON setting FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER limit_open_sessions AFTER INSERT OR UPDATE ON setting FOR EACH ROW WHEN ((new.key = 'secondFactorRoles'::text)) EXECUTE FUNCTION limit_open_sessions();
CREATE TRIGGER next_version BEFORE UPDATE ON setting FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_evidence_changed AFTER UPDATE ON setting FOR EACH ROW WHEN (((new.key = 'outsideMarketByMetres'::text) AND (old.value IS DISTINCT FROM new.value))) EXECUTE FUNCTION note_setting_evidence();
CREATE TRIGGER note_evidence_set AFTER INSERT ON setting FOR EACH ROW WHEN ((new.key = 'outsideMarketByMetres'::text)) EXECUTE FUNCTION note_setting_evidence();
CREATE TRIGGER note_inserted AFTER INSERT ON setting REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted();
CREATE TRIGGER note_removed AFTER DELETE ON setting REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed();
CREATE TRIGGER note_updated AFTER UPDATE ON setting REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated();
CREATE TRIGGER tell_added AFTER INSERT ON setting REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('settings_changed');
CREATE TRIGGER tell_changed AFTER UPDATE ON setting REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('settings_changed');
CREATE TRIGGER tell_fallback AFTER INSERT OR UPDATE ON setting FOR EACH ROW EXECUTE FUNCTION tell_changed_fallback();

create table shift (
  uid uuid default new_uid() not null,
  truck_uid uuid not null,
  driver_uid uuid not null,
  program_uid uuid not null,
  market_uid uuid not null,
  local_date date not null,
  start_time time without time zone not null,
  end_time time without time zone not null,
  zone text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  artwork_set_uid uuid,
  address_set_uid uuid,
  pay_option text,
  note text default ''::text not null,
  status text default 'planned'::text not null,
  reason text default ''::text not null,
  started_at timestamp with time zone,
  stopped_at timestamp with time zone,
  search_text text generated always as (lower(note)) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  times_reason text default ''::text not null,
  start_corrected boolean default false not null,
  stop_corrected boolean default false not null,
  starts_count_from timestamp with time zone,
  stops_count_from timestamp with time zone,
  stops jsonb default '[]'::jsonb not null,
  released_at timestamp with time zone,
  constraint shift_pkey PRIMARY KEY (uid),
  constraint shift_address_set_uid_fkey FOREIGN KEY (address_set_uid) REFERENCES address_set(uid),
  constraint shift_artwork_set_uid_fkey FOREIGN KEY (artwork_set_uid) REFERENCES artwork_set(uid),
  constraint shift_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint shift_correction_has_a_reason CHECK (((times_reason <> ''::text) OR (NOT (start_corrected OR stop_corrected)))),
  constraint shift_driver_once EXCLUDE USING gist (driver_uid WITH =, tstzrange(starts_at, COALESCE(released_at, ends_at)) WITH &&) WHERE (((deleted_at IS NULL) AND (status <> ALL (ARRAY['cancelled'::text, 'noShow'::text])))) DEFERRABLE,
  constraint shift_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint shift_ends_as_clocks_show CHECK (((ends_at AT TIME ZONE zone) = ((local_date + end_time) +
CASE
    WHEN (end_time <= start_time) THEN '1 day'::interval
    ELSE '00:00:00'::interval
END))),
  constraint shift_has_a_length CHECK (((start_time <> end_time) AND (ends_at > starts_at))),
  constraint shift_market_uid_fkey FOREIGN KEY (market_uid) REFERENCES market(uid),
  constraint shift_pay_option_check CHECK ((pay_option = ANY (ARRAY['halfDay'::text, 'eightHours'::text, 'twelveHours'::text]))),
  constraint shift_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid),
  constraint shift_reason_given CHECK (((status <> ALL (ARRAY['cancelled'::text, 'noShow'::text])) OR (reason <> ''::text))),
  constraint shift_starts_as_clocks_show CHECK (((starts_at AT TIME ZONE zone) = (local_date + start_time))),
  constraint shift_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'out'::text, 'completed'::text, 'cancelled'::text, 'noShow'::text]))),
  constraint shift_stops_after_it_started CHECK ((stopped_at >= started_at)),
  constraint shift_truck_once EXCLUDE USING gist (truck_uid WITH =, tstzrange(starts_at, COALESCE(released_at, ends_at)) WITH &&) WHERE (((deleted_at IS NULL) AND (status <> ALL (ARRAY['cancelled'::text, 'noShow'::text])))) DEFERRABLE,
  constraint shift_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);
CREATE INDEX shift_by_change ON shift USING btree (updated_at);
CREATE INDEX shift_by_date ON shift USING btree (local_date) WHERE (deleted_at IS NULL);
CREATE INDEX shift_by_local_start ON shift USING btree (((local_date + start_time)), uid) WHERE (deleted_at IS NULL);
CREATE INDEX shift_by_start ON shift USING btree (starts_at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX shift_by_status ON shift USING btree (status, uid) WHERE (deleted_at IS NULL);
CREATE INDEX shift_by_updated ON shift USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX shift_of_driver ON shift USING btree (driver_uid, starts_at) WHERE (deleted_at IS NULL);
CREATE INDEX shift_of_market ON shift USING btree (market_uid, starts_at) WHERE (deleted_at IS NULL);
CREATE INDEX shift_of_program ON shift USING btree (program_uid, starts_at) WHERE (deleted_at IS NULL);
CREATE INDEX shift_of_truck ON shift USING btree (truck_uid, starts_at) WHERE (deleted_at IS NULL);
CREATE INDEX shift_search ON shift USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX shift_with_addresses ON shift USING btree (address_set_uid) WHERE ((deleted_at IS NULL) AND (address_set_uid IS NOT NULL));
CREATE INDEX shift_with_artwork ON shift USING btree (artwork_set_uid) WHERE ((deleted_at IS NULL) AND (artwork_set_uid IS NOT NULL));
CREATE INDEX shift_with_stops ON shift USING btree (starts_at) WHERE (stops <> '[]'::jsonb);
CREATE TRIGGER check_changed_stops BEFORE UPDATE OF stops, start_time, end_time ON shift FOR EACH ROW WHEN (((new.stops <> '[]'::jsonb) AND (NOT shift_stops_fit(new.stops, new.start_time, new.end_time)))) EXECUTE FUNCTION refuse_misplaced_stops();
CREATE TRIGGER check_new_stops BEFORE INSERT ON shift FOR EACH ROW WHEN (((new.stops <> '[]'::jsonb) AND (NOT shift_stops_fit(new.stops, new.start_time, new.end_time)))) EXECUTE FUNCTION refuse_misplaced_stops();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON shift FOR EACH ROW EXECUTE FUNCTION keep_history('starts_at', 'ends_at', 'start_corrected', 'stop_corrected', 'starts_count_from', 'stops_count_from', 'released_at');
CREATE TRIGGER keep_holds_deleted AFTER DELETE ON shift REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_truck_holds();
CREATE TRIGGER keep_holds_inserted AFTER INSERT ON shift REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_truck_holds();
CREATE TRIGGER keep_holds_updated AFTER UPDATE ON shift REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_truck_holds();
CREATE TRIGGER keep_locked BEFORE INSERT OR DELETE ON shift FOR EACH ROW EXECUTE FUNCTION keep_locked_shift();
CREATE TRIGGER keep_locked_changed BEFORE UPDATE ON shift FOR EACH ROW WHEN ((((((((((((((((old.truck_uid IS DISTINCT FROM new.truck_uid) OR (old.driver_uid IS DISTINCT FROM new.driver_uid)) OR (old.program_uid IS DISTINCT FROM new.program_uid)) OR (old.market_uid IS DISTINCT FROM new.market_uid)) OR (old.local_date IS DISTINCT FROM new.local_date)) OR (old.start_time IS DISTINCT FROM new.start_time)) OR (old.end_time IS DISTINCT FROM new.end_time)) OR (old.zone IS DISTINCT FROM new.zone)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.pay_option IS DISTINCT FROM new.pay_option)) OR (old.status IS DISTINCT FROM new.status)) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.stopped_at IS DISTINCT FROM new.stopped_at)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION keep_locked_shift();
CREATE TRIGGER keep_window BEFORE UPDATE ON shift FOR EACH ROW WHEN (((((old.status IS DISTINCT FROM new.status) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.start_corrected IS DISTINCT FROM new.start_corrected))) EXECUTE FUNCTION keep_shift_window();
CREATE TRIGGER keep_work BEFORE UPDATE ON shift FOR EACH ROW WHEN ((((((((((((old.truck_uid IS DISTINCT FROM new.truck_uid) OR (old.program_uid IS DISTINCT FROM new.program_uid)) OR (old.market_uid IS DISTINCT FROM new.market_uid)) OR (old.local_date IS DISTINCT FROM new.local_date)) OR (old.status IS DISTINCT FROM new.status)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.stopped_at IS DISTINCT FROM new.stopped_at)) AND (old.starts_at < now()) AND ((old.status <> 'out'::text) OR (new.status = ANY (ARRAY['cancelled'::text, 'noShow'::text])) OR (new.deleted_at IS NOT NULL) OR (new.started_at > old.started_at) OR ((((old.truck_uid IS DISTINCT FROM new.truck_uid) OR (old.program_uid IS DISTINCT FROM new.program_uid)) OR (old.market_uid IS DISTINCT FROM new.market_uid)) OR (old.local_date IS DISTINCT FROM new.local_date))))) EXECUTE FUNCTION keep_work_of_shift();
CREATE TRIGGER next_version BEFORE UPDATE ON shift FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON shift REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('starts_at', 'status', 'updated_at');
CREATE TRIGGER note_office_times_inserted AFTER INSERT ON shift FOR EACH ROW WHEN ((new.status = ANY (ARRAY['out'::text, 'completed'::text]))) EXECUTE FUNCTION note_office_times();
CREATE TRIGGER note_office_times_updated AFTER UPDATE ON shift FOR EACH ROW WHEN ((((((old.status IS DISTINCT FROM new.status) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.stopped_at IS DISTINCT FROM new.stopped_at)) OR (old.start_corrected IS DISTINCT FROM new.start_corrected)) OR (old.stop_corrected IS DISTINCT FROM new.stop_corrected))) EXECUTE FUNCTION note_office_times();
CREATE TRIGGER note_removed AFTER DELETE ON shift REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('starts_at', 'status', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON shift REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('starts_at', 'status', 'updated_at');
CREATE TRIGGER refuse_out_of_service AFTER INSERT ON shift FOR EACH ROW WHEN (((new.status = 'planned'::text) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION refuse_shift_out_of_service();
CREATE TRIGGER refuse_out_of_service_changed AFTER UPDATE ON shift FOR EACH ROW WHEN (((new.status = 'planned'::text) AND (new.deleted_at IS NULL) AND ((((((old.truck_uid IS DISTINCT FROM new.truck_uid) OR (old.driver_uid IS DISTINCT FROM new.driver_uid)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.status IS DISTINCT FROM new.status)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)))) EXECUTE FUNCTION refuse_shift_out_of_service();
CREATE TRIGGER release_inserted BEFORE INSERT ON shift FOR EACH ROW WHEN ((new.stopped_at IS NOT NULL)) EXECUTE FUNCTION release_shift();
CREATE TRIGGER release_updated BEFORE UPDATE ON shift FOR EACH ROW WHEN (((((((old.status IS DISTINCT FROM new.status) OR (old.stopped_at IS DISTINCT FROM new.stopped_at)) OR (old.truck_uid IS DISTINCT FROM new.truck_uid)) OR (old.driver_uid IS DISTINCT FROM new.driver_uid)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at))) EXECUTE FUNCTION release_shift();
CREATE TRIGGER tell_inserted AFTER INSERT ON shift REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_shifts();
CREATE TRIGGER tell_moved AFTER UPDATE ON shift REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_shifts();
CREATE TRIGGER tell_trucks_inserted AFTER INSERT ON shift REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_trucks();
CREATE TRIGGER tell_trucks_left AFTER UPDATE ON shift REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_trucks();
CREATE TRIGGER tell_trucks_updated AFTER UPDATE ON shift REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_trucks();
CREATE TRIGGER tell_updated AFTER UPDATE ON shift REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_shifts();

create table shift_act (
  uid uuid default new_uid() not null,
  kind text not null,
  at timestamp with time zone default now() not null,
  by_uid uuid not null,
  states jsonb not null,
  undone_at timestamp with time zone,
  out_of_service jsonb,
  constraint shift_act_pkey PRIMARY KEY (uid),
  constraint shift_act_by_uid_fkey FOREIGN KEY (by_uid) REFERENCES user_account(uid),
  constraint shift_act_kind_check CHECK ((kind = ANY (ARRAY['move'::text, 'copy'::text, 'driver'::text, 'cancel'::text, 'delete'::text, 'save'::text, 'outOfService'::text]))),
  constraint shift_act_states_check CHECK (((jsonb_typeof(states) = 'array'::text) AND ((jsonb_array_length(states) > 0) OR (out_of_service IS NOT NULL))))
);
CREATE INDEX shift_act_by_time ON shift_act USING btree (at);

create table shift_answer (
  uid uuid default new_uid() not null,
  shift_uid uuid not null,
  driver_uid uuid not null,
  act_id uuid not null,
  answer text not null,
  reason text default ''::text not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  truck_uid uuid not null,
  local_date date not null,
  start_time time without time zone not null,
  end_time time without time zone not null,
  changed_by uuid,
  changed_from text,
  constraint shift_answer_pkey PRIMARY KEY (uid),
  constraint shift_answer_answer_check CHECK ((answer = ANY (ARRAY['confirmed'::text, 'declined'::text]))),
  constraint shift_answer_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint shift_answer_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint shift_answer_once UNIQUE (driver_uid, act_id),
  constraint shift_answer_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint shift_answer_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);
CREATE INDEX shift_answer_declined ON shift_answer USING btree (shift_uid) WHERE (answer = 'declined'::text);
CREATE INDEX shift_answer_newest ON shift_answer USING btree (shift_uid, driver_uid, at DESC, received_at DESC);
CREATE TRIGGER keep_history AFTER INSERT ON shift_answer FOR EACH ROW EXECUTE FUNCTION keep_word_history('driver_answer', 'answer', 'decline_reason', 'reason');

create table shift_approach (
  shift_uid uuid not null,
  address_uid uuid not null,
  entered_at timestamp with time zone not null,
  left_at timestamp with time zone not null,
  nearest_m double precision not null,
  is_due boolean default true not null,
  constraint shift_approach_pkey PRIMARY KEY (shift_uid, address_uid, entered_at),
  constraint shift_approach_check CHECK ((left_at >= entered_at)),
  constraint shift_approach_nearest_m_check CHECK ((nearest_m >= (0)::double precision)),
  constraint shift_approach_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid)
);

create table shift_approaches_known (
  shift_uid uuid not null,
  address_set_uid uuid not null,
  gps_metres double precision not null,
  heard_ms double precision not null,
  computed_at timestamp with time zone not null,
  constraint shift_approaches_known_pkey PRIMARY KEY (shift_uid),
  constraint shift_approaches_known_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid)
);

create table shift_impression (
  shift_uid uuid not null,
  low integer,
  likely integer,
  high integer,
  counted_ms double precision not null,
  parked_ms double precision not null,
  unlit_ms double precision not null,
  method_version integer not null,
  rules_version integer not null,
  due_at timestamp with time zone,
  computed_at timestamp with time zone default now() not null,
  has_plays boolean,
  constraint shift_impression_pkey PRIMARY KEY (shift_uid),
  constraint shift_impression_is_a_range CHECK (((num_nulls(low, likely, high) = 3) OR ((0 <= low) AND (low <= likely) AND (likely <= high)))),
  constraint shift_impression_method_version_fkey FOREIGN KEY (method_version) REFERENCES impression_method(version),
  constraint shift_impression_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid)
);
CREATE INDEX shift_impression_due ON shift_impression USING btree (computed_at) WHERE (due_at IS NOT NULL);
CREATE INDEX shift_impression_without_plays ON shift_impression USING btree (shift_uid) WHERE (NOT has_plays);

create table shift_message (
  uid uuid default new_uid() not null,
  shift_uid uuid not null,
  driver_uid uuid not null,
  act_id uuid,
  text text not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  changed_by uuid not null,
  changed_from text,
  constraint shift_message_pkey PRIMARY KEY (uid),
  constraint shift_message_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint shift_message_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint shift_message_of_driver CHECK (((act_id IS NULL) OR (changed_by = driver_uid))),
  constraint shift_message_once UNIQUE (driver_uid, act_id),
  constraint shift_message_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint shift_message_text_check CHECK ((text <> ''::text))
);
CREATE INDEX shift_message_of_shift ON shift_message USING btree (shift_uid, at);
CREATE TRIGGER keep_history_of_dispatch AFTER INSERT ON shift_message FOR EACH ROW WHEN ((new.act_id IS NULL)) EXECUTE FUNCTION keep_word_history('dispatch_message', 'text');
CREATE TRIGGER keep_history_of_driver AFTER INSERT ON shift_message FOR EACH ROW WHEN ((new.act_id IS NOT NULL)) EXECUTE FUNCTION keep_word_history('driver_message', 'text');
CREATE TRIGGER tell_messages AFTER INSERT ON shift_message FOR EACH ROW WHEN ((new.act_id IS NULL)) EXECUTE FUNCTION tell_shift_words();

create table shift_notice (
  shift_uid uuid not null,
  driver_uid uuid not null,
  before jsonb,
  since timestamp with time zone default now() not null,
  constraint shift_notice_pkey PRIMARY KEY (shift_uid, driver_uid),
  constraint shift_notice_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid) ON DELETE CASCADE,
  constraint shift_notice_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid) ON DELETE CASCADE
);
CREATE INDEX shift_notice_of_driver ON shift_notice USING btree (driver_uid, since);

create table shift_office_time (
  shift_uid uuid not null,
  kind text not null,
  at timestamp with time zone,
  is_correction boolean default false not null,
  set_by uuid,
  set_at timestamp with time zone default now() not null,
  constraint shift_office_time_pkey PRIMARY KEY (shift_uid, kind),
  constraint shift_office_time_check CHECK (((at IS NOT NULL) OR (kind = 'stop'::text))),
  constraint shift_office_time_kind_check CHECK ((kind = ANY (ARRAY['start'::text, 'stop'::text]))),
  constraint shift_office_time_set_by_fkey FOREIGN KEY (set_by) REFERENCES user_account(uid),
  constraint shift_office_time_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid) ON DELETE CASCADE
);

create table shift_stop_track (
  shift_uid uuid not null,
  shift_version integer not null,
  track_at timestamp with time zone,
  visits jsonb not null,
  algorithm integer not null,
  computed_at timestamp with time zone default now() not null,
  constraint shift_stop_track_pkey PRIMARY KEY (shift_uid),
  constraint shift_stop_track_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint shift_stop_track_visits_check CHECK ((jsonb_typeof(visits) = 'array'::text))
);

create table shift_time_answer (
  shift_uid uuid not null,
  kind text not null,
  about timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  is_corrected boolean not null,
  answered_by uuid not null,
  answered_at timestamp with time zone default now() not null,
  constraint shift_time_answer_pkey PRIMARY KEY (shift_uid, kind, about),
  constraint shift_time_answer_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES user_account(uid),
  constraint shift_time_answer_kind_check CHECK ((kind = ANY (ARRAY['start'::text, 'stop'::text]))),
  constraint shift_time_answer_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid) ON DELETE CASCADE
);

create table shift_track (
  shift_uid uuid not null,
  truck_uid uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  heard_ms double precision not null,
  gps_metres double precision not null,
  odometer_metres double precision,
  metres double precision not null,
  source text not null,
  estimated_metres double precision default 0 not null,
  coverage real not null,
  algorithm integer not null,
  computed_at timestamp with time zone default now() not null,
  constraint shift_track_pkey PRIMARY KEY (shift_uid),
  constraint shift_track_coverage_check CHECK (((coverage >= (0)::double precision) AND (coverage <= (1)::double precision))),
  constraint shift_track_gps_metres_check CHECK ((gps_metres >= (0)::double precision)),
  constraint shift_track_metres_check CHECK ((metres >= (0)::double precision)),
  constraint shift_track_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint shift_track_source_check CHECK ((source = ANY (ARRAY['gps'::text, 'odometer'::text]))),
  constraint shift_track_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
) with (fillfactor=50);
CREATE INDEX shift_track_by_end ON shift_track USING btree (ends_at);
CREATE INDEX shift_track_of_truck ON shift_track USING btree (truck_uid, starts_at);
CREATE TRIGGER keep_work_deleted BEFORE DELETE ON shift_track FOR EACH ROW EXECUTE FUNCTION keep_work_of_hold();
CREATE TRIGGER keep_work_updated BEFORE UPDATE ON shift_track FOR EACH ROW WHEN ((new.metres < old.metres)) EXECUTE FUNCTION keep_work_of_hold();

create table single_sign_on_confirmation (
  secret_hash bytea not null,
  user_uid uuid not null,
  email citext not null,
  next_path text not null,
  sealed_identity bytea not null,
  mail_token_hash bytea,
  expires_at timestamp with time zone not null,
  message_uid uuid,
  constraint single_sign_on_confirmation_pkey PRIMARY KEY (secret_hash),
  constraint single_sign_on_confirmation_message_uid_fkey FOREIGN KEY (message_uid) REFERENCES message(uid) ON DELETE SET NULL,
  constraint single_sign_on_confirmation_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
);
CREATE INDEX single_sign_on_confirmation_age ON single_sign_on_confirmation USING btree (expires_at);
CREATE UNIQUE INDEX single_sign_on_confirmation_of_message ON single_sign_on_confirmation USING btree (message_uid) WHERE (message_uid IS NOT NULL);
CREATE INDEX single_sign_on_confirmation_of_user ON single_sign_on_confirmation USING btree (user_uid);

create table single_sign_on_flow (
  secret_hash bytea not null,
  next_path text not null,
  expires_at timestamp with time zone not null,
  constraint single_sign_on_flow_pkey PRIMARY KEY (secret_hash)
) with (vacuum_truncate=off);
CREATE INDEX single_sign_on_flow_age ON single_sign_on_flow USING btree (expires_at);

create table single_sign_on_identity (
  uid uuid default new_uid() not null,
  issuer text not null,
  subject text not null,
  user_uid uuid not null,
  email citext not null,
  role_from_claim boolean default false not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone default now() not null,
  constraint single_sign_on_identity_pkey PRIMARY KEY (uid),
  constraint single_sign_on_identity_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid),
  constraint single_sign_on_subject_once UNIQUE (issuer, subject)
);
CREATE INDEX single_sign_on_identity_of_user ON single_sign_on_identity USING btree (user_uid);
CREATE TRIGGER end_sessions_of_identity BEFORE DELETE ON single_sign_on_identity FOR EACH ROW EXECUTE FUNCTION end_sessions_of_identity();

create table single_sign_on_logout (
  token_id_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint single_sign_on_logout_pkey PRIMARY KEY (token_id_hash)
);
CREATE INDEX single_sign_on_logout_age ON single_sign_on_logout USING btree (expires_at);

create table single_sign_on_session (
  session_uid uuid not null,
  identity_uid uuid not null,
  sid text,
  sealed_id_token bytea not null,
  constraint single_sign_on_session_pkey PRIMARY KEY (session_uid),
  constraint single_sign_on_session_identity_uid_fkey FOREIGN KEY (identity_uid) REFERENCES single_sign_on_identity(uid) ON DELETE CASCADE,
  constraint single_sign_on_session_session_uid_fkey FOREIGN KEY (session_uid) REFERENCES session(uid) ON DELETE CASCADE
) with (vacuum_truncate=off);
CREATE INDEX single_sign_on_session_of_identity ON single_sign_on_session USING btree (identity_uid);

create table stored_file (
  uid uuid default new_uid() not null,
  blob_name text not null,
  purpose text not null,
  original_name text not null,
  content_type text not null,
  size_bytes bigint not null,
  sha256 text,
  width integer,
  height integer,
  duration_ms integer,
  measured_by text,
  thumbnail_blob text,
  announced_at timestamp with time zone default now() not null,
  announced_by uuid,
  stored_at timestamp with time zone,
  claimed_at timestamp with time zone,
  constraint stored_file_pkey PRIMARY KEY (uid),
  constraint stored_file_announced_by_fkey FOREIGN KEY (announced_by) REFERENCES user_account(uid),
  constraint stored_file_blob_name_key UNIQUE (blob_name),
  constraint stored_file_measured_by_check CHECK ((measured_by = ANY (ARRAY['server'::text, 'browser'::text]))),
  constraint stored_file_purpose_check CHECK ((purpose = ANY (ARRAY['logo'::text, 'artwork'::text, 'photo'::text, 'issue'::text]))),
  constraint stored_file_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint stored_file_size_bytes_check CHECK ((size_bytes > 0))
);
CREATE INDEX stored_file_unclaimed ON stored_file USING btree (announced_at) WHERE (claimed_at IS NULL);
CREATE INDEX stored_file_unclaimed_by ON stored_file USING btree (announced_by) INCLUDE (size_bytes) WHERE (claimed_at IS NULL);
CREATE TRIGGER limit_unclaimed BEFORE INSERT ON stored_file FOR EACH ROW WHEN (((new.announced_by IS NOT NULL) AND (new.claimed_at IS NULL))) EXECUTE FUNCTION limit_unclaimed_files();

create table throttle (
  key text not null,
  failures integer not null,
  blocked_until timestamp with time zone not null,
  last_at timestamp with time zone default now() not null,
  constraint throttle_pkey PRIMARY KEY (key)
) with (fillfactor=70, vacuum_truncate=off);

create table truck (
  uid uuid default new_uid() not null,
  number text collate natural_order not null,
  plate text default ''::text not null,
  vin text default ''::text not null,
  kind text not null,
  state text not null,
  home_market_uid uuid,
  note text default ''::text not null,
  search_text text generated always as (lower((((((((number || ' '::text) || plate) || ' '::text) || vin) || ' '::text) || note) COLLATE "default"))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  pixel_map_uid uuid,
  geotab_device_id text default ''::text not null,
  constraint truck_pkey PRIMARY KEY (uid),
  constraint truck_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint truck_home_market_uid_fkey FOREIGN KEY (home_market_uid) REFERENCES market(uid),
  constraint truck_kind_check CHECK ((kind = ANY (ARRAY['led'::text, 'printed'::text]))),
  constraint truck_number_check CHECK ((number <> ''::text)),
  constraint truck_pixel_map_uid_fkey FOREIGN KEY (pixel_map_uid) REFERENCES pixel_map(uid),
  constraint truck_state_check CHECK ((state = ANY (ARRAY['active'::text, 'inShop'::text, 'retired'::text]))),
  constraint truck_vin_check CHECK ((vin ~ '^([A-HJ-NPR-Z0-9]{17})?$'::text))
);
CREATE INDEX truck_by_number ON truck USING btree (number, uid) WHERE (deleted_at IS NULL);
CREATE INDEX truck_by_plate ON truck USING btree (plate, uid) WHERE (deleted_at IS NULL);
CREATE INDEX truck_by_state ON truck USING btree (state, uid) WHERE (deleted_at IS NULL);
CREATE INDEX truck_by_updated ON truck USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX truck_geotab_once ON truck USING btree (geotab_device_id) WHERE ((deleted_at IS NULL) AND (geotab_device_id <> ''::text));
CREATE UNIQUE INDEX truck_number_once ON truck USING btree (lower((number COLLATE "default"))) WHERE (deleted_at IS NULL);
CREATE INDEX truck_of_market ON truck USING btree (home_market_uid) WHERE (deleted_at IS NULL);
CREATE INDEX truck_of_pixel_map ON truck USING btree (pixel_map_uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX truck_plate_once ON truck USING btree (plate) WHERE ((deleted_at IS NULL) AND (plate <> ''::text));
CREATE INDEX truck_search ON truck USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX truck_vin_once ON truck USING btree (vin) WHERE ((deleted_at IS NULL) AND (vin <> ''::text));
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON truck FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER keep_shop_stay_inserted AFTER INSERT ON truck FOR EACH ROW WHEN ((new.state = 'inShop'::text)) EXECUTE FUNCTION keep_shop_stay();
CREATE TRIGGER keep_shop_stay_updated AFTER UPDATE ON truck FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION keep_shop_stay();
CREATE TRIGGER next_version BEFORE UPDATE ON truck FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON truck REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('number', 'plate', 'state', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON truck REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('number', 'plate', 'state', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON truck REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('number', 'plate', 'state', 'updated_at');
CREATE TRIGGER tell_plans AFTER UPDATE ON truck FOR EACH ROW EXECUTE FUNCTION tell_changed_plans();

create table truck_day_track (
  truck_uid uuid not null,
  day date not null,
  metres double precision not null,
  unassigned_metres double precision not null,
  tracks json not null,
  algorithm integer not null,
  computed_at timestamp with time zone default now() not null,
  constraint truck_day_track_pkey PRIMARY KEY (truck_uid, day),
  constraint truck_day_track_metres_check CHECK ((metres >= (0)::double precision)),
  constraint truck_day_track_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid),
  constraint truck_day_track_unassigned_metres_check CHECK ((unassigned_metres >= (0)::double precision))
) with (fillfactor=50);

create table truck_hold (
  truck_uid uuid not null,
  during tstzrange not null,
  shift_uid uuid not null,
  program_uid uuid not null,
  client_uid uuid not null,
  constraint truck_held_once EXCLUDE USING gist (truck_uid WITH =, during WITH &&),
  constraint truck_hold_during_check CHECK ((NOT isempty(during))),
  constraint truck_hold_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid) ON DELETE CASCADE
);
CREATE INDEX truck_hold_of_client ON truck_hold USING btree (client_uid, upper(during));
CREATE INDEX truck_hold_of_program ON truck_hold USING btree (program_uid, upper(during));
CREATE INDEX truck_hold_of_shift ON truck_hold USING btree (shift_uid);
CREATE TRIGGER keep_work BEFORE DELETE ON truck_hold FOR EACH ROW WHEN ((lower(old.during) < now())) EXECUTE FUNCTION keep_work_of_hold();

create table truck_issue (
  uid uuid default new_uid() not null,
  truck_uid uuid not null,
  shift_uid uuid,
  kind text not null,
  raised_by text not null,
  event_id text,
  text text default ''::text not null,
  photo_file_uid uuid,
  status text default 'open'::text not null,
  note text default ''::text not null,
  opened_at timestamp with time zone default now() not null,
  resolved_at timestamp with time zone,
  search_text text generated always as (lower(((text || ' '::text) || note))) stored not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  reported_by uuid,
  assignee_uid uuid,
  snoozed_until timestamp with time zone,
  constraint truck_issue_pkey PRIMARY KEY (uid),
  constraint issue_of_staff_has_author CHECK (((raised_by <> 'staff'::text) OR (reported_by IS NOT NULL))),
  constraint issue_resolved_at_a_time CHECK (((status = 'resolved'::text) = (resolved_at IS NOT NULL))),
  constraint issue_resolved_is_not_snoozed CHECK (((status <> 'resolved'::text) OR (snoozed_until IS NULL))),
  constraint truck_issue_assignee_uid_fkey FOREIGN KEY (assignee_uid) REFERENCES user_account(uid),
  constraint truck_issue_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint truck_issue_event_id_key UNIQUE (event_id),
  constraint truck_issue_kind_check CHECK ((kind = ANY (ARRAY['noGps'::text, 'noPlays'::text, 'outsideMarket'::text, 'playerOffline'::text, 'counterJump'::text, 'mechanical'::text, 'screen'::text, 'accident'::text, 'other'::text]))),
  constraint truck_issue_photo_file_uid_fkey FOREIGN KEY (photo_file_uid) REFERENCES stored_file(uid),
  constraint truck_issue_raised_by_check CHECK ((raised_by = ANY (ARRAY['server'::text, 'driver'::text, 'staff'::text]))),
  constraint truck_issue_reported_by_fkey FOREIGN KEY (reported_by) REFERENCES user_account(uid),
  constraint truck_issue_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid),
  constraint truck_issue_status_check CHECK ((status = ANY (ARRAY['open'::text, 'inProgress'::text, 'resolved'::text]))),
  constraint truck_issue_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
);
CREATE INDEX issue_by_opened ON truck_issue USING btree (opened_at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX issue_by_status ON truck_issue USING btree (status, uid) WHERE (deleted_at IS NULL);
CREATE INDEX issue_by_updated ON truck_issue USING btree (updated_at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX issue_of_assignee ON truck_issue USING btree (assignee_uid) WHERE ((assignee_uid IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX issue_of_shift ON truck_issue USING btree (shift_uid) WHERE ((deleted_at IS NULL) AND (shift_uid IS NOT NULL));
CREATE INDEX issue_of_truck ON truck_issue USING btree (truck_uid, opened_at) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX issue_open_once ON truck_issue USING btree (truck_uid, kind) WHERE ((raised_by = 'server'::text) AND (status <> 'resolved'::text) AND (deleted_at IS NULL));
CREATE INDEX issue_search ON truck_issue USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE TRIGGER keep_assignee BEFORE INSERT OR UPDATE OF assignee_uid, status ON truck_issue FOR EACH ROW WHEN (((new.assignee_uid IS NOT NULL) AND (new.status <> 'resolved'::text))) EXECUTE FUNCTION keep_issue_assignee();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON truck_issue FOR EACH ROW EXECUTE FUNCTION keep_history('reported_by');
CREATE TRIGGER next_version BEFORE UPDATE ON truck_issue FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON truck_issue REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('opened_at', 'status', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON truck_issue REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('opened_at', 'status', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON truck_issue REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('opened_at', 'status', 'updated_at');
CREATE TRIGGER tell_added AFTER INSERT ON truck_issue REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('issues_changed');
CREATE TRIGGER tell_changed AFTER UPDATE ON truck_issue REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION tell_touched('issues_changed');

create table truck_now (
  truck_uid uuid not null,
  at timestamp with time zone,
  latitude double precision,
  longitude double precision,
  speed_kmh double precision,
  heading double precision,
  is_driving boolean,
  odometer_m double precision,
  player_seen_at timestamp with time zone,
  played_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  status_at timestamp with time zone,
  off_shift_since timestamp with time zone,
  off_shift_until timestamp with time zone,
  off_shift_m double precision,
  constraint truck_now_pkey PRIMARY KEY (truck_uid),
  constraint truck_now_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid)
) with (fillfactor=50);

create table truck_request (
  uid uuid default new_uid() not null,
  shift_uid uuid not null,
  driver_uid uuid not null,
  act_id uuid not null,
  truck_number text not null,
  text text default ''::text not null,
  planned_truck_uid uuid not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  dismissed_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  constraint truck_request_pkey PRIMARY KEY (uid),
  constraint truck_request_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint truck_request_driver_uid_fkey FOREIGN KEY (driver_uid) REFERENCES user_account(uid),
  constraint truck_request_once UNIQUE (driver_uid, act_id),
  constraint truck_request_planned_truck_uid_fkey FOREIGN KEY (planned_truck_uid) REFERENCES truck(uid),
  constraint truck_request_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid)
);
CREATE INDEX truck_request_newest ON truck_request USING btree (shift_uid, driver_uid, at DESC);
CREATE INDEX truck_request_open ON truck_request USING btree (shift_uid) WHERE (dismissed_at IS NULL);
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON truck_request FOR EACH ROW EXECUTE FUNCTION keep_word_history('requested_truck', 'truck_number', 'request_note', 'text', 'request_dismissed', 'dismissed_at');
CREATE TRIGGER tell_dismissals AFTER UPDATE ON truck_request FOR EACH ROW EXECUTE FUNCTION tell_shift_words();

create table truck_source (
  truck_uid uuid not null,
  source_uid uuid not null,
  last_at timestamp with time zone not null,
  constraint truck_source_pkey PRIMARY KEY (truck_uid, source_uid),
  constraint truck_source_source_uid_fkey FOREIGN KEY (source_uid) REFERENCES position_source(uid),
  constraint truck_source_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid) ON DELETE CASCADE
);

create table truck_tracker (
  source_uid uuid not null,
  external_id text not null,
  truck_uid uuid not null,
  created_at timestamp with time zone default now() not null,
  created_by uuid,
  constraint truck_tracker_pkey PRIMARY KEY (source_uid, external_id),
  constraint truck_tracker_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(uid),
  constraint truck_tracker_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 100))),
  constraint truck_tracker_source_uid_fkey FOREIGN KEY (source_uid) REFERENCES position_source(uid),
  constraint truck_tracker_truck_uid_fkey FOREIGN KEY (truck_uid) REFERENCES truck(uid) ON DELETE CASCADE
);
CREATE INDEX truck_tracker_of_truck ON truck_tracker USING btree (truck_uid);
CREATE TRIGGER forget_unknown AFTER INSERT OR UPDATE OF truck_uid ON truck_tracker FOR EACH ROW EXECUTE FUNCTION forget_unknown_tracker();
CREATE TRIGGER keep_history_deleted AFTER DELETE ON truck_tracker REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tracker_history();
CREATE TRIGGER keep_history_inserted AFTER INSERT ON truck_tracker REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tracker_history();
CREATE TRIGGER keep_history_updated AFTER UPDATE ON truck_tracker REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tracker_history();

create table unknown_tracker (
  source_uid uuid not null,
  external_id text not null,
  fixes bigint default 0 not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  constraint unknown_tracker_pkey PRIMARY KEY (source_uid, external_id),
  constraint unknown_tracker_source_uid_fkey FOREIGN KEY (source_uid) REFERENCES position_source(uid) ON DELETE CASCADE
);
CREATE INDEX unknown_tracker_by_time ON unknown_tracker USING btree (last_at);

create table user_account (
  uid uuid default new_uid() not null,
  email citext not null,
  name text not null,
  role text not null,
  modules text[] not null,
  password_hash text,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by uuid,
  changed_from text,
  client_uid uuid,
  phone text default ''::text not null,
  photo_file_uid uuid,
  seen_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  search_text text generated always as (lower((((((name || ' '::text) || (email)::text) || ' '::text) || phone) COLLATE "default"))) stored not null,
  payroll_id text default ''::text not null,
  language text,
  constraint user_account_pkey PRIMARY KEY (uid),
  constraint only_clients_have_a_client CHECK (((client_uid IS NULL) OR (role = 'client'::text))),
  constraint user_account_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES user_account(uid),
  constraint user_account_client_uid_fkey FOREIGN KEY (client_uid) REFERENCES client(uid),
  constraint user_account_language_check CHECK ((language = ANY (ARRAY['en'::text, 'es'::text]))),
  constraint user_account_modules_check CHECK ((modules <@ ARRAY['overview'::text, 'clients'::text, 'schedule'::text, 'pop'::text, 'trucks'::text, 'users'::text, 'payroll'::text, 'dailySchedule'::text, 'userSchedule'::text, 'programByClient'::text])),
  constraint user_account_photo_file_uid_fkey FOREIGN KEY (photo_file_uid) REFERENCES stored_file(uid),
  constraint user_account_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'driver'::text, 'sales'::text, 'client'::text]))),
  constraint user_email_once UNIQUE (email)
) with (vacuum_truncate=off);
CREATE INDEX user_by_email ON user_account USING btree (email, uid);
CREATE INDEX user_by_name ON user_account USING btree (name, uid);
CREATE INDEX user_by_role ON user_account USING btree (role, uid);
CREATE INDEX user_by_seen ON user_account USING btree (seen_at, uid);
CREATE INDEX user_by_updated ON user_account USING btree (updated_at, uid);
CREATE INDEX user_of_client ON user_account USING btree (client_uid) WHERE (client_uid IS NOT NULL);
CREATE UNIQUE INDEX user_payroll_id_once ON user_account USING btree (payroll_id) WHERE (payroll_id <> ''::text);
CREATE INDEX user_search ON user_account USING gin (search_text gin_trgm_ops);
CREATE TRIGGER before_keep_an_admin BEFORE UPDATE OF role, modules, deleted_at ON user_account FOR EACH STATEMENT EXECUTE FUNCTION one_at_a_time();
CREATE TRIGGER drop_pending_sign_ins AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.password_hash IS DISTINCT FROM new.password_hash) OR (old.email <> new.email) OR (old.role <> new.role) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))) EXECUTE FUNCTION drop_pending_sign_ins();
CREATE TRIGGER end_api_keys_of_maker AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.role <> new.role) OR (old.modules <> new.modules))) EXECUTE FUNCTION end_api_keys_of_maker();
CREATE TRIGGER end_calendar_link AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.role <> new.role) OR (old.password_hash IS DISTINCT FROM new.password_hash) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)) OR ((old.email <> new.email) AND (new.changed_by IS DISTINCT FROM new.uid)) OR ((old.modules @> ARRAY['schedule'::text]) AND (NOT (new.modules @> ARRAY['schedule'::text]))) OR (NOT (new.modules && ARRAY['schedule'::text, 'clients'::text])))) EXECUTE FUNCTION end_calendar_link();
CREATE TRIGGER end_password_links AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.email <> new.email) OR (old.password_hash IS DISTINCT FROM new.password_hash) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))) EXECUTE FUNCTION end_password_links();
CREATE TRIGGER end_push_of_user AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.role <> new.role) OR (old.password_hash IS DISTINCT FROM new.password_hash) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)) OR ((old.email <> new.email) AND (new.changed_by IS DISTINCT FROM new.uid)))) EXECUTE FUNCTION end_push_of_user();
CREATE TRIGGER end_sessions_of_old_email AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.email <> new.email) AND (new.changed_by IS DISTINCT FROM new.uid))) EXECUTE FUNCTION end_sessions_of_old_email();
CREATE TRIGGER end_sessions_of_user AFTER UPDATE ON user_account FOR EACH ROW WHEN ((((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)) OR (old.role <> new.role))) EXECUTE FUNCTION end_sessions_of_user();
CREATE TRIGGER end_webhooks_of_maker AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.role <> new.role) OR (old.modules <> new.modules))) EXECUTE FUNCTION end_webhooks_of_maker();
CREATE TRIGGER keep_an_admin AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.role = 'admin'::text) AND (old.deleted_at IS NULL) AND ((new.role <> 'admin'::text) OR (new.deleted_at IS NOT NULL) OR (NOT (new.modules @> ARRAY['users'::text]))))) EXECUTE FUNCTION keep_an_admin();
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON user_account FOR EACH ROW EXECUTE FUNCTION keep_history('password_hash', 'seen_at');
CREATE TRIGGER leave_issues AFTER UPDATE OF role, modules, deleted_at ON user_account FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) OR (new.role <> ALL (ARRAY['admin'::text, 'sales'::text])) OR (NOT ('overview'::text = ANY (new.modules))))) EXECUTE FUNCTION leave_issues();
CREATE TRIGGER next_version BEFORE UPDATE ON user_account FOR EACH ROW WHEN ((old.seen_at = new.seen_at)) EXECUTE FUNCTION next_version();
CREATE TRIGGER note_inserted AFTER INSERT ON user_account REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_inserted('email', 'name', 'role', 'seen_at', 'updated_at');
CREATE TRIGGER note_removed AFTER DELETE ON user_account REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_removed('email', 'name', 'role', 'seen_at', 'updated_at');
CREATE TRIGGER note_updated AFTER UPDATE ON user_account REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_updated('email', 'name', 'role', 'seen_at', 'updated_at');
CREATE TRIGGER tell_access_changed AFTER UPDATE ON user_account FOR EACH ROW WHEN (((old.modules IS DISTINCT FROM new.modules) OR (old.client_uid IS DISTINCT FROM new.client_uid) OR (old.role IS DISTINCT FROM new.role) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION tell_access_changed();
CREATE TRIGGER unlink_identities AFTER UPDATE ON user_account FOR EACH ROW WHEN ((old.email <> new.email)) EXECUTE FUNCTION unlink_identities();

create table user_preference (
  user_uid uuid not null,
  clock text,
  rows_per_page text default '10'::text not null,
  columns jsonb default '{}'::jsonb not null,
  menu_pinned boolean default false not null,
  constraint user_preference_pkey PRIMARY KEY (user_uid),
  constraint user_preference_clock_check CHECK ((clock = ANY (ARRAY['12h'::text, '24h'::text]))),
  constraint user_preference_columns_short CHECK ((length((columns)::text) <= 20000)),
  constraint user_preference_rows_per_page_check CHECK ((rows_per_page = ANY (ARRAY['10'::text, '25'::text, '50'::text, '100'::text, 'fit'::text]))),
  constraint user_preference_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid) ON DELETE CASCADE
);

create table watched_condition (
  key text not null,
  type text not null,
  since timestamp with time zone default now() not null,
  raised_at timestamp with time zone,
  gone_since timestamp with time zone,
  constraint watched_condition_pkey PRIMARY KEY (key),
  constraint watched_condition_key_check CHECK ((key <> ''::text)),
  constraint watched_condition_type_check CHECK ((type <> ''::text))
);
CREATE INDEX watched_condition_of_type ON watched_condition USING btree (type, raised_at);

create table web_log (
  uid uuid default new_uid() not null,
  at timestamp with time zone default now() not null,
  error_origin text not null,
  error json,
  meta json,
  user_uid uuid,
  session_uid uuid,
  address text,
  user_agent text,
  constraint web_log_pkey PRIMARY KEY (uid),
  constraint web_log_session_uid_fkey FOREIGN KEY (session_uid) REFERENCES session(uid) ON DELETE SET NULL,
  constraint web_log_user_uid_fkey FOREIGN KEY (user_uid) REFERENCES user_account(uid)
);
CREATE INDEX web_log_age ON web_log USING btree (at);
CREATE INDEX web_log_of_address ON web_log USING btree (address, at);

create table webhook (
  uid uuid default new_uid() not null,
  version integer default 1 not null,
  url text not null,
  description text default ''::text not null,
  events text[] not null,
  modules text[] not null,
  client_uid uuid,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  state text default 'active'::text not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  paused_at timestamp with time zone,
  paused_by uuid,
  pause_reason text,
  ended_at timestamp with time zone,
  ended_by uuid,
  end_reason text,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  last_accepted_at timestamp with time zone,
  constraint webhook_pkey PRIMARY KEY (uid),
  constraint webhook_client_uid_fkey FOREIGN KEY (client_uid) REFERENCES client(uid),
  constraint webhook_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(uid),
  constraint webhook_end_has_reason CHECK ((((state = 'ended'::text) = (end_reason IS NOT NULL)) AND ((end_reason IS NULL) = (ended_at IS NULL)))),
  constraint webhook_end_reason_check CHECK ((end_reason = ANY (ARRAY['ended'::text, 'makerDeleted'::text, 'makerLostAccess'::text, 'clientDeleted'::text]))),
  constraint webhook_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES user_account(uid),
  constraint webhook_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_failing_since CHECK (((failures = 0) = (failing_since IS NULL))),
  constraint webhook_old_secret_ends CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
  constraint webhook_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['paused'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_paused_by_fkey FOREIGN KEY (paused_by) REFERENCES user_account(uid),
  constraint webhook_paused_has_reason CHECK ((((state = 'paused'::text) = (pause_reason IS NOT NULL)) AND ((pause_reason IS NULL) = (paused_at IS NULL)))),
  constraint webhook_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text]))),
  constraint webhook_url_check CHECK ((url <> ''::text))
);
CREATE INDEX webhook_of_client ON webhook USING btree (client_uid) WHERE (client_uid IS NOT NULL);
CREATE INDEX webhook_of_maker ON webhook USING btree (created_by);
CREATE TRIGGER keep_webhook BEFORE DELETE OR UPDATE ON webhook FOR EACH ROW EXECUTE FUNCTION keep_webhook();

create table webhook_play_place (
  program_uid uuid not null,
  place text not null,
  at timestamp with time zone not null,
  constraint webhook_play_place_pkey PRIMARY KEY (program_uid),
  constraint webhook_play_place_program_uid_fkey FOREIGN KEY (program_uid) REFERENCES client_program(uid)
);

create table work_before (
  shift_uid uuid not null,
  program_uid uuid not null,
  market_uid uuid not null,
  day date not null,
  truck_uid uuid not null,
  seconds bigint not null,
  metres double precision not null,
  since timestamp with time zone default now() not null,
  constraint work_before_pkey PRIMARY KEY (shift_uid),
  constraint work_before_shift_uid_fkey FOREIGN KEY (shift_uid) REFERENCES shift(uid) ON DELETE CASCADE
);

create view audit_trail as
 SELECT audit_log.uid,
    audit_log.at,
    audit_log.kind,
    audit_log.actor_uid,
    audit_log.subject,
    audit_log.detail,
    audit_log.address,
    audit_log.user_agent,
    audit_log.request_id,
    audit_log.key_uid,
    audit_log.record_table,
    audit_log.record_uid
   FROM audit_log
UNION ALL
 SELECT (('00000000-0000-8000-8000-'::text || lpad(to_hex(h.id), 12, '0'::text)))::uuid AS uid,
    h.at,
    k.kind,
    h.actor_uid,
    COALESCE(u.name, d.mac_address, g.name, ((p.starts_on || ' to '::text) || p.ends_on), ''::text) AS subject,
    COALESCE(( SELECT string_agg(concat(replace(jsonb_each.key, 'shown_'::text, ''::text), ': ', (NULLIF((jsonb_each.value ->> 0), ''::text) || ' → '::text), (jsonb_each.value ->> 1)), '; '::text) AS string_agg
           FROM jsonb_each(h.changes) jsonb_each(key, value)
          WHERE (jsonb_each.key = ANY (ARRAY['role'::text, 'modules'::text, 'email'::text, 'state'::text, 'reason'::text, 'shown_version'::text]))), ''::text) AS detail,
    COALESCE(h.address, ''::text) AS address,
    ''::text AS user_agent,
    ''::text AS request_id,
    h.key_uid,
        CASE
            WHEN (k.kind = ANY (ARRAY['userDeleted'::text, 'userRestored'::text, 'deviceDeleted'::text, 'deviceRestored'::text])) THEN h.table_name
            ELSE NULL::text
        END AS record_table,
        CASE
            WHEN (k.kind = ANY (ARRAY['userDeleted'::text, 'userRestored'::text, 'deviceDeleted'::text, 'deviceRestored'::text])) THEN h.record_uid
            ELSE NULL::uuid
        END AS record_uid
   FROM (((((history h
     CROSS JOIN LATERAL ( SELECT
                CASE h.table_name
                    WHEN 'user_account'::text THEN
                    CASE
                        WHEN (h.action = 'created'::text) THEN 'userAdded'::text
                        WHEN (h.action = 'deleted'::text) THEN 'userDeleted'::text
                        WHEN (h.action = 'restored'::text) THEN 'userRestored'::text
                        WHEN (h.changes ?| ARRAY['role'::text, 'modules'::text, 'email'::text, 'client_uid'::text]) THEN 'accessChanged'::text
                        ELSE NULL::text
                    END
                    WHEN 'device'::text THEN
                    CASE
                        WHEN (h.action = 'deleted'::text) THEN 'deviceDeleted'::text
                        WHEN (h.action = 'restored'::text) THEN 'deviceRestored'::text
                        WHEN (((h.changes -> 'paired_at'::text) ->> 1) IS NOT NULL) THEN 'devicePaired'::text
                        WHEN (((h.changes -> 'revoked_at'::text) ->> 1) IS NOT NULL) THEN 'deviceRevoked'::text
                        WHEN (((h.changes -> 'code_expires_at'::text) ->> 1) IS NOT NULL) THEN 'deviceCode'::text
                        ELSE NULL::text
                    END
                    WHEN 'pay_period'::text THEN
                    CASE
                        WHEN (h.changes ? 'state'::text) THEN 'payPeriodMoved'::text
                        ELSE NULL::text
                    END
                    WHEN 'pop'::text THEN
                    CASE
                        WHEN (((h.changes -> 'shown_version'::text) ->> 1) IS NOT NULL) THEN 'popPublished'::text
                        WHEN (h.changes ? 'shown_version'::text) THEN 'popWithdrawn'::text
                        ELSE NULL::text
                    END
                    ELSE NULL::text
                END AS kind) k)
     LEFT JOIN user_account u ON (((h.table_name = 'user_account'::text) AND (u.uid = h.record_uid))))
     LEFT JOIN device d ON (((h.table_name = 'device'::text) AND (d.uid = h.record_uid))))
     LEFT JOIN client_program g ON (((h.table_name = 'pop'::text) AND (g.uid = h.record_uid))))
     LEFT JOIN pay_period p ON (((h.table_name = 'pay_period'::text) AND (p.uid = h.record_uid))))
  WHERE ((h.table_name = ANY (ARRAY['user_account'::text, 'device'::text, 'pay_period'::text, 'pop'::text])) AND (k.kind IS NOT NULL));

create view known_sd_address as
 SELECT sd_address.uid,
    sd_address.set_uid,
    sd_address.label,
    sd_address.address,
    sd_address.latitude,
    sd_address.longitude,
    sd_address.radius_m,
    true AS is_current
   FROM sd_address
UNION ALL
 SELECT past_sd_address.uid,
    past_sd_address.set_uid,
    past_sd_address.label,
    past_sd_address.address,
    past_sd_address.latitude,
    past_sd_address.longitude,
    past_sd_address.radius_m,
    false AS is_current
   FROM past_sd_address;

create view play_gap as
 SELECT q.device_uid,
    lower(g.g) AS first,
    upper(g.g) AS next,
    is_open_jump(g.g, q.lost) AS is_jump
   FROM (play_sequence q
     CROSS JOIN LATERAL unnest(number_gaps(q.*)) g(g));
