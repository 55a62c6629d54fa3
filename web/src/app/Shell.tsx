import { DRIVER_PATH } from '@roadshow/contract/platform/constants'
import { landsOnDriverApp } from '@roadshow/contract/platform/permissions'
import type { Role } from '@roadshow/contract/platform/permissions'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useMatches, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { WAITING_SAVES } from '../api/drafts.ts'
import { followServer } from '../api/live.ts'
import { onAccessChanged, openSocket } from '../api/socket.ts'
import { clockOf, currentUser, permissionsOf, useUser } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import { Row, Soft } from '../ui/layout.tsx'
import { useNotice } from '../ui/notices.tsx'
import { Header } from './Header.tsx'
import type { HeaderTools, Screen } from './screen.ts'
import { Shortcuts } from './shortcuts/Shortcuts.tsx'
import styles from './Shell.module.css'
import { lazyOverlay, lazyPart } from '../ui/lazyPart.tsx'
import { useMedia } from '../ui/useMedia.ts'

const loadMenu = () => import('./menu/MenuDrawer.tsx')
const MenuDrawer = lazyOverlay(loadMenu)
const PinnedMenu = lazyPart(() => import('./menu/PinnedMenu.tsx'), {
  waiting: () => <div className={styles.pinning} />,
  failed: () => null,
})

/** Screens so wide have room for the menu beside them. */
const WIDE = '(min-width: 1200px)'

/** What a screen is for: clients and drivers read what it shows of their own. */
function purposeFor({ purpose, clientPurpose, driverPurpose }: Screen, { role }: { role: Role }): string {
  if (role === 'client') return clientPurpose ?? purpose
  return role === 'driver' ? (driverPurpose ?? purpose) : purpose
}

/** The frame of every screen: header, menu drawer, the screen's title and purpose, and the screen. */
export function Shell({ screens, tools }: { screens: readonly Screen[]; tools: HeaderTools }) {
  const user = useUser()
  const { userUid } = user
  const [menuOpen, setMenuOpen] = useState(false)
  const [menuWasOpened, setMenuWasOpened] = useState(false)
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

  const queries = useQueryClient()
  useEffect(() => followServer(queries), [queries])
  useCurrentAccess()
  const offlineTools = useOfflineTools()
  const isWide = useMedia(WIDE)
  const menu = { screens, tools }

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
        onMenu={() => {
          setMenuOpen(true)
          setMenuWasOpened(true)
        }}
        onNearMenu={() => void loadMenu()}
        menuOpen={menuOpen}
      />
      {offlineTools}
      <Shortcuts />
      {menuWasOpened && <MenuDrawer {...menu} isWide={isWide} open={menuOpen} onClose={() => setMenuOpen(false)} />}
      <Row grow>
        {isWide && user.preferences.menuPinned === true && <PinnedMenu {...menu} />}
        <main id="main" className={styles.main} tabIndex={-1}>
          {landsOnDriverApp(permissionsOf(user)) && (
            <a className={styles.driverApp} href={DRIVER_PATH}>
              Open the driver app
            </a>
          )}
          {screen && (
            <div className={styles.heading} data-spoken={screen.isTall}>
              <h1>{screen.title}</h1>
              <Soft as="p">{purposeFor(screen, user)}</Soft>
            </div>
          )}
          {/* With another clock every time is written again. */}
          <Outlet key={clockOf(user)} />
        </main>
      </Row>
    </div>
  )
}

// The first screen comes first.
const OFFLINE_TOOLS_MS = 10_000

/** What the console needs while the server is away, loaded ahead. */
function useOfflineTools(): ReactNode {
  const [tools, setTools] = useState<ReactNode>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const loadLater = () => {
      timer = setTimeout(load, OFFLINE_TOOLS_MS)
    }
    const load = () =>
      void import('./offline/OfflineTools.tsx').then(
        ({ default: OfflineTools }) => setTools(<OfflineTools />),
        loadLater,
      )
    if (sessionStorage.getItem(WAITING_SAVES) === null) loadLater()
    else load()
    addEventListener('offline', load)
    return () => {
      clearTimeout(timer)
      removeEventListener('offline', load)
    }
  }, [])
  return tools
}

/** Follows changes of the user's access: menu, screen and their data are loaded again for the rights of now. */
function useCurrentAccess(): void {
  const queries = useQueryClient()
  const router = useRouter()
  const notice = useNotice()
  useEffect(() => {
    const follow = async () => {
      const { pathname } = router.state.location
      const title = router.state.matches.at(-1)?.staticData.screen?.title
      await queries.fetchQuery({ ...currentUser, staleTime: 0 })
      await router.invalidate()
      if (title !== undefined && router.state.location.pathname !== pathname) {
        notice(`You no longer have access to ${title}.`, 'bad')
      }
      // What other screens have read was read with the rights of before.
      queries.removeQueries({ type: 'inactive' })
      await queries.invalidateQueries()
    }
    // Without an answer the page stays as it is: its calls are refused one by one.
    return onAccessChanged(() => void follow().catch(() => undefined))
  }, [queries, router, notice])
}
