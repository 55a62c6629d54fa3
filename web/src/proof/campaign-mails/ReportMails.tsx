import {
  campaignMails,
  clientMails,
  clientOccasions,
  MAX_REPORT_RECIPIENTS,
  programOccasions,
  reportOccasionLabel,
} from '@roadshow/contract/proof/campaign-mails'
import type { ReportMailing, ReportOccasion, ReportRecipientInput } from '@roadshow/contract/proof/campaign-mails'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Form, Input } from 'antd'
import { useId } from 'react'
import type { ReactNode } from 'react'
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
import { localZone, formatDateTime, formatDay, formatMonth } from '@roadshow/contract/platform/dates'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { mergeRecipients } from './mergeRecipients.ts'
import { ReportPreview } from './ReportPreview.tsx'
import styles from './ReportMails.module.css'

/** Whose reports are mailed: those of a program, or the monthly one of a client. */
interface MailsOwner {
  of: 'program' | 'client'
  uid: string
}

const waysOf = {
  program: {
    calls: campaignMails,
    occasions: programOccasions,
    blank: ['weekly', 'end'],
    none: 'No one gets reports of this program yet.',
    about:
      'A PDF and a CSV file with the program’s figures: every Monday morning, after the last day, or with each published version.',
  },
  client: {
    calls: clientMails,
    occasions: clientOccasions,
    blank: ['monthly'],
    none: 'No one gets the monthly report yet.',
    about: 'The report of the month before as a PDF, on the morning of the first day of each month.',
  },
} as const

interface ReportMailsProps {
  owner: MailsOwner
  /** People who can be added with a click. */
  contacts?: readonly { name: string; email: string }[]
  /** What can be done besides with the list. */
  children?: (mailing: ReportMailing) => ReactNode
}

/** Who gets the reports of a program or client by mail, and which were sent. */
export function ReportMails({ owner, contacts = [], children }: ReportMailsProps) {
  const title = useId()
  const { calls, about } = waysOf[owner.of]
  const found = useCall(calls.get, { params: { uid: owner.uid } })
  return (
    <Stack as="section" aria-labelledby={title} gap={3} className={styles.mails}>
      <h3 id={title}>Emailed reports</h3>
      <Soft as="p">{about} Each email has a link to unsubscribe.</Soft>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines rows={2} />}
      {found.data && <Recipients key={owner.uid} owner={owner} mailing={found.data} contacts={contacts} />}
      {found.data && children?.(found.data)}
      {found.data && <SentReports sent={found.data.sent} />}
    </Stack>
  )
}

/** The emailed reports of a program. */
export function ProgramMails({ program }: { program: string }) {
  return (
    <ReportMails owner={{ of: 'program', uid: program }}>
      {(mailing) => (
        <>
          <SendNow program={program} mailing={mailing} />
          <ReportPreview program={program} />
        </>
      )}
    </ReportMails>
  )
}

interface Values {
  recipients: ReportRecipientInput[]
}

const fields = { recipients: 'Recipients' }

interface RecipientsProps extends Required<Pick<ReportMailsProps, 'owner' | 'contacts'>> {
  mailing: ReportMailing
}

/** The form of the recipients. Rows, not the list, are merged with those of others. */
function useRecipients({ owner, mailing }: Omit<RecipientsProps, 'contacts'>) {
  const notice = useNotice()
  const queries = useQueryClient()
  const params = { uid: owner.uid }
  const calls = waysOf[owner.of].calls as typeof campaignMails
  /** Every screen that shows the list shows the newest one; an answer that is still on its way may be older. */
  const keep = async (newest: ReportMailing) => {
    const queryKey = keyOf(calls.get, { params })
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
    schema: calls.save.body,
    merge: (before, mine, newest) => ({
      recipients: mergeRecipients(before.recipients, mine.recipients, newest.recipients),
    }),
    async save({ recipients }, { recipients: known }) {
      const before = known.map(({ email, occasions }) => ({ email, occasions }))
      return keep((await call(calls.save, { params, body: { before, recipients } })).data)
    },
    goOnFrom: (saved) => saved,
    onSaved: () => notice('Recipients saved.'),
    reload: async () => keep((await call(calls.get, { params })).data),
  })
}

function Recipients(props: RecipientsProps) {
  const { recipients } = props.mailing
  const { occasions, blank, none } = waysOf[props.owner.of]
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
                    {occasions.length > 1 && (
                      <Field name="occasions" label="When">
                        <Checkbox.Group options={optionsOf(occasions)} />
                      </Field>
                    )}
                  </RowContext>
                  <Button onClick={() => remove(index)} aria-label={`Remove email ${index + 1}`}>
                    Remove
                  </Button>
                  <Ended at={ended.get(String(edit.form.getFieldValue(['recipients', index, 'email'])))} />
                </li>
              ))}
            </List>
            {rows.length === 0 && <Soft as="p">{none}</Soft>}
            <ListErrors errors={errors} />
            <div className={styles.acts}>
              {rows.length < MAX_REPORT_RECIPIENTS && (
                <Button onClick={() => add({ email: '', occasions: [...blank] })}>Add recipient</Button>
              )}
              {props.contacts
                .filter(({ email }) => !isListed(edit.form.getFieldValue('recipients'), email))
                .map(({ name, email }) => (
                  <Button
                    key={email}
                    disabled={edit.isBusy}
                    onClick={() => {
                      // Nothing is left to type for a contact, so the list is saved at once.
                      add({ email, occasions: [...blank] })
                      edit.form.submit()
                    }}
                  >
                    Add {name}
                  </Button>
                ))}
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

const optionsOf = (occasions: readonly ReportOccasion[]) =>
  occasions.map((value) => ({ value, label: reportOccasionLabel[value] }))

const isListed = (recipients: readonly Partial<ReportRecipientInput>[] | undefined, email: string): boolean =>
  (recipients ?? []).some((each) => each.email?.trim().toLowerCase() === email.toLowerCase())

const Ended = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <Soft as="p">Unsubscribed {formatDateTime(at, localZone())}. Only the recipient can turn the emails on again.</Soft>
  ) : null

interface SendNowProps {
  program: string
  mailing: ReportMailing
}

/** Mails a report at once, for each occasion that someone gets. */
function SendNow({ program, mailing }: SendNowProps) {
  const send = useSave(campaignMails.send)
  const act = useSending()
  const offered = programOccasions.filter((occasion) => isSentToSomeone(mailing, occasion))
  if (offered.length === 0) return null
  return (
    <div className={styles.acts}>
      {offered.map((occasion) => (
        <Button
          key={occasion}
          disabled={send.isPending}
          onClick={() => void act(() => send.mutateAsync({ params: { uid: program }, body: { occasion } }))}
        >
          Send now: {sendNowLabel[occasion]}
        </Button>
      ))}
    </div>
  )
}

/** Whether someone gets the reports of an occasion. */
export const isSentToSomeone = ({ recipients }: ReportMailing, occasion: ReportOccasion): boolean =>
  recipients.some(({ occasions, unsubscribedAt }) => unsubscribedAt === null && occasions.includes(occasion))

/** Sends, and says to how many. */
export function useSending() {
  const notice = useNotice()
  return async (send: () => Promise<{ data: { recipients: number } }>) => {
    try {
      const { data } = await send()
      notice(
        data.recipients === 0
          ? 'This report was sent within the last ten minutes.'
          : `Report sent to ${countOf(data.recipients, 'recipient')}.`,
      )
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
}

const sendNowLabel: Record<(typeof programOccasions)[number], string> = {
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
          <span className="figures">{formatDateTime(sentAt, localZone())}</span> to {countOf(recipients, 'recipient')}
        </li>
      ))}
    </List>
  )
}

const periodText = (occasion: ReportOccasion, period: string): string =>
  ({
    weekly: () => `week of ${formatDay(period)}`,
    end: () => `until ${formatDay(period)}`,
    published: () => `version ${period}`,
    monthly: () => formatMonth(period),
  })[occasion]()
