import { Link, useNavigate } from '@tanstack/react-router'
import { Dropdown, Spin } from 'antd'
import { Suspense, useState } from 'react'
import { signOut } from '../api/sign-out.ts'
import { permissionsOf, canCall, useUser } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import { NamedAvatar } from '../ui/Avatar.tsx'
import { themeChoices, useThemeChoice } from '../ui/theme.tsx'
import type { ThemeChoice } from '../ui/theme.tsx'
import { useSearchParam } from '../ui/useSearchParam.ts'
import { userMenuScreens } from './menu.ts'
import type { HeaderTools, Screen, UserMenuDrawer } from './screen.ts'
import styles from './Shell.module.css'

interface HeaderProps {
  screens: readonly Screen[]
  tools: HeaderTools
  title: string | undefined
  /** Another screen is on its way. */
  changing: boolean
  menuOpen: boolean
  onMenu: () => void
}

export function Header({ screens, tools, title, changing, menuOpen, onMenu }: HeaderProps) {
  const [leaving, setLeaving] = useState(false)
  return (
    <header className={styles.header}>
      <button type="button" className={styles.button} onClick={onMenu} aria-haspopup="dialog" aria-expanded={menuOpen}>
        MENU
      </button>
      <Link to="/" className={styles.brand}>
        {brandName()}
      </Link>
      {title && <span className={styles.title}>{title}</span>}
      <tools.Badge />
      <span className={styles.changing} role="status">
        {changing && <Spin size="small" aria-label="Loading" />}
      </span>
      <tools.Jump screens={screens} className={styles.button ?? ''} />
      <UserMenu screens={screens} drawers={tools.drawers} />
      <button
        type="button"
        className={styles.button}
        disabled={leaving}
        onClick={() => {
          setLeaving(true)
          void signOut()
        }}
      >
        LOGOUT
      </button>
    </header>
  )
}

interface UserMenuProps {
  screens: readonly Screen[]
  drawers: readonly UserMenuDrawer[]
}

function UserMenu({ screens, drawers }: UserMenuProps) {
  const user = useUser()
  const navigate = useNavigate()
  const others = userMenuScreens(permissionsOf(user), screens).map(({ path, title }) => ({ key: path, label: title }))
  const offered = drawers.filter(({ needs }) => needs === undefined || canCall(permissionsOf(user), needs))
  const [theme, setTheme] = useThemeChoice()
  const themes = Object.entries(themeChoices).map(([key, label]) => ({ key, label }))
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...others,
            ...offered.map(({ key, label }) => ({ key, label })),
            { type: 'group', label: 'Theme', children: themes },
          ],
          selectable: true,
          selectedKeys: [theme],
          onClick: ({ key }) => {
            if (key in themeChoices) setTheme(key as ThemeChoice)
            else if (offered.some((drawer) => drawer.key === key)) {
              void navigate({ to: '.', search: (old: object) => ({ ...old, [key]: 'open' }), resetScroll: false })
            } else void navigate({ to: key })
          },
        }}
      >
        <button type="button" className={styles.user} aria-haspopup="menu">
          <NamedAvatar name={user.name} picture={user.photoUrl} />
        </button>
      </Dropdown>
      {offered.map((drawer) => (
        <OpenDrawer key={drawer.key} name={drawer.key} Drawer={drawer.Drawer} />
      ))}
    </>
  )
}

/** A drawer of the user's menu, as soon as the address names it. */
function OpenDrawer({ name, Drawer }: Pick<UserMenuDrawer, 'Drawer'> & { name: string }) {
  const [open, show] = useSearchParam(name)
  return (
    open !== undefined && (
      <Suspense>
        <Drawer onClose={() => show(undefined)} />
      </Suspense>
    )
  )
}
