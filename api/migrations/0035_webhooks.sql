-- Webhooks: addresses of partners that get what happened, signed.
-- Oldest node: 0024

create table webhook (
  uid uuid primary key default new_uid(),
  version integer not null default 1,
  url text not null check (url <> ''),
  description text not null default '',
  events text[] not null check (cardinality(events) > 0),
  -- The modules that its events belong to: it ends when its maker loses one of them.
  modules text[] not null,
  -- Null gets the events of every client.
  client_uid uuid references client (uid),
  -- Sealed: signing needs the secret itself.
  secret bytea not null,
  -- The secret before the last change; until it ends, messages carry the signatures of both.
  old_secret bytea,
  old_secret_until timestamptz,
  state text not null default 'active' check (state in ('active', 'paused', 'ended')),
  created_by uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  paused_at timestamptz,
  paused_by uuid references user_account (uid),
  pause_reason text check (pause_reason in ('paused', 'gone', 'failing')),
  ended_at timestamptz,
  -- Null where the system ended it.
  ended_by uuid references user_account (uid),
  end_reason text check (end_reason in ('ended', 'makerDeleted', 'makerLostAccess', 'clientDeleted')),
  -- Failed attempts since the last accepted one, and the first of them.
  failures integer not null default 0,
  failing_since timestamptz,
  last_accepted_at timestamptz,
  constraint webhook_paused_has_reason check ((state = 'paused') = (pause_reason is not null) and (pause_reason is null) = (paused_at is null)),
  constraint webhook_end_has_reason check ((state = 'ended') = (end_reason is not null) and (end_reason is null) = (ended_at is null)),
  constraint webhook_old_secret_ends check ((old_secret is null) = (old_secret_until is null)),
  constraint webhook_failing_since check ((failures = 0) = (failing_since is null))
);
create index webhook_of_maker on webhook (created_by);
create index webhook_of_client on webhook (client_uid) where client_uid is not null;

-- An endpoint keeps its client and its maker, and an ended one stays as it is.
create function keep_webhook() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state = 'ended'
     or (new.uid, new.client_uid, new.created_by, new.created_at)
        is distinct from (old.uid, old.client_uid, old.created_by, old.created_at)
  then
    raise exception using errcode = 'insufficient_privilege', message = 'an ended webhook stays as it is';
  end if;
  return new;
end $$;
create trigger keep_webhook before update or delete on webhook for each row execute function keep_webhook();

-- An endpoint never outlives the rights of its maker, in whatever way they are taken.
create function end_webhooks_of_maker() returns trigger language plpgsql as $$
begin
  update webhook
     set state = 'ended', ended_at = now(), ended_by = new.changed_by, paused_at = null, paused_by = null, pause_reason = null,
         end_reason = case when new.deleted_at is not null then 'makerDeleted' else 'makerLostAccess' end
   where created_by = new.uid and state <> 'ended'
     and (new.deleted_at is not null or new.role <> 'admin' or not new.modules @> array['users']
          or not new.modules @> webhook.modules);
  return null;
end $$;
create trigger end_webhooks_of_maker after update on user_account for each row
  when (old.deleted_at is distinct from new.deleted_at or old.role <> new.role or old.modules <> new.modules)
  execute function end_webhooks_of_maker();

create function end_webhooks_of_client() returns trigger language plpgsql as $$
begin
  update webhook
     set state = 'ended', ended_at = now(), ended_by = new.changed_by, paused_at = null, paused_by = null, pause_reason = null,
         end_reason = 'clientDeleted'
   where client_uid = new.uid and state <> 'ended';
  return null;
end $$;
create trigger end_webhooks_of_client after update on client for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_webhooks_of_client();

-- The delivery log of one endpoint, newest first.
create index message_of_webhook on message (target, created_at desc, uid desc) where channel = 'webhook';

-- How far the plays of a program have been announced.
create table webhook_play_place (
  program_uid uuid primary key references client_program (uid),
  -- A cursor of the play feed, and the time in it.
  place text not null,
  at timestamptz not null
);
