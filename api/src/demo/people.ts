import { defaultModules, type ModuleKey, type PayRate, type Role } from '@roadshow/contract'
import { seededIntegers } from './seeded-integers.ts'

/** Of everybody in the demo. */
export const DEMO_PASSWORD = 'big-truck-demo'

/** No such domain exists. */
export const DEMO_DOMAIN = 'roadshow.example'

interface Person {
  email: string
  name: string
  role: Role
  modules: readonly ModuleKey[]
  phone: string
  /** Name of the client that a user of role client belongs to. */
  client: string | undefined
}

const person = (role: Role, name: string, given: Partial<Person> = {}): Person => ({
  email: `${name.toLowerCase().replace(' ', '.')}@${DEMO_DOMAIN}`,
  name,
  role,
  modules: defaultModules[role],
  phone: '',
  client: undefined,
  ...given,
})

// A client who was granted more than the default: there is more to see.
const granted: ModuleKey[] = ['clients', 'pop', 'programByClient']

/** One of each role, for the first page a newcomer reads. The first is the admin, who enters everything else. */
export const peopleWithLogin: readonly Person[] = [
  person('admin', 'Avery Stone', { email: 'admin@roadshow.example' }),
  person('sales', 'Sam Ortega', { email: 'sales@roadshow.example' }),
  person('driver', 'Dana Brooks', { email: 'driver@roadshow.example' }),
  person('client', 'Casey Lin', { email: 'client@roadshow.example', modules: granted, client: 'Northwind Coffee' }),
]

/** The client whose login a newcomer tries. */
export const FIRST_CLIENT = peopleWithLogin.find(({ client }) => client)?.client ?? ''

// oxfmt-ignore
const drivers = [
  'Alicia Gomez', 'Ben Carter', 'Carlos Vega', 'Deja Williams', 'Eli Novak', 'Fatima Rahman', 'Grace Kim',
  'Hector Morales', 'Imani Johnson', 'Jack Sullivan', 'Keisha Brown', 'Luis Herrera', 'Marcus Reed', 'Nadia Petrov',
  'Omar Farouk', 'Priya Shah', 'Quentin Hayes', 'Rosa Delgado', 'Steve Kowalczyk', 'Tanya Wells', 'Umar Aziz',
  'Vicky Tran', 'Walt Jensen', 'Ximena Cruz', 'Yusuf Demir',
]

const sales = ['Nora Ellis', 'Theo Grant', 'Maya Lindholm']

const clientUsers: [name: string, client: string][] = [
  ['Robin Chase', 'Northwind Coffee'],
  ['Jamie Fox', 'Bluebird Air'],
  ['Lee Martins', 'Verde Grocers'],
  ['Toni Abbott', 'Redline Motors'],
]

/** Everybody, the logins first. */
export function demoPeople(): Person[] {
  const pick = seededIntegers(31)
  const everybody = [
    ...peopleWithLogin,
    ...sales.map((name) => person('sales', name)),
    ...drivers.map((name) => person('driver', name)),
    ...clientUsers.map(([name, client]) => person('client', name, { client })),
  ]
  return everybody.map((each) => ({ ...each, phone: `(${201 + pick(700)}) 555-01${String(10 + pick(90))}` }))
}

/** What each of so many drivers earns: a rate of two years ago, and a raise each January. */
export function demoPayRates(count: number, today: string): PayRate[][] {
  const pick = seededIntegers(41)
  const year = Number(today.slice(0, 4))
  return Array.from({ length: count }, () => {
    const first = 8500 + pick(7) * 500
    return [year - 2, year - 1, year].map((since, raises) => {
      const half = first + raises * 500
      return { validFrom: `${since}-01-01`, payHalfDay: half, payEightHours: half * 2, payTwelveHours: half * 3 }
    })
  })
}
