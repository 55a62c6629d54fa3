import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { settings } from '@roadshow/contract/catalog/settings'
import { Drawer, Tabs } from 'antd'
import { useCall } from '../../api/useCall.ts'
import { HistoryTab } from '../../ui/record/HistoryTab.tsx'
import { useSlot } from '../../ui/slots.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { settingFields, SettingsForm } from './SettingsForm.tsx'

declare module '../../ui/slots.tsx' {
  interface SlotProps {
    settingsTabs: object
  }
}

/** The settings of the business, each with what it changes, and who changed which of them. */
export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const found = useCall(settings.get, {}, { refetchOnMount: 'always', refetchOnWindowFocus: false })
  const more = useSlot('settingsTabs')
  // The address names the tab, so that a link or a button of another one leads there.
  const [named, show] = useSearchParam('settings')
  return (
    <Drawer open onClose={onClose} size={LARGE_DRAWER_WIDTH} title="Settings" rootClassName="settings-drawer">
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!(found.data && more) && !found.isError && <SkeletonLines rows={9} />}
      {found.data && more && (
        <Tabs
          activeKey={[...more.map(({ key }) => key), 'history'].find((key) => key === named) ?? 'settings'}
          onChange={(key) => show(key === 'settings' ? 'open' : key)}
          items={[
            {
              key: 'settings',
              label: 'Settings',
              children: <SettingsForm saved={found.data} onClose={onClose} />,
            },
            ...more.map(({ key, label, Content }) => ({ key, label, children: <Content /> })),
            {
              key: 'history',
              label: 'History',
              children: <HistoryTab history={settings.history} fields={settingFields} />,
            },
          ]}
        />
      )}
    </Drawer>
  )
}
