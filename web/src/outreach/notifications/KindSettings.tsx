import {
  isOnByDefault,
  notificationChannelLabel,
  notificationChannels,
  notificationGroups,
  notificationKindOf,
} from '@roadshow/contract/outreach/notification-kinds'
import type { NotificationChannel, NotificationKind } from '@roadshow/contract/outreach/notification-kinds'
import type { ChannelChoice, NotificationSettings } from '@roadshow/contract/outreach/notifications'
import type { Role } from '@roadshow/contract/platform/permissions'
import { Switch } from 'antd'
import { useUser } from '../../api/user.ts'
import { Soft } from '../../ui/layout.tsx'
import { useIsPhone } from '../../ui/useMedia.ts'
import styles from './KindSettings.module.css'

interface KindSettingsProps {
  settings: NotificationSettings
  onChange: (next: NotificationSettings) => void
}

type Toggle = (kind: NotificationKind, channel: NotificationChannel, isOn: boolean) => void

/** Each kind by mail and push: a table, or cards on a phone. */
export function KindSettings({ settings, onChange }: KindSettingsProps) {
  const isPhone = useIsPhone()
  const toggle: Toggle = (kind, channel, isOn) =>
    onChange({
      ...settings,
      choices: settings.choices.map((choice) => (choice.kind === kind ? { ...choice, [channel]: isOn } : choice)),
    })
  if (settings.choices.length === 0) return <p>Your role gets no notifications.</p>
  const Kinds = isPhone ? KindCards : KindTable
  return <Kinds choices={settings.choices} onToggle={toggle} />
}

interface KindsProps {
  choices: readonly ChannelChoice[]
  onToggle: Toggle
}

const groupsOf = (choices: readonly ChannelChoice[]) =>
  notificationGroups
    .map((group) => ({ group, rows: choices.filter(({ kind }) => notificationKindOf(kind).group === group) }))
    .filter(({ rows }) => rows.length > 0)

/** `Default: email and push` */
function defaultsOf(role: Role, kind: NotificationKind): string {
  const on = notificationChannels.filter((channel) => isOnByDefault(role, kind, channel))
  return `Default: ${on.length === 0 ? 'bell only' : on.map((channel) => notificationChannelLabel[channel].toLowerCase()).join(' and ')}`
}

function KindWords({ kind }: { kind: NotificationKind }) {
  const { role } = useUser()
  const { label, description, isUrgent } = notificationKindOf(kind)
  return (
    <>
      <strong>{label}</strong>
      {isUrgent && <span className={styles.urgent}>urgent</span>}
      <p>{description}</p>
      <Soft as="p" small>
        {defaultsOf(role, kind)}
      </Soft>
    </>
  )
}

interface ChannelSwitchProps {
  choice: ChannelChoice
  channel: NotificationChannel
  onToggle: Toggle
}

const ChannelSwitch = ({ choice, channel, onToggle }: ChannelSwitchProps) => (
  <Switch
    checked={choice[channel]}
    aria-label={`${notificationKindOf(choice.kind).label}: ${notificationChannelLabel[channel]}`}
    onChange={(isOn) => onToggle(choice.kind, channel, isOn)}
  />
)

const KindTable = ({ choices, onToggle }: KindsProps) => (
  <table className={styles.table}>
    <thead>
      <tr>
        <th scope="col">Notification</th>
        {notificationChannels.map((channel) => (
          <th key={channel} scope="col" className={styles.channel}>
            {notificationChannelLabel[channel]}
          </th>
        ))}
      </tr>
    </thead>
    {groupsOf(choices).map(({ group, rows }) => (
      <tbody key={group}>
        <tr>
          <th scope="rowgroup" colSpan={1 + notificationChannels.length} className={styles.group}>
            {group}
          </th>
        </tr>
        {rows.map((choice) => (
          <tr key={choice.kind}>
            <td>
              <KindWords kind={choice.kind} />
            </td>
            {notificationChannels.map((channel) => (
              <td key={channel} className={styles.channel}>
                <ChannelSwitch choice={choice} channel={channel} onToggle={onToggle} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    ))}
  </table>
)

const KindCards = ({ choices, onToggle }: KindsProps) =>
  groupsOf(choices).map(({ group, rows }) => (
    <section key={group} className={styles.cards}>
      <h3>{group}</h3>
      {rows.map((choice) => (
        <div key={choice.kind} className={styles.card}>
          <KindWords kind={choice.kind} />
          <div className={styles.switches}>
            {notificationChannels.map((channel) => (
              <label key={channel}>
                <span aria-hidden>{notificationChannelLabel[channel]}</span>
                <ChannelSwitch choice={choice} channel={channel} onToggle={onToggle} />
              </label>
            ))}
          </div>
        </div>
      ))}
    </section>
  ))
