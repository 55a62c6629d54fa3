import {
  campaignMails,
  MAX_REPORT_RECIPIENTS,
  reportOccasionLabel,
  reportOccasions,
} from '@roadshow/contract/proof/campaign-mails'
import type { ReportMailing, ReportOccasion, ReportRecipientInput } from '@roadshow/contract/proof/campaign-mails'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Form, Input } from 'antd'
import { useId } from 'react'
import { countOf } from '@roadshow/contract/platform/figures'
import { call, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useCall } from '../../api/useCall.ts'
import { EditForm, ListErrors } from '../../ui/form/EditForm.tsx'
import { Field, RowContext } from '../../ui/form/fields.tsx'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { mergeRecipients } from './mergeRecipients.ts'
import { ReportPreview } from './ReportPreview.tsx'
import styles from './ReportMails.module.css'

const options = reportOccasions.map((value) => ({ value, label: reportOccasionLabel[value] }))

/** Who gets the reports of a program by mail, and which were sent. */
export function ReportMails({ program }: { program: string }) {
  const title = useId()
  const found = useCall(campaignMails.get, { params: { uid: program } })
  return (
    <Stack as="section" aria-labelledby={title} gap={3} className={styles.mails}>
      <h3 id={title}>Emailed reports</h3>
      <Soft as="p">
        A PDF and a CSV file with the program’s figures: every Monday morning, after the last day, or with each
        published version. Each email has a link to unsubscribe.
      </Soft>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines rows={2} />}
      {found.data && <Recipients key={program} program={program} mailing={found.data} />}
      {found.data && <SendNow program={program} mailing={found.data} />}
      <ReportPreview program={program} />
      {found.data && <SentReports sent={found.data.sent} />}
    </Stack>
  )
}

interface Values {
  recipients: ReportRecipientInput[]
}

const blank: ReportRecipientInput = { email: '', occasions: ['weekly', 'end'] }
const fields = { recipients: 'Recipients' }

interface RecipientsProps {
  program: string
  mailing: ReportMailing
}

/** The form of the recipients. Rows, not the list, are merged with those of others. */
function useRecipients({ program, mailing }: RecipientsProps) {
  const notice = useNotice()
  const queries = useQueryClient()
  const params = { uid: program }
  /** Every screen that shows the list shows the newest one; an answer that is still on its way may be older. */
  const keep = async (newest: ReportMailing) => {
    const queryKey = keyOf(campaignMails.get, { params })
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, { data: newest })
    return newest
  }
  return useRecordForm({
    base: mailing,
    toInput: ({ recipients }): Values => ({
      recipients: recipients.map(({ email, occasions }) => ({ email, occasions })),
    }),
    isLive: true,
    fields,
    schema: campaignMails.save.body,
    merge: (before, mine, newest) => ({
      recipients: mergeRecipients(before.recipients, mine.recipients, newest.recipients),
    }),
    async save({ recipients }, { recipients: known }) {
      const before = known.map(({ email, occasions }) => ({ email, occasions }))
      return keep((await call(campaignMails.save, { params, body: { before, recipients } })).data)
    },
    goOnFrom: (saved) => saved,
    onSaved: () => notice('Recipients saved.'),
    reload: async () => keep((await call(campaignMails.get, { params })).data),
  })
}

function Recipients(props: RecipientsProps) {
  const { recipients } = props.mailing
  const edit = useRecipients(props)
  const ended = new Map(recipients.map(({ email, unsubscribedAt }) => [email, unsubscribedAt]))
  return (
    <EditForm edit={edit} asks="never">
      <Form.List name="recipients">
        {(rows, { add, remove }, { errors }) => (
          <>
            <List gap={3} className={styles.rows}>
              {rows.map(({ key, name: index }) => (
                <li key={key} className={styles.row}>
                  <RowContext value={{ list: 'recipients', index }}>
                    <Field name="email" label={`Email ${index + 1}`}>
                      <Input type="email" maxLength={254} autoComplete="off" />
                    </Field>
                    <Field name="occasions" label="When">
                      <Checkbox.Group options={options} />
                    </Field>
                  </RowContext>
                  <Button onClick={() => remove(index)} aria-label={`Remove email ${index + 1}`}>
                    Remove
                  </Button>
                  <Ended at={ended.get(String(edit.form.getFieldValue(['recipients', index, 'email'])))} />
                </li>
              ))}
            </List>
            {rows.length === 0 && <Soft as="p">No one gets reports of this program yet.</Soft>}
            <ListErrors errors={errors} />
            <div className={styles.acts}>
              {rows.length < MAX_REPORT_RECIPIENTS && <Button onClick={() => add(blank)}>Add recipient</Button>}
              {(rows.length > 0 || recipients.length > 0) && (
                <Button type="primary" htmlType="submit" loading={edit.isBusy}>
                  Save recipients
                </Button>
              )}
            </div>
          </>
        )}
      </Form.List>
    </EditForm>
  )
}

const Ended = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <Soft as="p">Unsubscribed {formatDateTime(at, localZone())}. Only the recipient can turn the emails on again.</Soft>
  ) : null

/** Mails a report at once, for each occasion that someone gets. */
function SendNow({ program, mailing: { recipients } }: RecipientsProps) {
  const send = useSave(campaignMails.send)
  const notice = useNotice()
  const offered = reportOccasions.filter((occasion) =>
    recipients.some(({ occasions, unsubscribedAt }) => unsubscribedAt === null && occasions.includes(occasion)),
  )
  if (offered.length === 0) return null
  const act = async (occasion: ReportOccasion) => {
    try {
      const { data } = await send.mutateAsync({ params: { uid: program }, body: { occasion } })
      notice(
        data.recipients === 0
          ? 'This report was sent within the last ten minutes.'
          : `Report sent to ${countOf(data.recipients, 'recipient')}.`,
      )
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  return (
    <div className={styles.acts}>
      {offered.map((occasion) => (
        <Button key={occasion} disabled={send.isPending} onClick={() => void act(occasion)}>
          Send now: {sendNowLabel[occasion]}
        </Button>
      ))}
    </div>
  )
}

const sendNowLabel: Record<ReportOccasion, string> = {
  weekly: 'last week',
  end: 'all days',
  published: 'published version',
}

function SentReports({ sent }: { sent: ReportMailing['sent'] }) {
  if (sent.length === 0) return <Soft as="p">No report has been sent yet.</Soft>
  return (
    <List gap={3} aria-label="Reports sent">
      {sent.map(({ occasion, period, isByHand, sentAt, recipients }) => (
        <li key={`${occasion} ${period} ${sentAt}`}>
          {reportOccasionLabel[occasion]}: {periodText(occasion, period)}, {isByHand ? 'sent by hand' : 'mailed'}{' '}
          <span className="figures">{formatDateTime(sentAt, localZone())}</span> to {recipients}{' '}
          {recipients === 1 ? 'recipient' : 'recipients'}
        </li>
      ))}
    </List>
  )
}

const periodText = (occasion: ReportOccasion, period: string): string =>
  ({ weekly: `week of ${period}`, end: `until ${period}`, published: `version ${period}` })[occasion]
