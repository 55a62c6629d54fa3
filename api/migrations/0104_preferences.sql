-- How a person reads times and lists: the 24-hour clock, and rows on a page.
-- Oldest node: 0024

create table user_preference (
  user_uid uuid primary key references user_account (uid) on delete cascade,
  -- Null where the person reads as the company does.
  clock text check (clock in ('12h', '24h')),
  rows_per_page text not null default '10' check (rows_per_page in ('10', '25', '50', '100', 'fit'))
);
