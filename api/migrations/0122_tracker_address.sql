-- From where the key of a source was used last.
-- Oldest node: 0024

alter table position_source add column last_address text;
