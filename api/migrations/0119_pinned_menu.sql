-- Whether a person keeps the menu open beside wide screens.
-- Oldest node: 0024

alter table user_preference add column menu_pinned boolean not null default false;
