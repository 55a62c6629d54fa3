-- Estimated impressions: the versions of the method with all their inputs, and what the track of each shift amounts to.
-- Oldest node: 0024

-- A version is the exact text that is hashed and downloaded. It never changes: a correction is the next version.
create table impression_method (
  version integer primary key check (version > 0),
  document text not null,
  sha256 text not null,
  note text not null,
  segments integer not null check (segments >= 0),
  created_at timestamptz not null default now(),
  changed_by uuid references user_account (uid),
  changed_from text
);
create function refuse_changed_method() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'insufficient_privilege', message = format('%s is only ever added to', tg_table_name);
end $$;
create trigger only_added_to before update or delete on impression_method
  for each row execute function refuse_changed_method();
create trigger never_emptied before truncate on impression_method
  for each statement execute function refuse_changed_method();

insert into impression_method (version, created_at, document, sha256, note, segments)
select 1, '2026-11-17T00:00:00Z', d.document, encode(sha256(convert_to(d.document, 'UTF8')), 'hex'), d.document::json ->> 'note', 0 from (values (
  '{"version":1,"note":"Comes with the product. Replace the assumptions with counts of your own markets where you have them.","inputs":{"areas":[{"name":"Every market","marketUid":null,"dailyVehicles":{"interstate":80000,"principalArterial":20000,"other":6000}}],"hours":[{"share":0.005,"isNight":true},{"share":0.005,"isNight":true},{"share":0.005,"isNight":true},{"share":0.005,"isNight":true},{"share":0.005,"isNight":true},{"share":0.005,"isNight":true},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":false},{"share":0.06,"isNight":true},{"share":0.06,"isNight":true},{"share":0.005,"isNight":true},{"share":0.005,"isNight":true}],"speeds":{"interstateFromMph":50,"principalArterialFromMph":30},"sides":{"driverSide":{"opposite":0.85,"same":0.1},"passengerSide":{"opposite":0,"same":0.2},"rear":{"opposite":0,"same":0.2}},"occupancy":1.5,"isLit":{"led":true,"printed":false},"sources":{"areas":"Assumption: round numbers in the range of urban daily vehicles per road mile in FHWA Highway Statistics, table HM-71. Not the counts of any one market.","hours":"Assumption: about 6% of a day’s traffic in each hour from 6 AM to 10 PM, the rest at night. Dark from 8 PM to 6 AM all year.","speeds":"Assumption: the road is not known, so its class is guessed from the speed over two minutes; low and high take the classes beside it.","sides":"Traffic Audit Bureau, truck-side method: 85% of the opposite direction, which faces the driver side. Same direction by side: assumption.","occupancy":"About 1.5 people per vehicle, as in public travel surveys of the United States.","isLit":"Traffic Audit Bureau, truck-side method: no credit at night unless lit. Screens are lit, printed boards are not."}},"traffic":[]}'
)) d (document);

-- The impressions of a shift, and the method and rules that gave them. They outlive the positions they were found in.
create table shift_impression (
  shift_uid uuid primary key references shift (uid),
  -- Null where the track does not say where the truck was at any time.
  low integer,
  likely integer,
  high integer,
  counted_ms double precision not null,
  parked_ms double precision not null,
  unlit_ms double precision not null,
  method_version integer not null references impression_method (version),
  rules_version integer not null,
  -- When its positions or its hours changed after it was computed.
  due_at timestamptz,
  computed_at timestamptz not null default now(),
  constraint shift_impression_is_a_range check (num_nulls(low, likely, high) = 3 or (0 <= low and low <= likely and likely <= high))
);
create index shift_impression_due on shift_impression (computed_at) where due_at is not null;
