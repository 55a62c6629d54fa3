-- The frozen figures of a version beside its document, so that lists show them without reading documents.
create function version_figures(document text) returns json language sql immutable as $$
  select json_build_object('metres', document::json #> '{figures,metres}', 'plays', document::json #> '{figures,plays}',
                           'photos', document::json -> 'photos')
$$;
alter table pop_version add column figures json generated always as (version_figures(document)) stored;

-- The newest photos are those taken last, then those that arrived last. A photo is never taken after it arrived: one of
-- a camera whose clock is ahead does not stay on top.
drop index pop_photo_by_taken;
create index pop_photo_by_taken on pop_photo (least(coalesce(taken_at, created_at), created_at), uid)
  where deleted_at is null;

-- Reasons written before evidence was told in feet and miles.
update pop_photo set reason = regexp_replace(reason, '^[0-9,.]+ k?m from', case when distance_m < 160.9344
    then round(distance_m / 0.3048)::text || ' ft'
    else rtrim(to_char(distance_m / 1609.344, 'FM999,990.99'), '.') || ' mi' end || ' from')
 where reason ~ '^[0-9,.]+ k?m from' and distance_m is not null;
