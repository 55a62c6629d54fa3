import type { NotificationSettings } from '@roadshow/contract/outreach/notifications'
import { formatClock, localZone } from '@roadshow/contract/platform/dates'
import { Select, Switch } from 'antd'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { Soft, Stack } from '../../ui/layout.tsx'
import styles from './HourSettings.module.css'

const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))

const HALF_HOURS = 48
const clocks = Array.from({ length: HALF_HOURS }, (_, index) => {
  const value = `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`
  return { value, label: formatClock(value) }
})

const USUAL_QUIET_HOURS = { from: '22:00', to: '06:00' }
const USUAL_DIGEST = '08:00'

interface HourSettingsProps {
  settings: NotificationSettings
  onChange: (next: NotificationSettings) => void
}

/** Quiet hours, the digest and the zone of both. */
export function HourSettings({ settings, onChange }: HourSettingsProps) {
  const { zone, quietHours, urgentPasses, digestAt } = settings
  return (
    <Stack>
      <Row label="Time zone" hint={zone === localZone() ? undefined : `This browser is in ${localZone()}.`}>
        {(id) => (
          <Select
            id={id}
            showSearch
            className={styles.zone ?? ''}
            options={zones}
            value={zone}
            onChange={(next) => onChange({ ...settings, zone: next })}
          />
        )}
      </Row>
      <Row label="Quiet hours" hint="Nothing is sent between these times. The bell still counts.">
        {(id) => (
          <Switch
            id={id}
            checked={quietHours !== null}
            onChange={(isOn) => onChange({ ...settings, quietHours: isOn ? USUAL_QUIET_HOURS : null })}
          />
        )}
      </Row>
      {quietHours && <QuietHours settings={settings} quietHours={quietHours} onChange={onChange} />}
      {quietHours && (
        <Row label="Allow urgent notifications" hint="They are sent during quiet hours too.">
          {(id) => (
            <Switch id={id} checked={urgentPasses} onChange={(isOn) => onChange({ ...settings, urgentPasses: isOn })} />
          )}
        </Row>
      )}
      <Row label="Daily digest" hint="Notifications that are not urgent come once a day, in one email.">
        {(id) => (
          <Switch
            id={id}
            checked={digestAt !== null}
            onChange={(isOn) => onChange({ ...settings, digestAt: isOn ? USUAL_DIGEST : null })}
          />
        )}
      </Row>
      {digestAt !== null && (
        <Row label="Send the digest at">
          {(id) => <Clock id={id} value={digestAt} onChange={(next) => onChange({ ...settings, digestAt: next })} />}
        </Row>
      )}
    </Stack>
  )
}

interface QuietHoursProps extends HourSettingsProps {
  quietHours: NonNullable<NotificationSettings['quietHours']>
}

const QuietHours = ({ settings, quietHours, onChange }: QuietHoursProps) => (
  <>
    <Row label="From">
      {(id) => (
        <Clock
          id={id}
          value={quietHours.from}
          without={quietHours.to}
          onChange={(from) => onChange({ ...settings, quietHours: { ...quietHours, from } })}
        />
      )}
    </Row>
    <Row label="To">
      {(id) => (
        <Clock
          id={id}
          value={quietHours.to}
          without={quietHours.from}
          onChange={(to) => onChange({ ...settings, quietHours: { ...quietHours, to } })}
        />
      )}
    </Row>
  </>
)

interface ClockProps {
  id: string
  value: string
  /** The other end of the hours. */
  without?: string
  onChange: (next: string) => void
}

const Clock = ({ id, value, without, onChange }: ClockProps) => (
  <Select
    id={id}
    className={`${styles.clock} figures`}
    options={clocks.filter((each) => each.value !== without)}
    value={value}
    onChange={onChange}
  />
)

interface RowProps {
  label: string
  hint?: string | undefined
  children: (id: string) => ReactNode
}

function Row({ label, hint, children }: RowProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <Soft as="p" small>
            {hint}
          </Soft>
        )}
      </div>
      {children(id)}
    </div>
  )
}
