-- Public pages of programs can ask for a password.
-- Oldest node: 0024

-- The history of the POP says when a password was set or removed; the hash itself is in no record that has a history.
alter table pop add column password_set_at timestamptz;

create table pop_password (
  program_uid uuid primary key references pop (uid),
  hash text not null
);
