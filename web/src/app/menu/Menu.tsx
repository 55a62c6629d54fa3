import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { permissionsOf, useUser } from '../../api/user.ts'
import { List } from '../../ui/layout.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { menuFor, nameInMenu, setupMenuFor } from './menu.ts'
import type { BesideDrawer, HeaderTools, Screen } from '../screen.ts'
import styles from './Menu.module.css'

export interface MenuProps {
  screens: readonly Screen[]
  tools: HeaderTools
}

/** What the user may open, by what people do, with how much waits there; the old screens folded away at the end. */
export function Menu({ screens, tools, onChoose }: MenuProps & { onChoose?: () => void }) {
  const user = permissionsOf(useUser())
  const menu = menuFor(user, screens)
  const setup = setupMenuFor(user, screens, tools.drawers)
  const { pathname } = useLocation()
  const links = (shown: Screen[]) =>
    shown.map((screen) => (
      <MenuLink key={screen.path} entry={screen} onClick={onChoose}>
        <tools.Count path={screen.path} />
      </MenuLink>
    ))
  return (
    <nav aria-label="Menu">
      <tools.MenuTop onChoose={onChoose} />
      <List className={styles.list}>
        {menu
          .filter(({ name }) => name !== 'OLD')
          .map(({ name, screens: shown }) =>
            name === undefined ? (
              links(shown)
            ) : (
              <MenuGroup key={name} name={name}>
                {links(shown)}
              </MenuGroup>
            ),
          )}
        {setup.length > 0 && (
          <MenuGroup name="Setup">
            {setup.map((entry) => (
              <MenuLink key={nameInMenu(entry)} entry={entry} onClick={onChoose} />
            ))}
          </MenuGroup>
        )}
        {menu
          .filter(({ name }) => name === 'OLD')
          .map(({ screens: shown }) => (
            <OldScreens key="OLD" isOpen={shown.some(({ path }) => path === pathname)}>
              {links(shown)}
            </OldScreens>
          ))}
      </List>
    </nav>
  )
}

/** A group whose screens are indented, so that the rows after it visibly don't belong to it. */
const MenuGroup = ({ name, children }: { name: string; children: ReactNode }) => (
  <li className={styles.grouped}>
    <span className={styles.group}>{name}</span>
    <List className={styles.list}>{children}</List>
  </li>
)

interface MenuLinkProps {
  entry: Screen | BesideDrawer
  onClick: (() => void) | undefined
  children?: ReactNode
}

/** Leads to a screen, or opens a drawer beside the current one. */
const MenuLink = ({ entry, onClick, children }: MenuLinkProps) => (
  <li className={styles.item}>
    {'path' in entry ? (
      <Link
        to={entry.path}
        onClick={onClick}
        className={styles.link}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        {entry.title}
      </Link>
    ) : (
      <Link
        to="."
        search={(old: UrlSearch) => ({ ...old, [entry.key]: 'open' })}
        resetScroll={false}
        onClick={onClick}
        className={styles.link}
        activeProps={{ 'aria-current': undefined }}
      >
        {entry.label}
      </Link>
    )}
    {children}
  </li>
)

/** Folded away, unless the current screen is one of them. */
const OldScreens = ({ isOpen, children }: { isOpen: boolean; children: ReactNode }) => (
  <li>
    <details open={isOpen}>
      <summary className={styles.group}>OLD</summary>
      <List className={styles.list}>{children}</List>
    </details>
  </li>
)
