import { credentials } from '@roadshow/contract/accounts/credentials'
import type { Credential } from '@roadshow/contract/accounts/credentials'
import { users } from '@roadshow/contract/catalog/users'
import { useCall } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { ResetFactors } from './ResetFactors.tsx'
import { CredentialList } from '../../accounts/credentials/CredentialList.tsx'

/** Everything open that lets a user in or acts for them; an admin ends one of them, or signs the user out everywhere. */
export function CredentialsTab({ userUid, name }: { userUid: string; name: string }) {
  const params = { uid: userUid }
  const found = useCall(credentials.ofUser, { params }, { refetchOnMount: 'always' })
  const earlier = useCall(users.sessions, { params }, { refetchOnMount: 'always' })
  const all = useSave(users.forceLogout)
  const one = useSave(credentials.endOfUser)
  const mayEnd = useMay(users.forceLogout)
  const ways = {
    endOne: ({ kind, uid }: Credential) => one.mutateAsync({ params: { ...params, kind, credentialUid: uid } }),
    endAll: () => all.mutateAsync({ params }),
    endsWithAll: ({ kind }: Credential) => ['session', 'link', 'calendar', 'push'].includes(kind),
    words: {
      button: 'Sign out everywhere',
      question: `Sign ${name} out everywhere?`,
      text: 'Every page they have open goes back to the sign-in page at once. Their calendar link, notifications in browsers and open password resets end too.',
      done: `${name} is signed out everywhere.`,
    },
  }
  const empty = `${name} is not signed in anywhere and has no open links.`
  const hasFactor = found.data?.some(({ kind }) => kind === 'passkey' || kind === 'codeApp')
  return (
    <>
      {mayEnd && hasFactor && <ResetFactors userUid={userUid} name={name} onReset={() => void found.refetch()} />}
      <CredentialList found={found} earlier={earlier} ways={mayEnd ? ways : undefined} empty={empty} />
    </>
  )
}
