import { DAY_MS, type SettingKey, settingTable, type Settings } from '@roadshow/contract'
import type { RawBuilder } from 'kysely'
import { keptSince } from '../db/partitions.ts'
import type { DB } from '../db/schema.ts'
import type { JobContext } from '../jobs/define-job.ts'

export interface SweepContext extends Omit<JobContext, 'trace'> {
  settings: Settings
}

/** A bounded piece of the sweep. It answers whether there may be more to do at once. */
export type SweepStep = (context: SweepContext) => Promise<boolean>

interface RowsEnd<Column extends string> {
  /** The time by which rows grow old. An index on it keeps each piece cheap. */
  column: Column
  /** Rows with an earlier time are deleted; in milliseconds since 1970. */
  before: (facts: Pick<SweepContext, 'settings' | 'now'>) => number
  /** What must be true of a row as well. */
  only?: RawBuilder<unknown>
  /** Deletes the rows before a time (ISO 8601) where they are not deleted one by one, or not alone. */
  by?: (context: SweepContext, before: string) => Promise<boolean>
}

/** How long a table keeps its rows. Code that reads a row checks its time: the sweep may be late. */
export interface Lifetime<Column extends string = string> {
  /** The lifetime in words, for docs/operations.md. */
  kept: string
  /** Why the table cannot outgrow its use. */
  bound: string
  /** Which rows the sweep deletes. Without it rows stay, or their writers and foreign keys end them. */
  ends?: RowsEnd<Column>
  /** What the sweep does beside deleting rows by their age. */
  also?: SweepStep
}

/** Tables with their lifetimes. A column that a table does not have does not type-check. */
export type TableLifetimes = { [Table in keyof DB]?: Lifetime<keyof DB[Table] & string> }

type Unit = 'minute' | 'hour' | 'day'
type Age = `${number} ${Unit | `${Unit}s`}`
type KeepSetting = Extract<SettingKey, `keep${string}Days`>

const UNIT_MS: Record<Unit, number> = { minute: 60_000, hour: 3_600_000, day: DAY_MS }

function ageMs(age: Age): number {
  const [count, unit = ''] = age.split(' ')
  return Number(count) * UNIT_MS[unit.replace(/s$/, '') as Unit]
}

/** The words for a lifetime that users choose. */
export const inSettings = (key: SettingKey): string => `“${settingTable[key].label}” in Settings`

interface Words {
  bound: string
  /** What the age counts from, where it is not the making of the row. */
  since?: string
}
type More<Column extends string> = Partial<Pick<RowsEnd<Column>, 'only' | 'by'>>

/** Rows are deleted at an age, such as `90 days` or that of a setting. */
export function keptFor<Column extends string>(
  age: Age | KeepSetting,
  column: Column,
  { bound, since }: Words,
  more: More<Column> = {},
): Lifetime<Column> {
  if (age in settingTable) {
    const key = age as KeepSetting
    const before: RowsEnd<Column>['before'] = ({ settings, now }) => keptSince(settings[key], now)
    return { kept: inSettings(key), bound, ends: { column, before, ...more } }
  }
  const ms = ageMs(age as Age)
  return {
    kept: since ? `${age} after ${since}` : age,
    bound,
    ends: { column, before: ({ now }) => now - ms, ...more },
  }
}

/** Rows carry their own end. */
export const keptUntil = <Column extends string>(
  column: Column,
  { kept, bound }: Pick<Lifetime, 'kept' | 'bound'>,
  more: More<Column> = {},
): Lifetime<Column> => ({ kept, bound, ends: { column, before: ({ now }) => now, ...more } })

/** Steps of signing in under way. */
export const unfinished = keptUntil('expires_at', {
  kept: 'until it expires, within an hour',
  bound: 'Steps of signing in under way. Callers are limited.',
})

export const record: Lifetime<never> = {
  kept: 'for good',
  bound: 'Records that people make. Deleted ones are only marked, because others refer to them.',
}
export const partOfRecord: Lifetime<never> = {
  kept: 'as long as their record',
  bound: 'Parts of records: markets of a program, files of a set, pay lines of a period, reports on a shift.',
}
export const partOfUser: Lifetime<never> = {
  kept: 'as long as the user',
  bound: 'What a user chose: a few rows for each.',
}
export const figures: Lifetime<never> = {
  kept: 'for good',
  bound:
    'Figures that outlive their positions and plays: one row for each truck and hour, day, shift or address, whatever the number of plays.',
}
export const current: Lifetime<never> = {
  kept: 'while it is current',
  bound: 'The newest state only: one row for each truck, device, feed or job, changed in place.',
}
export const queue: Lifetime<never> = {
  kept: 'until a job has done it',
  bound: 'Work to do. Jobs run every few seconds to minutes.',
}
export const credential: Lifetime<never> = {
  kept: 'until it is removed',
  bound: 'What lets a user in: a few for each user, removed by their owner, an admin, or with the user.',
}
