-- Web push: browsers that show a user's notifications, and the keys by which push services know this deployment.
-- Oldest node: 0024

-- The VAPID keys. All nodes share them, and a subscription of a browser holds only as long as they stay the same.
create table push_key (
  uid uuid primary key default new_uid(),
  created_at timestamptz not null default now(),
  public_key text not null,
  sealed_private_key bytea not null,
  -- There is one pair.
  is_only boolean not null default true check (is_only),
  constraint push_key_once unique (is_only)
);

create table push_subscription (
  uid uuid primary key default new_uid(),
  user_uid uuid not null references user_account (uid) on delete cascade,
  key_uid uuid not null references push_key (uid) on delete cascade,
  -- The session that turned it on, or that last used this browser. Signing out of it ends the subscription.
  session_uid uuid references session (uid) on delete set null,
  -- One browser belongs to one user: the endpoint names the browser, and works as a password to it.
  endpoint_hash bytea not null,
  sealed_subscription bytea not null,
  -- The push service of the browser's maker.
  service text not null check (service <> ''),
  -- The browser as people know it, such as Chrome on Windows.
  browser text not null check (browser <> ''),
  address text not null default '',
  created_at timestamptz not null default now(),
  -- The last time the push service took a message.
  accepted_at timestamptz,
  constraint push_subscription_endpoint_once unique (endpoint_hash)
);
create index push_subscription_of_user on push_subscription (user_uid);
create index push_subscription_of_session on push_subscription (session_uid) where session_uid is not null;
create index push_subscription_of_key on push_subscription (key_uid);

-- Signing out of a browser ends its messages. A session that expires does not: drivers still hear of their shifts.
create function end_push_of_session() returns trigger language plpgsql as $$
begin
  delete from push_subscription
   where session_uid = new.uid or (new.end_reason = 'factorReset' and user_uid = new.user_uid);
  return null;
end $$;
create trigger end_push_of_session after update of ended_at on session for each row
  when (old.ended_at is null and new.ended_at is not null and new.end_reason <> 'expired')
  execute function end_push_of_session();

-- What ends a user's sessions also ends the messages of browsers whose session had expired before.
create function end_push_of_user() returns trigger language plpgsql as $$
begin
  delete from push_subscription where user_uid = new.uid;
  return null;
end $$;
create trigger end_push_of_user after update on user_account for each row
  when (old.role <> new.role
        or old.password_hash is distinct from new.password_hash
        or (old.deleted_at is null and new.deleted_at is not null)
        or (old.email <> new.email and new.changed_by is distinct from new.uid))
  execute function end_push_of_user();
