import type { Db } from '../../platform/db/connection.ts'
import { keepPlaces, normalizeFix, PLAYER_SOURCE, type SentPlace } from '../telemetry/index.ts'
import type { DeviceData } from './connected-devices.ts'

type Device = NonNullable<DeviceData['device']>

/**
 * The places of plays count as positions of the truck where its trackers are silent. A player without GPS of its own says
 * the truck's place as it got it from here, which proves nothing: only players whose health names a fix are believed.
 */
export function ownPlaces(db: Db) {
  /** Of each device that is connected with its present key, whether it has a fix of its own. */
  const known = new WeakMap<Device, boolean>()

  async function hasFix(device: Device): Promise<boolean> {
    const noted = known.get(device)
    if (noted !== undefined) return noted
    const row = await db
      .selectFrom('device_health')
      .select('gps_fix')
      .where('device_uid', '=', device.uid)
      .executeTakeFirst()
    const isKnown = row?.gps_fix ?? false
    known.set(device, isKnown)
    return isKnown
  }

  return {
    /** A device reported its health. */
    note(device: Device, { gpsFix }: { gpsFix: boolean }): void {
      known.set(device, gpsFix)
    },
    /** Keeps the places of a message of plays, before the plays are answered. Rows that cannot be read have none. */
    async keep(device: Device, sent: unknown): Promise<void> {
      const places = placesOf(device.truckUid, sent)
      if (places.length > 0 && (await hasFix(device))) await keepPlaces(db, PLAYER_SOURCE, places)
    },
  }
}

const MOST_ROWS = 1000

function placesOf(truckUid: string, sent: unknown): SentPlace[] {
  if (!Array.isArray(sent) || sent.length > MOST_ROWS) return []
  return (sent as unknown[]).flatMap((row) => {
    const { startedAt, place } = (row ?? {}) as { startedAt?: unknown; place?: Record<string, unknown> | null }
    const read = normalizeFix({
      id: truckUid,
      time: startedAt,
      latitude: place?.['latitude'],
      longitude: place?.['longitude'],
      unit: 'kmh',
    })
    return 'fix' in read
      ? [{ truckUid, at: read.fix.at, latitude: read.fix.latitude, longitude: read.fix.longitude }]
      : []
  })
}
