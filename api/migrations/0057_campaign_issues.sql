-- Booked lines that fall behind, with the shifts that would make them up.
-- Oldest node: 0024

create table campaign_issue (
  uid uuid primary key default new_uid(),
  -- A line that is no longer booked has no issue.
  line_uid uuid not null references booked_line (uid) on delete cascade,
  -- The last day that counted when the line was looked at: one issue for each line and day.
  through date not null,
  raised_at timestamptz not null default now(),
  resolved_at timestamptz,
  -- When the missing shifts were last looked for; null until then, and after each day that counts.
  looked_at timestamptz,
  -- How many shifts are missing beside those planned already; null while that is not known.
  missing integer check (missing >= 0),
  -- Shifts that could be planned, and their artwork: part of a result of Fill.
  proposal jsonb not null default '{"shifts": [], "artworkSet": null}',
  accepted_by uuid references user_account (uid),
  accepted_at timestamptz,
  accepted_shifts integer not null default 0 check (accepted_shifts >= 0),
  constraint campaign_issue_once_a_day unique (line_uid, through),
  constraint campaign_issue_accepted_by_someone check ((accepted_by is null) = (accepted_at is null))
);
create unique index campaign_issue_open on campaign_issue (line_uid) where resolved_at is null;
create index campaign_issue_resolved on campaign_issue (resolved_at);
