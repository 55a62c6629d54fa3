-- The length of a program's spots, and the house artwork that players show in a shift without approved artwork.
-- Oldest node: 0024

alter table client_program add column spot_seconds smallint
  constraint client_program_spot_seconds_check check (spot_seconds between 5 and 120);
comment on column client_program.spot_seconds is 'Null: a spot is as long as its artwork.';

-- Every player may show the house artwork, so a change of it concerns them all.
create function tell_changed_fallback() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'setting' then
    if new.key = 'fallbackArtworkUid' then perform pg_notify('player_fallback_changed', ''); end if;
  elsif exists (select from setting where key = 'fallbackArtworkUid' and value = to_jsonb(new.uid::text)) then
    perform pg_notify('player_fallback_changed', '');
  end if;
  return null;
end $$;
create trigger tell_fallback after insert or update on setting for each row execute function tell_changed_fallback();
create trigger tell_fallback after update on artwork_set for each row execute function tell_changed_fallback();
