-- Imports of records: what each changed, so that it can be undone for a day, and the columns that people chose for headings.
-- Oldest node: 0024

create table import_run (
  uid uuid primary key default new_uid(),
  kind text not null check (kind <> ''),
  at timestamptz not null default now(),
  by_uid uuid not null references user_account (uid),
  file_name text not null,
  -- Each record with its version after the import and its fields before it; null where the import added the record.
  states jsonb not null check (jsonb_typeof(states) = 'array' and jsonb_array_length(states) > 0),
  undone_at timestamptz
);
create index import_run_by_time on import_run (at);

create table import_headings (
  kind text not null check (kind <> ''),
  -- A hash of the headings of a file, in their order.
  headings text not null,
  -- For each heading the column that it names, or null.
  columns jsonb not null check (jsonb_typeof(columns) = 'array'),
  at timestamptz not null default now(),
  by_uid uuid not null references user_account (uid),
  primary key (kind, headings)
);
create index import_headings_by_time on import_headings (at);
