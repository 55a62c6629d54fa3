-- Two nodes may drop the same partition at the same moment: the one that waited for the other finds it gone.
-- Oldest node: 0024

create or replace procedure drop_partition(parent text, part text) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if parent not in ('position', 'play') then raise exception '% has no weeks.', parent; end if;
  if exists (select from partitions_of(parent) p where p.name = part) then
    execute format('drop table if exists %I', part);
  end if;
end $$;
