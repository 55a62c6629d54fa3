import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { useIsOutsider, useUser } from '../../api/user.ts'
import type { Column } from '../rows/columns.ts'

/** The columns of a list that the user may see, and those that are shown: the user's choice, or the list's own. */
export function useColumns<Row>(list: Pick<Endpoint, 'path'>, columns: readonly Column<Row>[]) {
  const isOutside = useIsOutsider()
  const { preferences } = useUser()
  const offered = columns.filter(({ staffOnly }) => !(isOutside && staffOnly))
  const chosen = preferences.columns?.[list.path]
  // The first column names the row and opens it.
  const isShown = ({ key, isExtra }: Column<Row>, index: number) =>
    index === 0 || (chosen ? chosen.includes(key) : isExtra !== true)
  return { offered, shown: offered.filter(isShown), isChosen: chosen !== undefined }
}
