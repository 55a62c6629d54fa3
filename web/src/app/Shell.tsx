import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { openSocket } from '../api/socket.ts'
import { useUser } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import { Header } from './Header.tsx'
import { MenuDrawer } from './MenuDrawer.tsx'
import type { HeaderTools, Screen } from './screen.ts'
import styles from './Shell.module.css'

/** The frame of every screen: header, menu drawer, the screen's title and purpose, and the screen. */
export function Shell({ screens, tools }: { screens: readonly Screen[]; tools: HeaderTools }) {
  const { userUid } = useUser()
  const [menuOpen, setMenuOpen] = useState(false)
  const screen = useMatches({ select: (matches) => matches.at(-1)?.staticData.screen })
  const changing = useRouterState({
    select: ({ isLoading, location, resolvedLocation }) =>
      isLoading && location.pathname !== resolvedLocation?.pathname,
  })

  useEffect(() => {
    document.title = screen ? `${screen.title} · ${brandName()}` : brandName()
  }, [screen])

  useEffect(() => {
    const opened = openSocket(userUid)
    return () => void opened.then((socket) => socket.disconnect())
  }, [userUid])

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Header
        screens={screens}
        tools={tools}
        title={screen?.title}
        changing={changing}
        onMenu={() => setMenuOpen(true)}
        menuOpen={menuOpen}
      />
      <MenuDrawer screens={screens} open={menuOpen} onClose={() => setMenuOpen(false)} />
      <main id="main" className={styles.main} tabIndex={-1}>
        {screen && (
          <div className={styles.heading}>
            <h1>{screen.title}</h1>
            <p>{screen.purpose}</p>
          </div>
        )}
        <Outlet />
      </main>
    </div>
  )
}
