-- Health reports arrive in lists too, late, repeatedly and in any order; the newest counts.
alter table device_health add column report_id text not null default '';
comment on column device_health.report_id is 'The id that the device gave to the report; empty for a single report.';
comment on column device_health.at is 'When the device was like this, by the server''s clock.';
