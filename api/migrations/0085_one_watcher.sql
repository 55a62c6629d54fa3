-- One watcher of conditions: what issue_watch kept for the alerts of trucks, and what open campaign issues stand for, is
-- watched in watched_condition as everything else is. Nodes of the version before go on using issue_watch beside it; the
-- table is dropped by a later version.
-- Oldest node: 0024

-- Since when the condition is gone, while what it raised stays open for a moment.
alter table watched_condition add column gone_since timestamptz;

insert into watched_condition (key, type, since, gone_since)
select 'truck.' || kind || ' ' || truck_uid, 'truck.' || kind, since, gone_since from issue_watch
on conflict (key) do nothing;

insert into watched_condition (key, type, since)
select 'line.behind ' || line_uid, 'line.behind', raised_at from campaign_issue where resolved_at is null
on conflict (key) do nothing;
