-- The columns that a person chose for a list, by the path of the list. A list that is missing shows its own columns.
-- Oldest node: 0024

alter table user_preference add column columns jsonb not null default '{}'
  constraint user_preference_columns_short check (length(columns::text) <= 20000);
