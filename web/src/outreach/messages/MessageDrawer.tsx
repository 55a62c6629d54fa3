import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { messageChannelLabel, messages, messageStateLabel } from '@roadshow/contract/outreach/messages'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import type { ReactNode } from 'react'
import { useDetails } from '../../api/useDetails.ts'
import details from '../../ui/details.module.css'
import { DetailsDrawer } from '../../ui/record/DetailsDrawer.tsx'
import { Facts } from '../../ui/record/Facts.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { Soft } from '../../ui/layout.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import { MessageActions } from './MessageActions.tsx'
import { AttemptList } from './AttemptList.tsx'
import { stateTone } from './messageWords.ts'
import styles from './messages.module.css'

type Details = ReplyOf<typeof messages.get>['data']

const doneLabel = { sent: 'Sent', dead: 'Given up', cancelled: 'Canceled', waiting: '', late: '' }

function factsOf({ at, user, recipient, channel, state, problem, nextAt, doneAt }: Details): Record<string, ReactNode> {
  return {
    State: <StateTag tone={stateTone[state]}>{messageStateLabel[state]}</StateTag>,
    ...(problem && { [state === 'sent' ? 'Why it was late' : 'Reason']: problem }),
    To: user ? `${user.name}, ${recipient}` : recipient,
    Channel: messageChannelLabel[channel],
    Created: formatMoment(at, localZone()),
    ...(nextAt && { 'Next attempt': formatMoment(nextAt, localZone()) }),
    ...(doneAt && { [doneLabel[state]]: formatMoment(doneAt, localZone()) }),
  }
}

// Links open nothing: the frame may neither run scripts nor open windows.
const asShown = (html: string) => html.replace('<head>', '<head><base target="_blank">')

/** The mail as its reader sees it. */
function MailPreview({ mail, isSecret, channel }: Details) {
  if (channel !== 'mail') return null
  return (
    <>
      <h2 className={details.heading}>Email</h2>
      {isSecret && (
        <p>
          <Soft>The content opens an account, so it is not shown.</Soft>
        </p>
      )}
      {!isSecret && !mail && (
        <p>
          <Soft>The content can no longer be opened.</Soft>
        </p>
      )}
      {mail?.html && <iframe className={styles.mail ?? ''} title="The email" sandbox="" srcDoc={asShown(mail.html)} />}
      {mail && !mail.html && <pre className={details.text}>{mail.text}</pre>}
    </>
  )
}

/** One message: what became of it, every attempt, and the mail as it looks. */
export function MessageDrawer(props: RecordFormProps) {
  const message = useDetails(messages.get, props.uid)
  return (
    <DetailsDrawer {...props} found={message} size={LARGE_DRAWER_WIDTH} title={message.data?.subject ?? 'Message'}>
      {message.data && (
        <>
          <Facts facts={factsOf(message.data)} />
          <MessageActions message={message.data} />
          <AttemptList attempts={message.data.log} />
          <MailPreview {...message.data} />
        </>
      )}
    </DetailsDrawer>
  )
}
