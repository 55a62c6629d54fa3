import { preferences } from '@roadshow/contract/accounts/preferences'
import type { RowChoice } from '@roadshow/contract/accounts/preferences'
import type { BodyOf } from '@roadshow/contract/platform/endpoint'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { setClockStyle } from '@roadshow/contract/platform/dates'
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useSave } from './useSave.ts'
import { clockOf, currentUser, useUser } from './user.ts'

/** What the user chose of times and lists, and the way to choose otherwise, which holds everywhere from then on. */
export function usePreferences() {
  const { preferences: chosen } = useUser()
  const queries = useQueryClient()
  const save = useSave(preferences.save)
  const choose = async (change: Partial<BodyOf<typeof preferences.save>>) => {
    const { clock, rowsPerPage } = { ...chosen, ...change }
    const { data } = await save.mutateAsync({
      body: { clock, rowsPerPage, columns: change.columns, menuPinned: change.menuPinned },
    })
    setClockStyle(clockOf({ preferences: data }))
    queries.setQueryData(currentUser.queryKey, (user) => user && { ...user, preferences: data })
  }
  return { chosen, choose }
}

// Above and below the rows of a list stand the header, the title, the toolbar, the headings and the pages.
const AROUND_PX = 330
const ROW_PX = 32

const fittingRows = () => Math.min(100, Math.max(PAGE_SIZE, Math.floor((innerHeight - AROUND_PX) / ROW_PX)))
const onResize = (changed: () => void) => {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}

const rowsOf = (choice: RowChoice, fitting: number) => (choice === 'fit' ? fitting : Number(choice))

/** The number of rows on a page that the user chose; `fit` follows the height of the window. */
export function useRowsPerPage(): number {
  const { rowsPerPage } = useUser().preferences
  const fitting = useSyncExternalStore(onResize, fittingRows)
  return rowsOf(rowsPerPage, fitting)
}
