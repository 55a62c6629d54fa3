import { jump, jumpKinds } from '@roadshow/contract/console/jump'
import type { JumpKind } from '@roadshow/contract/console/jump'
import { canOpen } from '@roadshow/contract/platform/permissions'
import type { UserPermissions } from '@roadshow/contract/platform/permissions'
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
  path: string
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

/** What matches the search so far, screens at once and records as soon as the typing pauses. */
export function useJumps(screens: readonly Screen[], search: string) {
  const user = permissionsOf(useUser())
  const asked = useSettled(search, TYPING_PAUSE_MS)
  const query = { search: asked }
  const found = useReply(jump.search, { query }, { enabled: asked !== '', keepsOld: true })

  const kinds = Object.entries(jumpKinds) as [JumpKind, (typeof jumpKinds)[JumpKind]][]
  const groups: JumpGroup[] = [
    { label: 'Screens', jumps: matchingScreens(user, screens, search) },
    // Without a word they would only push the screens apart.
    { label: 'Actions', jumps: search === '' ? [] : matchingActions(user, screens, search) },
    ...kinds.map(([kind, { label, path }]) => ({
      label,
      jumps:
        search === '' || !screens.some((screen) => screen.path === path)
          ? []
          : (found.data?.data ?? [])
              .filter((target) => target.kind === kind)
              .map(({ uid, name, detail }) => ({ key: uid, name, detail, path, search: { open: uid } })),
    })),
  ]
  return {
    groups: groups.filter(({ jumps }) => jumps.length > 0),
    isSearching: search !== '' && (search !== asked || found.isFetching),
    error: search === '' ? null : found.error,
  }
}
