import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Link, useLocation } from '@tanstack/react-router'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { permissionsOf, useUser } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import type { Screen } from './screen.ts'
import { useFocusReturn } from '../ui/useFocusReturn.ts'
import { menuFor } from './menu.ts'
import styles from './MenuDrawer.module.css'

interface MenuDrawerProps {
  screens: readonly Screen[]
  open: boolean
  onClose: () => void
}

/** The left drawer: what the user may open, the current screen marked, the old screens folded away at the end. */
export default function MenuDrawer({ screens, open, onClose }: MenuDrawerProps) {
  const menu = menuFor(permissionsOf(useUser()), screens)
  const { pathname } = useLocation()
  useFocusReturn(open)
  const links = (shown: Screen[]) =>
    shown.map((screen) => <MenuLink key={screen.path} screen={screen} onClick={onClose} />)
  return (
    <Drawer
      placement="left"
      size={DRAWER_WIDTH}
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      title={brandName()}
      rootClassName={`${styles.drawer} menu-drawer`}
      closable={{ 'aria-label': 'Close the menu', placement: 'end' }}
    >
      <nav aria-label="Menu">
        <ul className={styles.list}>
          {menu.map(({ name, screens: shown }) => {
            if (name === undefined) return links(shown)
            if (name === 'OLD') {
              const isOpen = shown.some(({ path }) => path === pathname)
              return (
                <OldScreens key={name} isOpen={isOpen}>
                  {links(shown)}
                </OldScreens>
              )
            }
            return (
              <li key={name}>
                <span className={styles.group}>{name}</span>
                <ul className={styles.list}>{links(shown)}</ul>
              </li>
            )
          })}
        </ul>
      </nav>
    </Drawer>
  )
}

const MenuLink = ({ screen, onClick }: { screen: Screen; onClick: () => void }) => (
  <li>
    <Link
      to={screen.path}
      onClick={onClick}
      className={styles.link}
      activeOptions={{ exact: true, includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
    >
      {screen.title}
    </Link>
  </li>
)

/** Folded away, unless the current screen is one of them. */
const OldScreens = ({ isOpen, children }: { isOpen: boolean; children: ReactNode }) => (
  <li>
    <details open={isOpen}>
      <summary className={styles.group}>OLD</summary>
      <ul className={styles.list}>{children}</ul>
    </details>
  </li>
)
