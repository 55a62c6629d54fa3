import { moduleLabel, type QueryOf, roleLabel, type User, type users } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { moneyColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'

/** A rate as it is valid today; rates come newest first. */
const rateColumn = (name: 'payHalfDay' | 'payEightHours' | 'payTwelveHours') =>
  moneyColumn(({ payRates }: User, { today }) => payRates.find(({ validFrom }) => validFrom <= today)?.[name] ?? null)

export const userSheet = {
  name: 'users',
  columns: {
    Name: (user: User) => user.name,
    Email: (user: User) => user.email,
    Phone: (user: User) => user.phone,
    Role: (user: User) => roleLabel[user.role],
    Modules: (user: User) => user.modules.map((key) => moduleLabel[key]).join(', '),
    Client: (user: User) => user.client?.name ?? '',
    'Payroll id': (user: User) => user.payrollId,
    'Half day today ($)': rateColumn('payHalfDay'),
    '8-hour day today ($)': rateColumn('payEightHours'),
    '12-hour day today ($)': rateColumn('payTwelveHours'),
    'Last seen': timeColumn((user: User) => user.lastSeen),
    Deleted: timeColumn((user: User) => user.deletedAt),
    Updated: timeColumn((user: User) => user.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { role, module, client, deleted }: QueryOf<typeof users.list>) => [
    ...(role ? [`role: ${role.map((name) => roleLabel[name]).join(', ')}`] : []),
    ...(module ? [`module: ${module.map((key) => moduleLabel[key]).join(', ')}`] : []),
    ...(client ? [filterByName('client', await namesOf(clientRecords, db, scope, client))] : []),
    ...(deleted ? ['with deleted users'] : []),
  ],
}
