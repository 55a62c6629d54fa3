import { Link } from '@tanstack/react-router'
import { Spin } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { WAITING_SAVES } from '../api/drafts.ts'
import { signOut } from '../api/sign-out.ts'
import { permissionsOf, canCall, useUser } from '../api/user.ts'
import { brandLogo, brandName } from '../brand/brand.ts'
import { NamedAvatar } from '../ui/Avatar.tsx'
import { Row } from '../ui/layout.tsx'
import { useSearchParam } from '../ui/useSearchParam.ts'
import type { BesideDrawer, HeaderTools, Screen } from './screen.ts'
import styles from './Shell.module.css'
import { FailedOverlay, lazyOverlay, lazyPart } from '../ui/lazyPart.tsx'

interface HeaderProps {
  screens: readonly Screen[]
  tools: HeaderTools
  title: string | undefined
  /** Another screen is on its way. */
  changing: boolean
  menuOpen: boolean
  onMenu: () => void
  /** The pointer is about to open the menu. */
  onNearMenu: () => void
}

export function Header({ screens, tools, title, changing, menuOpen, onMenu, onNearMenu }: HeaderProps) {
  const [leaving, setLeaving] = useState(false)
  const [asking, setAsking] = useState(false)
  const leave = () => {
    setLeaving(true)
    void signOut()
  }
  return (
    <header className={styles.header}>
      <button
        type="button"
        className={styles.button}
        onClick={onMenu}
        onPointerEnter={onNearMenu}
        aria-haspopup="dialog"
        aria-expanded={menuOpen}
      >
        MENU
      </button>
      <Link to="/" className={styles.brand}>
        {brandLogo() && <img src={brandLogo()} alt="" />}
        {brandName()}
      </Link>
      {title && <span className={styles.title}>{title}</span>}
      <tools.Badge />
      <Row as="span" grow role="status">
        {changing && <Spin size="small" aria-label="Loading" />}
      </Row>
      <tools.Jump screens={screens} className={styles.button ?? ''} />
      <tools.Bell className={styles.button ?? ''} />
      <UserMenu screens={screens} drawers={tools.drawers} />
      <button
        type="button"
        className={styles.button}
        disabled={leaving}
        onClick={() => (sessionStorage.getItem(WAITING_SAVES) === null ? leave() : setAsking(true))}
      >
        LOGOUT
      </button>
      {asking && <SignOutConfirm onAct={leave} onCancel={() => setAsking(false)} />}
    </header>
  )
}

const SignOutConfirm = lazyOverlay(
  () => import('./offline/SignOutConfirm.tsx'),
  ({ onCancel }) => onCancel(),
)
const loadDropdown = () => import('./UserDropdown.tsx')
const UserDropdown = lazyPart(loadDropdown, {
  waiting: ({ children }) => <UserButton>{children}</UserButton>,
  failed: (failure, { children }) => (
    <>
      <FailedOverlay failure={failure} />
      <UserButton onClick={failure.retry}>{children}</UserButton>
    </>
  ),
})

const UserButton = (button: { onClick?: () => void; children: ReactNode }) => (
  <button
    type="button"
    className={styles.user}
    aria-haspopup="menu"
    onPointerEnter={() => void loadDropdown()}
    {...button}
  />
)

interface UserMenuProps {
  screens: readonly Screen[]
  drawers: readonly BesideDrawer[]
}

/** The user's name, which opens a menu. The menu is loaded when it is first asked for. */
function UserMenu({ screens, drawers }: UserMenuProps) {
  const user = useUser()
  const [isAsked, setIsAsked] = useState(false)
  const offered = drawers.filter(({ needs }) => needs === undefined || canCall(permissionsOf(user), needs))
  const shown = <NamedAvatar name={user.name} picture={user.photoUrl} />
  return (
    <>
      {isAsked ? (
        <UserDropdown screens={screens} drawers={offered.filter(({ menus }) => menus.includes('user'))}>
          {shown}
        </UserDropdown>
      ) : (
        <UserButton onClick={() => setIsAsked(true)}>{shown}</UserButton>
      )}
      {offered.map((drawer) => (
        <OpenDrawer key={drawer.key} name={drawer.key} Drawer={drawer.Drawer} />
      ))}
    </>
  )
}

/** A drawer that opens beside any screen, as soon as the address names it. */
function OpenDrawer({ name, Drawer }: Pick<BesideDrawer, 'Drawer'> & { name: string }) {
  const [open, show] = useSearchParam(name)
  return open !== undefined && <Drawer open={open} show={show} onClose={() => show(undefined)} />
}
