-- Proposals of shifts that planners ask for and accept.
-- Oldest node: 0024

create table fill_proposal (
  uid uuid primary key default new_uid(),
  -- A new proposal of a user replaces the one before.
  user_uid uuid not null unique references user_account (uid),
  state text not null default 'solving' check (state in ('solving', 'ready', 'failed', 'accepted')),
  request jsonb not null,
  step text not null default 'placing' check (step in ('placing', 'improving', 'explaining')),
  placed integer,
  failure text not null default '',
  result jsonb,
  started_at timestamptz not null default now(),
  -- The node that solves it says so every second.
  solving_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 day',
  constraint fill_proposal_has_result check ((state in ('ready', 'accepted')) = (result is not null))
);
create index fill_proposal_expired on fill_proposal (expires_at);
