import {
  type ApiKey,
  type apiKeys,
  apiKeyEndLabel,
  apiKeyStateLabel,
  moduleLabel,
  type QueryOf,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'

/** The keys as a file, without the keys themselves. */
export const apiKeySheet = {
  name: 'api-keys',
  columns: {
    Name: (key: ApiKey) => key.name,
    Key: (key: ApiKey) => `${key.start}…`,
    Status: (key: ApiKey) => apiKeyStateLabel[key.state],
    Access: (key: ApiKey) => (key.access === 'write' ? 'Read and write' : 'Read'),
    Modules: (key: ApiKey) => key.modules.map((module) => moduleLabel[module]).join(', '),
    Client: (key: ApiKey) => key.client?.name ?? 'All clients',
    'Created by': (key: ApiKey) => key.createdBy.name,
    Created: timeColumn((key: ApiKey) => key.createdAt),
    Expires: timeColumn((key: ApiKey) => key.expiresAt),
    'Last used': timeColumn((key: ApiKey) => key.lastUsedAt),
    'Last address': (key: ApiKey) => key.lastAddress ?? '',
    Ended: timeColumn((key: ApiKey) => key.endedAt),
    Reason: (key: ApiKey) => (key.endReason ? apiKeyEndLabel[key.endReason] : ''),
  },
  filters: async (_db: Db, _scope: Scope, { state }: QueryOf<typeof apiKeys.list>) =>
    state ? [`status: ${state.map((each) => apiKeyStateLabel[each]).join(', ')}`] : [],
}
