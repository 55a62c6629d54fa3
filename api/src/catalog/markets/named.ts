import type { Reading } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'

interface NamedMarket {
  uid: string
  name: string
  state: string
}

/** Markets by their names, and by their names with the state. */
export type MarketsByName = ReadonlyMap<string, NamedMarket[]>

const namesOf = ({ name, state }: NamedMarket) => [
  ...new Set([name, `${name}, ${state}`, `${name} ${state}`].map(nameKey)),
]

/** Loads all markets: the table has one row per city of the business. */
export async function loadMarketsByName(db: Db): Promise<MarketsByName> {
  const markets = await db
    .selectFrom('market')
    .select(['uid', 'name', 'state'])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('state')
    .execute()
  const named = markets.flatMap((market) => namesOf(market).map((calledAs) => ({ ...market, calledAs })))
  return groupBy(named, ({ calledAs }) => calledAs)
}

/** The market that a file names. Of several with the name the only preferred one is meant. */
export function findMarket(
  name: string,
  markets: MarketsByName,
  isPreferred: (uid: string) => boolean = () => false,
): Reading<string> {
  const called = markets.get(nameKey(name)) ?? []
  const preferred = called.filter(({ uid }) => isPreferred(uid))
  const meant = preferred.length === 1 ? preferred : called
  if (meant.length > 1) {
    const states = meant.map((each) => `${each.name}, ${each.state}`).join('; ')
    return { problem: `Several markets have this name. Enter one of: ${states}.` }
  }
  return meant[0] ? { value: meant[0].uid } : { problem: `Market ${name} not found.` }
}

type Named = { uid: string; name: string } | null

/** Names markets as a file must, which can be read again: with the state where several have the name. */
export async function marketNamer(db: Db): Promise<<Market extends Named>(market: Market) => Market> {
  const byName = await loadMarketsByName(db)
  return (market) => {
    const called = market ? (byName.get(nameKey(market.name)) ?? []) : []
    const own = called.length > 1 ? called.find(({ uid }) => uid === market?.uid) : undefined
    return own ? { ...market, name: `${own.name}, ${own.state}` } : market
  }
}
