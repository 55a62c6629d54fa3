-- The times that the office or the system set for shifts that were there before. Shifts themselves are not written, and a time that
-- a node has noted meanwhile stays.
-- Oldest node: 0024

insert into shift_office_time (shift_uid, kind, at, is_correction, set_by, set_at)
select s.uid, t.kind, t.at, t.is_corrected, h.actor_uid, coalesce(h.at, s.created_at)
  from shift s
  cross join (values ('start'), ('stop')) k (kind)
  cross join lateral (select k.kind,
                             case k.kind when 'start' then s.started_at else s.stopped_at end as at,
                             case k.kind when 'start' then s.start_corrected else s.stop_corrected end as is_corrected) t
  left join lateral (
    select h.actor_uid, h.at from history h
     where h.table_name = 'shift' and h.record_uid = s.uid
       and h.changes ? case when t.at is null then 'status' when t.kind = 'start' then 'started_at' else 'stopped_at' end
     order by h.id desc limit 1) h on true
 where s.status in ('out', 'completed')
   and case
     when t.at is null then t.kind = 'stop' and s.status = 'completed'
     else t.is_corrected
          or not exists (select from driver_event e where e.shift_uid = s.uid and e.kind = t.kind and e.at = t.at) end
on conflict do nothing;
