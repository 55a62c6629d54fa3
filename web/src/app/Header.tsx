import { fleet } from '@roadshow/contract/live/fleet'
import { settings } from '@roadshow/contract/catalog/settings'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Dropdown, Spin } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { call } from '../api/call.ts'
import { keyOf } from '../api/queryClient.ts'
import { holderOf, useMay, useUser } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import { JumpButton } from '../console/jump/JumpButton.tsx'
import type { Screen } from '../screens.ts'
import { NamedAvatar } from '../ui/Avatar.tsx'
import { themeChoices, useThemeChoice } from '../ui/theme.tsx'
import type { ThemeChoice } from '../ui/theme.tsx'
import { signOut } from '../api/sign-out.ts'
import { besideMenu } from './menu.ts'
import { useAside } from '../ui/useAside.ts'
import styles from './Shell.module.css'

const SettingsDrawer = lazy(() => import('../catalog/settings/SettingsDrawer.tsx'))
const SETTINGS = 'settings'
const MySessions = lazy(() => import('../accounts/sessions/MySessions.tsx'))
const SESSIONS = 'sessions'

interface HeaderProps {
  screens: readonly Screen[]
  title: string | undefined
  /** Another screen is on its way. */
  changing: boolean
  menuOpen: boolean
  onMenu: () => void
}

export function Header({ screens, title, changing, menuOpen, onMenu }: HeaderProps) {
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
      <SimulatedBadge />
      <span className={styles.changing} role="status">
        {changing && <Spin size="small" aria-label="Loading" />}
      </span>
      <JumpButton screens={screens} className={styles.button ?? ''} />
      <UserMenu screens={screens} />
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

/** Says that the trucks which move are made up, to those who see trucks move. */
function SimulatedBadge() {
  const maySee = useMay(fleet.figures)
  const { data } = useQuery({
    enabled: maySee,
    queryKey: keyOf(fleet.figures),
    queryFn: async ({ signal }) => (await call(fleet.figures, {}, { signal })).data,
    // It stays what it is while the server runs; the overview refreshes the figures themselves.
    staleTime: Infinity,
  })
  return data?.simulated && <span className={styles.badge}>simulated fleet</span>
}

function UserMenu({ screens }: { screens: readonly Screen[] }) {
  const user = useUser()
  const navigate = useNavigate()
  const others = besideMenu(holderOf(user), screens).map(({ path, title }) => ({ key: path, label: title }))
  const [theme, setTheme] = useThemeChoice()
  const [settingsOpen, showSettings] = useAside(SETTINGS)
  const [sessionsOpen, showSessions] = useAside(SESSIONS)
  const maySet = useMay(settings.update)
  const themes = Object.entries(themeChoices).map(([key, label]) => ({ key, label }))
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...others,
            ...(maySet ? [{ key: SETTINGS, label: 'Settings' }] : []),
            { key: SESSIONS, label: 'My sessions' },
            { type: 'group', label: 'Theme', children: themes },
          ],
          selectable: true,
          selectedKeys: [theme],
          onClick: ({ key }) => {
            if (key in themeChoices) setTheme(key as ThemeChoice)
            else if (key === SETTINGS) showSettings('open')
            else if (key === SESSIONS) showSessions('open')
            else void navigate({ to: key })
          },
        }}
      >
        <button type="button" className={styles.user} aria-haspopup="menu">
          <NamedAvatar name={user.name} picture={user.photoUrl} />
        </button>
      </Dropdown>
      {maySet && settingsOpen !== undefined && (
        <Suspense>
          <SettingsDrawer onClose={() => showSettings(undefined)} />
        </Suspense>
      )}
      {sessionsOpen !== undefined && (
        <Suspense>
          <MySessions onClose={() => showSessions(undefined)} />
        </Suspense>
      )}
    </>
  )
}
