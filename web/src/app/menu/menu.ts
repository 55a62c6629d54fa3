import { canOpen, isForEveryone } from '@roadshow/contract/platform/permissions'
import type { UserPermissions } from '@roadshow/contract/platform/permissions'
import { canCall } from '../../api/user.ts'
import type { BesideDrawer, Screen } from '../screen.ts'

interface MenuGroup {
  /** Undefined for a screen that stands in the menu by itself. */
  name: Screen['group']
  screens: Screen[]
}

const isShown = (user: UserPermissions, screen: Screen) =>
  !screen.isUnlisted && !isForEveryone(screen.path) && canOpen(user, screen.path)

/** The menu of a user: what they may open, in the table's order, with the old screens last. */
export function menuFor(user: UserPermissions, screens: readonly Screen[]): MenuGroup[] {
  const menu: MenuGroup[] = []
  for (const screen of screens.filter((each) => isShown(user, each))) {
    const group = screen.group && menu.find((each) => each.name === screen.group)
    if (group) group.screens.push(screen)
    else menu.push({ name: screen.group, screens: [screen] })
  }
  const named = menu.map((group) => (isHeadingIdle(group) ? { ...group, name: undefined } : group))
  return [...named.filter((group) => group.name !== 'OLD'), ...named.filter((group) => group.name === 'OLD')]
}

/** Headings over what people do; the specification has the others. */
const WORK: readonly Screen['group'][] = ['Sales', 'Proof', 'Reports']

/** A heading over a single screen says nothing. */
const isHeadingIdle = ({ name, screens }: MenuGroup) => WORK.includes(name) && screens.length === 1

/** Screens under the user's name: those for everyone, unless they belong to Setup. */
export const userMenuScreens = (screens: readonly Screen[]): Screen[] =>
  screens.filter(({ group, path }) => group === undefined && isForEveryone(path))

/** The screens and drawers of the Setup group, by name. The specification has no rows for them. */
export function setupMenuFor(
  user: UserPermissions,
  screens: readonly Screen[],
  drawers: readonly BesideDrawer[],
): (Screen | BesideDrawer)[] {
  const shown = [
    ...screens.filter((screen) => screen.group === 'Setup' && isForEveryone(screen.path)),
    ...drawers.filter(({ menus, needs }) => menus.includes('setup') && (!needs || canCall(user, needs))),
  ]
  return shown.toSorted((one, other) => nameInMenu(one).localeCompare(nameInMenu(other)))
}

export const nameInMenu = (entry: Screen | BesideDrawer): string => ('path' in entry ? entry.title : entry.label)

/** Where clients follow what they booked. */
const CAMPAIGNS = '/campaigns'

/** The screen for a user who named none, or one that is closed to them. Clients land on their campaigns. */
export function firstAllowedPath(user: UserPermissions, screens: readonly Screen[]): string | undefined {
  const shown = menuFor(user, screens).flatMap((group) => group.screens.map(({ path }) => path))
  return user.role === 'client' && shown.includes(CAMPAIGNS) ? CAMPAIGNS : shown[0]
}
