import { rowChoices } from '@roadshow/contract/accounts/preferences'
import type { RowChoice } from '@roadshow/contract/accounts/preferences'
import { Select } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { usePreferences } from '../../api/preferences.ts'
import { useNotice } from '../notices.tsx'

const options = rowChoices.map((value) => ({ value, label: value === 'fit' ? 'Fit the screen' : `${value} rows` }))

/** How many rows a page of every list has. */
export function RowsSelect({ onChosen }: { onChosen: () => void }) {
  const { chosen, choose } = usePreferences()
  const notice = useNotice()
  const take = (rowsPerPage: RowChoice) =>
    choose({ rowsPerPage }).then(onChosen, (error: unknown) => notice(errorMessage(error)))
  return (
    <Select
      size="small"
      aria-label="Rows on a page"
      popupMatchSelectWidth={false}
      value={chosen.rowsPerPage}
      options={options}
      onChange={(next) => void take(next)}
    />
  )
}
