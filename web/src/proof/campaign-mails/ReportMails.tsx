import {
  campaignMails,
  MAX_REPORT_RECIPIENTS,
  reportOccasionLabel,
  reportOccasions,
} from '@roadshow/contract/proof/campaign-mails'
import type { ReportMailing, ReportOccasion, ReportRecipientInput } from '@roadshow/contract/proof/campaign-mails'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Form, Input } from 'antd'
import { useId, useState } from 'react'
import { ApiError, call, errorMessage } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { timestamp } from '../../ui/time.ts'
import { ReportPreview } from './ReportPreview.tsx'
import styles from './ReportMails.module.css'

const options = reportOccasions.map((value) => ({ value, label: reportOccasionLabel[value] }))

/** Who gets the reports of a program by mail, and which were sent. */
export function ReportMails({ program }: { program: string }) {
  const title = useId()
  const found = useQuery({
    queryKey: keyOf(campaignMails.get, { uid: program }),
    queryFn: async ({ signal }) => (await call(campaignMails.get, { params: { uid: program } }, { signal })).data,
  })
  return (
    <section aria-labelledby={title} className={styles.mails}>
      <h3 id={title}>Mailed reports</h3>
      <p className={styles.soft}>
        A PDF and a CSV file with the program’s figures: every Monday morning, after the last day, or with each
        published version. Each mail has a link to unsubscribe.
      </p>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines rows={2} />}
      {found.data && <Recipients key={JSON.stringify(found.data.recipients)} program={program} mailing={found.data} />}
      <ReportPreview program={program} />
      {found.data && <SentReports sent={found.data.sent} />}
    </section>
  )
}

interface Values {
  recipients: ReportRecipientInput[]
}

function Recipients({ program, mailing }: { program: string; mailing: ReportMailing }) {
  const [form] = Form.useForm<Values>()
  const [problem, setProblem] = useState<string>()
  const notice = useNotice()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async ({ recipients }: Values) =>
      (await call(campaignMails.save, { params: { uid: program }, body: { recipients } })).data,
    onSuccess: (data) => {
      queries.setQueryData(keyOf(campaignMails.get, { uid: program }), data)
      notice('Recipients saved.')
    },
  })
  const submit = async () => {
    setProblem(undefined)
    try {
      await save.mutateAsync(form.getFieldsValue())
    } catch (error) {
      setProblem(refusalOf(error))
    }
  }
  const initial = mailing.recipients.map(({ email, occasions }) => ({ email, occasions }))
  const ended = new Map(mailing.recipients.map(({ email, unsubscribedAt }) => [email, unsubscribedAt]))
  return (
    <Form form={form} layout="vertical" initialValues={{ recipients: initial }} onFinish={() => void submit()}>
      <Form.List name="recipients">
        {(rows, { add, remove }) => (
          <>
            <ul className={styles.rows}>
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
            </ul>
            {rows.length === 0 && <p className={styles.soft}>No one gets reports of this program yet.</p>}
            {problem && (
              <p role="alert" className={styles.problem}>
                {problem}
              </p>
            )}
            <div className={styles.acts}>
              {rows.length < MAX_REPORT_RECIPIENTS && (
                <Button onClick={() => add({ email: '', occasions: ['weekly', 'end'] satisfies ReportOccasion[] })}>
                  Add recipient
                </Button>
              )}
              {(rows.length > 0 || initial.length > 0) && (
                <Button type="primary" htmlType="submit" loading={save.isPending}>
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

const Ended = ({ at }: { at: string | null | undefined }) =>
  at ? <p className={styles.soft}>Unsubscribed {timestamp(at)}. Only the recipient can start the mails again.</p> : null

function SentReports({ sent }: { sent: ReportMailing['sent'] }) {
  if (sent.length === 0) return <p className={styles.soft}>No report was mailed yet.</p>
  return (
    <ul className={styles.sent} aria-label="Reports mailed">
      {sent.map(({ occasion, period, sentAt, recipients }) => (
        <li key={`${occasion} ${period}`}>
          {reportOccasionLabel[occasion]}: {periodText(occasion, period)}, mailed{' '}
          <span className="figures">{timestamp(sentAt)}</span> to {recipients}{' '}
          {recipients === 1 ? 'recipient' : 'recipients'}
        </li>
      ))}
    </ul>
  )
}

const periodText = (occasion: ReportOccasion, period: string): string =>
  ({ weekly: `week of ${period}`, end: `until ${period}`, published: `version ${period}` })[occasion]
