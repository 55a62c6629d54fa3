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

type Given = Omit<DemoClient, 'map' | 'places' | 'note'> & Partial<Pick<DemoClient, 'map' | 'places' | 'note'>>

const given: Given[] = [
  {
    name: 'Northwind Coffee',
    colors: ['#3b1d0f', '#7a4522', '#f6c453'],
    pattern: 'rings',
    headline: ['Fresh roast,', 'right ahead'],
    call: 'Mornings from 5:30',
    campaigns: ['Morning Rush', 'Summer Cold Brew', 'Holiday Cups', 'New Roastery', 'Campus Tour'],
    places: 'café',
    note: 'Wants photos of every truck in front of a café.',
  },
  {
    name: 'Bluebird Air',
    colors: ['#0b3c8c', '#3fa9f5', '#ffffff'],
    pattern: 'waves',
    headline: ['Nonstop', 'to the sun'],
    call: 'From $79 one way',
    campaigns: ['Winter Escapes', 'New Routes', 'Fare Week'],
  },
  {
    name: 'Summit Credit Union',
    colors: ['#0f3d2e', '#1f7a55', '#ffd166'],
    pattern: 'peaks',
    headline: ['A loan that', 'says yes'],
    call: 'Open an account in 10 minutes',
    campaigns: ['Auto Loans', 'First Home', 'Student Accounts'],
    places: 'branch',
  },
  {
    name: 'Verde Grocers',
    colors: ['#14532d', '#65a30d', '#fef08a'],
    pattern: 'sun',
    headline: ['Picked', 'this morning'],
    call: 'Fresh every day',
    campaigns: ['Farm to Aisle', 'Grand Opening', 'Harvest Fair'],
    places: 'market',
    note: 'Invoices go to the regional office.',
  },
  {
    name: 'Pulse Fitness',
    colors: ['#18181b', '#4c0519', '#fb7185'],
    pattern: 'stripes',
    headline: ['First month', 'on us'],
    call: 'Join today',
    campaigns: ['New Year Start', 'Summer Shape', 'Bring a Friend'],
    places: 'gym',
  },
  {
    name: 'Harbor Health',
    colors: ['#083344', '#0e7490', '#67e8f9'],
    pattern: 'waves',
    headline: ['Care without', 'the wait'],
    call: 'Walk in until 9 pm',
    campaigns: ['Flu Shots', 'Urgent Care'],
  },
  {
    name: 'Lumen Energy',
    colors: ['#1e1b4b', '#6d28d9', '#fde047'],
    pattern: 'sun',
    headline: ['Your roof', 'pays you'],
    call: 'Solar from $0 down',
    campaigns: ['Solar Spring', 'Battery Launch', 'Switch Now'],
  },
  {
    name: 'Redline Motors',
    colors: ['#450a0a', '#dc2626', '#ffffff'],
    pattern: 'stripes',
    headline: ['Drive it', 'home tonight'],
    call: '0% APR for 60 months',
    campaigns: ['Model Year Sale', 'Electric Weekend', 'Truck Month'],
    map: 'long',
    places: 'showroom',
    note: 'Books only the long bodies.',
  },
  {
    name: 'Cascade Outdoor',
    colors: ['#1c3d2c', '#3f6212', '#fdba74'],
    pattern: 'peaks',
    headline: ['Closer', 'than you think'],
    call: 'Gear up',
    campaigns: ['Trail Season', 'Snow Drop'],
  },
  {
    name: 'Taqueria Sol',
    colors: ['#9a3412', '#f97316', '#fef3c7'],
    pattern: 'sun',
    headline: ['Tacos', 'this way'],
    call: 'Taco Tuesday: 3 for $6',
    campaigns: ['Taco Tuesday', 'Late Night'],
    places: 'kitchen',
  },
  {
    name: 'Orbit Mobile',
    colors: ['#020617', '#1d4ed8', '#22d3ee'],
    pattern: 'rings',
    headline: ['Unlimited.', 'Actually.'],
    call: '$25 a month, four lines',
    campaigns: ['Unlimited Launch', 'Back to School', 'Upgrade Days'],
    places: 'store',
  },
  {
    name: 'Maple & Main Realty',
    colors: ['#3f1d2b', '#9d174d', '#fbcfe8'],
    pattern: 'peaks',
    headline: ['Sold', 'in a weekend'],
    call: 'What is yours worth?',
    campaigns: ['Open Houses', 'Spring Listings'],
  },
  {
    name: 'Starlight Cinemas',
    colors: ['#09090b', '#3b0764', '#facc15'],
    pattern: 'rings',
    headline: ['Bigger', 'than home'],
    call: '$6 Tuesdays',
    campaigns: ['Premiere Week', 'Family Matinees'],
  },
  {
    name: 'Paws & Co',
    colors: ['#115e59', '#2dd4bf', '#fff7ed'],
    pattern: 'waves',
    headline: ['Good dogs', 'shop here'],
    call: 'Free bath with a first visit',
    campaigns: ['Adoption Days', 'Puppy Club'],
    places: 'shop',
  },
  {
    name: 'Vantage University',
    colors: ['#172554', '#1e40af', '#fbbf24'],
    pattern: 'stripes',
    headline: ['Start', 'in January'],
    call: 'Evening and online classes',
    campaigns: ['Spring Enrollment', 'Open Campus'],
  },
]

export const demoClients: readonly DemoClient[] = given.map((client) => ({
  map: 'standard',
  places: undefined,
  note: '',
  ...client,
}))

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
