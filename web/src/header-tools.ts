import { markets } from '@roadshow/contract/catalog/markets'
import { editSettings } from '@roadshow/contract/catalog/settings-access'
import { readChanges } from '@roadshow/contract/console/changes-access'
import type { HeaderTools } from './app/screen.ts'
import { SimulatedBadge } from './console/header/SimulatedBadge.tsx'
import { JumpButton } from './console/jump/JumpButton.tsx'
import { NotificationBell } from './outreach/notifications/NotificationBell.tsx'
import { lazyOverlay, lazyPart } from './ui/lazyPart.tsx'

const SetupEntry = lazyPart(() => import('./console/setup/SetupEntry.tsx'), { failed: () => null })
const MenuCount = lazyPart(() => import('./console/menu-counts/MenuCount.tsx'), { failed: () => null })

/** What the header offers on every screen. */
export const headerTools: HeaderTools = {
  Badge: SimulatedBadge,
  Jump: JumpButton,
  Bell: NotificationBell,
  Count: MenuCount,
  MenuTop: SetupEntry,
  drawers: [
    {
      key: 'markets',
      label: 'Markets',
      menus: ['setup'],
      needs: markets.list,
      Drawer: lazyOverlay(
        () => import('./catalog/markets/MarketsDrawer.tsx'),
        ({ show }) => show(undefined),
      ),
    },
    {
      key: 'settings',
      label: 'Settings',
      menus: ['user', 'setup'],
      needs: { access: editSettings },
      Drawer: lazyOverlay(() => import('./catalog/settings/SettingsDrawer.tsx')),
    },
    {
      key: 'changes',
      label: 'Changes',
      menus: ['user', 'setup'],
      needs: { access: readChanges },
      Drawer: lazyOverlay(() => import('./console/changes/ChangesDrawer.tsx')),
    },
    {
      key: 'credentials',
      label: 'Sign-in & access',
      menus: ['user'],
      Drawer: lazyOverlay(() => import('./accounts/credentials/MyCredentials.tsx')),
    },
  ],
}
