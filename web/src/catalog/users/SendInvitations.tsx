import { invitationSkipLabel, users } from '@roadshow/contract/catalog/users'
import type { InvitationSkip, InvitationsResult } from '@roadshow/contract/catalog/users'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { useInvitations } from './useInvitations.ts'

interface SendInvitationsProps {
  /** Users who were never signed in. */
  userUids: readonly string[]
  /** How many others were chosen, who are skipped. */
  others?: number
  size?: 'small'
  onSent: () => void
}

/** Invites users after one question that says how many and what they get. */
export function SendInvitations({ userUids, others = 0, size, onSent }: SendInvitationsProps) {
  const maySend = useMay(users.sendInvitations)
  const { send, isSending } = useInvitations()
  const [isAsking, setAsking] = useState(false)
  const notice = useNotice()
  if (!maySend) return null
  const invitations = countOf(userUids.length, 'invitation')
  const act = async () => {
    try {
      const result = await send(userUids)
      notice(sentSentence(result), result.sent > 0 ? 'done' : 'bad')
      setAsking(false)
      onSent()
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  return (
    <>
      <Button {...(size && { size })} disabled={userUids.length === 0} onClick={() => setAsking(true)}>
        {userUids.length > 0 ? `Send ${invitations}` : 'Send invitations'}
      </Button>
      <Confirm
        open={isAsking}
        question={`Send ${invitations}?`}
        text={`Each user gets an email with a link to set a password. Links sent to them before stop working.${othersSentence(others)}`}
        act="Send"
        isSafe
        busy={isSending}
        onAct={() => void act()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

const othersSentence = (count: number): string =>
  count === 0
    ? ''
    : ` ${countOf(count, 'selected user')} who signed in already or ${count === 1 ? 'is' : 'are'} deleted will be skipped.`

const MOST_NAMED = 5

/** Who was skipped for a reason, by name while they are few. */
function skippedFor(reason: InvitationSkip, skipped: InvitationsResult['skipped']): string {
  const names = skipped.flatMap((each) => (each.reason === reason ? each.name || 'a user' : []))
  const who = names.length > MOST_NAMED ? formatCount(names.length) : names.join(', ')
  return `${who} (${invitationSkipLabel[reason]})`
}

/** What came of it: how many invitations went out, and who was skipped and why. */
function sentSentence({ sent, skipped }: InvitationsResult): string {
  const on = sent === 0 ? 'No invitations sent.' : `${countOf(sent, 'invitation')} on the way.`
  if (skipped.length === 0) return on
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  return `${on} Skipped: ${reasons.map((reason) => skippedFor(reason, skipped)).join('; ')}.`
}
