import { languageLabel, moduleLabel, type QueryOf, roleLabel, type User, type users } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import { filterByName, type ListSheet, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { moneyColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'

/** A rate as it is valid today; rates come newest first. */
const rateColumn = (name: 'payHalfDay' | 'payEightHours' | 'payTwelveHours') =>
  moneyColumn(({ payRates }: User, { today }) => payRates.find(({ validFrom }) => validFrom <= today)?.[name] ?? null)

export const userSheet: ListSheet<User, QueryOf<typeof users.list>> = {
  name: 'users',
  columns: {
    Name: (user) => user.name,
    Email: (user) => user.email,
    Phone: (user) => user.phone,
    Role: (user) => roleLabel[user.role],
    Modules: (user) => user.modules.map((key) => moduleLabel[key]).join(', '),
    Client: (user) => user.client?.name ?? '',
    'Payroll id': (user) => user.payrollId,
    Language: (user) => (user.language ? languageLabel[user.language] : ''),
    'Half day today ($)': rateColumn('payHalfDay'),
    '8-hour day today ($)': rateColumn('payEightHours'),
    '12-hour day today ($)': rateColumn('payTwelveHours'),
    'Last seen': timeColumn((user) => user.lastSeen),
    Deleted: timeColumn((user) => user.deletedAt),
    Updated: timeColumn((user) => user.updatedAt),
  },
  filters: async (db, scope, { role, module, client, deleted }) => [
    ...(role ? [`role: ${role.map((name) => roleLabel[name]).join(', ')}`] : []),
    ...(module ? [`module: ${module.map((key) => moduleLabel[key]).join(', ')}`] : []),
    ...(client ? [filterByName('client', await namesOf(clientRecords, db, scope, client))] : []),
    ...(deleted ? ['with deleted users'] : []),
  ],
}
