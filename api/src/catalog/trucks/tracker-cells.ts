import { NIL_UUID, positionSourceKindLabel, type PositionSourceKind, type Reading } from '@roadshow/contract'
import { joinNames } from '../../platform/runtime/app-error.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'

/** MyGeotab names trucks by a field of their own. */
const GEOTAB = NIL_UUID

/** The id of a truck at a source. */
export interface Tracker {
  sourceUid: string
  sourceName: string
  externalId: string
}

export interface NamedSource {
  uid: string
  name: string
  kind: PositionSourceKind
}

/** The sources that cells can name. */
export interface KnownSources {
  all: readonly NamedSource[]
  /** Those that know trucks by ids and are in use. */
  withIds: readonly NamedSource[]
}

/** What the cells of a row say: ids at sources, and the Geotab device if they name MyGeotab. */
export interface ReadTrackers {
  trackers: { sourceUid: string; externalId: string }[]
  geotabDeviceId: string | undefined
}

const NEEDS_NO_ID: ReadonlySet<PositionSourceKind> = new Set(['phone', 'player', 'file'])

/** The source that a name means: by its own name, or by that of its kind if it is the only one. */
function findSource(name: string, { all }: KnownSources): NamedSource | undefined {
  const key = nameKey(name)
  const called = all.find((source) => nameKey(source.name) === key)
  if (called) return called
  const ofKind = all.filter(({ kind }) => nameKey(positionSourceKindLabel[kind]) === key || (kind as string) === key)
  return ofKind.length === 1 ? ofKind[0] : undefined
}

/** Reads the name of a source. */
export function readSource(name: string, sources: KnownSources): Reading<NamedSource> {
  const source = findSource(name, sources)
  if (!source) return { problem: `Position source ${name} not found. Add it in Settings first.` }
  return NEEDS_NO_ID.has(source.kind) ? { problem: `${source.name} needs no id of the truck.` } : { value: source }
}

const MOST_NAMED = 10

/** The source of ids that name none. */
function onlySource({ withIds }: KnownSources): Reading<NamedSource> {
  const [only, ...others] = withIds
  if (!only) return { problem: 'No position source has ids yet. Add one in Settings, or enter it as Position source.' }
  if (others.length === 0) return { value: only }
  const names = joinNames(withIds.slice(0, MOST_NAMED).map(({ name }) => name))
  return { problem: `Several position sources have ids: ${names}. Enter one of them as Position source.` }
}

interface Prefix {
  source: Reading<NamedSource>
  length: number
}

/** The source before an id, such as `Yard: 8612`; names may hold any character, so that known ones go first. */
function prefixOf(text: string, sources: KnownSources): Prefix | undefined {
  const [named] = sources.all
    .filter(({ name }) => nameKey(text.slice(0, name.length)) === nameKey(name))
    .flatMap(({ name }) => {
      const colon = /^\s*:\s*/.exec(text.slice(name.length))
      return colon ? [{ name, length: name.length + colon[0].length }] : []
    })
    .toSorted((one, other) => other.length - one.length)
  if (named) return { source: readSource(named.name, sources), length: named.length }
  const [whole = '', name = '', space] = /^([^":;]+?)\s*:(\s*)(?=[^\s;])/.exec(text) ?? []
  // Without a space after the colon it may be an id, such as that of a network card.
  if (whole === '' || (space === '' && !findSource(name, sources))) return undefined
  return { source: readSource(name, sources), length: whole.length }
}

const ENTRY = /^(?:"((?:[^"]|"")*)"|([^;]*))\s*(?:;|$)\s*/
// Spreadsheets write long numbers of cells that are not text as 8.61235E+14.
const SHORTENED = /^\d(?:[.,]\d+)?E\+?\d+$/i

/**
 * Reads the ids of a truck: `8612`, `8612; 8613` at the source of the other cell, or `Yard: 8612; Samsara: 2811` where
 * that one is empty. An id with a semicolon or a colon may stand in quotes.
 */
export function readTrackers(
  text: string,
  sourceName: string | undefined,
  sources: KnownSources,
): Reading<ReadTrackers> {
  const given = sourceName === undefined ? undefined : readSource(sourceName, sources)
  // The cell of the source says what is wrong with it.
  if (given && 'problem' in given) return { value: { trackers: [], geotabDeviceId: undefined } }
  const found = new Map<string, { sourceUid: string; externalId: string }>()
  let rest = text.trim()
  while (rest !== '') {
    const prefix = given ? undefined : prefixOf(rest, sources)
    const source = given ?? prefix?.source ?? onlySource(sources)
    if ('problem' in source) return source
    rest = rest.slice(prefix?.length ?? 0)
    const [whole = rest, quoted, plain = ''] = ENTRY.exec(rest) ?? []
    rest = rest.slice(whole.length)
    const externalId = quoted?.replaceAll('""', '"') ?? plain.trim()
    if (externalId === '') continue
    if (quoted === undefined && SHORTENED.test(externalId))
      return { problem: 'The spreadsheet shortened this number. Make the column text, and enter the id again.' }
    found.set(`${source.value.uid} ${externalId}`, { sourceUid: source.value.uid, externalId })
  }
  const ids = [...found.values()]
  const atGeotab = ids.filter(({ sourceUid }) => sourceUid === GEOTAB)
  if (atGeotab.length > 1) return { problem: 'A truck has one id at MyGeotab.' }
  return {
    value: {
      trackers: inOrder(ids.filter(({ sourceUid }) => sourceUid !== GEOTAB)),
      geotabDeviceId: atGeotab[0]?.externalId,
    },
  }
}

const orderKey = ({ sourceUid, externalId }: { sourceUid: string; externalId: string }) => `${sourceUid} ${externalId}`

/** Trackers in an order of their own, so that the same ones are equal. */
export const inOrder = <T extends { sourceUid: string; externalId: string }>(trackers: readonly T[]): T[] =>
  trackers.toSorted((one, other) => (orderKey(one) < orderKey(other) ? -1 : 1))

const quoteIf = (mark: RegExp, id: string) =>
  mark.test(id) || SHORTENED.test(id) ? `"${id.replaceAll('"', '""')}"` : id

/** The cells that say the trackers of a truck: read again, they are the same. */
export function trackerCells(trackers: readonly Tracker[]): { source: string; ids: string } {
  const [name = '', ...others] = new Set(trackers.map(({ sourceName }) => sourceName))
  if (others.length === 0)
    return { source: name, ids: trackers.map(({ externalId }) => quoteIf(/^"|;/, externalId)).join('; ') }
  const ids = trackers.map(({ sourceName, externalId }) => `${sourceName}: ${quoteIf(/^"|[;:]/, externalId)}`)
  return { source: '', ids: ids.join('; ') }
}
