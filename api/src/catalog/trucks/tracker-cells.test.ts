import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder, type NamedSource, readTrackers, trackerCells } from './tracker-cells.ts'

const sourceOf = (name: string, index: number): NamedSource => ({ uid: `${index}`.repeat(36), name, kind: 'json' })
const line = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/\s+/g, ' ').trim())
const filled = line.filter((text) => text !== '')
const places = fc.array(fc.tuple(fc.nat(2), fc.oneof(filled, fc.constantFrom('A: 1', '8.6E+14', '"', 'a;b', 'x:y'))), {
  maxLength: 6,
})

test('the trackers of a truck are read again as they were written', () => {
  const names = fc.uniqueArray(fc.oneof(filled, fc.constantFrom('A', 'A: B', 'Yard; East')), {
    minLength: 3,
    maxLength: 3,
    selector: (name) => name.toLowerCase(),
  })
  fc.assert(
    fc.property(names, places, (given, some) => {
      const all = given.map((name, index) => sourceOf(name, index + 1))
      const trackers = some.map(([index, externalId]) => {
        const { uid: sourceUid, name: sourceName } = all[index] as NamedSource
        return { sourceUid, sourceName, externalId }
      })
      const unique = [...new Map(trackers.map((each) => [`${each.sourceUid} ${each.externalId}`, each])).values()]
      const { source, ids } = trackerCells(unique)
      const expected = inOrder(unique.map(({ sourceUid, externalId }) => ({ sourceUid, externalId })))
      expect(readTrackers(ids, source || undefined, { all, withIds: all })).toEqual({
        value: { trackers: expected, geotabDeviceId: undefined },
      })
    }),
  )
})
