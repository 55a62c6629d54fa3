import { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { networkOf } from '../../platform/http/address.ts'

export const KNOWN_DAYS = 60

const IS_KNOWN = prepared(`
  select 1 from known_network
   where owner_uid = $1 and network = $2 and seen_at > now() - ${KNOWN_DAYS} * interval '1 day'`)

/** Whether a user signed in, or a device paired, from this network within the last 60 days. */
export async function isKnownNetwork(db: Db, ownerUid: string, network: string): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(IS_KNOWN, [ownerUid, network]))
  return rows.length > 0
}

// Signing in often must not write the same row again and again.
const REMEMBER = prepared(`
  insert into known_network as k (owner_uid, network) values ($1, $2)
  on conflict (owner_uid, network) do update set seen_at = now() where k.seen_at < now() - interval '1 hour'`)

/** Remembers the network of an address as one of the owner's. */
export async function rememberNetwork(db: Db, ownerUid: string, address: string): Promise<void> {
  if (address !== '') await db.executeQuery(CompiledQuery.raw(REMEMBER, [ownerUid, networkOf(address)]))
}

/** Forgets the networks of an owner: those of anyone who knew the old password are no longer trusted. */
export const forgetNetworks = (db: Db, ownerUid: string) =>
  db.deleteFrom('known_network').where('owner_uid', '=', ownerUid).execute()
