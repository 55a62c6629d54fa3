-- How far work that goes by what has changed has come: whichever node does it next goes on from there.
create table look (
  job text primary key,
  until timestamptz not null
);
