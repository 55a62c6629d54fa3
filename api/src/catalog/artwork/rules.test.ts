import { describe, expect, test } from 'vitest'
import { approvalProblem, newArtworkFiles } from './rules.ts'

const file = (uid: string) => ({ uid })
const full = { driverSideArtwork: file('d'), passengerSideArtwork: file('p'), rearArtwork: file('r') }

describe('approving artwork', () => {
  test('the files that the approver saw can be approved', () =>
    expect(approvalProblem({ ...full, filesHash: 'seen' }, 'seen')).toBeUndefined())

  test('files that changed since are refused', () =>
    expect(approvalProblem({ ...full, filesHash: 'newer' }, 'seen')).toMatchObject({ code: 'artworkChanged' }))

  test.each([
    ['driverSideArtwork', 'driverSideArtworkUid'],
    ['passengerSideArtwork', 'passengerSideArtworkUid'],
    ['rearArtwork', 'rearArtworkUid'],
  ])('a set without its %s is refused at that side', (side, field) =>
    expect(approvalProblem({ ...full, [side]: null, filesHash: null }, 'seen')).toMatchObject({
      code: 'artworkIncomplete',
      fields: { [field]: 'This side has no file yet.' },
    }),
  )
})

describe('files that are new to a set', () => {
  const files = { driverSideArtworkUid: 'd', passengerSideArtworkUid: 'p', rearArtworkUid: null }

  test('all files of a new set are new', () =>
    expect(newArtworkFiles(files)).toEqual([
      { field: 'driverSideArtworkUid', uid: 'd' },
      { field: 'passengerSideArtworkUid', uid: 'p' },
    ]))

  test('a file that the side already has is not new', () =>
    expect(newArtworkFiles(files, { ...full, passengerSideArtwork: file('old') })).toEqual([
      { field: 'passengerSideArtworkUid', uid: 'p' },
    ]))

  test('a file that moves to another side is new there', () =>
    expect(newArtworkFiles({ ...files, driverSideArtworkUid: 'p' }, full)).toEqual([
      { field: 'driverSideArtworkUid', uid: 'p' },
    ]))
})
