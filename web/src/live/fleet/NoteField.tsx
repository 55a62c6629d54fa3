import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { Input } from 'antd'
import { useId } from 'react'
import { Soft } from '../../ui/layout.tsx'
import type { useIssueEdit } from './useIssueEdit.ts'

interface NoteFieldProps {
  issue: TruckIssue
  edit: ReturnType<typeof useIssueEdit<string>>
}

/** The note of an issue, with the note that a colleague wrote meanwhile. */
export function NoteField({ issue, edit }: NoteFieldProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>Note</label>
      <Input id={id} value={edit.value} maxLength={500} onChange={({ target }) => edit.set(target.value)} />
      {edit.isChangedElsewhere && (
        <p role="status">
          <Soft>{issue.note ? `The note was changed to: ${issue.note}` : 'The note was removed.'}</Soft>
        </p>
      )}
    </>
  )
}
