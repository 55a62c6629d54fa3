import { jump, jumpKinds } from '@roadshow/contract/console/jump'
import type { JumpKind, JumpTarget } from '@roadshow/contract/console/jump'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { formatClock, formatDay, localZone } from '@roadshow/contract/platform/dates'
import { canOpen } from '@roadshow/contract/platform/permissions'
import type { UserPermissions } from '@roadshow/contract/platform/permissions'
import { findDay } from '@roadshow/contract/platform/typed-time'
import { useReply } from '../../api/useCall.ts'
import { permissionsOf, useUser } from '../../api/user.ts'
import type { Screen } from '../../app/screen.ts'
import { matchingActions } from './jumpActions.ts'
import { useSettled } from '../../ui/useSettled.ts'

const TYPING_PAUSE_MS = 120

/** Somewhere to go: a screen, a record on it, or an action that begins there. */
export interface Jump {
  key: string
  name: string
  detail: string
  /** The screen; undefined for a drawer beside the present one. */
  path?: string
  search?: Record<string, string>
}

interface JumpGroup {
  label: string
  jumps: Jump[]
}

/** Screens whose title contains every word; those that begin with the typed text come first. Without text, all of them. */
function matchingScreens(user: UserPermissions, screens: readonly Screen[], search: string): Jump[] {
  const typed = search.toLowerCase()
  const words = typed.split(/\s+/).filter(Boolean)
  const rank = ({ title }: Screen) => (title.toLowerCase().startsWith(typed) ? 0 : 1)
  return screens
    .filter(({ title, group = '' }) => words.every((word) => `${title} ${group}`.toLowerCase().includes(word)))
    .filter(({ path }) => canOpen(user, path))
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ path, title, group }) => ({ key: path, name: title, detail: group && group !== title ? group : '', path }))
}

const dayPlaces = [
  { name: 'Schedule', path: '/schedule/program-schedule', search: (day: string) => ({ range: 'day', date: day }) },
  { name: 'Ad log', path: '/ad-log', search: (day: string) => ({ from: day, to: day }) },
] as const

/** The screens of a day that was typed. */
function dayJumps(
  user: UserPermissions,
  screens: readonly Screen[],
  { day, words }: ReturnType<typeof findDay>,
): Jump[] {
  if (day === undefined || words.length > 0) return []
  return dayPlaces
    .filter(({ path }) => screens.some((screen) => screen.path === path) && canOpen(user, path))
    .map(({ name, path, search }) => ({
      key: `day ${name}`,
      name: formatDay(day),
      detail: name,
      path,
      search: search(day),
    }))
}

type Kind = (typeof jumpKinds)[JumpKind]

/** Where a record opens. */
const openingOf = (kind: Kind, uid: string): Pick<Jump, 'path' | 'search'> =>
  'path' in kind ? { path: kind.path, search: { open: uid } } : { search: { [kind.beside]: uid } }

const toJump = (kind: Kind, { uid, name, detail, begins }: JumpTarget): Jump => ({
  key: uid,
  name: begins ? `${name} · ${formatDay(begins.date)}, ${formatClock(begins.start)}` : name,
  detail,
  ...openingOf(kind, uid),
})

/** What matches the search so far, screens at once and records as soon as the typing pauses. */
export function useJumps(screens: readonly Screen[], search: string) {
  const user = permissionsOf(useUser())
  const asked = useSettled(search, TYPING_PAUSE_MS)
  const today = localDay(localZone())
  const query = { search: asked, today }
  const found = useReply(jump.search, { query }, { enabled: asked !== '', keepsOld: true })

  const kinds = Object.entries(jumpKinds) as [JumpKind, Kind][]
  const groups: JumpGroup[] = [
    { label: 'Screens', jumps: matchingScreens(user, screens, search) },
    // Without a word they would only push the screens apart.
    { label: 'Actions', jumps: search === '' ? [] : matchingActions(user, screens, search) },
    { label: 'Days', jumps: dayJumps(user, screens, findDay(search, today)) },
    ...kinds.map(([name, kind]) => ({
      label: kind.label,
      jumps:
        search === '' || ('path' in kind && !screens.some(({ path }) => path === kind.path))
          ? []
          : (found.data?.data ?? []).filter((target) => target.kind === name).map((target) => toJump(kind, target)),
    })),
  ]
  return {
    groups: groups.filter(({ jumps }) => jumps.length > 0),
    isSearching: search !== '' && (search !== asked || found.isFetching),
    error: search === '' ? null : found.error,
  }
}
