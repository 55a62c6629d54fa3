-- What leaves the building: messages to people and to the systems of partners, and the events that cause them.
-- Oldest node: 0024

create table message (
  uid uuid primary key default new_uid(),
  -- Messages with the same ordering leave in this order.
  place bigint not null generated always as identity,
  created_at timestamptz not null default now(),
  kind text not null check (kind <> ''),
  channel text not null check (channel in ('mail', 'push', 'webhook')),
  -- The address, device or system that it goes to, as people read it.
  recipient text not null check (recipient <> ''),
  -- The account it is for. It is not sent once the account is gone.
  user_uid uuid references user_account (uid) on delete cascade,
  -- The endpoint or browser it goes to. One that hangs holds up only its own messages.
  target uuid,
  subject text not null,
  -- Sealed: mails carry links that open accounts. Null once a secret has arrived.
  payload bytea,
  is_secret boolean not null default false,
  ordering text,
  -- A cause that happens again makes no second message.
  key text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dead', 'cancelled')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  -- While a node is sending it.
  leased_until timestamptz,
  expires_at timestamptz not null default now() + interval '2 days',
  done_at timestamptz,
  -- Why it is late, dead or cancelled, as a sentence.
  problem text,
  -- The latest attempts: when, how long, how it ended, what was answered.
  log jsonb not null default '[]',
  constraint message_once unique (key),
  constraint message_done_has_time check ((state = 'waiting') = (done_at is null)),
  constraint message_waiting_has_payload check (state <> 'waiting' or payload is not null)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index message_due on message (channel, next_at) where state = 'waiting';
create index message_in_order on message (ordering, place) where state = 'waiting' and ordering is not null;
create index message_of_target on message (target, next_at) where state = 'waiting' and target is not null;
create index message_newest on message (created_at desc, uid desc);
create index message_dead on message (channel) where state = 'dead';
create index message_done on message (done_at) where done_at is not null;
create index message_of_user on message (user_uid) where user_uid is not null;

-- What happened, kept in the transaction in which it happened, until every module that makes messages of it has done so.
create table outbound_event (
  place bigint generated always as identity primary key,
  uid uuid not null default new_uid(),
  at timestamptz not null default now(),
  type text not null check (type <> ''),
  -- Events of the same object are handled in their order.
  object text not null check (object <> ''),
  client_uid uuid references client (uid),
  data jsonb not null default '{}',
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  -- Set when handling it has failed for good; it stays for admins to see.
  failed_at timestamptz,
  problem text
);
create index outbound_event_due on outbound_event (next_at) where failed_at is null;
create index outbound_event_of_object on outbound_event (object, place) where failed_at is null;

create function wake_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;
create trigger message_wakes after insert on message for each statement execute function wake_outbox();
create trigger outbound_event_wakes after insert on outbound_event for each statement execute function wake_outbox();
