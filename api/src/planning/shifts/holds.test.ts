import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { holderAt, momentsOf, openHoldScene } from './test-holds.ts'

const { changeShifts, heldBy } = await openHoldScene(await openWorld())

test('whose truck it is follows from the shifts as they are, whatever happened before', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    for (const { truckUid, shifts } of await changeShifts(seed)) {
      const moments = momentsOf(shifts)
      const expected = moments.map((at) => holderAt(shifts, at))
      expect({ seed, held: await heldBy(truckUid, moments) }).toEqual({ seed, held: expected })
    }
  }
})
