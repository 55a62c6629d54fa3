import { type Device, PAIRING_MINUTES, type ReplyOf, type screenPairings } from '@roadshow/contract'
import { sql } from 'kysely'
import { countAttempt, recordSuccess, rememberNetwork } from '../../accounts/sign-in/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { networkOf } from '../../platform/http/address.ts'
import { hashToken, newToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { newPairingCode } from './pairing.ts'
import { assignKey, deviceRecords, truckReferences } from './queries.ts'

/** Screens of one network that may show a code at the same time. */
export const MAX_SCREENS_OF_NETWORK = 40

interface ScreenRequest {
  macAddress: string
  /** The network address of the screen. */
  address: string
}

/** Gives a screen a code to show and a secret to collect its key with; both replace its older ones. */
export async function openScreenPairing(db: Db, { macAddress, address }: ScreenRequest) {
  const [code, secret] = [newPairingCode(), newToken()]
  const network = networkOf(address)
  const { rows } = await sql<{ expiresAt: string }>`
    insert into screen_pairing (network, address, mac_address, code_hash, secret_hash, expires_at)
    select ${network}, ${address}, ${macAddress}, ${hashToken(code)}, ${hashToken(secret)},
           date_trunc('second', now()) + ${PAIRING_MINUTES} * interval '1 minute'
     where (select count(*) from screen_pairing p where p.network = ${network} and p.mac_address <> ${macAddress}
               and p.expires_at > now()) < ${MAX_SCREENS_OF_NETWORK}
    on conflict (network, mac_address) do update set address = excluded.address, code_hash = excluded.code_hash,
       secret_hash = excluded.secret_hash, expires_at = excluded.expires_at, device_uid = null
    returning expires_at as "expiresAt"`.execute(db)
  if (!rows[0]) throw new AppError('tooMany', { retryAfter: 60 })
  return { code, secret, expiresAt: rows[0].expiresAt }
}

/** Pairs the screen that shows a code with a truck. The screen collects its key within seconds. */
export async function claimScreen(
  db: Db,
  scope: Scope,
  { truckUid, code }: { truckUid: string; code: string },
): Promise<Device> {
  const { uid: ownerUid, address } = scope.actor
  const limits = await countAttempt(db, { what: 'pairing', subject: ownerUid, ownerUid, address })
  const device = await inTransaction(db, async (db) => {
    await truckReferences.requireRefs(db, scope, { truckUid })
    const shown = await db
      .selectFrom('screen_pairing')
      .select(['uid', 'mac_address as macAddress'])
      .where('code_hash', '=', hashToken(code))
      .where('expires_at', '>', sql<string>`now()`)
      .where('device_uid', 'is', null)
      .forUpdate()
      .execute()
    const [screen] = shown
    // Two screens with the same code cannot be told apart.
    if (!screen || shown.length > 1) throw new AppError('badInput', { fields: { code: WRONG_CODE } })
    const found = await playerFor(db, scope, { truckUid, macAddress: screen.macAddress })
    await db.updateTable('screen_pairing').set({ device_uid: found.uid }).where('uid', '=', screen.uid).execute()
    return deviceRecords.get(db, scope, found.uid)
  })
  await recordSuccess(db, limits)
  return device
}

const WRONG_CODE = 'This code is wrong, expired or already used. Check the code on the screen.'

/** The player with this MAC address: a screen that was paired before keeps its device and its numbers. */
async function playerFor(db: Db, scope: Scope, { truckUid, macAddress }: { truckUid: string; macAddress: string }) {
  const known = await db
    .selectFrom('device as d')
    .innerJoin('truck as t', 't.uid', 'd.truck_uid')
    .select(['d.uid', 'd.truck_uid', 'd.kind', 't.number'])
    .where('d.mac_address', '=', macAddress)
    .where('d.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!known) {
    return deviceRecords.create(db, scope, { truck_uid: truckUid, kind: 'player', mac_address: macAddress })
  }
  if (known.truck_uid !== truckUid || known.kind !== 'player') {
    throw new AppError('badInput', {
      fields: { code: `This screen belongs to truck ${known.number}. Remove its device there first.` },
      inTheWay: [
        {
          kind: 'truck',
          name: `Truck ${known.number}`,
          screen: `/trucks?open=${known.truck_uid}&tab=devices`,
          act: null,
        },
      ],
    })
  }
  return known
}

type Collected = ReplyOf<typeof screenPairings.collect>['data']

const NO_KEY = { key: null, deviceUid: null }

/** Answers a screen that waits for its code to be entered, and gives it its key, once. */
export async function collectKey(db: Db, { secret, address }: { secret: string; address: string }): Promise<Collected> {
  const secretHash = hashToken(secret)
  const pairing = await db
    .selectFrom('screen_pairing')
    .select('device_uid')
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  if (!pairing) return { state: 'expired', ...NO_KEY }
  const deviceUid = pairing.device_uid
  if (deviceUid === null) return { state: 'waiting', ...NO_KEY }
  const key = newToken()
  const isPaired = await inTransaction(db, async (db) => {
    // Of two calls at once, one finds the row gone.
    const { numDeletedRows } = await db
      .deleteFrom('screen_pairing')
      .where('secret_hash', '=', secretHash)
      .where('device_uid', '=', deviceUid)
      .executeTakeFirst()
    return numDeletedRows === 1n && (await assignKey(db, { deviceUid, keyHash: hashToken(key), address }))
  })
  if (!isPaired) return { state: 'expired', ...NO_KEY }
  await rememberNetwork(db, deviceUid, address)
  return { state: 'paired', key, deviceUid }
}
