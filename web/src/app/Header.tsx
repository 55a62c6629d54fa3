import { Link } from '@tanstack/react-router'
import { Dropdown, Spin } from 'antd'
import { useState } from 'react'
import { useUser } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import { themeChoices, useThemeChoice } from '../ui/theme.tsx'
import type { ThemeChoice } from '../ui/theme.tsx'
import { signOut } from '../api/sign-out.ts'
import styles from './Shell.module.css'

interface HeaderProps {
  title: string | undefined
  /** Another screen is on its way. */
  changing: boolean
  menuOpen: boolean
  onMenu: () => void
}

export function Header({ title, changing, menuOpen, onMenu }: HeaderProps) {
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
      <span className={styles.changing} role="status">
        {changing && <Spin size="small" aria-label="Loading" />}
      </span>
      <UserMenu />
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

function UserMenu() {
  const { name } = useUser()
  const [theme, setTheme] = useThemeChoice()
  const themes = Object.entries(themeChoices).map(([key, label]) => ({ key, label }))
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [{ type: 'group', label: 'Theme', children: themes }],
        selectable: true,
        selectedKeys: [theme],
        onClick: ({ key }) => setTheme(key as ThemeChoice),
      }}
    >
      <button type="button" className={styles.user} aria-haspopup="menu">
        {name}
      </button>
    </Dropdown>
  )
}
