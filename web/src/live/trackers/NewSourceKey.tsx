import type { PositionSource } from '@roadshow/contract/live/position-sources'
import { sentPositions } from '@roadshow/contract/live/position-sources'
import { API_BASE } from '@roadshow/contract/platform/constants'
import { ShownOnce } from '../../ui/form/ShownOnce.tsx'
import { Stack } from '../../ui/layout.tsx'
import styles from './trackers.module.css'

/** A key that was just made, with its source. */
export interface ShownKey {
  source: PositionSource
  key: string
}

interface NewSourceKeyProps {
  shown: ShownKey
  onDone: () => void
}

/** The key, this once, and what to enter where. */
export const NewSourceKey = ({ shown: { source, key }, onDone }: NewSourceKeyProps) => (
  <ShownOnce
    secret={key}
    label="Tracker key"
    noun="key"
    use="Anyone who has it can place the trucks of this source, and nothing else."
    onDone={onDone}
    isLast
  >
    <Stack gap={2}>
      <p>{stepsOf[source.kind]}</p>
      <pre className={styles.command}>{exampleOf(source.kind, key)}</pre>
    </Stack>
  </ShownOnce>
)

const stepsOf: Partial<Record<PositionSource['kind'], string>> = {
  osmand:
    'Enter this address as the server URL of the app or device, then give its id to a truck. In Traccar Client it is under Settings, Server URL.',
  traccar: 'Add these lines to traccar.xml and restart Traccar, then give the ids of its devices to trucks.',
  json: 'Send up to 1,000 positions with a call. Each row is answered by itself.',
}

function exampleOf(kind: PositionSource['kind'], key: string): string {
  if (kind === 'osmand') return `${location.origin}/track/${key}`
  if (kind === 'traccar')
    return [
      `<entry key='forward.enable'>true</entry>`,
      `<entry key='forward.type'>json</entry>`,
      `<entry key='forward.url'>${location.origin}/track</entry>`,
      `<entry key='forward.header'>Authorization: Bearer ${key}</entry>`,
      `<entry key='forward.retry.enable'>true</entry>`,
    ].join('\n')
  return [
    `curl ${location.origin}${API_BASE}/${sentPositions.send.path} \\`,
    `  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\`,
    `  -d '{"positions":[{"tracker":"TRUCK-1","at":"${new Date().toISOString()}","latitude":32.78,"longitude":-96.8}]}'`,
  ].join('\n')
}
