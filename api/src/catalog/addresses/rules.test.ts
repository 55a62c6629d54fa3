import type { AddressInput } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { addressProblems } from './rules.ts'

const address = (given: Partial<AddressInput>): AddressInput => ({
  label: 'Store',
  latitude: 32.8,
  longitude: -96.8,
  radiusM: 8047,
  locatedBy: 'pin',
  ...given,
})

describe('addresses of a set', () => {
  test.each([
    ['a new address without artwork is fine', [address({})], {}],
    ['artwork of the program is fine', [address({ artworkSetUid: 'own' })], {}],
    [
      'artwork of another program is refused at its address',
      [address({}), address({ artworkSetUid: 'other' })],
      { 'addresses.1.artworkSetUid': 'Choose an artwork set of this program.' },
    ],
    ['different addresses are fine', [address({ uid: 'a' }), address({ uid: 'b' })], {}],
    [
      'the same address twice is refused where it repeats',
      [address({ uid: 'a' }), address({ uid: 'a' })],
      { 'addresses.1.uid': 'This address is listed twice.' },
    ],
  ])('%s', (_, addresses, problems) => expect(addressProblems(addresses, new Set(['own']))).toEqual(problems))
})
