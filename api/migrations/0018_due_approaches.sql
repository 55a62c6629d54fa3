-- Whether the rules would have shown the address in a visit at all: where addresses lie close, they show the nearer one.
alter table shift_approach add column is_due boolean not null default true;

-- Visits of the last days are looked for once more. Of older ones positions may be gone, and with them the visits.
update shift_approaches_known k set heard_ms = -1
  from shift_track t where t.shift_uid = k.shift_uid and t.ends_at > now() - interval '7 days';
