import { addresses } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { clients } from '@roadshow/contract/catalog/clients'
import { programs } from '@roadshow/contract/catalog/programs'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { users } from '@roadshow/contract/catalog/users'
import { shifts } from '@roadshow/contract/planning/shifts'
import { changes } from '@roadshow/contract/console/changes'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { UserPermissions } from '@roadshow/contract/platform/permissions'
import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import { pops } from '@roadshow/contract/proof/pop'
import { canCall } from '../../api/user.ts'
import type { Screen } from '../../app/screen.ts'

/** Something to do, and the address at which it begins. */
interface JumpAction {
  name: string
  /** Only users who may make this call are offered it. */
  needs: Endpoint
  path: string
  search: Record<string, string>
}

const SCHEDULE = '/schedule/program-schedule'
const NEW = { open: 'new' }

const jumpActions: readonly JumpAction[] = [
  { name: 'New shift', needs: shifts.create, path: SCHEDULE, search: NEW },
  { name: 'New client', needs: clients.create, path: '/clients', search: NEW },
  { name: 'New program', needs: programs.create, path: '/client-programs', search: NEW },
  { name: 'New artwork set', needs: artworkSets.create, path: '/artworks', search: NEW },
  { name: 'New address set', needs: addresses.create, path: '/gps-addresses', search: NEW },
  { name: 'New truck', needs: trucks.create, path: '/trucks', search: NEW },
  { name: 'New user', needs: users.create, path: '/users', search: NEW },
  { name: 'Copy week', needs: shifts.copy, path: SCHEDULE, search: { copy: 'week' } },
  { name: 'Upload shifts', needs: shifts.create, path: SCHEDULE, search: { upload: 'file' } },
  { name: 'Changes of shifts', needs: changes.list, path: SCHEDULE, search: { changes: 'shift' } },
  { name: 'Review photos', needs: photoQueue.list, path: '/client-pop', search: { queue: 'photos' } },
  { name: 'Publish a POP…', needs: pops.publish, path: '/client-pop', search: {} },
]

const begins = (name: string, word: string) =>
  name
    .toLowerCase()
    .split(' ')
    .some((each) => each.startsWith(word))

/** The user's actions whose name has a word that begins with each typed word. */
export function matchingActions(user: UserPermissions, screens: readonly Screen[], search: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return jumpActions
    .filter(({ name }) => words.every((word) => begins(name, word)))
    .filter(({ needs, path }) => canCall(user, needs) && screens.some((screen) => screen.path === path))
    .map(({ name, path, search: at }) => ({ key: `action ${name}`, name, detail: '', path, search: at }))
}
