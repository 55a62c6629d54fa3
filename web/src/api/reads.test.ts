import { expect, test } from 'vitest'

const sources = import.meta.glob<string>(['../**/*.ts', '../**/*.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Questions that change nothing but are no reads, parts of pages, and reads that the browser adds something to. */
const BY_HAND = [
  '../legacy/table/useAll.ts',
  '../live/screens/ScreenPanel.tsx',
  '../outreach/push/PushBrowsers.tsx',
  '../planning/shifts/out-of-service/useStretch.ts',
  '../planning/shifts/ShiftCheck.tsx',
  '../planning/shifts/board/changes/CopyWeek.tsx',
  '../planning/shifts/board/changes/PlanChangeDialog.tsx',
  '../planning/suggestions/useSuggestions.ts',
  '../ui/map/RoadsLayer.tsx',
  '../ui/map/StatesLayer.tsx',
  '../ui/slots.tsx',
]

// `useCall` and its kin take endpoints only that say what they follow, so every screen stays current in one way.
test('what a screen shows is read in one way', () => {
  const found = Object.entries(sources).filter(
    ([file, text]) => !/^\.\/|\.test\.|\/api\//.test(file) && /\buse(Suspense)?Quer(y|ies)\(/.test(text),
  )
  expect(found.map(([file]) => file).toSorted()).toEqual(BY_HAND.toSorted())
})

test('no screen refreshes by itself', () => {
  const found = Object.entries(sources).filter(
    ([file, text]) => !/^\.\/|\.test\.|test-/.test(file) && /refetchInterval|invalidateQueries/.test(text),
  )
  // A change of the user's access concerns everything.
  expect(found.map(([file]) => file)).toEqual(['../app/Shell.tsx'])
})
