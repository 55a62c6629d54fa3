import { formatCount } from './figures.ts'

// This file has no schemas, so that a page that needs only these words does not load zod.

interface DependentDeclaration {
  one: string
  many: string
  /** A record with such a thing behind it is deleted only by a call that confirms it. */
  needsConfirmation?: true
}

/** What can hang on a record, in words. */
const dependentTable = {
  programs: { one: 'program', many: 'programs' },
  shifts: { one: 'shift', many: 'shifts' },
  plays: { one: 'play', many: 'plays', needsConfirmation: true },
  payPeriods: { one: 'pay of 1 period', many: 'pay of {count} periods', needsConfirmation: true },
  payAdjustments: { one: 'pay adjustment', many: 'pay adjustments', needsConfirmation: true },
  publishedPages: { one: 'published POP page', many: 'published POP pages', needsConfirmation: true },
  photos: { one: 'photo', many: 'photos' },
  artworkSets: { one: 'artwork set', many: 'artwork sets' },
  addressSets: { one: 'SD address set', many: 'SD address sets' },
  devices: { one: 'device', many: 'devices' },
  users: { one: 'user', many: 'users' },
} as const satisfies Record<string, DependentDeclaration>

export type DependentKind = keyof typeof dependentTable
export const dependentKinds = Object.keys(dependentTable) as [DependentKind, ...DependentKind[]]

export const needsConfirmation = (kind: DependentKind): boolean => 'needsConfirmation' in dependentTable[kind]

/** `12 shifts`, `pay of 3 periods`. */
export function dependentWords({ kind, count }: { kind: DependentKind; count: number }): string {
  const { one, many } = dependentTable[kind]
  const words: string = count === 1 ? one : many
  if (kind === 'payPeriods') return words.replace('{count}', formatCount(count))
  return `${formatCount(count)} ${words}`
}
