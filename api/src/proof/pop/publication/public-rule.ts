import { sql } from 'kysely'

/** Whether POP `o` is public: a version is shown, and its last day is not over. The last day ends in UTC. */
export const isPublicPop = sql<boolean>`(o.shown_version is not null and (o.ends_on is null or o.ends_on >= current_date))`
