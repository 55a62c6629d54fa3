-- The rest of what is kept of a user, and what drivers are paid.

alter table user_account
  add column phone text not null default '',
  add column photo_file_uid uuid references stored_file (uid),
  -- When the user was last here, kept beyond their sessions. The epoch stands for never: a list in this order has no holes.
  add column seen_at timestamptz not null default 'epoch',
  add column search_text text not null generated always as
    (lower((name || ' ' || email::text || ' ' || phone) collate "default")) stored;
create index user_by_name on user_account (name, uid);
create index user_by_email on user_account (email, uid);
create index user_by_role on user_account (role, uid);
create index user_by_seen on user_account (seen_at, uid);
create index user_by_updated on user_account (updated_at, uid);
create index user_search on user_account using gin (search_text gin_trgm_ops);

-- Being seen is no change of the record: it makes no version and no history.
drop trigger next_version on user_account;
create trigger next_version before update on user_account for each row
  when (old.seen_at = new.seen_at) execute function next_version();
drop trigger keep_history on user_account;
create trigger keep_history after insert or update on user_account for each row
  execute function keep_history('password_hash', 'seen_at');

create function note_seen() returns trigger language plpgsql as $$
begin
  -- Somebody who edits the user may wait for this session: then being seen waits for the next call instead.
  update user_account set seen_at = new.seen_at
   where uid = (select uid from user_account where uid = new.user_uid and seen_at < new.seen_at
                   for no key update skip locked);
  return null;
end $$;
create trigger note_seen after insert or update of seen_at on session for each row execute function note_seen();

-- Pay per shift in cents, valid from a day until the next row's day.
create table pay_rate (
  user_uid uuid not null references user_account (uid),
  valid_from date not null,
  half_day_cents integer not null check (half_day_cents between 0 and 10000000),
  eight_hours_cents integer not null check (eight_hours_cents between 0 and 10000000),
  twelve_hours_cents integer not null check (twelve_hours_cents between 0 and 10000000),
  primary key (user_uid, valid_from)
);
create trigger keep_child_history after insert or update or delete on pay_rate
  for each row execute function keep_child_history('user_account', 'user_uid', 'payRates');

-- The business is never left without somebody who can let others in.
create function keep_an_admin() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from user_account where role = 'admin' and deleted_at is null and modules @> array['users']) then
    raise exception using errcode = 'check_violation', constraint = 'one_admin_stays', table = 'user_account',
      message = 'the last active admin stays';
  end if;
  return null;
end $$;
-- Taken one at a time: two admins who demote each other at the same moment must not both succeed.
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
