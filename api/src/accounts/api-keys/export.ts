import {
  type ApiKey,
  type apiKeys,
  apiKeyEndLabel,
  apiKeyStateLabel,
  moduleLabel,
  type QueryOf,
} from '@roadshow/contract'
import type { ListSheet } from '../../platform/spreadsheet/list-or-export.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'

/** The keys as a file, without the keys themselves. */
export const apiKeySheet: ListSheet<ApiKey, QueryOf<typeof apiKeys.list>> = {
  name: 'api-keys',
  columns: {
    Name: (key) => key.name,
    Key: (key) => `${key.start}…`,
    Status: (key) => apiKeyStateLabel[key.state],
    Access: (key) => (key.access === 'write' ? 'Read and write' : 'Read'),
    Modules: (key) => key.modules.map((module) => moduleLabel[module]).join(', '),
    Client: (key) => key.client?.name ?? 'All clients',
    'Created by': (key) => key.createdBy.name,
    Created: timeColumn((key) => key.createdAt),
    Expires: timeColumn((key) => key.expiresAt),
    'Last used': timeColumn((key) => key.lastUsedAt),
    'Last address': (key) => key.lastAddress ?? '',
    Ended: timeColumn((key) => key.endedAt),
    Reason: (key) => (key.endReason ? apiKeyEndLabel[key.endReason] : ''),
  },
  filters: async (_db, _scope, { state }) =>
    state ? [`status: ${state.map((each) => apiKeyStateLabel[each]).join(', ')}`] : [],
}
