/**
 * Three years of a business: 193 trucks are out every day for nine hours, each side plays an ad every 16.875 seconds.
 * That is 1.11 million plays a day and a billion in all.
 */
export const TRUCKS = 193
export const DAYS = 900
export const HOURS_A_SHIFT = 9
export const PLAY_SECONDS = 16.875
/** Of one side in one shift. */
export const PLAYS_OF_SIDE = (HOURS_A_SHIFT * 3600) / PLAY_SECONDS

/** Days whose single plays are in the database, and those before them that are in the archive: 50 and 300 million plays. */
export const HOT_DAYS = 45
export const ARCHIVED_DAYS = 270

export const MARKETS = 10
export const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Phoenix']
/** Eight programs run at a time, each for ninety days. */
export const PROGRAMS_AT_ONCE = 8
export const DAYS_OF_PROGRAM = 90

/** Grades by the number of a play in its shift, as in the tables: one in fifty conflicts, one in nine has no track. */
export const GRADE = `case when n % 50 = 0 then 'conflict' when n % 9 = 0 then 'unverified' else 'verified' end`
