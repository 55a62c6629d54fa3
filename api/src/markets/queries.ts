import type { Market, markets, QueryOf } from '@roadshow/contract'
import { everybodys, records } from '../db/records.ts'

export const marketRecords = records<'market', Market, QueryOf<typeof markets.list>>({
  table: 'market',
  columns: { uid: 't.uid', name: 't.name', state: 't.state', zone: 't.zone', version: 't.version' },
  sorts: { name: 't.name', state: 't.state' },
  filters: {},
  own: everybodys,
})
