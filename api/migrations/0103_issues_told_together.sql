-- Problems of one truck and kind that drivers report within minutes are one notification: that of the first of them.
-- Oldest node: 0024

alter table issue_alert add column told_with uuid references truck_issue (uid) on delete set null;
create index issue_alert_opening on issue_alert (opening);
