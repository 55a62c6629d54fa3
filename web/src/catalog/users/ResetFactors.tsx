import { users } from '@roadshow/contract/catalog/users'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useUser } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'

interface Props {
  userUid: string
  name: string
  onReset: () => void
}

/** Lets an admin help a user who lost their second factor. Own factors are changed under Sign-in & access. */
export function ResetFactors({ userUid, name, onReset }: Props) {
  const [isAsking, setAsking] = useState(false)
  const reset = useSave(users.resetFactors)
  const notice = useNotice()
  const self = useUser()
  if (self.userUid === userUid) return null

  const act = async () => {
    try {
      await reset.mutateAsync({ params: { uid: userUid } })
      notice(`The second factor of ${name} is reset.`)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setAsking(false)
    onReset()
  }
  return (
    <p>
      <Button danger onClick={() => setAsking(true)}>
        Reset second factor
      </Button>
      <Confirm
        open={isAsking}
        question={`Reset the second factor of ${name}?`}
        text="Their passkeys, authenticator app and recovery codes are removed, and they are signed out everywhere. They sign in with their password alone until they set up a new one. They are notified by email."
        act="Reset"
        busy={reset.isPending}
        onAct={() => void act()}
        onCancel={() => setAsking(false)}
      />
    </p>
  )
}
