import { localZone } from '@roadshow/contract/platform/dates'
import type { Program } from '@roadshow/contract/catalog/programs'
import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import {
  MAX_PROPOSAL_RECIPIENTS,
  PROPOSAL_DAYS,
  proposalMailText,
  salesProposalInput,
  salesProposals,
} from '@roadshow/contract/outreach/proposals'
import type { ProposalsOfProgram, SalesProposalInput } from '@roadshow/contract/outreach/proposals'
import { Button, Checkbox, Drawer, Form, Input } from 'antd'
import type { FormInstance } from 'antd'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ShownOnce } from '../../ui/form/ShownOnce.tsx'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import type { FieldsOf } from '../../ui/text/words.ts'
import { ProposalFrame } from './ProposalFrame.tsx'

const fields: FieldsOf<SalesProposalInput> = {
  title: 'Title',
  introduction: 'Introduction',
  validUntil: 'Valid through',
  showsPrices: 'Prices',
  sendTo: 'Email it to',
  mailText: 'Text of the email',
}

interface Made {
  url: string
  sentTo: readonly string[]
}

interface NewProposalProps {
  program: Program
  contacts: ProposalsOfProgram['contacts']
  onClose: () => void
}

/** Asks what a proposal says beyond its program, shows it as the client will read it, and gives its link once. */
export default function NewProposal({ program, contacts, onClose }: NewProposalProps) {
  const [made, setMade] = useState<Made>()
  return (
    <Drawer open onClose={onClose} size={LARGE_DRAWER_WIDTH} title={`New proposal for ${program.client.name}`}>
      {made === undefined ? (
        <ProposalForm program={program} contacts={contacts} onClose={onClose} onMade={setMade} />
      ) : (
        <ShownOnce
          secret={made.url}
          label="Proposal link"
          noun="link"
          use="Send it to your client. Anyone who has it can read and accept the proposal until it expires or you revoke it."
          onDone={onClose}
          isLast
        >
          {made.sentTo.length > 0 && <p role="status">Emailed to {made.sentTo.join(', ')}.</p>}
          <p>
            <a href={made.url} target="_blank" rel="noreferrer">
              Open the page
            </a>
          </p>
        </ShownOnce>
      )}
    </Drawer>
  )
}

interface ProposalFormProps extends Pick<NewProposalProps, 'contacts'> {
  program: Program
  onClose: () => void
  onMade: (made: Made) => void
}

function ProposalForm({ program: { uid, name, client }, contacts, onClose, onMade }: ProposalFormProps) {
  const create = useSave(salesProposals.create)
  const edit = useRecordForm({
    base: name,
    toInput: (title): SalesProposalInput => ({
      title,
      introduction: '',
      validUntil: addDays(localDay(localZone()), PROPOSAL_DAYS.standard),
      showsPrices: true,
      sendTo: contacts.slice(0, MAX_PROPOSAL_RECIPIENTS).map(({ email }) => email),
      mailText: proposalMailText(client.name, title),
    }),
    fields,
    schema: salesProposalInput,
    draft: salesProposals.create.path,
    save: async (body): Promise<Made> => {
      const { data } = await create.mutateAsync({ params: { uid }, body })
      return { url: data.url, sentTo: body.sendTo ?? [] }
    },
    onSaved: onMade,
  })
  const preview = usePreview(uid, edit)
  const sendTo = Form.useWatch('sendTo', edit.form) ?? []
  return (
    <EditForm edit={edit} focus="title">
      <Section title="Proposal" wide>
        <Field name="title">
          <Input maxLength={120} autoComplete="off" />
        </Field>
        <Field name="introduction" hint="The client reads this first. An empty line starts a paragraph.">
          <Input.TextArea rows={4} maxLength={4000} />
        </Field>
        <Field name="validUntil" hint="The last day on which the client can accept.">
          <DayPicker />
        </Field>
        <Form.Item name="showsPrices" valuePropName="checked">
          <Checkbox>Show the prices of booked lines</Checkbox>
        </Form.Item>
      </Section>
      <Section title="Recipients" wide>
        {contacts.length > 0 ? (
          <Form.Item name="sendTo" label="Email it to">
            <Checkbox.Group
              options={contacts.map(({ name: who, email }) => ({ value: email, label: `${who}, ${email}` }))}
            />
          </Form.Item>
        ) : (
          <p>The client has no contacts with an email address. You get the link to send it yourself.</p>
        )}
        {sendTo.length > 0 && (
          <Field name="mailText" hint="The link and its last day follow. An empty line starts a paragraph.">
            <Input.TextArea rows={3} maxLength={2000} />
          </Field>
        )}
      </Section>
      <Button loading={preview.isBusy} onClick={() => void preview.look()}>
        Preview
      </Button>
      {preview.html !== undefined && <ProposalFrame html={preview.html} title="Preview of the proposal" />}
      <StickyFooter
        act={sendTo.length > 0 ? 'Send proposal' : 'Create proposal'}
        isBusy={edit.isBusy}
        onClose={onClose}
      />
    </EditForm>
  )
}

interface PreviewedForm {
  form: FormInstance<SalesProposalInput>
  /** Says why it was refused. */
  show: (error: unknown) => boolean
}

/** The page as the client would read it with what is typed now. */
function usePreview(uid: string, { form, show }: PreviewedForm) {
  const [html, setPage] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const notice = useNotice()
  const look = async () => {
    const isRight = await form.validateFields().then(
      () => true,
      () => false,
    )
    if (!isRight) return
    setIsBusy(true)
    try {
      const body = form.getFieldsValue()
      setPage((await call(salesProposals.preview, { params: { uid }, body })).data.html)
    } catch (error) {
      show(error)
      notice(errorMessage(error), 'bad')
    }
    setIsBusy(false)
  }
  return { html, isBusy, look }
}
