import { moduleLabel, type QueryOf, roleLabel, type User, type users } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { formatUtc } from '../../platform/spreadsheet/sheet.ts'

const dollars = (cents: number | undefined) => (cents === undefined ? '' : cents / 100)
const today = () => new Date().toISOString().slice(0, 10)
/** The rate that is valid today; rates come newest first. */
const rateOf = ({ payRates }: User) => payRates.find(({ validFrom }) => validFrom <= today())

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
    'Half day today ($)': (user: User) => dollars(rateOf(user)?.payHalfDay),
    '8-hour day today ($)': (user: User) => dollars(rateOf(user)?.payEightHours),
    '12-hour day today ($)': (user: User) => dollars(rateOf(user)?.payTwelveHours),
    'Last seen (UTC)': (user: User) => (user.lastSeen ? formatUtc(user.lastSeen) : ''),
    'Deleted (UTC)': (user: User) => (user.deletedAt ? formatUtc(user.deletedAt) : ''),
    'Updated (UTC)': (user: User) => formatUtc(user.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { role, module, client, deleted }: QueryOf<typeof users.list>) => [
    ...(role ? [`role: ${role.map((name) => roleLabel[name]).join(', ')}`] : []),
    ...(module ? [`module: ${module.map((key) => moduleLabel[key]).join(', ')}`] : []),
    ...(client ? [`client: ${await clientNames(db, scope, client)}`] : []),
    ...(deleted ? ['with deleted users'] : []),
  ],
}

async function clientNames(db: Db, scope: Scope, uids: string[]): Promise<string> {
  const found = await Promise.all(uids.map((uid) => clientRecords.find(db, scope, uid)))
  return found.map((client) => client?.name ?? 'unknown').join(', ')
}
