import { auth } from '@roadshow/contract/accounts/sign-in'
import type { UserSession } from '@roadshow/contract/accounts/sign-in'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useSave } from '../../api/useSave.ts'
import { SessionList } from './SessionList.tsx'

const words = {
  button: 'Sign out everywhere else',
  question: 'Sign out everywhere else?',
  text: 'Every other browser goes back to the sign-in page at once. This one stays signed in.',
  done: 'You are signed out everywhere else.',
}

/** The user's own sessions: the session of a lost phone is ended here. */
export default function MySessions({ onClose }: { onClose: () => void }) {
  const found = useQuery({
    queryKey: keyOf(auth.sessions),
    queryFn: async ({ signal }) => (await call(auth.sessions, {}, { signal })).data,
    refetchOnMount: 'always',
  })
  const one = useSave(auth.endSession)
  const others = useSave(auth.endOtherSessions)
  const ways = {
    endOne: (uid: string) => one.mutateAsync({ params: { uid } }),
    endAll: () => others.mutateAsync({}),
    // This one ends by LOGOUT.
    mayEnd: ({ isThisOne }: UserSession) => !isThisOne,
    words,
  }
  return (
    <Drawer open onClose={onClose} size={DRAWER_WIDTH} title="My sessions">
      <SessionList found={found} ways={ways} empty="" />
    </Drawer>
  )
}
