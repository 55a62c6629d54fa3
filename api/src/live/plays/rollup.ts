/** Stands for no program and no market in the hours, whose key has no room for nothing. */
export const NOTHING = `'00000000-0000-0000-0000-000000000000'::uuid`

/** What hours count, in the order of the columns that a select after it gives. */
export const ADD_TO_HOURS = `insert into play_hour as h
  (hour, truck_uid, program_uid, market_uid, side, plays, duration_ms, verified, conflict, for_address)`

/** Adds to hours that are there already; less than nothing takes away. */
export const TO_THOSE_THERE = `on conflict (hour, truck_uid, program_uid, market_uid, side) do update
  set plays = h.plays + excluded.plays, duration_ms = h.duration_ms + excluded.duration_ms,
      verified = h.verified + excluded.verified, conflict = h.conflict + excluded.conflict,
      for_address = h.for_address + excluded.for_address`

/** The same of plays for SD addresses, as far as they belong to a program. */
export const ADD_TO_ADDRESSES = `insert into play_address_hour as a
  (hour, truck_uid, program_uid, market_uid, address_uid, plays, duration_ms)`

export const TO_ADDRESSES_THERE = `on conflict (hour, truck_uid, program_uid, market_uid, address_uid) do update
  set plays = a.plays + excluded.plays, duration_ms = a.duration_ms + excluded.duration_ms`
