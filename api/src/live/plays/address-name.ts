import { ANY_ADDRESS } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/any-of.ts'

interface AddressQuery {
  address?: string | undefined
  program?: readonly string[] | undefined
}

/** The SD address that plays are filtered by, if it is one of their programs. Its name outlives it. */
export async function nameOfAddress(db: Db, { address, program = [] }: AddressQuery) {
  if (address === undefined) return null
  if (address === ANY_ADDRESS) return { uid: address, name: 'any' }
  const found = await db
    .selectFrom('known_sd_address as a')
    .innerJoin('address_set as s', 's.uid', 'a.set_uid')
    .select(['a.uid', 'a.label as name'])
    .where('a.uid', '=', address)
    .where('s.program_uid', '=', anyOf(program))
    .executeTakeFirst()
  return { uid: address, name: found?.name ?? 'Unknown address' }
}
