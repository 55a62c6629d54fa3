import type { ActProblem, driverAct } from '@roadshow/contract'
import type { z } from 'zod'
import type { DriversShift } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

export type ParsedAct = z.output<typeof driverAct>

/** An act with its true time and all that its handler needs. */
export interface ReceivedAct<Kind extends ParsedAct['kind'] = ParsedAct['kind']> {
  act: Extract<ParsedAct, { kind: Kind }>
  /** By the server's clock. */
  at: string
  shift: DriversShift
  scope: Scope
}

/** Stores an act, in the transaction of its id. Answers why it changes nothing, if so. */
export type ActHandler<Kind extends ParsedAct['kind']> = (
  db: Db,
  received: ReceivedAct<Kind>,
) => Promise<ActProblem | null>
