import { issueKindLabel, reportedIssueKinds } from '@roadshow/contract/catalog/truck-issues'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import type { InputOf, RowOf } from '@roadshow/contract/platform/endpoint'
import { useSearch } from '@tanstack/react-router'
import { Drawer, Input, Radio } from 'antd'
import { useState } from 'react'
import { useSaveOnce } from '../../api/useSave.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { PhotoSlots } from './PhotoSlots.tsx'

type Input = InputOf<typeof issueWork.raise>['body']

const fields = { truckUid: 'Truck', kind: 'Type', text: 'Description', photoFileUids: 'Photos' } as const

const truckLookup: Lookup<RowOf<typeof issueWork.trucks>> = {
  list: issueWork.trucks,
  sort: 'name',
  nameOf: ({ name }) => name,
}

const only = (given: UrlSearch[string]) => (typeof given === 'string' ? given : undefined)

const blankOf = (truckUid: string): Input => ({ truckUid, kind: 'mechanical', text: '', photoFileUids: [] })

/** Saves the new issue; a link from a truck or a shift says which one it is about. */
function useRaise(onClose: () => void) {
  const search: UrlSearch = useSearch({ strict: false })
  const [given] = useState({ truckUid: only(search.truck) ?? '', shiftUid: only(search.shift) })
  const save = useSaveOnce(issueWork.raise)
  const notice = useNotice()
  const edit = useRecordForm({
    base: blankOf(given.truckUid),
    toInput: (blank) => blank,
    fields,
    schema: issueWork.raise.body,
    draft: `${issueWork.raise.path} new`,
    // Photos are uploaded again.
    undrafted: ['photoFileUids'],
    save(values) {
      // Another truck than that of the shift has another shift, if any.
      const shiftUid = values.truckUid === given.truckUid ? given.shiftUid : undefined
      return save.mutateAsync({ body: { ...values, ...(shiftUid && { shiftUid }) } })
    },
    onSaved({ data }) {
      notice(`Issue of ${data.truck.name} reported.`)
      onClose()
    },
  })
  return { edit, given }
}

/** Raises an issue by hand. */
export default function RaiseIssue({ open, onClose, onClosed }: RecordFormProps) {
  const { edit, given } = useRaise(onClose)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => (isOpen ? edit.form.focusField(given.truckUid ? 'text' : 'truckUid') : onClosed())}
      size={DRAWER_WIDTH}
      title="New issue"
    >
      <EditForm edit={edit}>
        <Field name="truckUid" reads="">
          <RecordSelect lookup={truckLookup} />
        </Field>
        <Field name="kind">
          <Radio.Group options={reportedIssueKinds.map((value) => ({ value, label: issueKindLabel[value] }))} />
        </Field>
        <Field name="text" hint="The client of the shift can read it too, if they may see the Overview.">
          <Input.TextArea maxLength={500} autoSize={{ minRows: 3, maxRows: 8 }} />
        </Field>
        <Field name="photoFileUids">
          <PhotoSlots />
        </Field>
        <StickyFooter act="Report issue" isBusy={edit.isBusy} onClose={onClose} />
      </EditForm>
    </Drawer>
  )
}
