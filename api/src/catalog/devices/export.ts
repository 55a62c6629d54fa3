import { type Device, deviceKindLabel, type devices, deviceStateLabel, type QueryOf } from '@roadshow/contract'
import type { ListSheet } from '../../platform/spreadsheet/list-or-export.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'

export const deviceSheet: ListSheet<Device, QueryOf<typeof devices.list>> = {
  name: 'devices',
  columns: {
    'MAC address': (device) => device.macAddress,
    Kind: (device) => deviceKindLabel[device.kind],
    State: (device) => deviceStateLabel[device.state],
    Paired: timeColumn((device) => device.pairedAt),
    Revoked: timeColumn((device) => device.revokedAt),
    Seen: timeColumn((device) => device.seenAt),
  },
  filters: async (_db, _scope, { kind, truck }) => [
    ...(kind ? [`kind: ${kind.map((name) => deviceKindLabel[name]).join(', ')}`] : []),
    ...(truck ? [`${truck.length} ${truck.length === 1 ? 'truck' : 'trucks'}`] : []),
  ],
}
