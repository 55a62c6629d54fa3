-- Where a new company stands on its way to the first proof, and whether the data are those of the demo.
-- Oldest node: 0024

create table installation (
  is_only boolean primary key default true check (is_only),
  -- When the first admin was made on an empty database: companies that run already are not set up again.
  started_at timestamptz,
  -- The steps of the greeting that were done or skipped.
  passed_steps text[] not null default '{}',
  dismissed_at timestamptz,
  demo text check (demo in ('loaded', 'emptying', 'emptied')),
  -- While the demo is emptied: name, email and password hash of the admin who is left.
  successor jsonb,
  check ((demo = 'emptying') = (successor is not null))
);

-- Only a demo adds these four in one transaction.
insert into installation (demo)
select case when count(distinct email) = 4 and count(distinct created_at) = 1 then 'loaded' end
  from user_account
 where email in ('admin@roadshow.example', 'sales@roadshow.example', 'driver@roadshow.example', 'client@roadshow.example');
