import type { PositionSource, SourceAccount } from '@roadshow/contract'
import type { AppContext } from '../../../platform/context.ts'
import { GEOTAB_SOURCE } from '../../telemetry/index.ts'

/** The MyGeotab account of the server's settings. */
export type ServerAccount = AppContext['env']['geotab']

const accountOf = ({ server, database, user }: NonNullable<ServerAccount>): SourceAccount => ({
  server,
  database,
  user,
  isSetByServer: true,
  savedAt: null,
  savedBy: null,
})

/** A source as it is asked: the account of the server's settings comes before the one that was entered here. */
export const withServerAccount = (source: PositionSource, geotab: ServerAccount): PositionSource =>
  geotab && source.uid === GEOTAB_SOURCE ? { ...source, state: 'active', account: accountOf(geotab) } : source
