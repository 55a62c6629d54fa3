import type { Contact } from '@roadshow/contract'
import type { MapKey } from './fleet.ts'
import { seededIntegers } from './seeded-integers.ts'

/** How a client looks on a truck. */
export interface Brand {
  /** The ground from dark to light, and a light color on it. */
  colors: readonly [from: string, to: string, accent: string]
  pattern: 'sun' | 'waves' | 'stripes' | 'rings' | 'peaks'
  headline: readonly [string, string]
  call: string
}

export interface DemoClient extends Brand {
  name: string
  campaigns: readonly string[]
  /** The trucks that its artwork is made for. */
  map: MapKey
  /** What its places are called, if it has places to lead people to. */
  places: string | undefined
  note: string
}

interface Given extends Partial<Pick<DemoClient, 'map' | 'places' | 'note'>> {
  look: readonly [pattern: Brand['pattern'], ...colors: Brand['colors']]
  words: readonly [...headline: Brand['headline'], call: string]
}

const client = (
  name: string,
  campaigns: string[],
  { look: [pattern, ...colors], words: [top, bottom, call], ...given }: Given,
): DemoClient => ({
  name,
  campaigns,
  pattern,
  colors,
  headline: [top, bottom],
  call,
  map: 'standard',
  places: undefined,
  note: '',
  ...given,
})

export const demoClients: readonly DemoClient[] = [
  client('Northwind Coffee', ['Morning Rush', 'Summer Cold Brew', 'Holiday Cups', 'New Roastery', 'Campus Tour'], {
    look: ['rings', '#3b1d0f', '#7a4522', '#f6c453'],
    words: ['Fresh roast,', 'right ahead', 'Mornings from 5:30'],
    places: 'café',
    note: 'Wants photos of every truck in front of a café.',
  }),
  client('Bluebird Air', ['Winter Escapes', 'New Routes', 'Fare Week'], {
    look: ['waves', '#0b3c8c', '#3fa9f5', '#ffffff'],
    words: ['Nonstop', 'to the sun', 'From $79 one way'],
  }),
  client('Summit Credit Union', ['Auto Loans', 'First Home', 'Student Accounts'], {
    look: ['peaks', '#0f3d2e', '#1f7a55', '#ffd166'],
    words: ['A loan that', 'says yes', 'Open an account in 10 minutes'],
    places: 'branch',
  }),
  client('Verde Grocers', ['Farm to Aisle', 'Grand Opening', 'Harvest Fair'], {
    look: ['sun', '#14532d', '#65a30d', '#fef08a'],
    words: ['Picked', 'this morning', 'Fresh every day'],
    places: 'market',
    note: 'Invoices go to the regional office.',
  }),
  client('Pulse Fitness', ['New Year Start', 'Summer Shape', 'Bring a Friend'], {
    look: ['stripes', '#18181b', '#4c0519', '#fb7185'],
    words: ['First month', 'on us', 'Join today'],
    places: 'gym',
  }),
  client('Harbor Health', ['Flu Shots', 'Urgent Care'], {
    look: ['waves', '#083344', '#0e7490', '#67e8f9'],
    words: ['Care without', 'the wait', 'Walk in until 9 pm'],
  }),
  client('Lumen Energy', ['Solar Spring', 'Battery Launch', 'Switch Now'], {
    look: ['sun', '#1e1b4b', '#6d28d9', '#fde047'],
    words: ['Your roof', 'pays you', 'Solar from $0 down'],
  }),
  client('Redline Motors', ['Model Year Sale', 'Electric Weekend', 'Truck Month'], {
    look: ['stripes', '#450a0a', '#dc2626', '#ffffff'],
    words: ['Drive it', 'home tonight', '0% APR for 60 months'],
    map: 'long',
    places: 'showroom',
    note: 'Books only the long bodies.',
  }),
  client('Cascade Outdoor', ['Trail Season', 'Snow Drop'], {
    look: ['peaks', '#1c3d2c', '#3f6212', '#fdba74'],
    words: ['Closer', 'than you think', 'Gear up'],
  }),
  client('Taqueria Sol', ['Taco Tuesday', 'Late Night'], {
    look: ['sun', '#9a3412', '#f97316', '#fef3c7'],
    words: ['Tacos', 'this way', 'Taco Tuesday: 3 for $6'],
    places: 'kitchen',
  }),
  client('Orbit Mobile', ['Unlimited Launch', 'Back to School', 'Upgrade Days'], {
    look: ['rings', '#020617', '#1d4ed8', '#22d3ee'],
    words: ['Unlimited.', 'Actually.', '$25 a month, four lines'],
    places: 'store',
  }),
  client('Maple & Main Realty', ['Open Houses', 'Spring Listings'], {
    look: ['peaks', '#3f1d2b', '#9d174d', '#fbcfe8'],
    words: ['Sold', 'in a weekend', 'What is yours worth?'],
  }),
  client('Starlight Cinemas', ['Premiere Week', 'Family Matinees'], {
    look: ['rings', '#09090b', '#3b0764', '#facc15'],
    words: ['Bigger', 'than home', '$6 Tuesdays'],
  }),
  client('Paws & Co', ['Adoption Days', 'Puppy Club'], {
    look: ['waves', '#115e59', '#2dd4bf', '#fff7ed'],
    words: ['Good dogs', 'shop here', 'Free bath with a first visit'],
    places: 'shop',
  }),
  client('Vantage University', ['Spring Enrollment', 'Open Campus'], {
    look: ['stripes', '#172554', '#1e40af', '#fbbf24'],
    words: ['Start', 'in January', 'Evening and online classes'],
  }),
]

const first = ['Jordan', 'Morgan', 'Riley', 'Quinn', 'Harper', 'Rowan', 'Emerson', 'Skyler', 'Reese', 'Parker']
const last = ['Nguyen', 'Patel', 'Romero', 'Whitfield', 'Okafor', 'Larsen', 'Haddad', 'Kowalski', 'Bennett', 'Sato']
const titles = ['Marketing Director', 'Media Buyer', 'Brand Manager', 'Accounts Payable']

/** Two or three people at each client, in the order of the clients. */
export function demoContacts(): Contact[][] {
  const pick = seededIntegers(23)
  return demoClients.map(({ name }, index) => {
    const domain = `${name.toLowerCase().replace(/[^a-z]/g, '')}.example`
    return Array.from({ length: 2 + (index % 2) }, (_, place) => {
      const person = [first[(index * 3 + place) % first.length], last[(index + place * 4) % last.length]]
      return {
        name: person.join(' '),
        title: titles[place] ?? '',
        email: `${person.join('.').toLowerCase()}@${domain}`,
        phone: `(${201 + pick(700)}) 555-01${String(pick(100)).padStart(2, '0')}`,
      }
    })
  })
}
