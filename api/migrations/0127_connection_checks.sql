-- What the last test of each connection brought: the storage, the mail server and the others that the server talks to.
-- Oldest node: 0024

create table connection_check (
  connection text primary key check (length(connection) between 1 and 80),
  last_success_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  tested_at timestamptz not null default now(),
  tested_by uuid references user_account (uid)
);
