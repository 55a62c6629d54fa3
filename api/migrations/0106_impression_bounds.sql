-- Low and high of impressions become bounds, and an LED shift without a play earns none: the next version of the method, with the inputs
-- of the newest one. Earlier versions keep the rules by which they counted.
-- Oldest node: 0024

alter table impression_method add column rules integer not null default 1 check (rules > 0);

-- Whether its LED truck played anything when it was estimated; null for printed trucks.
alter table shift_impression add column has_plays boolean;
create index shift_impression_without_plays on shift_impression (shift_uid) where not has_plays;

insert into impression_method (version, document, sha256, note, segments, rules, created_at)
select n.version, d.document, encode(sha256(convert_to(d.document, 'UTF8')), 'hex'), n.note, m.segments, 2,
       greatest(m.created_at, '2026-11-19T00:00:00Z')
  from impression_method m
 cross join lateral (values (m.version + 1,
   'Low and high are bounds: road, traffic, hour, sides and people each at their lowest and at their highest. LED shifts without a play earn nothing.'
 )) n (version, note)
 cross join lateral (values (format('{"version":%s,"note":%s,"inputs":%s,"traffic":%s}', n.version, to_json(n.note),
                                    m.document::json -> 'inputs', m.document::json -> 'traffic'))) d (document)
 where m.version = (select max(version) from impression_method);
