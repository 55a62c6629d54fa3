import { useNavigate } from '@tanstack/react-router'
import type { ClockStyle } from '@roadshow/contract/platform/dates'
import { Dropdown } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { usePreferences } from '../api/preferences.ts'
import { themeChoices, useThemeChoice } from '../ui/theme.tsx'
import type { ThemeChoice } from '../ui/theme.tsx'
import { userMenuScreens } from './menu/menu.ts'
import type { BesideDrawer, Screen } from './screen.ts'
import styles from './Shell.module.css'

const COMPANY_CLOCK = 'company'
const clockChoices: Record<ClockStyle | typeof COMPANY_CLOCK, string> = {
  company: 'Same as company',
  '12h': '8:00 PM',
  '24h': '20:00',
}

interface UserDropdownProps {
  screens: readonly Screen[]
  /** The drawers that the user may open. */
  drawers: readonly BesideDrawer[]
  children: ReactNode
}

/** The menu behind the user's name. It is open when it appears, since it was loaded to be opened. */
export default function UserDropdown({ screens, drawers, children }: UserDropdownProps) {
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(true)
  const [theme, setTheme] = useThemeChoice()
  const button = useRef<HTMLButtonElement>(null)
  // The button that was pressed to load this had the focus.
  useEffect(() => button.current?.focus(), [])
  const others = userMenuScreens(screens).map(({ path, title }) => ({ key: path, label: title }))
  const { chosen, choose } = usePreferences()
  const clocks = Object.entries(clockChoices).map(([key, label]) => ({ key, label }))
  const themes = Object.entries(themeChoices).map(([key, label]) => ({ key, label }))
  return (
    <Dropdown
      trigger={['click']}
      open={isOpen}
      onOpenChange={setIsOpen}
      menu={{
        items: [
          ...others,
          ...drawers.map(({ key, label }) => ({ key, label })),
          { type: 'group', label: 'Theme', children: themes },
          { type: 'group', label: 'Clock', children: clocks },
        ],
        selectable: true,
        selectedKeys: [theme, chosen.clock ?? COMPANY_CLOCK],
        onClick: ({ key }) => {
          if (key in themeChoices) setTheme(key as ThemeChoice)
          else if (key in clockChoices) void choose({ clock: key === COMPANY_CLOCK ? null : (key as ClockStyle) })
          else if (drawers.some((drawer) => drawer.key === key)) {
            void navigate({ to: '.', search: (old: object) => ({ ...old, [key]: 'open' }), resetScroll: false })
          } else void navigate({ to: key })
        },
      }}
    >
      <button ref={button} type="button" className={styles.user} aria-haspopup="menu">
        {children}
      </button>
    </Dropdown>
  )
}
