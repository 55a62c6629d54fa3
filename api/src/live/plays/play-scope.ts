import type { Scope } from '../../platform/db/records/scope.ts'
import { clientLimit } from './report-filters.ts'

/** `all` is for figures that are the same for every reader, such as those of a published page. */
export type PlayScope = Scope | 'all'

/** The client whose programs a reader is limited to, or null. */
export const limitOf = (scope: PlayScope): string | null => (scope === 'all' ? null : clientLimit(scope))
