import {
  campaignMails,
  MAX_REPORT_RECIPIENTS,
  reportOccasionLabel,
  reportOccasions,
} from '@roadshow/contract/proof/campaign-mails'
import type { ReportMailing, ReportOccasion, ReportRecipientInput } from '@roadshow/contract/proof/campaign-mails'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form, Input } from 'antd'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { ApiError, call, errorMessage, isStale } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useCall } from '../../api/useCall.ts'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { timestamp } from '../../ui/time.ts'
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
      <ReportPreview program={program} />
      {found.data && <SentReports sent={found.data.sent} />}
    </Stack>
  )
}

interface Values {
  recipients: ReportRecipientInput[]
}

const inputOf = ({ recipients }: ReportMailing): ReportRecipientInput[] =>
  recipients.map(({ email, occasions }) => ({ email, occasions }))
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

interface RecipientsProps {
  program: string
  mailing: ReportMailing
}

/** The form of the recipients: it follows other people's saves until it is edited, and merges with theirs on a conflict. */
function useRecipients({ program, mailing }: RecipientsProps) {
  const [form] = Form.useForm<Values>()
  // The list that filled the form: saving names it.
  const base = useRef(inputOf(mailing))
  const [problem, setProblem] = useState<unknown>()
  const notice = useNotice()
  const queries = useQueryClient()
  const queryKey = keyOf(campaignMails.get, { params: { uid: program } })
  const save = useMutation({
    mutationFn: async (body: { before: ReportRecipientInput[]; recipients: ReportRecipientInput[] }) =>
      (await call(campaignMails.save, { params: { uid: program }, body })).data,
  })

  const valuesNow = () => (form.getFieldsValue(true) as Values).recipients
  const follow = useEffectEvent((newest: ReportRecipientInput[]) => {
    const mine = valuesNow()
    if (!isSame(mine, base.current) && !isSame(mine, newest)) return
    base.current = newest
    form.setFieldsValue({ recipients: newest })
  })
  useEffect(() => follow(inputOf(mailing)), [mailing])

  /** Goes on from a newer list, with what was edited here since `before`. */
  const rebase = async (before: ReportRecipientInput[], newest: ReportMailing) => {
    // An answer that is still on its way may be older.
    await queries.cancelQueries({ queryKey })
    form.setFieldsValue({ recipients: mergeRecipients(before, valuesNow(), inputOf(newest)) })
    base.current = inputOf(newest)
    queries.setQueryData(queryKey, { data: newest })
  }

  const submit = async () => {
    setProblem(undefined)
    const recipients = valuesNow()
    try {
      await rebase(recipients, await save.mutateAsync({ before: base.current, recipients }))
      notice('Recipients saved.')
    } catch (error) {
      setProblem(error)
    }
  }

  const reload = async () => {
    try {
      await rebase(base.current, (await call(campaignMails.get, { params: { uid: program } })).data)
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
    }
  }
  return { form, problem, isSaving: save.isPending, submit, reload }
}

function Recipients(props: RecipientsProps) {
  const { mailing } = props
  const { form, problem, isSaving, submit, reload } = useRecipients(props)
  const initial = inputOf(mailing)
  const ended = new Map(mailing.recipients.map(({ email, unsubscribedAt }) => [email, unsubscribedAt]))
  return (
    <Form form={form} layout="vertical" initialValues={{ recipients: initial }} onFinish={() => void submit()}>
      <Form.List name="recipients">
        {(rows, { add, remove }) => (
          <>
            <List gap={3} className={styles.rows}>
              {rows.map(({ key, name }) => (
                <li key={key} className={styles.row}>
                  <Form.Item
                    name={[name, 'email']}
                    label={`Email ${name + 1}`}
                    rules={[{ required: true, type: 'email', message: 'Not a valid email address.' }]}
                  >
                    <Input type="email" maxLength={254} autoComplete="off" />
                  </Form.Item>
                  <Form.Item
                    name={[name, 'occasions']}
                    label="When"
                    rules={[{ required: true, message: 'Choose at least one occasion.' }]}
                  >
                    <Checkbox.Group options={options} />
                  </Form.Item>
                  <Button onClick={() => remove(name)} aria-label={`Remove email ${name + 1}`}>
                    Remove
                  </Button>
                  <Ended at={ended.get(String(form.getFieldValue(['recipients', name, 'email'])))} />
                </li>
              ))}
            </List>
            {rows.length === 0 && <Soft as="p">No one gets reports of this program yet.</Soft>}
            {problem !== undefined && <SaveProblem error={problem} onReload={() => void reload()} />}
            <div className={styles.acts}>
              {rows.length < MAX_REPORT_RECIPIENTS && (
                <Button onClick={() => add({ email: '', occasions: ['weekly', 'end'] satisfies ReportOccasion[] })}>
                  Add recipient
                </Button>
              )}
              {(rows.length > 0 || initial.length > 0) && (
                <Button type="primary" htmlType="submit" loading={isSaving}>
                  Save recipients
                </Button>
              )}
            </div>
          </>
        )}
      </Form.List>
    </Form>
  )
}

const refusalOf = (error: unknown): string =>
  (error instanceof ApiError && Object.values(error.fields)[0]) || errorMessage(error)

const SaveProblem = ({ error, onReload }: { error: unknown; onReload: () => void }) => (
  <div className={styles.problem}>
    <Alert
      type={isStale(error) ? 'warning' : 'error'}
      role="alert"
      title={refusalOf(error)}
      action={isStale(error) && <Button onClick={onReload}>Reload and keep my edits</Button>}
    />
  </div>
)

const Ended = ({ at }: { at: string | null | undefined }) =>
  at ? <Soft as="p">Unsubscribed {timestamp(at)}. Only the recipient can turn the emails on again.</Soft> : null

function SentReports({ sent }: { sent: ReportMailing['sent'] }) {
  if (sent.length === 0) return <Soft as="p">No report has been sent yet.</Soft>
  return (
    <List gap={3} aria-label="Reports sent">
      {sent.map(({ occasion, period, sentAt, recipients }) => (
        <li key={`${occasion} ${period}`}>
          {reportOccasionLabel[occasion]}: {periodText(occasion, period)}, mailed{' '}
          <span className="figures">{timestamp(sentAt)}</span> to {recipients}{' '}
          {recipients === 1 ? 'recipient' : 'recipients'}
        </li>
      ))}
    </List>
  )
}

const periodText = (occasion: ReportOccasion, period: string): string =>
  ({ weekly: `week of ${period}`, end: `until ${period}`, published: `version ${period}` })[occasion]
