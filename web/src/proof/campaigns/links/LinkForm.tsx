import { formatDay, localZone } from '@roadshow/contract/platform/dates'
import { campaignLinkInput, campaignLinks, LINK_DAYS, LINK_DELAY } from '@roadshow/contract/proof/campaign-links'
import type { CampaignLinkInput } from '@roadshow/contract/proof/campaign-links'
import { Input, Select } from 'antd'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { useSave } from '../../../api/useSave.ts'
import { EditForm } from '../../../ui/form/EditForm.tsx'
import { Field, Section } from '../../../ui/form/fields.tsx'
import { StickyFooter } from '../../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../../ui/form/useRecordForm.ts'
import type { FieldsOf } from '../../../ui/text/words.ts'

const fields: FieldsOf<CampaignLinkInput> = {
  programUid: 'Program',
  label: 'For whom',
  expiresInDays: 'Expires',
  delayMinutes: 'Delay of positions',
}

const DAYS = [1, 7, LINK_DAYS.standard, 90, 180, LINK_DAYS.max]
const dayOptions = () =>
  DAYS.map((days) => ({
    value: days,
    label: `In ${days} ${days === 1 ? 'day' : 'days'}, on ${formatDay(addDays(localDay(localZone()), days))}`,
  }))

const delayOptions = [LINK_DELAY.min, LINK_DELAY.standard, 30, 60, 240].map((minutes) => ({
  value: minutes,
  label: minutes < 60 ? `${minutes} minutes` : `${minutes / 60} ${minutes === 60 ? 'hour' : 'hours'}`,
}))

interface LinkFormProps {
  programUid: string
  onClose: () => void
  onMade: (url: string) => void
}

/** Asks for whom a link is, how long it lasts and how far positions lag behind. */
export function LinkForm({ programUid, onClose, onMade }: LinkFormProps) {
  const create = useSave(campaignLinks.create)
  const edit = useRecordForm({
    base: { label: '', expiresInDays: LINK_DAYS.standard, delayMinutes: LINK_DELAY.standard },
    toInput: (blank) => blank,
    fields,
    schema: campaignLinkInput,
    draft: campaignLinks.create.path,
    save: (values) => create.mutateAsync({ body: { ...values, programUid } }),
    onSaved: ({ data }) => onMade(data.url),
  })
  return (
    <EditForm edit={edit} focus="label">
      <Section title="New link" wide>
        <Field name="label" hint="Only you and your colleagues see this.">
          <Input maxLength={80} autoComplete="off" />
        </Field>
        <Field name="expiresInDays">
          <Select options={dayOptions()} />
        </Field>
        <Field name="delayMinutes" hint="The page shows where trucks were this long ago.">
          <Select options={delayOptions} />
        </Field>
      </Section>
      <StickyFooter act="Create link" isBusy={edit.isBusy} onClose={onClose} />
    </EditForm>
  )
}
