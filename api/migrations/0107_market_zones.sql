-- A new time zone of a market holds from a day on: the zones before it are kept with the day on which they ended.
-- Oldest node: 0024

alter table market add column earlier_zones jsonb not null default '[]',
  add constraint market_earlier_zones_are_a_list check (jsonb_typeof(earlier_zones) = 'array');

create function earlier_zone_on(zone text, earlier_zones jsonb, day date) returns text
language sql immutable parallel safe as $$
  select coalesce((select e ->> 'zone' from jsonb_array_elements(earlier_zones) e
                    where day < (e ->> 'until')::date order by (e ->> 'until')::date limit 1), zone)
$$;

-- PostgreSQL inlines it, so a market that never changed its zone costs nothing.
create function zone_on(zone text, earlier_zones jsonb, day date) returns text
language sql immutable parallel safe as $$
  select case when earlier_zones = '[]'::jsonb then zone else earlier_zone_on(zone, earlier_zones, day) end
$$;

-- A zone holds until the clocks of the next one show its first day, so the days of a market never go back.
create function earlier_zone_at(zone text, earlier_zones jsonb, moment timestamptz) returns text
language sql immutable parallel safe as $$
  select coalesce((
    select e.held from (
      select e ->> 'zone' as held, (e ->> 'until')::date as until,
             lead(e ->> 'zone', 1, zone) over (order by (e ->> 'until')::date) as next
        from jsonb_array_elements(earlier_zones) e) e
     where (moment at time zone e.next)::date < e.until order by e.until limit 1), zone)
$$;

create function zone_at(zone text, earlier_zones jsonb, moment timestamptz) returns text
language sql immutable parallel safe as $$
  select case when earlier_zones = '[]'::jsonb then zone else earlier_zone_at(zone, earlier_zones, moment) end
$$;

create function zones_between(zone text, earlier_zones jsonb, first_day date, last_day date) returns setof text
language sql immutable parallel safe as $$
  select distinct zone_on(zone, earlier_zones, d.day)
    from (select coalesce(first_day, '-infinity') as day
          union all
          select (e ->> 'until')::date from jsonb_array_elements(earlier_zones) e
           where (e ->> 'until')::date > coalesce(first_day, '-infinity')
             and (e ->> 'until')::date <= coalesce(last_day, 'infinity')) d
$$;

-- Markets whose zone was changed before kept it on past shifts only.
update market m set earlier_zones = e.zones, changed_by = null, changed_from = null
  from (select z.market_uid, jsonb_agg(jsonb_build_object('zone', z.zone, 'until', z.until) order by z.until) as zones
          from (select s.market_uid, s.zone, max(s.local_date) + 1 as until
                  from shift s join market m on m.uid = s.market_uid
                 where s.zone <> m.zone and s.starts_at <= now() and s.deleted_at is null
                 group by s.market_uid, s.zone) z
         group by z.market_uid) e
 where e.market_uid = m.uid;
