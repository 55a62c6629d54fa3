import { users } from '@roadshow/contract/catalog/users'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { SessionList } from '../../accounts/sessions/SessionList.tsx'

/** Where a user is signed in, and was; an admin ends one session or all of them. */
export function SessionsTab({ userUid, name }: { userUid: string; name: string }) {
  const params = { uid: userUid }
  const found = useQuery({
    queryKey: keyOf(users.sessions, params),
    queryFn: async ({ signal }) => (await call(users.sessions, { params }, { signal })).data,
    refetchOnMount: 'always',
  })
  const all = useSave(users.forceLogout)
  const one = useSave(users.endSession)
  const mayEnd = useMay(users.forceLogout)
  const ways = {
    endOne: (sessionUid: string) => one.mutateAsync({ params: { ...params, sessionUid } }),
    endAll: () => all.mutateAsync({ params }),
    mayEnd: () => true,
    words: {
      button: 'Sign out everywhere',
      question: `Sign ${name} out everywhere?`,
      text: 'Every page they have open goes back to the sign-in page at once. Unsaved changes are lost.',
      done: `${name} is signed out everywhere.`,
    },
  }
  return <SessionList found={found} ways={mayEnd ? ways : undefined} empty={`${name} has not signed in yet.`} />
}
