-- What the operator says about outages and maintenance: the page /status shows it to everybody.
-- Oldest node: 0024

create table incident (
  uid uuid primary key default new_uid(),
  title text not null check (title <> ''),
  text text not null default '',
  starts_at timestamptz not null,
  -- Null while it lasts.
  ends_at timestamptz,
  search_text text not null generated always as (lower((title || ' ' || text) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint incident_ends_after_start check (ends_at >= starts_at)
);
create index incident_by_starts_at on incident (starts_at, uid) where deleted_at is null;
create index incident_by_title on incident (title, uid) where deleted_at is null;
create index incident_search on incident using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('incident');
