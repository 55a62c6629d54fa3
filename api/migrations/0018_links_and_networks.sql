-- Links to set a password belong to the address they were mailed to, and changes of an account end them. Networks that an
-- account or a device was seen on do not wait for the failures of strangers.

alter table password_reset
  add column uid uuid not null default new_uid(),
  add column kind text not null default 'reset' check (kind in ('invitation', 'reset')),
  -- The address that the link was mailed to.
  add column email citext,
  -- The network address that asked for the link.
  add column address text not null default '',
  -- Set when a newer link, a new password, another email address, a deletion or a person ended the link before its use.
  add column ended_at timestamptz;
update password_reset r
   set email = u.email,
       kind = case when u.password_hash is null and r.expires_at > r.created_at + interval '1 day' then 'invitation' else 'reset' end
  from user_account u where u.uid = r.user_uid;
alter table password_reset
  alter column email set not null,
  alter column kind drop default,
  add constraint password_reset_uid_once unique (uid),
  add constraint password_reset_ends_once check (used_at is null or ended_at is null);
create unique index password_reset_open_once on password_reset (user_uid, kind) where used_at is null and ended_at is null;

-- In whatever way the account is written: a link in the old mailbox, or from before the password, opens nothing.
create function end_password_links() returns trigger language plpgsql as $$
begin
  update password_reset set ended_at = now() where user_uid = new.uid and used_at is null and ended_at is null;
  return null;
end $$;
create trigger end_password_links after update on user_account for each row
  when (old.email <> new.email or old.password_hash is distinct from new.password_hash
        or (old.deleted_at is null and new.deleted_at is not null))
  execute function end_password_links();

-- An email address that another user changes may be another person's: whoever is signed in proves again who they are. Users
-- who change their own address stay signed in.
create function end_sessions_of_old_email() returns trigger language plpgsql as $$
begin
  update session set ended_at = now(), end_reason = 'emailChanged' where user_uid = new.uid and ended_at is null;
  return null;
end $$;
create trigger end_sessions_of_old_email after update on user_account for each row
  when (old.email <> new.email and new.changed_by is distinct from new.uid)
  execute function end_sessions_of_old_email();

alter table calendar_link
  add column uid uuid not null default new_uid(),
  -- The last time a calendar program read the shifts, and its network address.
  add column used_at timestamptz,
  add column used_from text not null default '',
  add constraint calendar_link_uid_once unique (uid);

-- A link that ended stays ended: it does not come back with the user, the role or the module.
create function end_calendar_link() returns trigger language plpgsql as $$
begin
  delete from calendar_link where user_uid = new.uid;
  return null;
end $$;
create trigger end_calendar_link after update on user_account for each row
  when (old.role <> new.role
        or old.password_hash is distinct from new.password_hash
        or (old.deleted_at is null and new.deleted_at is not null)
        or (old.email <> new.email and new.changed_by is distinct from new.uid)
        or (old.modules @> array['schedule'] and not new.modules @> array['schedule'])
        or not new.modules && array['schedule', 'clients'])
  execute function end_calendar_link();

-- The networks from which a user signed in, or a device paired.
create table known_network (
  owner_uid uuid not null,
  network text not null,
  seen_at timestamptz not null default now(),
  primary key (owner_uid, network)
);
create index known_network_age on known_network (seen_at);
insert into known_network (owner_uid, network, seen_at)
  select user_uid, address, max(created_at) from session
   where address ~ '^[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+$' and created_at > now() - interval '60 days'
   group by user_uid, address;
