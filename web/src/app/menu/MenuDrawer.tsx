import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Button, Drawer } from 'antd'
import { usePreferences } from '../../api/preferences.ts'
import { brandName } from '../../brand/brand.ts'
import { useFocusReturn } from '../../ui/record/useFocusReturn.ts'
import { Menu } from './Menu.tsx'
import type { MenuProps } from './Menu.tsx'
import styles from './Menu.module.css'

interface MenuDrawerProps extends MenuProps {
  /** Whether the menu can stay open beside the screen. */
  isWide: boolean
  open: boolean
  onClose: () => void
}

/** The version of the server that sent this page. */
const serverVersion = () =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.dataset['version'] ?? ''

/** The left drawer: what the user may open, with the current screen marked. */
export default function MenuDrawer({ isWide, open, onClose, ...menu }: MenuDrawerProps) {
  const { chosen, choose } = usePreferences()
  useFocusReturn(open)
  const isPinned = chosen.menuPinned === true
  const pin = () => {
    onClose()
    void choose({ menuPinned: !isPinned })
  }
  return (
    <Drawer
      placement="left"
      size={DRAWER_WIDTH}
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      title={brandName()}
      extra={isWide && <Button onClick={pin}>{isPinned ? 'Unpin' : 'Pin beside the screen'}</Button>}
      rootClassName={`${styles.drawer} menu-drawer`}
      footer={<span className={styles.version}>Version {serverVersion()}</span>}
      closable={{ 'aria-label': 'Close the menu', placement: 'end' }}
    >
      <Menu {...menu} onChoose={onClose} />
    </Drawer>
  )
}
