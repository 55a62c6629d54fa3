-- The hours with plays of a program's artwork, for statements about tables that are not distributed.
-- Oldest node: 0024

create function hours_with_plays(program uuid) returns table (truck_uid uuid, hour timestamptz, plays bigint)
stable language plpgsql as $$
begin
  return query select h.truck_uid, h.hour, sum(h.plays) from play_hour h where h.program_uid = $1 and h.plays > 0 group by 1, 2;
end $$;
