import { type Device, type devices, PAIRING_MINUTES, type QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { references } from '../../platform/db/records/references.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { hashToken } from '../../platform/http/session.ts'

// A code that was created for the device, or one that its screen shows and that was entered for it.
const CODE_EXPIRES_AT = sql`coalesce(case when t.code_expires_at > now() then t.code_expires_at end,
  (select max(p.expires_at) from screen_pairing p where p.device_uid = t.uid and p.expires_at > now()))`

// A paired device keeps its key until a newer code is exchanged for another one.
const STATE = sql`case when t.key_hash is not null then 'paired' when ${CODE_EXPIRES_AT} is not null then 'waiting'
                    when t.revoked_at is not null then 'revoked' else 'unpaired' end`

export const deviceRecords = records<'device', Device, QueryOf<typeof devices.list>>({
  table: 'device',
  columns: {
    uid: sql`t.uid`,
    truckUid: sql`t.truck_uid`,
    kind: sql`t.kind`,
    macAddress: sql`t.mac_address`,
    state: STATE,
    codeExpiresAt: CODE_EXPIRES_AT,
    pairedAt: sql`t.paired_at`,
    revokedAt: sql`t.revoked_at`,
    seenAt: sql`(select s.seen_at from device_seen s where s.device_uid = t.uid)`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { macAddress: sql`t.mac_address`, updatedAt: sql`t.updated_at` },
  filters: { truck: (truck) => sql`t.truck_uid = any(${truck})`, kind: (kind) => sql`t.kind = any(${kind})` },
  own: noOwnRows,
  taken: { device_mac_once: ['macTaken', 'macAddress'] },
})

/** SQL: whether the truck `t` of a query has a paired player. */
export const HAS_PAIRED_PLAYER = sql`exists (select 1 from device d
  where d.truck_uid = t.uid and d.kind = 'player' and d.key_hash is not null and d.deleted_at is null)`

/** Devices check their trucks by reference only: the trucks module imports this one. */
export const truckReferences = references({ table: 'truck', noun: 'truck', own: noOwnRows })

const signed = ({ actor }: Scope) => ({ changed_by: actor.uid, changed_from: actor.address })

/** Replaces any older code; answers when the new one expires. */
export const setPairingCode = (db: Db, scope: Scope, uid: string, codeHash: Buffer) =>
  db
    .updateTable('device')
    .set({
      code_hash: codeHash,
      code_expires_at: sql<Date>`date_trunc('second', now()) + ${PAIRING_MINUTES} * interval '1 minute'`,
      ...signed(scope),
    })
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .returning(['code_expires_at', 'mac_address'])
    .$narrowType<{ code_expires_at: string }>()
    .executeTakeFirst()

export const revokeDeviceKey = (db: Db, scope: Scope, uid: string): Promise<void> =>
  inTransaction(db, async (db) => {
    await db
      .updateTable('device')
      .set({
        key_hash: null,
        code_hash: null,
        code_expires_at: null,
        paired_at: null,
        revoked_at: sql`now()`,
        ...signed(scope),
      })
      .where('uid', '=', uid)
      .where('deleted_at', 'is', null)
      .execute()
    // A screen whose code was entered already must not collect a new key either.
    await db.deleteFrom('screen_pairing').where('device_uid', '=', uid).execute()
  })

/** Deletes the devices of a truck: their MAC addresses can be used again, their keys no longer work. */
export async function removeDevicesOfTruck(db: Db, scope: Scope, truckUid: string): Promise<void> {
  await db
    .updateTable('device')
    .set({ deleted_at: sql`now()`, ...signed(scope) })
    .where('truck_uid', '=', truckUid)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Restores the devices that were deleted together with a truck, apart from those whose MAC address is in use again. */
export async function restoreDevicesOfTruck(db: Db, scope: Scope, truckUid: string): Promise<void> {
  await sql`
    update device d set deleted_at = null, changed_by = ${scope.actor.uid}, changed_from = ${scope.actor.address}
     where d.truck_uid = ${truckUid} and d.deleted_at is not null
       and d.deleted_at = (select max(h.at) from history h
             where h.table_name = 'truck' and h.record_uid = ${truckUid} and h.action = 'deleted')
       and not exists (select from device o where o.mac_address = d.mac_address and o.deleted_at is null)`.execute(db)
}

/** The stored hashes that a device's code or key is compared with. */
export const deviceSecrets = (db: Db, macAddress: string) =>
  db
    .selectFrom('device')
    .select(['uid', 'truck_uid', 'kind', 'key_hash', 'code_hash', 'revoked_at'])
    .select(sql<boolean>`coalesce(code_expires_at > now(), false)`.as('code_counts'))
    .where('mac_address', '=', macAddress)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

interface KeyAssignment {
  deviceUid: string
  /** The code that the key is for; a device whose screen showed the code has none. */
  codeHash?: Buffer
  keyHash: Buffer
  /** The network address of the device. */
  address: string
}

/**
 * Gives a device a key in place of any older key or code; false when the device was deleted, or its code was used or
 * replaced in the meantime.
 */
export async function assignKey(db: Db, { deviceUid, codeHash, keyHash, address }: KeyAssignment): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('device')
    .set({
      key_hash: keyHash,
      code_hash: null,
      code_expires_at: null,
      paired_at: sql`now()`,
      revoked_at: null,
      // The device itself makes this change.
      changed_by: null,
      changed_from: address,
    })
    .where('uid', '=', deviceUid)
    .where('deleted_at', 'is', null)
    .$if(codeHash !== undefined, (query) =>
      query.where('code_hash', '=', codeHash ?? null).where('code_expires_at', '>', sql<string>`now()`),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Assigns a key to every device that never had one. Answers the keys of all devices that have the key `deviceKey` gives. */
export async function assignMissingKeys(db: Db, deviceKey: (mac: string) => string): Promise<Map<string, string>> {
  const devices = await db
    .selectFrom('device')
    .select(['mac_address as mac', 'key_hash'])
    .where('deleted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`key_hash is not null or coalesce(code_expires_at < now(), true)`)
    .execute()
  const intended = devices.map(({ mac, key_hash }) => ({ mac, key_hash, key: deviceKey(mac) }))
  const fresh = intended.filter(({ key_hash }) => key_hash === null)
  await sql`
    update device set key_hash = assigned.key_hash, paired_at = now(), changed_by = null, changed_from = 'simulator'
      from unnest(${fresh.map(({ mac }) => mac)}::text[], ${fresh.map(({ key }) => hashToken(key))}::bytea[]) assigned (mac, key_hash)
     where device.mac_address = assigned.mac and device.key_hash is null and device.deleted_at is null`.execute(db)
  const own = intended.filter(({ key_hash, key }) => key_hash === null || hashToken(key).equals(key_hash))
  return new Map(own.map(({ mac, key }) => [mac, key]))
}

/** The devices whose key is still the one they signed in with. */
export async function devicesWithCurrentKey<D extends { uid: string; keyHash: Buffer }>(
  db: Db,
  devices: readonly D[],
): Promise<Set<D>> {
  const { rows } = await sql<{ place: number }>`
    select g.place
      from unnest(${devices.map(({ uid }) => uid)}::uuid[], ${devices.map(({ keyHash }) => keyHash)}::bytea[])
           with ordinality g (uid, key_hash, place)
      join device d on d.uid = g.uid and d.key_hash = g.key_hash and d.deleted_at is null`.execute(db)
  const places = new Set(rows.map(({ place }) => place))
  return new Set(devices.filter((_, index) => places.has(index + 1)))
}

/** Records that devices are in contact, each at most once a minute. */
export const recordDeviceContact = (db: Db, deviceUids: readonly string[]) =>
  sql`
    insert into device_seen as s (device_uid, seen_at)
    select uid, now() from unnest(${deviceUids}::uuid[]) uid order by uid
    on conflict (device_uid) do update set seen_at = excluded.seen_at
     where s.seen_at < excluded.seen_at - interval '1 minute'`.execute(db)
