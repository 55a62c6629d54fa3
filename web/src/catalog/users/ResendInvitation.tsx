import { users } from '@roadshow/contract/catalog/users'
import { Button } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { useNotice } from '../../ui/notices.tsx'

interface Props {
  userUid: string
  email: string
}

/** Says that a user has not signed in yet, and mails them a new link. */
export function ResendInvitation({ userUid, email }: Props) {
  const resend = useSave(users.resendInvitation)
  const mayResend = useMay(users.resendInvitation)
  const notice = useNotice()
  const act = async () => {
    try {
      await resend.mutateAsync({ params: { uid: userUid } })
      notice(`A new invitation is on its way to ${email}.`)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  return (
    <p>
      Invited, not signed in yet.{' '}
      {mayResend && (
        <Button loading={resend.isPending} onClick={() => void act()}>
          Resend invitation
        </Button>
      )}
    </p>
  )
}
