import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Link, useLocation } from '@tanstack/react-router'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { permissionsOf, useUser } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import { List } from '../ui/layout.tsx'
import type { BesideDrawer, Screen } from './screen.ts'
import { useFocusReturn } from '../ui/record/useFocusReturn.ts'
import type { UrlSearch } from '../ui/useListState.ts'
import { menuFor, nameInMenu, setupMenuFor } from './menu.ts'
import styles from './MenuDrawer.module.css'

interface MenuDrawerProps {
  screens: readonly Screen[]
  drawers: readonly BesideDrawer[]
  open: boolean
  onClose: () => void
}

/** The version of the server that sent this page. */
const serverVersion = () =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.dataset['version'] ?? ''

/** The left drawer: what the user may open, the current screen marked, the old screens folded away at the end. */
export default function MenuDrawer({ screens, drawers, open, onClose }: MenuDrawerProps) {
  const user = permissionsOf(useUser())
  const menu = menuFor(user, screens)
  const setup = setupMenuFor(user, screens, drawers)
  const { pathname } = useLocation()
  useFocusReturn(open)
  const links = (shown: Screen[]) =>
    shown.map((screen) => <MenuLink key={screen.path} entry={screen} onClick={onClose} />)
  return (
    <Drawer
      placement="left"
      size={DRAWER_WIDTH}
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      title={brandName()}
      rootClassName={`${styles.drawer} menu-drawer`}
      footer={<span className={styles.version}>Version {serverVersion()}</span>}
      closable={{ 'aria-label': 'Close the menu', placement: 'end' }}
    >
      <nav aria-label="Menu">
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
                <MenuLink key={nameInMenu(entry)} entry={entry} onClick={onClose} />
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
    </Drawer>
  )
}

/** A group whose screens are indented, so that the rows after it visibly don't belong to it. */
const MenuGroup = ({ name, children }: { name: string; children: ReactNode }) => (
  <li className={styles.grouped}>
    <span className={styles.group}>{name}</span>
    <List className={styles.list}>{children}</List>
  </li>
)

/** Leads to a screen, or opens a drawer beside the current one. */
const MenuLink = ({ entry, onClick }: { entry: Screen | BesideDrawer; onClick: () => void }) => (
  <li>
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
