-- Users, sessions, sign-in and the audit log.

create table user_account (
  uid uuid primary key default new_uid(),
  email citext not null,
  name text not null,
  role text not null check (role in ('admin', 'driver', 'sales', 'client')),
  modules text[] not null check (modules <@ array['overview', 'clients', 'schedule', 'pop', 'trucks', 'users', 'payroll',
                                                  'dailySchedule', 'userSchedule', 'programByClient']),
  -- Null until the user has set a password by the link in a mail.
  password_hash text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  -- A user of role client belongs to one client and sees only that client's rows.
  client_uid uuid,
  phone text not null default '',
  photo_file_uid uuid references stored_file (uid),
  -- Last activity, kept longer than sessions. The epoch means never, so that a list in this order has no nulls.
  seen_at timestamptz not null default 'epoch',
  search_text text not null generated always as
    (lower((name || ' ' || email::text || ' ' || phone) collate "default")) stored,
  -- The user's id in the payroll program: the File # of ADP, the employee id of Gusto.
  payroll_id text not null default '',
  constraint only_clients_have_a_client check (client_uid is null or role = 'client'),
  constraint user_email_once unique (email)
);
create index user_of_client on user_account (client_uid) where client_uid is not null;
create unique index user_payroll_id_once on user_account (payroll_id) where payroll_id <> '';
create index user_by_name on user_account (name, uid);
create index user_by_email on user_account (email, uid);
create index user_by_role on user_account (role, uid);
create index user_by_seen on user_account (seen_at, uid);
create index user_by_updated on user_account (updated_at, uid);
create index user_search on user_account using gin (search_text gin_trgm_ops);
call keep_records('user_account', array['password_hash', 'seen_at']);
-- Being active is no change of the record and makes no version.
drop trigger next_version on user_account;
create trigger next_version before update on user_account for each row
  when (old.seen_at = new.seen_at) execute function next_version();

alter table stored_file add foreign key (announced_by) references user_account (uid);

-- At least one active admin who can edit users always remains.
create function keep_an_admin() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from user_account where role = 'admin' and deleted_at is null and modules @> array['users']) then
    raise exception using errcode = 'check_violation', constraint = 'one_admin_stays', table = 'user_account',
      message = 'the last active admin stays';
  end if;
  return null;
end $$;
-- Serialized: two admins who demote each other at the same moment must not both succeed.
create function one_at_a_time() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('keep_an_admin'));
  return null;
end $$;
create trigger before_keep_an_admin before update of role, modules, deleted_at on user_account for each statement execute function one_at_a_time();
create trigger keep_an_admin after update on user_account for each row
  when (old.role = 'admin' and old.deleted_at is null
        and (new.role <> 'admin' or new.deleted_at is not null or not new.modules @> array['users']))
  execute function keep_an_admin();

-- A session token is stored only as a hash.
create table session (
  uid uuid primary key default new_uid(),
  token_hash bytea not null,
  user_uid uuid not null references user_account (uid),
  client_type text not null,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- Extended with use, up to seven days after signing in.
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('logout', 'passwordReset', 'forced', 'deleted', 'roleChanged')),
  constraint session_token_once unique (token_hash),
  constraint session_end_has_reason check ((ended_at is null) = (end_reason is null))
);
create index session_of_user on session (user_uid) where ended_at is null;
create index session_age on session (expires_at);

-- Notifies every node of an ended session when the transaction commits.
create function tell_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.uid::text);
  return null;
end $$;
create trigger tell_session_ended after update of ended_at on session for each row
  when (old.ended_at is null and new.ended_at is not null) execute function tell_session_ended();

-- Deleting a user or changing the role ends all sessions of the user, in whatever way it is written.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  update session
     set ended_at = now(), end_reason = case when new.deleted_at is not null then 'deleted' else 'roleChanged' end
   where user_uid = new.uid and ended_at is null;
  return null;
end $$;
create trigger end_sessions_of_user after update on user_account for each row
  when ((old.deleted_at is null and new.deleted_at is not null) or old.role <> new.role)
  execute function end_sessions_of_user();

create function note_seen() returns trigger language plpgsql as $$
begin
  -- An edit of the user may hold the row and wait for this session: skip it, the next call notes the activity.
  update user_account set seen_at = new.seen_at
   where uid = (select uid from user_account where uid = new.user_uid and seen_at < new.seen_at
                   for no key update skip locked);
  return null;
end $$;
create trigger note_seen after insert or update of seen_at on session for each row execute function note_seen();

create table password_reset (
  token_hash bytea primary key,
  user_uid uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_reset_of_user on password_reset (user_uid);
create index password_reset_age on password_reset (expires_at);

-- Failed sign-ins by account and by address, shared by all nodes.
create table throttle (
  key text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  last_at timestamptz not null default now()
);

-- Security events that leave no trace in the history of a record: sign-in attempts, ended sessions, exports.
create table audit_log (
  uid uuid primary key default new_uid(),
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  actor_uid uuid references user_account (uid),
  -- The person or thing concerned, under its name at that time.
  subject text not null default '',
  detail text not null default '',
  address text not null default '',
  user_agent text not null default '',
  request_id text not null default ''
);
create index audit_log_by_time on audit_log (at, uid);
create trigger only_added_to before update or delete on audit_log for each row execute function refuse_rewriting();
create trigger never_emptied before truncate on audit_log for each statement execute function refuse_rewriting();
