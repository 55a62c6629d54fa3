import type { AddressInput } from '@roadshow/contract'

/** Form field to its message, for addresses that are listed twice or show artwork of another program. */
export function addressProblems(
  addresses: readonly AddressInput[],
  artworkSetUids: ReadonlySet<string>,
): Record<string, string> {
  const problems: Record<string, string> = {}
  const known = new Set<string>()
  for (const [index, { uid, artworkSetUid }] of addresses.entries()) {
    if (artworkSetUid && !artworkSetUids.has(artworkSetUid)) {
      problems[`addresses.${index}.artworkSetUid`] = 'Choose an artwork set of this program.'
    }
    if (uid === undefined) continue
    if (known.has(uid)) problems[`addresses.${index}.uid`] = 'This address is listed twice.'
    known.add(uid)
  }
  return problems
}
