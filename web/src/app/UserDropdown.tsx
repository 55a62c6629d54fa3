import { useNavigate } from '@tanstack/react-router'
import { Dropdown } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { themeChoices, useThemeChoice } from '../ui/theme.tsx'
import type { ThemeChoice } from '../ui/theme.tsx'
import { userMenuScreens } from './menu.ts'
import type { BesideDrawer, Screen } from './screen.ts'
import styles from './Shell.module.css'

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
        ],
        selectable: true,
        selectedKeys: [theme],
        onClick: ({ key }) => {
          if (key in themeChoices) setTheme(key as ThemeChoice)
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
