import { pops } from '@roadshow/contract/proof/pop'
import type { Pop, PopInput } from '@roadshow/contract/proof/pop'
import { Input } from 'antd'
import { DayPicker } from '../../../ui/form/DayPicker.tsx'
import { Field } from '../../../ui/form/fields.tsx'
import type { FieldsOf } from '../../../ui/text/words.ts'
import { CoverField, CoverPhoto } from './CoverField.tsx'
import { PopSectionForm } from './PopSectionForm.tsx'

const fields: FieldsOf<PopInput> = {
  headline: 'Headline',
  text: 'Text',
  coverPhotoUid: 'Cover photo',
  shownUntil: 'Shown until',
}

const toInput = ({ headline, text, coverPhotoUid, shownUntil }: Pop): PopInput => ({
  headline,
  text,
  coverPhotoUid,
  shownUntil,
})

/** The top of the page. */
export const TextTab = ({ pop }: { pop: Pop }) => (
  <PopSectionForm<PopInput> pop={pop} noun="text" endpoint={pops.update} fields={fields} toInput={toInput}>
    <Field name="headline" hint="Shown with the program name at the top of the page.">
      <Input maxLength={160} />
    </Field>
    <Field name="text">
      <Input.TextArea maxLength={5000} autoSize={{ minRows: 4, maxRows: 14 }} />
    </Field>
    <Field name="coverPhotoUid" reads={<CoverPhoto pop={pop} />}>
      <CoverField program={pop.uid} />
    </Field>
    <Field
      name="shownUntil"
      hint="The last day the public page is available, by the clocks of the program's westernmost market. It takes effect as soon as you save."
    >
      <DayPicker placeholder="No last day" />
    </Field>
  </PopSectionForm>
)
