import type { ImportKindName } from '@roadshow/contract/console/imports'
import type { SetupKey } from '@roadshow/contract/console/setup'
import { NEW_RECORD } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'

interface Place {
  label: string
  to: string
  search?: UrlSearch
}

interface SetupPlace {
  title: string
  /** What it is for, in one sentence. */
  why: string
  /** Where it is done, the usual way first. Without one the page itself does it. */
  places: readonly Place[]
}

const addTo = (to: string): Place => ({ label: 'Add', to, search: { open: NEW_RECORD } })
const importOf = (kind: ImportKindName): Place => ({
  label: 'Import from a spreadsheet',
  to: '/import',
  search: { kind },
})

/** Where each line of the list is done. The only place where these addresses stand. */
export const setupPlaces: Record<SetupKey, SetupPlace> = {
  company: {
    title: 'Company',
    why: 'Its name stands on every page, email and proof of play.',
    places: [{ label: 'Settings', to: '/setup', search: { settings: 'open' } }],
  },
  markets: {
    title: 'Markets',
    why: 'Metro areas with their time zone, by ZIP code or drawn on the map.',
    places: [{ label: 'Markets', to: '/setup', search: { markets: 'list' } }, importOf('markets')],
  },
  trucks: { title: 'Trucks', why: 'The vehicles that you schedule.', places: [importOf('trucks'), addTo('/trucks')] },
  drivers: {
    title: 'Drivers',
    why: 'They start and stop shifts and take photos.',
    places: [importOf('users'), addTo('/users')],
  },
  clients: { title: 'Clients', why: 'The companies that book campaigns.', places: [importOf('clients'), addTo('/clients')] },
  program: {
    title: 'First program',
    why: 'A campaign with its days and markets.',
    places: [importOf('programs'), addTo('/client-programs')],
  },
  artwork: {
    title: 'Artwork',
    why: 'Only approved sets are shown on screens.',
    places: [{ label: 'Artworks', to: '/artworks' }],
  },
  tracker: {
    title: 'Tracker',
    why: 'Positions become miles, routes and verified plays. Each truck needs the id that its tracker sends.',
    places: [
      { label: 'Position sources', to: '/setup', search: { settings: 'sources' } },
      { label: 'Trucks', to: '/trucks' },
    ],
  },
  screens: {
    title: 'Screens',
    why: 'A truck needs the pixel map of its canvas. Its player shows a code at /player: enter it at the truck under Devices.',
    places: [
      { label: 'Trucks', to: '/trucks' },
      { label: 'Pixel Maps', to: '/pixel' },
    ],
  },
  mail: { title: 'Email', why: 'Invitations, passwords, reports and alerts.', places: [] },
  secondFactor: {
    title: 'Second factor',
    why: 'Your account opens everything: a password alone is not enough.',
    places: [{ label: 'Sign-in & access', to: '/setup', search: { credentials: 'open' } }],
  },
  shift: {
    title: 'First shift',
    why: 'A truck, a driver, a program and hours.',
    places: [
      { label: 'Program Schedule', to: '/schedule/program-schedule', search: { open: NEW_RECORD } },
      importOf('shifts'),
    ],
  },
  play: {
    title: 'First play',
    why: 'What screens report, checked against the truck’s track.',
    places: [{ label: 'Ad Log', to: '/ad-log' }],
  },
  photo: {
    title: 'First photo approved',
    why: 'Photos from the street, by drivers or uploaded.',
    places: [{ label: 'Photos to approve', to: '/client-pop', search: { queue: 'photos' } }],
  },
  pop: {
    title: 'First proof of play',
    why: 'The public page of a program. With it you are done.',
    places: [{ label: 'POP', to: '/client-pop' }],
  },
}
